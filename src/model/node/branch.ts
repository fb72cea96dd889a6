// A node with everything below it, parents before children: what most decisions are about.

import { isFinished } from "../status/rollup.js";
import type { Node } from "./node.js";

export type Branch = readonly [root: Node, ...below: Node[]];

/** Nothing is left to decide about it: it is done, waived or dropped, or it was archived. */
export const isSettled = (node: Node): boolean => node.archive !== null || node.outcome !== null || isFinished(node);

/** A task that a person or a worker still has to do something about. */
export const isOpenTask = (node: Node): boolean => node.tier === "task" && !isSettled(node);
