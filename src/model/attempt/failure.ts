// What kind of failure it was, and what follows from it. Tables decide, in a fixed order, and every class has a
// budget: when it is spent, a person is asked.

import type { Digest } from "../node/content-hash.js";
import type { FailureClass } from "../node/node.js";

/** The words in which agents end a turn, and one of our own: `stalled`, it said nothing for too long. */
export type WorkerEnding =
  | "finished"
  | "no-output"
  | "refused"
  | "over-budget"
  | "cancelled"
  | "timeout"
  | "crashed"
  | "unavailable"
  | "stalled";

export interface FailureSignals {
  /** Where it showed: `surroundings` are git, the disk and the set-up of the worktree. */
  readonly where: "worker" | "checks" | "review" | "merge" | "surroundings";
  readonly ending: WorkerEnding;
  /** Null if a signal ended the process, or there was none. */
  readonly exit: number | null;
  /** What it said: standard error, or the output of the checks that failed. */
  readonly output: string;
  readonly fingerprint: string;
  /** Fingerprints of the failures of this task before this one, oldest first. */
  readonly earlier: readonly string[];
  /** Files that it changed and that are in the footprint of a sibling as well. */
  readonly overlaps: readonly string[];
  readonly deviation: number;
  readonly contradicts: readonly string[];
  /** A conflict of this task is open. */
  readonly conflict: boolean;
}

export interface Classification {
  readonly class: FailureClass;
  /** One phrase: what gave it away. */
  readonly because: string;
}

/** Network errors as systems name them: they mean the same in any output. */
const NETWORK =
  /\b(ECONNRESET|ECONNABORTED|ETIMEDOUT|EAI_AGAIN|EPIPE|ENETUNREACH|ENETDOWN|EHOSTUNREACH|socket hang up)\b/i;
/** Of a worker or of git alone: a check may be about a server that answers with 429, and that is no accident. */
const OVERLOAD = /\b(429|502|503|529)\b|\b(rate.?limit\w*|too many requests|overloaded|service unavailable)\b/i;
const FAULT = /\b(\w+Error|tests? failed|failed tests?|assert\w*)\b/i;

/** The same failure so often, and it is not the worker that is wrong. */
const SAME = 3;
const DEVIATES = 0.7;

const isSame = ({ earlier, fingerprint: own }: FailureSignals): boolean => {
  const last = earlier.slice(1 - SAME);
  return last.length === SAME - 1 && last.every((each) => each === own);
};

function isTransient({ where, ending, exit, output }: FailureSignals): boolean {
  if (ending === "stalled" || ending === "unavailable") return true;
  if (ending === "crashed" && exit === null) return true;
  if (NETWORK.test(output)) return true;
  if (where === "checks" || where === "review") return false;
  // Git, the disk and the set-up are nothing that a worker could do better next time.
  return where === "surroundings" || OVERLOAD.test(output);
}

interface Rule extends Classification {
  readonly applies: (signals: FailureSignals) => boolean;
}

/** The first that applies. */
const RULES: readonly Rule[] = [
  {
    class: "conflict",
    because: "it conflicts with other work",
    applies: ({ where, conflict }) => conflict || where === "merge",
  },
  {
    class: "other",
    because: "it was stopped or declined, and trying again changes nothing",
    // A host that has no room at the moment declines as well.
    applies: (signals) =>
      signals.ending === "over-budget" ||
      signals.ending === "cancelled" ||
      (signals.ending === "refused" && !isTransient(signals)),
  },
  { class: "transient", because: "it looks like trouble that passes", applies: isTransient },
  { class: "design", because: `it failed ${SAME} times in the same way`, applies: isSame },
  {
    class: "plan",
    because: "it changed files that other tasks are about",
    applies: ({ overlaps }) => overlaps.length > 0,
  },
  {
    class: "logic",
    because: "it is the first failure, and the output names a fault",
    applies: ({ earlier, output }) => earlier.length === 0 && FAULT.test(output),
  },
  {
    class: "plan",
    because: "the work has drifted far from what was planned",
    applies: ({ deviation }) => deviation >= DEVIATES,
  },
  {
    class: "architecture",
    because: "it contradicts what was decided",
    applies: ({ contradicts }) => contradicts.length > 0,
  },
  { class: "logic", because: "nothing points to another cause", applies: () => true },
];

export function classifyFailure(signals: FailureSignals): Classification {
  const { applies: _, ...found } = RULES.find(({ applies }) => applies(signals)) as Rule;
  return found;
}

