// The pool of worktrees: a fresh one costs a checkout, so they are used again; when no attempt runs they are removed,
// and with them the temporary folders of attempts that were killed.

import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pruneWorktrees, setWorktreeAside } from "../../machine/git/worktree.js";
import {
  dryRunSlots,
  isRehearsalSlot,
  removeTmpAside,
  setTmpAside,
  slotCache,
} from "../../machine/worktrees/environment.js";
import { FRESH_MS, isAtWork, takenSlots } from "../attempt/begin-attempt.js";
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

/**
 * A program that removes worktrees says so in a file of its own before it looks which are in use. Whoever was given a slot looks for
 * such files before it begins there: either it sees the file and waits, or the other one sees that the slot is in use. So neither needs
 * the lock of the store for work on files.
 */
const REMOVING = /^removing-(.+)-\d+$/;
let removals = 0;

const LOOK_MS = 10;

/** The marks of programs that run. What a killed one left is removed. */
function removalsIn(services: EngineServices): string[] {
  const { worktrees } = services.policy;
  const names = existsSync(worktrees) ? readdirSync(worktrees).filter((name) => REMOVING.test(name)) : [];
  return names.filter((name) => {
    const mark = join(worktrees, name);
    const made = statSync(mark, { throwIfNoEntry: false })?.mtimeMs;
    const driver = decodeURIComponent(REMOVING.exec(name)?.[1] ?? "");
    const runs = made !== undefined && isAtWork(services, driver, Date.now() - made);
    if (!runs) rmSync(mark, { force: true });
    return runs;
  });
}

/** Waits for programs that remove worktrees and may not have seen that this slot is in use. It throws if that takes too long. */
export async function settleSlots(services: EngineServices, signal: AbortSignal): Promise<void> {
  const until = performance.now() + FRESH_MS;
  while (!signal.aborted) {
    const [first] = removalsIn(services);
    if (first === undefined) return;
    if (performance.now() > until) throw new Error(`another program has been removing worktrees for long (${first}).`);
    await wait(LOOK_MS);
  }
}

/** Those that no attempt of any program uses. What an attempt left unmerged was kept when it ended. */
export async function removeIdleWorktrees(services: EngineServices): Promise<void> {
  const { root } = services.context;
  const around = { root, env: services.env };
  const folder = services.policy.worktrees;
  if (!existsSync(folder)) return;
  const unused = await setIdleAside(services, around);
  for (const name of readdirSync(folder).filter((each) => GONE.test(each))) {
    rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
  }
  removalsIn(services);
  for (const slot of unused) rmSync(slotCache(root, slot), { recursive: true, force: true });
  await removeTmpAside(around);
  await pruneWorktrees(root, folder);
}

/** Moves them away at once, whatever their size. Returns slots of rehearsals that have ended. */
async function setIdleAside(services: EngineServices, around: Parameters<typeof dryRunSlots>[0]): Promise<number[]> {
  const { context, process } = services;
  const folder = services.policy.worktrees;
  const mark = join(folder, `removing-${encodeURIComponent(process)}-${++removals}`);
  writeFileSync(mark, "");
  try {
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
  } finally {
    rmSync(mark, { force: true });
  }
}
