// The pool of worktrees: a fresh one costs a checkout, so they are used again; when no attempt runs they are removed,
// and with them the temporary folders of attempts that were killed.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { removalsIn, waitForRemovals, whileRemoving } from "../../machine/git/removals.js";
import { pruneWorktrees, setWorktreeAside } from "../../machine/git/worktree.js";
import { removeUnusedCopies } from "../../machine/worktrees/carried-copy.js";
import {
  dryRunSlots,
  isRehearsalSlot,
  removeTmpAside,
  setTmpAside,
  slotCache,
} from "../../machine/worktrees/environment.js";
import { takenSlots } from "../attempt/begin-attempt.js";
import type { EngineServices } from "../services.js";

/** Beside each may be that of its checks (in older versions, of its base), what its set-up said, and a worker's repository. */
const SLOT = /^slot-(\d+)(?:-base|-checks)?(?:\.setup\.log|\.repository|\.watch\.json|\.orders\.json)?$/;
const GONE = /^gone-/;

/** Finds the caches of rehearsals, whose slots are never given out again. */
function cachesIn(root: string): number[] {
  const folder = dirname(slotCache(root, 0));
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => Number(SLOT.exec(name)?.[1] ?? 0)).filter(isRehearsalSlot);
}

/** Waits until no program removes worktrees, before anything begins in a slot. */
export const settleSlots = (services: EngineServices, signal: AbortSignal): Promise<void> =>
  waitForRemovals(services.policy.worktrees, services, signal);

/** Removes worktrees that no attempt of any program uses. What an attempt left unmerged was kept when it ended. */
export async function removeIdleWorktrees(services: EngineServices): Promise<void> {
  const { root } = services.context;
  const around = { root, env: services.env };
  const folder = services.policy.worktrees;
  if (!existsSync(folder)) return;
  const unused = await setIdleAside(services, around);
  for (const name of readdirSync(folder).filter((each) => GONE.test(each))) {
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  removalsIn(folder, services);
  for (const slot of unused) rmSync(slotCache(root, slot), { recursive: true, force: true });
  const isIdle = !readdirSync(folder).some((name) => SLOT.test(name));
  if (isIdle) await removeUnusedCopies(folder, services.policy.carry.length);
  await removeTmpAside(around);
  await pruneWorktrees(root, folder);
}

/** Moves them away at once, whatever their size. Returns slots of rehearsals that have ended. */
const setIdleAside = (services: EngineServices, around: Parameters<typeof dryRunSlots>[0]): Promise<number[]> =>
  whileRemoving(services.policy.worktrees, services, async () => {
    const { context, process } = services;
    const folder = services.policy.worktrees;
    // A rehearsal is in no plan. It makes its temporary folder first, so whatever of it is listed here is known as taken.
    const names = readdirSync(folder);
    const caches = cachesIn(context.root);
    const inPlan = await context.store.read((reader) => takenSlots(services, reader));
    const taken = new Set([...inPlan, ...(await dryRunSlots(around))]);
    await setTmpAside(around, taken);
    for (const name of names) {
      const slot = SLOT.exec(name)?.[1];
      if (slot === undefined || taken.has(Number(slot))) continue;
      const aside = join(folder, `gone-${process.replaceAll(/\W/g, "-")}-${name}`);
      setWorktreeAside(context.root, join(folder, name), aside);
    }
    return caches.filter((slot) => !taken.has(slot));
  });
