// The moment of a landing: the main branch, its checkout and the feature's branch move together, by compare-and-swap and
// only as long as nobody has declared the landing lost.

import { advanceCheckout, checkoutsOf, settleCheckout } from "../../git/checkout.js";
import { halfMoved } from "../../git/half-move.js";
import { contains } from "../../git/merge.js";
import { type Done, done, moveRefs, readRef } from "../../git/refs.js";
import { landingRef } from "./land-attempt.js";
import type { Merging } from "./merge.js";

/** `moved`: a branch is not where it was, so the merge is not the one that was proven. */
export type Advanced = "done" | "moved" | { readonly problem: string };

export async function advanceMain(root: string, key: string, merging: Merging): Promise<Advanced> {
  const { main, from, branch, tip, commit, checkout } = merging;
  const inUse = await isInUse(root, branch);
  const move = async (): Promise<Done> => {
    const moved = await moveRefs(
      root,
      [
        { ref: main, from, to: commit },
        { ref: branch, from: tip, to: inUse ? tip : null },
        { ref: landingRef(key), from: commit, to: null },
      ],
      `planwright: land ${key}`,
    );
    if (moved.ok || !(await contains(root, main, commit))) return moved;
    // A git that was killed has done it all the same, or half of it.
    await removeBranch(root, branch, tip);
    return done;
  };
  const moved =
    checkout === null ? await move() : await advanceCheckout({ path: checkout, from, to: commit, owner: key }, move);
  if (moved.ok) return "done";
  const same = (await readRef(root, main)) === from && (await readRef(root, branch)) === tip;
  return same ? { problem: moved.problem } : "moved";
}

/** A branch that somebody has checked out is left to them. */
const isInUse = async (root: string, branch: string): Promise<boolean> => (await checkoutsOf(root, branch)).length > 0;

/** Of a feature that is on the main branch. It stays if git cannot tell whether somebody has it checked out. */
export async function removeBranch(root: string, branch: string, tip: string): Promise<void> {
  if (!(await isInUse(root, branch).catch(() => true))) await moveRefs(root, [{ ref: branch, from: tip, to: null }]);
}

/** Of a landing that is over: from here on it can move nothing; then its checkouts are what their branch is. */
export async function settleAdvance(root: string, key: string): Promise<void> {
  await moveRefs(root, [{ ref: landingRef(key), to: null }]);
  for (const half of await halfMoved(root)) if (half.owner === key) await settleCheckout(half);
}
