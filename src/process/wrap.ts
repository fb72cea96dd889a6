// A command inside another one, such as a sandbox. Both are lists of words: no shell reads them on the way.

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

export type Wrap = (command: string, args: readonly string[]) => Command;
