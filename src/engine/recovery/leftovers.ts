// Removes what killed programs leave in the repository: branches and refs that are no longer needed, and git's locks.

import { messageOf } from "../../base/errors.js";
import { contains } from "../../machine/git/merge.js";
import { removeStaleLocks } from "../../machine/git/ref-locks.js";
import {
  ACCEPTED_REFS,
  ATTEMPT_BRANCHES,
  FEATURE_BRANCHES,
  featureOfBranch,
  keptRef,
  listRefs,
  moveRefs,
  readRef,
} from "../../machine/git/refs.js";
import { endOrphans } from "../../machine/process/orphans.js";
import { hasEnded } from "../../model/attempt/attempt.js";
import { mainRefOf } from "../../plan/repository/main-branch.js";
import { removeReadingFolders } from "../../plan/repository/reading-folders.js";
import { runningFolder } from "../attempt/attempt-places.js";
import { LANDING_REFS, removeBranch } from "../landing/land-attempt.js";
import type { EngineServices } from "../services.js";

/** Reports a part that fails, because of git or the disk, and goes on with the next. */
export async function removeLeftovers(services: EngineServices): Promise<void> {
  const parts = [removeLocks, removeAttemptBranches, removeLandingRefs, removeLandedBranches, removePlanningFolders];
  for (const remove of parts) {
    await orReport(services, () => remove(services));
  }
}

export async function orReport({ onEvent }: EngineServices, remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    const why = messageOf(error);
    onEvent({ type: "notice", text: `Cleaning up failed and is tried again later: ${why}` });
  }
}

const removeLocks = async ({ context }: EngineServices): Promise<void> => removeStaleLocks(context.root);

/** Of planning runs whose program was killed. */
async function removePlanningFolders(services: EngineServices): Promise<void> {
  await endOrphans(runningFolder(services));
  await removeReadingFolders(services.context, services.isAlive);
}

async function removeAttemptBranches({ context }: EngineServices): Promise<void> {
  const { root, store } = context;
  for (const [ref, tip] of await listRefs(root, ATTEMPT_BRANCHES)) {
    const key = ref.slice(ref.lastIndexOf("/") + 1);
    const item = await store.read((reader) => reader.item("attempt", key));
    if (!item || !hasEnded(item.fields.state)) continue;
    const kept = keptRef(key);
    const worth = tip !== item.fields.base && (await readRef(root, kept)) === null;
    await moveRefs(root, [{ ref, from: tip, to: null }, ...(worth ? [{ ref: kept, from: null, to: tip }] : [])]);
  }
}

/** Refs of ended landings that git failed to delete. */
async function removeLandingRefs({ context }: EngineServices): Promise<void> {
  const { root, store } = context;
  for (const [ref, tip] of await listRefs(root, LANDING_REFS)) {
    const item = await store.read((reader) => reader.item("attempt", ref.slice(LANDING_REFS.length + 1)));
    if (item && hasEnded(item.fields.state)) await moveRefs(root, [{ ref, from: tip, to: null }]);
  }
}

/** Branches of landed features that git failed to delete. */
async function removeLandedBranches(services: EngineServices): Promise<void> {
  const { context } = services;
  const { root } = context;
  const branches = await listRefs(root, FEATURE_BRANCHES);
  // Kept work whose branch is gone.
  for (const ref of (await listRefs(root, ACCEPTED_REFS)).keys()) {
    const branch = ref.replace(ACCEPTED_REFS, FEATURE_BRANCHES);
    if (!branches.has(branch) && (await hasLanded(services, branch))) await removeBranch(root, branch, null);
  }
  const main = branches.size === 0 ? null : await mainRefOf(context);
  if (main === null) return;
  for (const [branch, tip] of branches) {
    if ((await hasLanded(services, branch)) && (await contains(root, main, tip))) await removeBranch(root, branch, tip);
  }
}

async function hasLanded({ context }: EngineServices, branch: string): Promise<boolean> {
  const id = featureOfBranch(branch);
  const feature = id === null ? undefined : await context.store.read((reader) => reader.byId(id));
  return feature !== undefined && feature.landedOp !== null && feature.tasksLive === feature.tasksFinished;
}
