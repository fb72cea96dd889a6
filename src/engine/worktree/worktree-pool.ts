// The pool of worktrees: a fresh one costs a checkout, so they are used again; when no attempt runs they are removed,
// and with them the temporary folders of attempts that were killed.

import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pruneWorktrees, setWorktreeAside } from "../../machine/git/worktree.js";
import {
  dryRunSlots,
  isRehearsalSlot,
  removeTmpAside,
  setTmpAside,
  slotCache,
} from "../../machine/worktrees/environment.js";
import { ok } from "../../model/result.js";
import { act } from "../../plan/base/context.js";
import { takenSlots } from "../attempt/begin-attempt.js";
import type { EngineServices } from "../services.js";

/** Beside each may be the tree that it began from, what its set-up said, and what was outside of it. */
const SLOT = /^slot-(\d+)(?:-base|\.setup\.log|\.watch\.json|\.orders\.json)?$/;
const GONE = /^gone-/;

/** Of rehearsals: their slots are never given out again. */
function cachesIn(root: string): number[] {
  const folder = dirname(slotCache(root, 0));
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.map((name) => Number(SLOT.exec(name)?.[1] ?? 0)).filter(isRehearsalSlot);
}

/** Those that no attempt of any program uses. What an attempt left unmerged was kept when it ended. */
export async function removeIdleWorktrees(services: EngineServices): Promise<void> {
  const { context, policy, process } = services;
  const around = { root: context.root, env: services.env };
  const folder = policy.worktrees;
  if (!existsSync(folder)) return;
  let unused: number[] = [];
  // Under the lock of the store, no slot is given out: they are put aside there, and removed afterwards.
  await act(context, "attempt", async (writer) => {
    // A rehearsal needs no lock. It makes its temporary folder first, so whatever of it is listed here is known as taken.
    const names = readdirSync(folder);
    unused = cachesIn(context.root);
    const taken = new Set([...(await takenSlots(services, writer)), ...(await dryRunSlots(around))]);
    await setTmpAside(around, taken);
    unused = unused.filter((slot) => !taken.has(slot));
    for (const name of names) {
      const slot = SLOT.exec(name)?.[1];
      if (slot === undefined || taken.has(Number(slot))) continue;
      setWorktreeAside(
        context.root,
        join(folder, name),
        join(folder, `gone-${process.replaceAll(/\W/g, "-")}-${name}`),
      );
    }
    return ok({ sentence: "", changes: [], value: null });
  });
  for (const name of readdirSync(folder).filter((each) => GONE.test(each))) {
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  for (const slot of unused) rmSync(slotCache(context.root, slot), { recursive: true, force: true });
  await removeTmpAside(around);
  await pruneWorktrees(context.root, folder);
}
