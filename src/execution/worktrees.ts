// The pool of worktrees: a fresh one costs a checkout, so they are used again; when nobody works any more they go.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pruneWorktrees, removeWorktree } from "../git/worktree.js";
import { LIVE } from "../graph/item.js";
import type { Services } from "./services.js";

/** Beside each may be the tree that it began from. */
const SLOT = /^slot-(\d+)(?:-base)?$/;

/** Those that no live attempt of any program uses. What an attempt left unmerged was kept when it ended. */
export async function removeIdleWorktrees({ context, policy }: Services): Promise<void> {
  const folder = join(context.root, policy.worktrees);
  if (!existsSync(folder)) return;
  // Inside of one transaction with nobody else, no slot is given out while it goes.
  const live = await context.store.read((reader) => reader.items("attempt", { state: LIVE }));
  const taken = new Set(live.map(({ fields }) => fields.slot));
  for (const name of readdirSync(folder)) {
    const slot = SLOT.exec(name)?.[1];
    if (slot !== undefined && !taken.has(Number(slot))) await removeWorktree(context.root, join(folder, name));
  }
  await pruneWorktrees(context.root, folder);
}
