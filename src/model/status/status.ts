// Facts in, status out: the one function that the CLI, the daemon, the MCP server and the board call.
//
// APPLIES has the questions in their order; the first that applies is the reason, later ones that apply
// too are kept in `also`, so that `why` can list all reasons at once.

import type { Overlapping } from "../conflict/conflict.js";
import { isContainer, type Node } from "../node/node.js";
import type { LandingHold } from "./landing.js";
import { isFinished, waits } from "./rollup.js";
import { isStale, isUnconfirmed } from "./stale-approval.js";

export type DependencyState = "met" | "pending" | "rejected" | "dropped";

export interface Dependency {
  readonly id: string;
  readonly state: DependencyState;
}

export interface Surroundings {
  /** The dependencies of a task. Met ones may be left out. */
  readonly dependencies: readonly Dependency[];
  /** Ids of containers around it that were changed after their approval, nearest first. */
  readonly staleAbove: readonly string[];
  /** Ids of tasks that a recorded conflict puts before this one. */
  readonly conflicts: readonly string[];
  /** What keeps the feature of a land task from landing besides open tasks. */
  readonly landing: readonly LandingHold[];
  /** Tasks in progress that touch the same files or symbols. */
  readonly overlaps: readonly Overlapping[];
  /** Some open children of a container, whether any work below is claimed, and whether any could be. */
  readonly openChildren: readonly string[];
  readonly begun: boolean;
  readonly startable: boolean;
  /** No person whom the plan knows signed its approval. Checked only where that decides something: it takes 0.1 ms. */
  readonly isDoubted?: boolean;
}

export const ALONE: Surroundings = {
  dependencies: [],
  staleAbove: [],
  conflicts: [],
  landing: [],
  overlaps: [],
  openChildren: [],
  begun: false,
  startable: false,
};

export interface DerivedStatus {
  readonly status: Status;
  readonly reason: Reason;
  /** The ids (or the one phrase) behind the reason. */
  readonly because: readonly string[];
  readonly also: readonly Reason[];
}

type Answer = readonly string[] | undefined;

const idsIn = (around: Surroundings, state: DependencyState): Answer => {
  if (around.dependencies.length === 0) return undefined;
  // Several tasks of another feature wait for one landing, which is named once.
  const ids = new Set(around.dependencies.filter((d) => d.state === state).map((d) => d.id));
  return ids.size > 0 ? [...ids] : undefined;
};

/** A land task waits also for what is no task. */
function pendingIn(around: Surroundings): Answer {
  const ids = idsIn(around, "pending");
  if (around.landing.length === 0) return ids;
  return [...new Set([...(ids ?? []), ...around.landing.map(({ id }) => id)])];
}

const when = (condition: boolean, ...because: string[]): Answer => (condition ? because : undefined);

/** Each reason's question: the ids behind it if it applies, nothing if it does not. */
const APPLIES = {
  terminal: (n) => when(n.archive !== null || n.outcome !== null || isFinished(n)),
  "in-flight": (n) => (n.claim ? [n.claim.by] : undefined),
  rejected: (n) => when(n.acceptance?.state === "rejected", n.acceptance?.reason ?? "rejected"),
  inbox: (n) => when(n.shelved),
  container: (n, around) => (isContainer(n) ? around.openChildren : undefined),
  unapproved: (n, around) => when(n.approval === null && !waitsForLanding(n, around)),
  "approval-unknown": (n, around) => when(!waitsForLanding(n, around) && (isUnconfirmed(n) || !!around.isDoubted)),
  "approval-stale": (n, around) => (waitsForLanding(n, around) ? undefined : staleness(n, around)),
  frozen: (n) => when(n.freeze !== null, n.freeze?.reason ?? ""),
  "dep-rejected": (_, around) => idsIn(around, "rejected"),
  "dep-dropped": (_, around) => idsIn(around, "dropped"),
  "deps-pending": (_, around) => pendingIn(around),
  human: (n) => when(waitsForPerson(n)),
  conflict: (_, { conflicts, overlaps }) =>
    conflicts.length + overlaps.length > 0 ? [...conflicts, ...overlaps.map(({ id }) => id)] : undefined,
  budget: (n) => when(attemptsSpent(n)),
  claimable: () => [],
} satisfies Readonly<Record<string, (node: Node, around: Surroundings) => Answer>>;

export type Reason = keyof typeof APPLIES;
export const REASONS = Object.keys(APPLIES) as [Reason, ...Reason[]];

/** Its own approval, or that of something around it, no longer covers the content. */
function staleness(node: Node, { staleAbove }: Surroundings): Answer {
  if (isStale(node)) return isUnconfirmed(node) ? undefined : [];
  return staleAbove.length > 0 ? staleAbove : undefined;
}

