// A child process that we talk with: text goes in, lines come out.

import { LineCutter, Tail } from "./lines.js";
import { type ChildExit, startProcess, type Wrap } from "./start.js";

export interface ChildOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The folder of orphan notes, see `orphans.ts`. */
  readonly running?: string | undefined;
  /** Puts it into a sandbox. */
  readonly wrap?: Wrap | undefined;
  readonly onLine: (line: string) => void;
}

export interface Child {
  readonly pid: number | undefined;
  /** Settles when the process has ended and its output has been read. */
  readonly exited: Promise<ChildExit>;
  /** The last part of its standard error. */
  readonly stderr: string;
  write(text: string): void;
  endInput(): void;
  /** Ends the whole group, by force after a while. */
  end(): Promise<ChildExit>;
}

const KEEP_STDERR = 16_000;

export function startChild({ wrap, onLine, ...options }: ChildOptions): Child {
  const lines = new LineCutter();
  const stderr = new Tail(KEEP_STDERR);
  const pass = (each: readonly string[]): void => each.forEach((line) => onLine(line));
  const wrapped = wrap?.(options.command, options.args ?? []);
  const child = startProcess(
    { ...options, ...wrapped, stdin: "pipe", killStrays: true },
    { onStdout: (text) => pass(lines.cut(text)), onStderr: (text) => stderr.add(text) },
  );
  const exited = child.exited.finally(() => pass(lines.rest()));
  return {
    pid: child.pid,
    exited,
    get stderr() {
      return stderr.text;
    },
    write: (text) => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    end() {
      child.end();
      return exited;
    },
  };
}
