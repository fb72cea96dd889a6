// Integrates work that a person accepted: it was saved under a ref when it was handed in, and is merged into its feature's
// branch now, so that the feature lands with it.

import { commitTree, contains, firstParentOf, mergeTrees } from "../../machine/git/merge.js";
import { acceptedRef, keptRef, moveRefs, readRef } from "../../machine/git/refs.js";
import { changeItem, type Item } from "../../model/item/item.js";
import type { Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import { act } from "../../plan/base/context.js";
import { type NewQuestion, raise } from "../../plan/question/raise.js";
import type { Reader } from "../../store/store.js";
import { attemptMessage } from "../attempt/attempt-places.js";
import { ensureFeatureBranch, featureBranchOf } from "../attempt/feature-branch.js";
import { moveCheckedOut } from "../attempt/move-checked-out.js";
import type { EngineServices } from "../services.js";

/** Other processes may do the same at the same time. */
const TRIES = 20;

type Accepted = NonNullable<Awaited<ReturnType<typeof accepted>>>;

export async function integrateAccepted(services: EngineServices): Promise<string[]> {
  const { keys, undone } = await services.context.store.read(async (reader) => {
    const [keys, undone]: [string[], string[]] = [[], []];
    for (const item of await reader.items("attempt", { state: "pending" })) {
      if (await accepted(reader, item)) keys.push(item.key);
      else if (item.fields.merged !== null) undone.push(item.key);
    }
    return { keys, undone };
  });
  for (const key of undone) await removeFromBranch(services, key);
  const settled: string[] = [];
  for (const key of keys) if (await integrateOne(services, key)) settled.push(key);
  return settled;
}

/** Removes the commit from the branch if the acceptance was undone before the branch moved. */
async function removeFromBranch(services: EngineServices, key: string): Promise<void> {
  const { context } = services;
  const { root, store } = context;
  const undone = async (reader: Reader): Promise<Item<"attempt"> | null> => {
    const item = await reader.item("attempt", key);
    return item?.fields.state === "pending" && !(await accepted(reader, item)) ? item : null;
  };
  const item = await store.read(undone);
  const merged = item?.fields.merged ?? null;
  const task = item && (await store.read((reader) => reader.node(item.fields.task)));
  if (!task || merged === null) return;
  const feature = await featureBranchOf(services, task);
  // Later work on the branch needs it.
  if ((await readRef(root, feature)) !== merged) return;
  const before = await firstParentOf(root, merged);
  const moved = await moveRefs(root, [
    { ref: feature, from: merged, to: before },
    { ref: acceptedRef(feature), to: before },
    { ref: keptRef(key), to: merged },
  ]);
  if (!moved.ok) return;
  await act(context, "attempt", async (writer) => {
    const now = await undone(writer);
    const changes = now?.fields.merged === merged ? changeItem(now, { merged: null }) : [];
    const sentence = `${key} of ${task.id} is off the branch again: its acceptance was undone`;
    return ok({ sentence, changes, value: null });
  });
}

/** Null if there is nothing to integrate: it is settled, or the acceptance was undone. */
async function accepted(reader: Reader, item: Item<"attempt"> | undefined) {
  if (item?.fields.state !== "pending") return null;
  const task = await reader.node(item.fields.task);
  // A newer claim means that another attempt did the task again.
  return task?.outcome?.kind === "done" && task.epoch === item.fields.epoch ? { item, task } : null;
}

/** Returns whether it is settled: merged, or nothing to merge. */
async function integrateOne(services: EngineServices, key: string): Promise<boolean> {
  const { root, store } = services.context;
  for (let tried = 0; tried < TRIES; tried++) {
    const kept = await readRef(root, keptRef(key));
    // Read this after the ref: a process records the merge before it deletes the ref.
    const found = await store.read(async (reader) => accepted(reader, await reader.item("attempt", key)));
    if (!found) return false;
    const { item, task } = found;
    const { merged } = item.fields;
    if (kept === null && merged === null) return settle(services, found, null);
    const { feature, tip } = await ensureFeatureBranch(services, task);
    if (await wasMerged(root, item, feature)) return settle(services, found, merged);
    if (kept === null) return settle(services, found, null);
    const merge = await mergeTrees(root, tip, kept);
    if ("conflicts" in merge) return askAboutConflict(services, task, merge.conflicts);
    // Another process that recorded a commit on top of the tip may still move the branch to it, so use that commit.
    const isNext = merged !== null && (await contains(root, merged, tip));
    const message = attemptMessage({ key, task, attempt: item.fields });
    const commit = isNext ? merged : await commitTree(root, merge.tree, [tip], message);
    if (!(await recordMerge(services, item, commit))) continue;
    const moves = [
      { ref: feature, from: tip, to: commit },
      { ref: acceptedRef(feature), to: commit },
      { ref: keptRef(key), from: kept, to: null },
    ];
    const moved = await moveCheckedOut(services, { owner: key, branch: feature, from: tip, to: commit, moves });
    // A killed git may have moved the branch all the same.
    if (!moved.ok && !(await contains(root, feature, commit))) continue;
    const isSettled = await settle(services, found, commit);
    if (!isSettled) await removeFromBranch(services, key);
    return isSettled;
  }
  return false;
}

/** Finishes for a process that was killed after it moved the branch. */
async function wasMerged(root: string, { key, fields }: Item<"attempt">, feature: string): Promise<boolean> {
  if (fields.merged === null || !(await contains(root, feature, fields.merged))) return false;
  await moveRefs(root, [{ ref: keptRef(key), to: null }]);
  return true;
}

/** Records the commit before the branch moves, for recovery. False if the attempt has changed since `seen`. */
async function recordMerge({ context }: EngineServices, seen: Item<"attempt">, merged: string): Promise<boolean> {
  const committed = await act(context, "attempt", async (writer) => {
    const found = await accepted(writer, await writer.item("attempt", seen.key));
    if (!found || found.item.fields.merged !== seen.fields.merged) {
      return ok({ sentence: "", changes: [], value: false });
    }
    const sentence = `${seen.key} of ${found.task.id} is being integrated: a person accepted it`;
    return ok({ sentence, changes: changeItem(found.item, { merged }), value: true });
  });
  return committed.ok && committed.value.value;
}

async function settle(
  { context, onEvent }: EngineServices,
  { item: { key }, task: { id } }: Accepted,
  commit: string | null,
): Promise<boolean> {
  const where = commit === null ? "" : `; ${commit.slice(0, 10)} is on the feature's branch`;
  const note = `accepted by a person${where}`;
  const committed = await act(context, "attempt", async (writer, at) => {
    const found = await accepted(writer, await writer.item("attempt", key));
    if (!found) return ok({ sentence: "", changes: [], value: false });
    const { item, task } = found;
    const report = task.report && commit !== null ? { report: { ...task.report, commit } } : {};
    const steps = [...item.fields.steps, { state: "accepted" as const, at }];
    const ended = changeItem(item, { state: "accepted", merged: commit, kept: null, note, steps });
    const changes = [...changeNode(task, report), ...ended];
    return ok({ sentence: `${key} of ${id} was integrated: a person accepted it`, changes, value: true });
  });
  const isSettled = committed.ok && committed.value.value;
  if (isSettled) onEvent({ type: "end", attempt: key, task: id, state: "accepted", note });
  return isSettled;
}

async function askAboutConflict({ context }: EngineServices, { id }: Node, files: readonly string[]): Promise<boolean> {
  const asked: NewQuestion = {
    kind: "conflict",
    question: `What was accepted of ${id} does not merge with its feature's branch any more. What now?`,
    context: `Files: ${files.join(", ")}`,
    owner: id,
    blocks: [id],
    recommended: "reset",
    options: [{ id: "reset", label: "Do it again", detail: "On top of what is there now." }],
  };
  await act(context, "attempt", async (writer, at) => {
    const { changes } = await raise(writer, asked, { by: context.actor, at });
    return ok({ sentence: `${id} does not merge with its feature's branch`, changes, value: null });
  });
  return false;
}
