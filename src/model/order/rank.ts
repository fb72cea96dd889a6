// Which of two ready tasks is more urgent: the one with the smaller priority number, then the older one.

import type { Node } from "../node/node.js";

/** After the lowest priority that a task can have. */
export const NO_PRIORITY = 5;

/** The value of the `ready` index: urgent work first, work without a priority last. */
export const rankOf = (priority: number | null): number => priority ?? NO_PRIORITY;

type Ranked = Pick<Node, "priority" | "nr">;

export const byUrgency = (a: Ranked, b: Ranked): number => rankOf(a.priority) - rankOf(b.priority) || a.nr - b.nr;
