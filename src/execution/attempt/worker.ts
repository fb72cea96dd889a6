// One who does the work of an attempt, turn by turn: first the task, then, as often as it is allowed, what was wrong.

import type { AttemptUsage, SplitDraft } from "../../graph/attempt/attempt.js";
import type { Node } from "../../graph/node/node.js";
import type { Wrap } from "../../process/wrap.js";

export interface WorkerInput {
  readonly attempt: string;
  readonly task: Node;
  /** The worktree. */
  readonly cwd: string;
  /** The whole environment: what is not in here, a worker does not see. */
  readonly env: Readonly<Record<string, string>>;
  /** Where what was said is kept. */
  readonly transcript: string;
  /** Puts a command into a sandbox, where there is one. */
  readonly wrap: Wrap;
}

export interface WorkTurn {
  readonly prompt: string;
  /** What was wrong last time; null in the first turn of a first attempt. */
  readonly failure: string | null;
  readonly timeoutMs: number;
  /** Let it stop by itself before it costs more, where it can; null: there is no limit. */
  readonly maxCostUsd: number | null;
  readonly signal: AbortSignal;
  /** It is alive, though it may have nothing to show. */
  onActivity(): void;
  /** A line that a person may want to see while it works. */
  readonly onLine: (line: string) => void;
  /** So many since the turn began. */
  readonly onTokens: (tokens: number) => void;
}

/** `done`: it says that it is. Everything else is why it ended without saying so. */
export type WorkEnding =
  | "done"
  | "gave-up"
  | "refused"
  | "split"
  | "cancelled"
  | "timeout"
  | "stalled"
  | "over-budget"
  | "crashed"
  | "unavailable";

export interface WorkResult {
  readonly ending: WorkEnding;
  /** The last words, for the record. */
  readonly said: string;
  readonly usage: AttemptUsage;
  /** Why it gave up, as it sees it. */
  readonly failure?: { readonly class: string; readonly reason: string };
  readonly split?: SplitDraft;
  /** For people: what went wrong. */
  readonly problem?: string;
  /** Of the command that crashed; null if a signal ended it, or if there was none to speak of. */
  readonly exit?: number | null;
}

export interface WorkSession {
  /** What a later process may go on with, if the worker has such a thing. */
  readonly id: string | null;
  /** How much it can hold at once, if that is known. */
  readonly windowTokens?: number;
  turn(turn: WorkTurn): Promise<WorkResult>;
  close(): Promise<void>;
}
