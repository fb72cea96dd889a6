// Runs a command inside another, such as a sandbox. No shell reads the words.

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

export type Wrap = (command: string, args: readonly string[]) => Command;
