// A frozen branch stops where it is until it is thawed.

import { type Actor, isPerson } from "../actor.js";
import { step } from "../next-step.js";
import type { Freeze, Node, NodeFields, Nr } from "../node/node.js";
import { absent, ok, type Result, refused } from "../result.js";
import { type Branch, isSettled } from "../status/rollup.js";
import { ALONE, deriveStatus } from "../status/status.js";

/** Finished nodes stay as they are, and a node that was frozen before keeps its own reason. */
export function toFreeze([root, ...below]: Branch): Result<Node[]> {
  const next = [step("why", { reference: root.id })];
  if (isSettled(root)) {
    const { status } = deriveStatus(root, ALONE);
    return refused("settled", `${root.id} is ${status}, so it cannot be frozen.`, { next });
  }
  if (root.freeze) {
    return refused("frozen", `${root.id} is frozen already: ${root.freeze.reason} (by ${root.freeze.by}).`, { next });
  }
  return ok([root, ...below.filter((node) => node.freeze === null && !isSettled(node))]);
}

/** A worker who holds it loses the claim. */
export const freezePatch = (from: Nr, freeze: Omit<Freeze, "from">): Partial<NodeFields> => ({
  freeze: { ...freeze, from },
  claim: null,
});

/** Would an agent free it from a person's freeze by moving it away? A freeze that moves along is none of this. */
export const escapesFreeze = (actor: Actor, { freeze }: Node, parent: Node, movesAlong: boolean): boolean =>
  !isPerson(actor) && freeze !== null && isPerson(freeze.by) && !movesAlong && parent.freeze?.from !== freeze.from;

export interface Thaw {
  readonly thawed: readonly Node[];
  /** Below, and frozen for a reason of their own. */
  readonly stillFrozen: readonly Node[];
}

const isHeld = (node: Node): boolean => node.freeze !== null && node.outcome === null && node.archive === null;

/** What was frozen together thaws together; `partial` thaws the one node. */
export function toThaw([root, ...below]: Branch, partial: boolean): Result<Thaw> {
  if (!isHeld(root)) {
    return absent("not-frozen", `${root.id} is not frozen.`, { next: [step("why", { reference: root.id })] });
  }
  const together = (node: Node): boolean => !partial && node.freeze?.from === root.freeze?.from;
  const held = below.filter(isHeld);
  return ok({
    thawed: [root, ...held.filter(together)],
    stillFrozen: held.filter((node) => !together(node)),
  });
}
