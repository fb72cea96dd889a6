// One process for one prompt, with events as lines of JSON: how Claude Code and Codex are driven. The prompt goes
// through standard input, because flags that take several values swallow what follows them.

import { type Child, startChild } from "../process/child.js";
import type { ChildExit, Wrap } from "../process/start.js";

export interface OneShot {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly prompt: string;
  readonly running?: string | undefined;
  readonly wrap?: Wrap | undefined;
  readonly signal: AbortSignal;
  onEvent(event: Readonly<Record<string, unknown>>): void;
  /** A line that is no event. */
  onNoise(line: string): void;
}

export interface OneShotExit extends ChildExit {
  readonly cancelled: boolean;
  readonly stderr: string;
}

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export async function runOneShot(shot: OneShot, onStart: (child: Child) => void): Promise<OneShotExit> {
  if (shot.signal.aborted) return { code: null, signal: null, cancelled: true, stderr: "" };
  const onLine = (line: string): void => {
    if (line.trim() === "") return;
    const event = parseLine(line);
    if (event === undefined) shot.onNoise(line);
    else shot.onEvent(event);
  };
  const { command, args, cwd, env, running, wrap } = shot;
  const child = startChild({ command, args, cwd, env, running, wrap, onLine });
  onStart(child);
  let cancelled = false;
  const cancel = (): void => {
    cancelled = true;
    void child.end();
  };
  shot.signal.addEventListener("abort", cancel, { once: true });
  child.write(shot.prompt);
  child.endInput();
  const exit = await child.exited;
  shot.signal.removeEventListener("abort", cancel);
  return { ...exit, cancelled, stderr: child.stderr };
}

const LAST_WORDS = 600;

/** For people: how a process ended that should not have. */
export function describeExit(
  name: string,
  { code, signal, notStarted, stderr }: ChildExit & { stderr: string },
): string {
  if (notStarted !== undefined) return `${name} could not be started: ${notStarted}.`;
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  const words = stderr.trim().slice(-LAST_WORDS);
  return `${name} ended ${how} before its turn was over.${words === "" ? "" : ` It last said: ${words}`}`;
}