const OF_REASON: Readonly<Record<Exclude<Reason, "terminal" | "container">, Status>> = {
  "in-flight": "in_progress",
  rejected: "rejected",
  inbox: "planned",
  unapproved: "planned",
  "approval-unknown": "planned",
  "approval-stale": "planned",
  frozen: "frozen",
  "dep-rejected": "blocked",
  "dep-dropped": "blocked",
  "deps-pending": "blocked",
  human: "ready",
  conflict: "blocked",
  budget: "blocked",
  claimable: "ready",
};

export interface Because {
  readonly reason: Reason;
  readonly because: readonly string[];
}

/** Every reason that applies, in order; only `claimable` if none applies. */
export function reasonsFor(node: Node, around: Surroundings): readonly [Because, ...Because[]] {
  const found: Because[] = [];
  for (const reason of REASONS) {
    if (reason === "claimable" && found.length > 0) break;
    const because = APPLIES[reason](node, around);
    if (because === undefined) continue;
    found.push({ reason, because });
    if (reason === "terminal" || reason === "container") break;
  }
  const [first = { reason: "claimable", because: [] }, ...rest] = found;
  return [first, ...rest];
}

export function deriveStatus(node: Node, around: Surroundings): DerivedStatus {
  const [{ reason, because }, ...also] = reasonsFor(node, around);
  return { status: statusOf(node, reason, around), reason, because, also: also.map((each) => each.reason) };
}

function statusOf(node: Node, reason: Reason, around: Surroundings): Status {
  if (reason === "terminal") return terminalStatus(node);
  // A freeze shows whatever else is missing: the person who asked for it looks for it.
  if (node.freeze !== null && reason !== "in-flight") return "frozen";
  if (reason === "container") return containerStatus(node, around);
  if (reason === "human" && node.acceptance?.state === "pending") return "blocked";
  return OF_REASON[reason];
}

function terminalStatus(node: Node): Status {
  if (node.archive !== null) return "archived";
  return node.outcome?.kind ?? "done";
}

function containerStatus(node: Node, around: Surroundings): Status {
  if (around.begun || node.finished > 0) return "in_progress";
  if (!isApproved(node)) return "planned";
  return around.startable ? "ready" : "blocked";
}

/** A person approved exactly this content. */
export const isApproved = (node: Pick<Node, "approval" | "hash">): boolean => node.approval !== null && !isStale(node);

/** Gates and landings are a person's to do, and work that is handed in without checks a person's to accept. */
const waitsForPerson = (node: Node): boolean =>
  node.kind === "gate" || node.kind === "land" || node.acceptance?.state === "pending";

/** Everything in its feature is finished: only a person's landing is missing, whatever the land task's own approval. */
const waitsForLanding = ({ kind }: Node, { dependencies }: Surroundings): boolean =>
  kind === "land" && dependencies.every(({ state }) => state === "met");

const attemptsSpent = (node: Node): boolean =>
  node.budgets.attempts !== undefined && node.attempts >= node.budgets.attempts;

/** May a worker have it now? The same questions, with only the number of unmet dependencies known. */
export function isClaimable(node: Node): boolean {
  if (isContainer(node)) return false;
  const around = waits(node) ? WAITING : ALONE;
  return STANDS_IN_THE_WAY.every((reason) => APPLIES[reason](node, around) === undefined);
}

const WAITING: Surroundings = { ...ALONE, dependencies: [{ id: "", state: "pending" }] };

const STANDS_IN_THE_WAY = REASONS.filter((reason) => reason !== "claimable");

export const emptyTally = () => ({
  ready: 0,
  inProgress: 0,
  blocked: 0,
  /** Gates and landings whose turn it is, and work that is handed in without checks. */
  waitingForPerson: 0,
  rejected: 0,
  frozen: 0,
  planned: 0,
  /** Done or waived. */
  finished: 0,
});

export type Tally = ReturnType<typeof emptyTally>;

const COUNTER = {
  planned: "planned",
  blocked: "blocked",
  ready: "ready",
  in_progress: "inProgress",
  rejected: "rejected",
  frozen: "frozen",
  done: "finished",
  waived: "finished",
  dropped: null,
  archived: null,
} as const satisfies Readonly<Record<string, keyof Tally | null>>;

export type Status = keyof typeof COUNTER;
export const STATUSES = Object.keys(COUNTER) as [Status, ...Status[]];

export function count(tally: Tally, { status, reason }: Pick<DerivedStatus, "status" | "reason">, tasks: number): void {
  const counter = reason === "human" ? "waitingForPerson" : COUNTER[status];
  if (counter !== null) tally[counter] += tasks;
}
