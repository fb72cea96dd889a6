// Starts a child process as the leader of its own process group and session. When the child ends, everything it started
// ends too. A command that cannot be started is a child that has ended: nothing here throws.

import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import type { Writable } from "node:stream";
import { inherit } from "./environment.js";
import { descendantsOf, killEach, killOnExit, leftBehind, markedWith, signalGroup } from "./group.js";
import { noteRunning } from "./orphans.js";

export interface StartOptions {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  /** The child's whole environment. Without it, the child inherits ours. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** When it ends, also kill descendants in other groups and sessions. Costs a look at the processes of the system. */
  readonly killStrays?: boolean | undefined;
  /** The folder of orphan notes, see `orphans.ts`. Without it, the one of `noteChildrenIn`. */
  readonly running?: string | undefined;
}

export interface StartedProcess {
  readonly pid: number | undefined;
  readonly stdin: Writable | null;
  /** Settles when the process has ended and its output has been read. */
  readonly exited: Promise<ChildExit>;
  /** Sends SIGTERM to the group, and SIGKILL if it is still there after a while. */
  end(): void;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not be started. */
  readonly notStarted?: string;
}

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 2_000;
/** How long we read on after the exit, because a process that we do not know may hold the pipes for ever. */
const DRAIN_MS = 1_000;

interface Output {
  onStdout(text: string): void;
  onStderr(text: string): void;
}

export function startProcess(
  options: StartOptions & { readonly stdin: "pipe" | "ignore" },
  output: Output,
): StartedProcess {
  const { command, args = [], cwd, stdin } = options;
  const mark = options.killStrays === true ? randomUUID() : undefined;
  const env = mark === undefined ? options.env : markedWith(mark, options.env ?? inherit({}));
  try {
    const child = spawn(command, args, { cwd, env, detached: true, stdio: [stdin, "pipe", "pipe"] });
    return watch(child, { ...options, mark }, output);
  } catch (error) {
    // Arguments that the system refuses, such as one with a zero byte.
    return { pid: undefined, stdin: null, exited: Promise.resolve(notStarted(error)), end: () => {} };
  }
}

const notStarted = (error: unknown): ChildExit => ({ code: null, signal: null, notStarted: String(error) });

function watch(
  child: ChildProcess,
  { mark, running }: Pick<StartOptions, "running"> & { readonly mark: string | undefined },
  output: Output,
): StartedProcess {
  const { pid } = child;
  // If the process has no file descriptors left, the child has no streams.
  child.stdout?.setEncoding("utf8").on("data", (text: string) => output.onStdout(text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => output.onStderr(text));
  // A child that does not read its input to the end explains that by its exit.
  child.stdin?.on("error", () => {});
  const release = [killOnExit(pid), noteRunning(pid, running)];
  let descendants: readonly number[] = [];
  let force: NodeJS.Timeout | undefined;
  let isOver = false;
  const exited = new Promise<ChildExit>((done) => {
    child.on("error", (error) => {
      if (pid === undefined) done(notStarted(error.message));
    });
    child.on("exit", (code, signal) => {
      signalGroup(pid, "SIGKILL");
      killEach([...descendants, ...(mark === undefined ? [] : leftBehind(pid, mark))]);
      const drained = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS);
      child.on("close", () => {
        clearTimeout(drained);
        done({ code, signal });
      });
    });
  }).finally(() => {
    isOver = true;
    clearTimeout(force);
    for (const each of release) each();
  });
  const end = (): void => {
    if (isOver || force !== undefined) return;
    descendants = descendantsOf(pid);
    signalGroup(pid, "SIGTERM");
    force = setTimeout(() => signalGroup(pid, "SIGKILL"), GRACE_MS);
  };
  return { pid, stdin: child.stdin, exited, end };
}

// Runs a command inside another, such as a sandbox. No shell reads the words.
// `ports`: of this machine, which it needs to reach.
export type Wrap = (
  command: string,
  args: readonly string[],
  ports?: readonly number[],
) => { readonly command: string; readonly args: readonly string[] };
