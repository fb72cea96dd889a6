// What execution is given: the plan, the repository, the rules, and somebody to do the work.

import type { Context } from "../actions/context.js";
import type { AttemptState, AttemptUsage, AttemptWorker } from "../graph/attempt.js";
import type { Node } from "../graph/node.js";
import type { Result } from "../graph/result.js";
import type { Wrap } from "../process/wrap.js";
import type { Work, WorkSession } from "./worker.js";

/** The settings that execution looks at; `config` has the full list and says what each means. */
export interface Policy {
  readonly workers: number;
  readonly worktrees: string;
  readonly carry: readonly string[];
  readonly carryBy: "copy" | "link";
  readonly setup: readonly string[];
  readonly env: readonly string[];
  readonly ports: { readonly from: number; readonly each: number };
  readonly fixes: number;
  readonly onFailedCheck: "continue" | "stop";
  readonly review: boolean;
  readonly sandbox: "auto" | "off" | "require";
  readonly attemptMinutes: number;
  readonly attemptTokens: number | null;
  readonly attemptCostUsd: number | null;
  readonly featureCostUsd: number | null;
  readonly featureTokens: number | null;
  readonly dayCostUsd: number | null;
  readonly dayTokens: number | null;
  readonly stallMinutes: number;
  readonly backoffSeconds: number;
  readonly transientRetries: number;
  readonly storm: { readonly failures: number; readonly minutes: number; readonly pauseMinutes: number };
  readonly keepDays: number;
  readonly tickSeconds: number;
}

/** What happens, for whoever watches. */
export type EngineEvent =
  | { readonly type: "state"; readonly attempt: string; readonly task: string; readonly state: AttemptState }
  | { readonly type: "line"; readonly attempt: string; readonly task: string; readonly line: string }
  | { readonly type: "tokens"; readonly attempt: string; readonly task: string; readonly tokens: number }
  | {
      readonly type: "end";
      readonly attempt: string;
      readonly task: string;
      readonly state: AttemptState;
      readonly note: string;
    }
  | { readonly type: "notice"; readonly text: string };

export interface Look {
  readonly attempt: string;
  readonly task: Node;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly transcript: string;
  readonly base: string;
  readonly tip: string;
  /** The task as its worker got it. */
  readonly packed: string;
  readonly wrap: Wrap;
  readonly signal: AbortSignal;
}

/** Somebody who looks at finished work, and changes nothing. */
export interface Reviewer {
  /** What is wrong, for the worker; null if nothing serious is. `missing`: why there was no review. */
  look(look: Look): Promise<{ readonly wrong: string | null; readonly usage: AttemptUsage; readonly missing?: string }>;
}

/** Somebody who can do a task. */
export interface Worker {
  readonly as: AttemptWorker;
  begin(work: Work): Promise<WorkSession>;
}

export interface Services {
  /** The engine's own: it acts as a daemon. */
  readonly context: Context;
  readonly policy: Policy;
  /** The environment of the program; what workers get of it is chosen. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Who does a task, by its profile; a refusal says what to configure. */
  workerFor(task: Node): Promise<Result<Worker>>;
  /** A reader in a fresh conversation, if one is configured. */
  reviewerFor(task: Node): Promise<Reviewer | null>;
  /** `host/pid`: who drives an attempt. */
  readonly process: string;
  isAlive(driver: string): boolean;
  /** Hides secrets in what is kept. */
  redact(text: string): string;
  onEvent(event: EngineEvent): void;
}
