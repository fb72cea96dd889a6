// Runs a command to its end, with limits on its time and on the output that we keep.

import { clockMs } from "./clock.js";
import { Tail } from "./lines.js";
import { type StartOptions, startProcess } from "./start.js";

export interface RunOptions extends StartOptions {
  /** For its standard input, which is empty without it. */
  readonly input?: string | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How many characters of output to keep: the last ones. */
  readonly keep?: number | undefined;
  /** Gets all output as it comes. */
  onText?(text: string): void;
}

export interface RunResult {
  readonly endedBy: "itself" | "timeout" | "cancel" | "not-started";
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Standard output and standard error in the order they came. If it did not start: why. */
  readonly output: string;
  readonly stdout: string;
  readonly durationMs: number;
}

const KEEP = 200_000;

export async function run(options: RunOptions): Promise<RunResult> {
  const started = clockMs();
  const { input, timeoutMs, signal, keep = KEEP } = options;
  const [output, stdout] = [new Tail(keep), new Tail(keep)];
  const onStderr = (text: string): void => {
    output.add(text);
    options.onText?.(text);
  };
  const onStdout = (text: string): void => {
    stdout.add(text);
    onStderr(text);
  };
  const child = startProcess({ ...options, stdin: input === undefined ? "ignore" : "pipe" }, { onStdout, onStderr });
  child.stdin?.end(input);

  let endedBy: RunResult["endedBy"] = "itself";
  const stop = (why: "timeout" | "cancel"): void => {
    if (endedBy === "itself") endedBy = why;
    child.end();
  };
  const cancel = (): void => stop("cancel");
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => stop("timeout"), timeoutMs);
  signal?.addEventListener("abort", cancel, { once: true });
  if (signal?.aborted) cancel();
  const exit = await child.exited;
  clearTimeout(timer);
  signal?.removeEventListener("abort", cancel);

  const durationMs = Math.round(clockMs() - started);
  if (exit.notStarted !== undefined) {
    return { endedBy: "not-started", exitCode: null, signal: null, output: exit.notStarted, stdout: "", durationMs };
  }
  return { endedBy, exitCode: exit.code, signal: exit.signal, output: output.text, stdout: stdout.text, durationMs };
}

/** Runs a shell script with its standard error in its standard output, so that both stay in order. */
export const shellScript = (script: string): readonly [command: string, args: readonly string[]] => [
  "/bin/sh",
  ["-c", `exec 2>&1\n${script}`],
];
