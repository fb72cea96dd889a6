// A child process that we talk with: text goes in, lines come out.

import { LineCutter, Tail } from "./lines.js";
import { type StartOptions, startProcess, type Wrap } from "./start.js";

export interface ChildOptions extends Omit<StartOptions, "killStrays"> {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Puts it into a sandbox. */
  readonly wrap?: Wrap | undefined;
  /** Ports of this machine that it reaches from there. */
  readonly ports?: readonly number[];
  readonly onLine: (line: string) => void;
}

export type Child = ReturnType<typeof startChild>;

const KEEP_STDERR = 16_000;

export function startChild({ wrap, ports, onLine, ...options }: ChildOptions) {
  const lines = new LineCutter();
  const stderr = new Tail(KEEP_STDERR);
  const pass = (each: readonly string[]): void => each.forEach((line) => onLine(line));
  const wrapped = wrap?.(options.command, options.args ?? [], ports);
  const child = startProcess(
    { ...options, ...wrapped, stdin: "pipe", killStrays: true },
    { onStdout: (text) => pass(lines.cut(text)), onStderr: (text) => stderr.add(text) },
  );
  const exited = child.exited.finally(() => pass(lines.rest()));
  return {
    pid: child.pid,
    /** Settles when the process has ended and its output has been read. */
    exited,
    /** The last part of its standard error. */
    get stderr() {
      return stderr.text;
    },
    write: (text: string): void => void child.stdin?.write(text),
    endInput: () => void child.stdin?.end(),
    /** Ends the whole group, by force after a while. */
    end() {
      child.end();
      return exited;
    },
  };
}
