// Moves main for a landing: main, its checkout and the feature's branch change together, by compare-and-swap, and only while
// nobody has declared the landing lost.

import { advanceCheckout, checkoutsOf, settleCheckout } from "../../machine/git/checkouts/checkout.js";
import { type Advance, halfMoved, type LockTaken, takeLock } from "../../machine/git/checkouts/half-move.js";
import { type Done, done } from "../../machine/git/git.js";
import { contains } from "../../machine/git/merge.js";
import { acceptedRef, moveRefs, readRef } from "../../machine/git/refs.js";
import { endOrphans } from "../../machine/process/orphans.js";
import { ok } from "../../model/result.js";
import { act } from "../../plan/context.js";
import { runningFolder } from "../attempt/attempt-places.js";
import { mayStillWrite } from "../attempt/slots.js";
import type { EngineServices } from "../services.js";
import { landingRef } from "./land-attempt.js";
import type { Merging } from "./merge.js";

/** `moved`: another program moved a branch first, so the checks ran on an outdated merge. */
export type Advanced = "done" | "moved" | { readonly problem: string };

export async function advanceMain(services: EngineServices, key: string, merging: Merging): Promise<Advanced> {
  const { root } = services.context;
  const { main, from, branch, tip, commit, checkout } = merging;
  const inUse = await isInUse(root, branch);
  const move = async (): Promise<Done> => {
    const moved = await moveRefs(
      root,
      [
        { ref: main, from, to: commit },
        { ref: branch, from: tip, to: inUse ? tip : null },
        { ref: acceptedRef(branch), to: null },
        { ref: landingRef(key), from: commit, to: null },
      ],
      `planwright: land ${key}`,
    );
    if (moved.ok || !(await contains(root, main, commit))) return moved;
    // A killed git may have moved main all the same, and left the rest.
    await removeBranch(root, branch, tip);
    return done;
  };
  const advance = { path: checkout ?? root, from, to: commit, owner: key, holder: services.process };
  const moved = checkout === null ? await move() : await advanceCheckout(advance, move);
  if (moved.ok) return "done";
  const same = (await readRef(root, main)) === from && (await readRef(root, branch)) === tip;
  return same ? { problem: moved.problem } : "moved";
}

/** We do not delete a branch that is checked out. */
const isInUse = async (root: string, branch: string): Promise<boolean> => (await checkoutsOf(root, branch)).length > 0;

/** Deletes the branch of a landed feature, unless it is checked out or git cannot tell. Its work needs no keeping any more. */
export async function removeBranch(root: string, branch: string, tip: string | null): Promise<void> {
  const stays = await isInUse(root, branch).catch(() => true);
  // Only while the branch has not moved: what was accepted since is not landed.
  await moveRefs(root, [
    { ref: branch, from: tip, to: stays ? tip : null },
    { ref: acceptedRef(branch), to: null },
  ]);
}

/**
 * Stops a landing from moving main, then makes its half-moved checkouts match their branch. Returns false if another program
 * is doing that. `driver` is the program whose landing it was: it loses its lock even if it is only paused.
 */
export async function settleAdvance(services: EngineServices, key: string, driver?: string): Promise<boolean> {
  const { root } = services.context;
  // A git that the killed program started would go on writing files.
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

/** Runs inside the store's lock, so that only one program takes over the lock of a dead one. */
async function takeOver(services: EngineServices, advance: Advance, driver: string | undefined): Promise<LockTaken> {
  const mayLose = (holder: string | null): boolean =>
    holder === null || holder === services.process || holder === driver || !mayStillWrite(services, holder);
  const committed = await act(services.context, "attempt", async () =>
    ok({ sentence: "", changes: [], value: takeLock(advance, mayLose) }),
  );
  return committed.ok ? committed.value.value : "busy";
}