// oxlint-disable-next-line no-control-regex -- terminal colours are control characters
const COLOURS = /\u001b\[[0-9;?]*[a-z]/gi;
const TIMES = /\d{4}-\d\d-\d\d[t ]\d\d:\d\d(:\d\d(\.\d+)?)?(z|[+-]\d\d:?\d\d)?|\b\d\d?:\d\d:\d\d(\.\d+)?\b/gi;
const HEX = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b0x[0-9a-f]+\b|\b(?=[a-f]*\d)[0-9a-f]{7,64}\b/gi;
/** Begins only where a word does: looking on from every letter of a long one would take its square. */
const FOLDERS = /(?<![\w.@~+-])(?:[a-z]:)?(?:[\w.@~+-]*[\\/])+/gi;

/** The same for the same failure, whatever the time, the line, the worktree or the process. */
export function fingerprint(text: string, digest: Digest): string {
  const plain = text
    .replace(COLOURS, "")
    .replace(TIMES, "<time>")
    .replace(HEX, "<hex>")
    .replace(FOLDERS, "")
    .replace(/\d+([.,]\d+)*/g, "#")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
  return digest(plain).slice(0, 16);
}

export interface Drift {
  readonly failedAttempts: number;
  /** How often the task's content changed since work on it began. */
  readonly revisions: number;
  readonly tokens: number;
  /** What it was to take; null if it is not known. */
  readonly tokensPlanned: number | null;
}

export function deviationScore({ failedAttempts, revisions, tokens, tokensPlanned }: Drift): number {
  const overrun = tokensPlanned === null || tokensPlanned <= 0 ? 0 : Math.max(0, tokens / tokensPlanned - 1);
  const score = 0.4 * failedAttempts + 0.3 * revisions + 0.3 * overrun;
  return Math.min(1, Math.round(score * 1000) / 1000);
}

type FailureAction =
  | { readonly kind: "retry"; readonly afterMs: number }
  | { readonly kind: "retry-with-failure" }
  /** A proposal: only a person takes it. */
  | { readonly kind: "replan"; readonly tier: "story" | "feature" }
  | { readonly kind: "freeze" }
  | { readonly kind: "arbitrate" }
  /** It waits for a person, with the reason. */
  | { readonly kind: "park" };

/** What was done about failures of this task already, since a person last opened it. */
export interface FailureCounters {
  readonly transientRetries: number;
  readonly logicRetries: number;
  /** How often the story or the feature may still be replanned. */
  readonly replansLeft: number;
  readonly arbitrations: number;
  /** How often the task may still be claimed; null without a budget. */
  readonly attemptsLeft: number | null;
}

export interface RetrySettings {
  readonly transientRetries: number;
  /** How often a failure is tried again that the worker itself may fix. */
  readonly logicRetries: number;
  readonly backoffSeconds: number;
}

const ARBITRATIONS = 3;
const BACKOFF_LIMIT_MS = 60 * 60_000;

/** It doubles with each retry, up to an hour. */
const backoff = ({ backoffSeconds }: RetrySettings, retries: number): number =>
  Math.min(BACKOFF_LIMIT_MS, backoffSeconds * 1000 * 2 ** Math.min(retries, 40));

const PARK: FailureAction = { kind: "park" };

const within = (left: boolean, action: FailureAction): FailureAction => (left ? action : PARK);

const ACTIONS: Readonly<Record<FailureClass, (counters: FailureCounters, settings: RetrySettings) => FailureAction>> = {
  transient: ({ transientRetries: made }, settings) =>
    within(made < settings.transientRetries, { kind: "retry", afterMs: backoff(settings, made) }),
  logic: ({ logicRetries: made }, settings) => within(made < settings.logicRetries, { kind: "retry-with-failure" }),
  design: ({ replansLeft }) => within(replansLeft > 0, { kind: "replan", tier: "story" }),
  plan: ({ replansLeft }) => within(replansLeft > 0, { kind: "replan", tier: "feature" }),
  architecture: () => ({ kind: "freeze" }),
  conflict: ({ arbitrations }) => within(arbitrations < ARBITRATIONS, { kind: "arbitrate" }),
  other: () => PARK,
};

const AGAIN: ReadonlySet<FailureAction["kind"]> = new Set(["retry", "retry-with-failure", "arbitrate"]);

/** A task whose budget of attempts is spent is not tried again, whatever the failure: a person is asked. */
export function actionFor(failure: FailureClass, counters: FailureCounters, settings: RetrySettings): FailureAction {
  const action = ACTIONS[failure](counters, settings);
  return counters.attemptsLeft === 0 && AGAIN.has(action.kind) ? PARK : action;
}
