// Decides what happens to two conflicting tasks, by a table. When the same conflict comes back again and again, a person
// decides.

import { type Arbitration, type ConflictLayer, conflictBehind } from "../conflict/conflict.js";
import type { Node } from "../node/node.js";
import { isSettled } from "../status/rollup.js";

export interface Dispute {
  readonly layer: ConflictLayer;
  /** The task that goes first: in progress, waiting for its turn, or done. */
  readonly firstState: "working" | "waiting" | "done";
  /** The first task is done, and what it changed is in the way of the other. */
  readonly diffOverlap: boolean;
  /** The other can wait for it without a circle. */
  readonly orderFree: boolean;
  /** The other was not arbitrated too often yet. */
  readonly budgetLeft: boolean;
  /** How often the two were arbitrated in this way already. */
  readonly sameBefore: number;
}

export interface Award {
  readonly arbitration: Arbitration;
  readonly why: string;
}

/** So often the same, and a person is asked. */
export const SAME_AWARDS = 3;

interface Rule extends Award {
  readonly applies: (dispute: Dispute) => boolean;
}

/** The first that applies. */
const RULES: readonly Rule[] = [
  {
    arbitration: "none",
    why: "the first task is done and changed none of these files",
    applies: ({ firstState, diffOverlap }) => firstState === "done" && !diffOverlap,
  },
  {
    arbitration: "escalate",
    why: `the same was decided ${SAME_AWARDS} times before`,
    applies: ({ sameBefore }) => sameBefore >= SAME_AWARDS,
  },
  {
    arbitration: "escalate",
    why: "it has conflicted with too many tasks",
    applies: ({ budgetLeft }) => !budgetLeft,
  },
  {
    arbitration: "escalate",
    why: "their branches do not merge, and neither can wait for the other",
    applies: ({ layer, orderFree }) => layer === "merge" && !orderFree,
  },
  {
    arbitration: "freeze",
    why: "it cannot wait for the first task without a cycle, so it is frozen until that task is done",
    applies: ({ orderFree }) => !orderFree,
  },
  {
    arbitration: "serialise",
    why: "the first task is done, and the other continues from its result",
    applies: ({ firstState }) => firstState === "done",
  },
  {
    arbitration: "serialise",
    why: "the first task is in progress, and the other waits until it is done",
    applies: ({ firstState }) => firstState === "working",
  },
  { arbitration: "reorder", why: "neither has begun, so one goes after the other", applies: () => true },
];

export function arbitrate(dispute: Dispute): Award {
  const { arbitration, why } = RULES.find(({ applies }) => applies(dispute)) as Rule;
  return { arbitration, why };
}
/** A task that a conflict froze goes on when you have decided about that conflict. */
const isStopped = (node: Node): boolean =>
  node.acceptance?.state === "rejected" || (node.freeze !== null && conflictBehind(node) === undefined);

/** `isMet`: nothing has to wait for the task that goes first. `isAsked`: a person decides, even after that task is done. */
export interface ConflictStanding {
  readonly isMet: boolean;
  readonly isAsked: boolean;
}

export function mootness(
  first: Node | undefined,
  second: Node | undefined,
  { isMet, isAsked }: ConflictStanding,
): string | null {
  if (!second) return "the task that waited no longer exists";
  if (!first) return "the task that went first no longer exists";
  if (isSettled(second)) return `${second.id} is finished`;
  if (first.outcome?.kind === "done") return isMet && !isAsked ? `${first.id} is done` : null;
  if (isSettled(first)) return `${first.id} will not be worked on`;
  if (isStopped(first)) return `${first.id} is stopped, so ${second.id} does not wait for it`;
  return null;
}
