// Decides what happens to two conflicting tasks. A table decides, and a person has the last word: the
// same again and again is not an answer.

import type { Arbitration, ConflictLayer } from "./conflict.js";

export interface Dispute {
  readonly layer: ConflictLayer;
  /** How the one stands that goes first: somebody works on it, it waits for its turn, or it is done. */
  readonly firstState: "working" | "waiting" | "done";
  /** Of one that is done: what it changed is in the way of the other. */
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
  /** One phrase for people. */
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
    why: "the first one is done, and what it changed is not in the way",
    applies: ({ firstState, diffOverlap }) => firstState === "done" && !diffOverlap,
  },
  {
    arbitration: "escalate",
    why: `the same was decided ${SAME_AWARDS} times, and they meet again`,
    applies: ({ sameBefore }) => sameBefore >= SAME_AWARDS,
  },
  {
    arbitration: "escalate",
    why: "it has got into the way of others too often",
    applies: ({ budgetLeft }) => !budgetLeft,
  },
  {
    arbitration: "escalate",
    why: "their branches do not merge, and neither can wait for the other",
    applies: ({ layer, orderFree }) => layer === "merge" && !orderFree,
  },
  {
    arbitration: "freeze",
    why: "it cannot wait for the first one without a circle, so it stops until that one is done",
    applies: ({ orderFree }) => !orderFree,
  },
  {
    arbitration: "serialise",
    why: "the first one is done, and the other goes on from what it made",
    applies: ({ firstState }) => firstState === "done",
  },
  {
    arbitration: "serialise",
    why: "somebody works on the first one, and the other waits until it is done",
    applies: ({ firstState }) => firstState === "working",
  },
  { arbitration: "reorder", why: "neither has begun, and one goes after the other", applies: () => true },
];

export function arbitrate(dispute: Dispute): Award {
  const { arbitration, why } = RULES.find(({ applies }) => applies(dispute)) as Rule;
  return { arbitration, why };
}
