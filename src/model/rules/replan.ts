// A branch that is replanned loses what is not finished. What stays of it waits for a new plan: it is not finished before
// a person approves something new in it, or gives up the rest.

import type { Branch } from "../node/branch.js";
import { isContainer, type Node, type Nr } from "../node/node.js";

/** The root, and every container that stays but loses something. */
export function toPlanAgain(branch: Branch, dropped: readonly Node[]): Node[] {
  const [root] = branch;
  const going = new Set<Nr>(dropped.map(({ nr }) => nr));
  const losing = new Set<Nr | null>(dropped.map(({ parent }) => parent));
  return branch.filter(
    (node) => isContainer(node) && !going.has(node.nr) && (node.nr === root.nr || losing.has(node.nr)),
  );
}

/** What no longer waits for a new plan when the rest of a branch is given up; what is settled with it needs no word. */
export function withoutNewPlan(branch: Branch, settled: readonly Node[]): Node[] {
  const going = new Set<Nr>(settled.map(({ nr }) => nr));
  return branch.filter((node) => node.awaitsPlan !== null && !going.has(node.nr));
}
