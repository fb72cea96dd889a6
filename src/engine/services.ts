// What execution is given: the plan, the repository, the rules, and workers.

import { messageOf } from "../base/errors.js";
import type { Wrap } from "../machine/process/start.js";
import type { Network } from "../machine/sandbox/confinement.js";
import type { SandboxMode } from "../machine/sandbox/sandbox.js";
import type { CarrySettings } from "../machine/worktrees/carry.js";
import type { PortSettings } from "../machine/worktrees/environment.js";
import type {
  AttemptReview,
  AttemptState,
  AttemptUsage,
  AttemptWorker,
  ReviewFinding,
  SplitDraft,
} from "../model/attempt/attempt.js";
import type { ScopeRules } from "../model/attempt/change-scope.js";
import type { NoWorker } from "../model/attempt/choose-worker.js";
import type { RetrySettings, WorkerEnding } from "../model/attempt/failure.js";
import type { SpendingLimits, StormSettings } from "../model/attempt/failure-limits.js";
import type { ProofMode } from "../model/attempt/proof-strength.js";
import type { Node } from "../model/node/node.js";
import type { Result } from "../model/result.js";
import type { Context } from "../plan/base/context.js";

/** The settings that execution looks at; `config` has the full list and says what each means. */
export interface Policy extends CarrySettings, RetrySettings, SpendingLimits, ScopeRules {
  readonly workers: number;
  /** The folder of worktrees, as an absolute path. */
  readonly worktrees: string;
  readonly env: readonly string[];
  readonly ports: PortSettings;
  readonly fixes: number;
  readonly proof: ProofMode;
  readonly footprint: "note" | "ask" | "refuse";
  readonly changeLimit: { readonly files: number; readonly megabytes: number };
  readonly onFailedCheck: "continue" | "stop";
  readonly review: boolean;
  readonly sandbox: SandboxMode;
  /** The folder with the key of the person, which no sandbox lets in. */
  readonly keyFolder?: string | undefined;
  readonly network?: Network;
  readonly loopback?: readonly number[];
  /** Further paths that are let into the sandbox. */
  readonly readable?: readonly string[];
  readonly writable?: readonly string[];
  readonly stallMinutes: number;
  readonly storm: StormSettings;
  readonly keepDays: number;
  readonly tickSeconds: number;
}

/** A landing proves them in this order. */
export type LandingLine = "tasks" | "merge" | "commits" | "checkout" | "checks";

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
      /** What the checks said that failed, in a few lines. */
      readonly failed?: readonly string[];
    }
  /** One of the five things that a landing proves is being looked at, or holds. `check`: the command that runs. */
  | {
      readonly type: "landing";
      readonly feature: string;
      readonly line: LandingLine;
      readonly state: "begun" | "proven";
      readonly check: string | null;
    }
  | { readonly type: "notice"; readonly text: string }
  /** There is news, and the settings ask for the terminal's bell. */
  | { readonly type: "bell" };

export interface ReviewInput extends WorkerInput {
  readonly base: string;
  readonly tip: string;
  /** The task as its worker got it. */
  readonly bundle: string;
  /** Commits that are looked at together instead of the difference between `base` and `tip`. */
  readonly commits?: readonly string[];
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Looks at finished work and changes nothing. */
export interface Reviewer {
  readonly name?: string;
  review(look: ReviewInput): Promise<ReviewAnswer>;
}

export interface ReviewAnswer {
  /** What is wrong, for the worker; null if nothing serious is. */
  readonly wrong: string | null;
  readonly usage: AttemptUsage;
  /** Everything that was found, serious or not. */
  readonly findings?: readonly ReviewFinding[];
  /** Why there was no review. */
  readonly missing?: string;
}

export interface Worker {
  readonly as: AttemptWorker;
  begin(work: WorkerInput): Promise<WorkSession>;
}

export interface EngineServices {
  /** The engine's own: it acts as a daemon. */
  readonly context: Context;
  readonly policy: Policy;
  /** The environment of the program; what workers get of it is chosen. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly workerFor: (task: Node) => Promise<Worker | NoWorker>;
  /** A reader in a fresh conversation. Null if the settings name none: nobody pays for a review without asking for it. */
  readonly reviewerFor: (task: Node) => Promise<Reviewer | null>;
  /** `host/pid`: who drives an attempt. */
  readonly process: string;
  readonly isAlive: (driver: string) => boolean;
  /** Hides secrets in what is kept. */
  readonly redact: (text: string) => string;
  /** Notes the end of the log outside of the plan, and makes the backup of the day. */
  readonly keepSafe?: () => Promise<void>;
  /** Lets kept work expire, removes what is old, and packs the repository. */
  readonly collectGarbage?: (signal: AbortSignal) => Promise<Result<{ readonly problems: readonly string[] }>>;
  readonly onEvent: (event: EngineEvent) => void;
}

export interface WorkerInput {
  readonly attempt: string;
  readonly task: Node;
  readonly cwd: string;
  /** The worker's whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly transcript: string;
  /** Puts a command into the sandbox, if there is one. */
  readonly wrap: Wrap;
  /** The folder that is the home folder in there; null without a sandbox. */
  readonly home: string | null;
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
  readonly onLine: (line: string) => void;
  /** Tokens used since the turn began. */
  readonly onTokens: (tokens: number) => void;
}

/** `done`: the worker says so. Every other ending says why it stopped. */
export type WorkEnding = "done" | "gave-up" | "split" | Exclude<WorkerEnding, "finished" | "no-output">;

export interface WorkResult {
  readonly ending: WorkEnding;
  /** The end of its output. */
  readonly said: string;
  readonly usage: AttemptUsage;
  /** Why it gave up, in its own words. */
  readonly failure?: { readonly class: string; readonly reason: string };
  readonly split?: SplitDraft;
  readonly review?: AttemptReview;
  readonly problem?: string;
  /** Exit code of a crashed command; null if a signal ended it or the process was the agent's own. */
  readonly exit?: number | null;
}

export interface WorkSession {
  /** Id with which a later process can resume the session, if the worker has one. */
  readonly id: string | null;
  readonly windowTokens?: number;
  turn(turn: WorkTurn): Promise<WorkResult>;
  close(): Promise<void>;
}

/** Reports a failure of git or the disk in these words, so that the rest goes on and the next round tries again. Undefined: it failed. */
export async function orNotice<T>(
  { onEvent }: Pick<EngineServices, "onEvent">,
  failed: string,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    onEvent({ type: "notice", text: `${failed}: ${messageOf(error)}` });
    return undefined;
  }
}
