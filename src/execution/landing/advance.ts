// The moment of a landing: the main branch, its checkout and the feature's branch move together, by compare-and-swap and
// only as long as nobody has declared the landing lost.

import { act } from "../../actions/context.js";
import { advanceCheckout, checkoutsOf, settleCheckout } from "../../git/checkout.js";
import { type Done, done } from "../../git/git.js";
import { type Advance, halfMoved, type LockTaken, takeLock } from "../../git/half-move.js";
import { contains } from "../../git/merge.js";
import { moveRefs, readRef } from "../../git/refs.js";
import { ok } from "../../graph/result.js";
import { endOrphans } from "../../process/orphans.js";
import { runningFolder } from "../attempt/running-folder.js";
import type { Services } from "../engine/services.js";
import { mayStillWrite } from "../engine/slots.js";
import { landingRef } from "./land-attempt.js";
import type { Merging } from "./merge.js";

/** `moved`: a branch is not where it was, so the merge is not the one that was proven. */
export type Advanced = "done" | "moved" | { readonly problem: string };

export async function advanceMain(services: Services, key: string, merging: Merging): Promise<Advanced> {
  const { root } = services.context;
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
  const advance = { path: checkout ?? root, from, to: commit, owner: key, holder: services.process };
  const moved = checkout === null ? await move() : await advanceCheckout(advance, move);
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

/**
 * Of a landing that is over: from here on it can move nothing; then its checkouts are what their branch is. False: another
 * program is at it. `driver`: the program whose landing it was, which loses its lock even if it is only paused.
 */
export async function settleAdvance(services: Services, key: string, driver?: string): Promise<boolean> {
  const { root } = services.context;
  // A git that its killed program started would go on laying out files.
  await endOrphans(runningFolder(services));
  const ref = landingRef(key);
  const gone = await moveRefs(root, [{ ref, to: null }]);
  if (!gone.ok && (await readRef(root, ref)) !== null) throw new Error(`${ref} could not be removed: ${gone.problem}`);
  for (const half of (await halfMoved(root)).filter(({ owner }) => owner === key)) {
    const advance = { ...half, holder: services.process };
    const taken = await takeOver(services, advance, driver);
    if (taken === "busy") return false;
    if (taken === "foreign") throw new Error(`Another git program is at work in ${half.path}.`);
    await settleCheckout(advance);
  }
  return true;
}

/** Under the lock of the store, so that only one program takes what a dead one held. */
async function takeOver(services: Services, advance: Advance, driver: string | undefined): Promise<LockTaken> {
  const mayLose = (holder: string | null): boolean =>
    holder === null || holder === services.process || holder === driver || !mayStillWrite(services, holder);
  const committed = await act(services.context, "attempt", async () =>
    ok({ sentence: "", changes: [], value: takeLock(advance, mayLose) }),
  );
  return committed.ok ? committed.value.value : "busy";
}
