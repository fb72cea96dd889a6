// Starts a child process in a group of its own, reads what it says, and ends the whole group when its
// time is up or nobody wants it any more. The result always has the same shape.

import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { adoptGroup, killEach, leftBehind, markedWith, signalGroup } from "./group.js";
import { noteRunning } from "./orphans.js";
import { Tail } from "./tail.js";

export interface RunOptions {
  readonly command: string;
  readonly args?: readonly string[];
  /** Let the system's shell read `command`. */
  readonly shell?: boolean;
  readonly cwd?: string;
  /** Everything that it sees; without it, what this program sees. */
  readonly env?: NodeJS.ProcessEnv;
  /** For its standard input; without it, that is empty. */
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** The last so many characters of the output are kept. */
  readonly keep?: number;
  /** What it starts, in whatever group, ends with it. */
  readonly alone?: boolean;
  /** Hears everything that it says, piece by piece. */
  onText?(text: string): void;
}

export interface RunResult {
  /** One word for how it ended. */
  readonly endedBy: "itself" | "timeout" | "cancel" | "not-started";
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Standard output and standard error, in the order they came. */
  readonly output: string;
  readonly stdout: string;
  readonly durationMs: number;
}

/** Between asking a group to end and ending it. */
const GRACE_MS = 2_000;
const DRAIN_MS = 1_000;
const KEEP = 200_000;

export function run(options: RunOptions): Promise<RunResult> {
  const started = performance.now();
  const { command, args = [], shell = false, cwd, input, timeoutMs, signal, keep = KEEP } = options;
  const mark = options.alone === true ? randomUUID() : undefined;
  const env = mark === undefined ? options.env : markedWith(mark, options.env ?? {});
  const output = new Tail(keep);
  const stdout = new Tail(keep);
  return new Promise<RunResult>((done) => {
    let endedBy: RunResult["endedBy"] = "itself";
    const stdin = input === undefined ? "ignore" : "pipe";
    const child = spawn(command, args, { shell, cwd, env, detached: true, stdio: [stdin, "pipe", "pipe"] });
    // A child that does not read to the end says why by how it ends.
    child.stdin?.on("error", () => {}).end(input);
    const letGo = adoptGroup(child.pid);
    const takeNoteAway = noteRunning(undefined, child.pid);
    const timers: NodeJS.Timeout[] = [];
    const stop = (why: "timeout" | "cancel"): void => {
      if (endedBy !== "itself") return;
      endedBy = why;
      signalGroup(child.pid, "SIGTERM");
      timers.push(setTimeout(() => signalGroup(child.pid, "SIGKILL"), GRACE_MS));
    };
    const cancel = (): void => stop("cancel");
    if (timeoutMs !== undefined) timers.push(setTimeout(() => stop("timeout"), timeoutMs));
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted) cancel();

    const hear = (chunk: string): void => {
      output.add(chunk);
      options.onText?.(chunk);
    };
    child.stdout
      ?.setEncoding("utf8")
      .on("data", hear)
      .on("data", (chunk: string) => stdout.add(chunk));
    child.stderr?.setEncoding("utf8").on("data", hear);

    const finish = (exitCode: number | null, by: NodeJS.Signals | null): void => {
      for (const timer of timers) clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      letGo();
      takeNoteAway();
      const durationMs = Math.round(performance.now() - started);
      done({ endedBy, exitCode, signal: by, output: output.text, stdout: stdout.text, durationMs });
    };
    child.on("error", (error) => {
      endedBy = "not-started";
      output.add(error.message);
      finish(null, null);
    });
    child.on("exit", (code, by) => {
      // A background process that the child left behind would hold files and ports, and keep these pipes open.
      signalGroup(child.pid, "SIGKILL");
      if (mark !== undefined) killEach(leftBehind({ session: child.pid, mark }));
      // The last words may still be on their way. One outside the group is not waited for.
      const timer = setTimeout(() => finish(code, by), DRAIN_MS);
      timers.push(timer);
      child.on("close", () => finish(code, by));
    });
  }).catch(neverStarted);
}

/** Words that the system does not take at all, such as one with a zero byte. */
const neverStarted = (error: unknown): RunResult => ({
  endedBy: "not-started",
  exitCode: null,
  signal: null,
  output: String(error),
  stdout: "",
  durationMs: 0,
});
