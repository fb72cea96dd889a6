// What a worker gets and returns. The first turn is the task; each further turn is what was wrong with the result.

import type { Wrap } from "../../machine/process/start.js";
import type { AttemptReview, AttemptUsage, SplitDraft } from "../../model/attempt/attempt.js";
import type { Node } from "../../model/node/node.js";

export interface WorkerInput {
  readonly attempt: string;
  readonly task: Node;
  /** The worktree. */
  readonly cwd: string;
  /** The worker's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The file for the transcript. */
  readonly transcript: string;
  /** Puts a command into the sandbox, if there is one. */
  readonly wrap: Wrap;
}

export interface WorkTurn {
  readonly prompt: string;
  /** What was wrong with the last result; null in the first turn of a first attempt. */
  readonly failure: string | null;
  readonly timeoutMs: number;
  /** The agent stops by itself at this cost, if it can; null means no limit. */
  readonly maxCostUsd: number | null;
  readonly signal: AbortSignal;
  /** The worker is alive, although it may have no line to show. */
  readonly onActivity: () => void;
  /** A line of output to show while it works. */
  readonly onLine: (line: string) => void;
  /** Tokens used since the turn began. */
  readonly onTokens: (tokens: number) => void;
}

/** `done`: the worker says so. Every other ending says why it stopped. */
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
  /** The end of its output. */
  readonly said: string;
  readonly usage: AttemptUsage;
  /** Why it gave up, in its own words. */
  readonly failure?: { readonly class: string; readonly reason: string };
  readonly split?: SplitDraft;
  /** What a reviewer found. */
  readonly review?: AttemptReview;
  /** What went wrong, as a message. */
  readonly problem?: string;
  /** Exit code of a crashed command; null if a signal ended it or the process was the agent's own. */
  readonly exit?: number | null;
}

export interface WorkSession {
  /** Id with which a later process can resume the session, if the worker has one. */
  readonly id: string | null;
  /** Size of its context window, if known. */
  readonly windowTokens?: number;
  turn(turn: WorkTurn): Promise<WorkResult>;
  close(): Promise<void>;
}
