// A child process that one talks with: lines come out, text goes in, and at the end its whole group is gone.
// It never throws: a command that cannot be started is a child that has ended.

import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { adoptGroup, descendantsOf, killEach, leftBehind, markedWith, signalGroup } from "./group.js";
import { LineCutter } from "./lines.js";
import { noteRunning } from "./orphans.js";
import { Tail } from "./tail.js";
import type { Wrap } from "./wrap.js";

export interface ChildOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** A folder where it is noted while it runs, so that a later program can end it if this one is killed. */
  readonly running?: string | undefined;
  /** Puts it into a sandbox. */
  readonly wrap?: Wrap | undefined;
  onLine(line: string): void;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly notStarted?: string;
}

export interface Child {
  readonly pid: number | undefined;
  /** Settles when the process has ended and everything it said has been read. */
  readonly exited: Promise<ChildExit>;
  /** The last of what it said on standard error. */
  readonly stderr: string;
  write(text: string): void;
  endInput(): void;
  /** Asks the group to end, makes it end after a while, and settles when it has. */
  end(): Promise<ChildExit>;
}

/** Between asking a group to end and ending it. */
const GRACE_MS = 2_000;
/** A process outside the group may hold the pipes of a child that has ended. */
const DRAIN_MS = 1_000;
const KEEP_STDERR = 16_000;

const waitForExit = (child: ChildProcessWithoutNullStreams, mark: string): Promise<ChildExit> =>
  new Promise((done) => {
    child.once("error", (error) => {
      if (child.pid === undefined) done({ code: null, signal: null, notStarted: error.message });
    });
    child.once("exit", (code, signal) => {
      // What the child left, in its group or in one of its own, would hold files, ports and these pipes.
      signalGroup(child.pid, "SIGKILL");
      killEach(leftBehind({ session: child.pid, mark }));
      const timer = setTimeout(() => done({ code, signal }), DRAIN_MS);
      child.once("close", () => {
        clearTimeout(timer);
        done({ code, signal });
      });
    });
  });

/** Arguments that the system does not take at all, such as a zero byte or a megabyte. */
function neverStarted(error: unknown): Child {
  const exited = Promise.resolve({ code: null, signal: null, notStarted: String(error) });
  return { pid: undefined, exited, stderr: "", write: () => {}, endInput: () => {}, end: () => exited };
}

export function startChild(options: ChildOptions): Child {
  const { cwd, wrap } = options;
  const mark = randomUUID();
  const env = markedWith(mark, options.env);
  try {
    const { command, args = [] } = wrap?.(options.command, options.args ?? []) ?? options;
    const child = spawn(command, args, { cwd, env, detached: true, stdio: ["pipe", "pipe", "pipe"] });
    return watch(child, mark, options);
  } catch (error) {
    return neverStarted(error);
  }
}

function watch(child: ChildProcessWithoutNullStreams, mark: string, options: ChildOptions): Child {
  const letGo = adoptGroup(child.pid);
  const takeNoteAway = noteRunning(options.running, child.pid);
  const lines = new LineCutter();
  const stderr = new Tail(KEEP_STDERR);
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    for (const line of lines.cut(text)) options.onLine(line);
  });
  child.stdout.on("end", () => {
    for (const line of lines.rest()) options.onLine(line);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => stderr.add(text));
  // A child that ends early closes its input: how it ended says more than a broken pipe.
  child.stdin.on("error", () => {});
  let ended = false;
  const exited = waitForExit(child, mark).finally(() => {
    ended = true;
    letGo();
    takeNoteAway();
  });
  return {
    pid: child.pid,
    exited,
    get stderr() {
      return stderr.text;
    },
    write: (text) => void child.stdin.write(text),
    endInput: () => void child.stdin.end(),
    async end() {
      const below = ended ? [] : descendantsOf(child.pid);
      signalGroup(child.pid, "SIGTERM");
      const timer = setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS);
      const exit = await exited;
      clearTimeout(timer);
      killEach(below);
      return exit;
    },
  };
}
