// One execution of a task by one worker: a state machine that carries its data. Each move is an operation, so a
// killed program leaves an attempt that says how far it came.

import type { Actor } from "../actor.js";
import type { Check, CheckResult, FailureClass, Nr } from "../node/node.js";

export const ATTEMPT_STATES = [
  "claimed",
  "prepared",
  "working",
  "checking",
  "reviewing",
  "integrating",
  "accepted",
  "pending",
  "rejected",
  "failed",
  "lost",
  "released",
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** Where each state may lead that does not end it. Any that goes on may also end as failed, lost or released. */
const LEADS_TO: Readonly<Partial<Record<AttemptState, readonly AttemptState[]>>> = {
  claimed: ["prepared"],
  // A landing has nothing to work on: it goes from a merged tree to its checks.
  prepared: ["working", "checking"],
  working: ["checking", "rejected"],
  checking: ["working", "reviewing", "integrating", "pending", "rejected"],
  reviewing: ["working", "integrating", "pending", "rejected"],
  integrating: ["working", "checking", "accepted", "pending", "rejected"],
};

/** `pending`: handed in, and a person has to accept it. `lost`: its lease ended, or its program did. */
export const hasEnded = (state: AttemptState): boolean => !(state in LEADS_TO);

const ALWAYS: ReadonlySet<AttemptState> = new Set(["failed", "lost", "released"]);

export function mayMove(from: AttemptState, to: AttemptState): boolean {
  const next = LEADS_TO[from];
  return next !== undefined && (from === to || ALWAYS.has(to) || next.includes(to));
}

/** Its worktree may be half made, and nobody has worked there yet. */
const UNPREPARED: ReadonlySet<AttemptState> = new Set(["claimed", "prepared"]);

/**
 * There is work that can be handed in, whatever became of an earlier hand-in: it begins again from `working`. An attempt that is not
 * there yet and whose program is gone is rolled back instead.
 */
export const canHandIn = (state: AttemptState): boolean => !hasEnded(state) && !UNPREPARED.has(state);

/** Relative to the top of the worktree. */
export interface ChangeSet {
  readonly created: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
}

export const touchedBy = ({ created, modified, deleted }: ChangeSet): string[] => [...created, ...modified, ...deleted];

export interface AttemptUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number | null;
}

export interface AttemptWorker {
  readonly kind: "agent" | "shell" | "person";
  /** The agent's name in the configuration, or the person's. */
  readonly name: string;
  readonly model: string | null;
}

export interface AttemptFailure {
  readonly class: FailureClass;
  readonly reason: string;
  /** Tells one failure from another; the same failure again and again is no accident. */
  readonly fingerprint: string;
  /** What was done about it. A task that is not retried waits for a person, who resets it. */
  readonly action: "retry" | "retry-with-failure" | "replan" | "freeze" | "arbitrate" | "park";
  readonly notBefore: number | null;
  /** A landing failed only because of what lies in the checkout. */
  readonly isDirty?: true;
  /** When a person reset the task after it: earlier failures of the feature make no storm any more. */
  readonly resetAt?: number;
}

/** One thing that a reviewer found. Only `critical` and `high` send work back. */
export interface ReviewFinding {
  readonly severity: "critical" | "high" | "medium" | "low";
  readonly file: string;
  readonly line?: number;
  readonly what: string;
}

export interface AttemptReview {
  readonly by: string;
  readonly at: number;
  readonly findings: readonly ReviewFinding[];
  /** Why there was no review; null if there was one. */
  readonly missing: string | null;
  readonly usage?: AttemptUsage;
}

export interface SplitPart {
  readonly title: string;
  readonly body: string;
  readonly files: readonly string[];
  readonly profile: string | null;
  /** Positions of the parts that come before it, from 0. */
  readonly after: readonly number[];
  readonly checks: readonly Check[];
}

export interface SplitDraft {
  readonly why: string;
  readonly parts: readonly SplitPart[];
}

export interface Attempt {
  readonly task: Nr;
  /** As people know the task; kept because a transcript or a branch outlives a rename. */
  readonly taskId: string;
  readonly feature: Nr | null;
  readonly number: number;
  /** The operation that began it. */
  readonly op: number;
  readonly state: AttemptState;
  readonly by: Actor;
  readonly worker: AttemptWorker;
  /** The hash of the token of its claim. */
  readonly token: string;
  readonly epoch: number;
  /** `host/pid` of the program that drives it. */
  readonly driver: string;
  /** Number of the pooled worktree, from 1; null before there is one and after it was given back. */
  readonly slot: number | null;
  /** The folder of its worktree, absolute; kept after it was given back. */
  readonly worktree: string | null;
  readonly branch: string | null;
  readonly base: string | null;
  /** Its work as one commit on its own branch. */
  readonly tip: string | null;
  /** The commit that goes onto the feature's branch, proven; written down before the branch moves. */
  readonly merged: string | null;
  /** The tip as it is kept after the attempt has ended without being merged: a ref. */
  readonly kept: string | null;
  readonly changes: ChangeSet | null;
  readonly checks: readonly CheckResult[];
  /** The checks again, on the merged tree; empty if it is the very tree that was checked. */
  readonly mergedChecks: readonly CheckResult[];
  /** How often the worker got a list of problems and continued. */
  readonly rounds: number;
  readonly usage: AttemptUsage;
  readonly bundle: string | null;
  readonly transcript: string | null;
  /** The agent's own session, for a retry that goes on with it. */
  readonly session: string | null;
  readonly failure: AttemptFailure | null;
  /** Every review of it, oldest first. */
  readonly reviews?: readonly AttemptReview[];
  /** The remote that has the branch of a landing, for a review there. */
  readonly pushed?: string;
  /** Changed files outside of the footprint. */
  readonly outside?: readonly string[];
  /** Changed files that decide whether work is accepted, such as tests: outside of the footprint, or without one. */
  readonly protectedFiles?: readonly string[];
  /** Files of the main checkout that changed while it worked without a sandbox, outside of its footprint: perhaps by others. */
  readonly meanwhile?: readonly string[];
  /** The checkout that the work was handed in from, if it was not a worktree of ours. */
  readonly checkout?: string;
  /** How often it was handed in by hand. The latest hand-in goes on, and every earlier one that still runs stops. */
  readonly handIns?: number;
  /** Its worker found the task too big: what a person may make of it. */
  readonly split: SplitDraft | null;
  /** One sentence on how it ended. */
  readonly note: string;
  readonly steps: readonly { readonly state: AttemptState; readonly at: number }[];
  readonly startedAt: number;
  readonly endedAt: number | null;
}

/** The worker of a landing: always the program itself. */
export const LANDER: AttemptWorker = { kind: "shell", name: "landing", model: null };

/** A person or agent works on it in its own folder and hands it in when it is done. */
export const isByHand = ({ worker, checkout }: Pick<Attempt, "worker" | "checkout">): boolean =>
  worker.kind === "person" && checkout === undefined;

export const isLanding = ({ worker }: Pick<Attempt, "worker">): boolean => worker.name === LANDER.name;

export const NO_USAGE: AttemptUsage = { inputTokens: 0, outputTokens: 0, costUsd: null };

export const addUsage = (a: AttemptUsage, b: AttemptUsage): AttemptUsage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd === null && b.costUsd === null ? null : (a.costUsd ?? 0) + (b.costUsd ?? 0),
});
