// Work that a person accepted, although no machine could: it was kept when it was handed in, and goes onto its feature's
// branch now. A feature can land only with what its tasks did.

import { act } from "../actions/context.js";
import { raise } from "../actions/escalate.js";
import { commitTree, contains, mergeTrees } from "../git/merge.js";
import { keptRef, moveRefs, readRef } from "../git/refs.js";
import { changeNode } from "../graph/change.js";
import { changeItem, type Item } from "../graph/item.js";
import type { Node } from "../graph/node.js";
import { ok } from "../graph/result.js";
import { attemptMessage } from "./commit-message.js";
import { branchFor } from "./feature-branch.js";
import type { Services } from "./services.js";

const TRIES = 20;

export async function integrateAccepted(services: Services): Promise<string[]> {
  const { store } = services.context;
  const handedIn = await store.read(async (reader) => {
    const found: { item: Item<"attempt">; task: Node }[] = [];
    for (const item of await reader.items("attempt", { state: "pending" })) {
      const task = await reader.node(item.fields.task);
      // Whoever claimed it since has done it anew.
      if (task?.outcome?.kind === "done" && task.epoch === item.fields.epoch) found.push({ item, task });
    }
    return found;
  });
  const settled: string[] = [];
  for (const { item, task } of handedIn) {
    if (await integrateOne(services, item.key, task)) settled.push(item.key);
  }
  return settled;
}

/** Whether it is settled: merged, or nothing was there to merge. */
async function integrateOne(services: Services, key: string, task: Node): Promise<boolean> {
  const { root, store } = services.context;
  for (let tried = 0; tried < TRIES; tried++) {
    const kept = await readRef(root, keptRef(key));
    // Read after that: whoever took it away has written down before where it went.
    const item = await store.read((reader) => reader.item("attempt", key));
    if (item?.fields.state !== "pending") return false;
    if (await wasMerged(services, item, task)) return settle(services, item, task, item.fields.merged);
    if (kept === null) return settle(services, item, task, null);
    const { feature, tip } = await branchFor(services, task);
    const merge = await mergeTrees(root, tip, kept);
    if ("conflicts" in merge) return askAboutConflict(services, task, merge.conflicts);
    const message = attemptMessage({ key: item.key, task, attempt: item.fields });
    const commit = await commitTree(root, merge.tree, [tip], message);
    if (!(await writeDown(services, item.key, commit))) return false;
    const moved = await moveRefs(root, [
      { ref: feature, from: tip, to: commit },
      { ref: keptRef(item.key), from: kept, to: null },
    ]);
    // A git that was killed may have done half of it.
    if (moved.ok || (await contains(root, feature, commit))) return settle(services, item, task, commit);
  }
  return false;
}

/** By a program that was killed before it could say so. */
async function wasMerged(services: Services, { key, fields }: Item<"attempt">, task: Node): Promise<boolean> {
  const { root } = services.context;
  if (fields.merged === null || !(await contains(root, (await branchFor(services, task)).feature, fields.merged))) {
    return false;
  }
  await moveRefs(root, [{ ref: keptRef(key), to: null }]);
  return true;
}

/** Before the branch moves: whoever finds it half done knows what to look for. False if somebody else settled it. */
async function writeDown({ context }: Services, key: string, merged: string): Promise<boolean> {
  const committed = await act(context, "attempt", async (writer) => {
    const item = await writer.item("attempt", key);
    if (item?.fields.state !== "pending") return ok({ sentence: "", changes: [], value: false });
    const sentence = `${key} of ${item.fields.taskId} is being integrated: a person accepted it`;
    return ok({ sentence, changes: changeItem(item, { merged }), value: true });
  });
  return committed.ok && committed.value.value;
}

async function settle(
  { context, onEvent }: Services,
  { key }: Item<"attempt">,
  { nr, id }: Node,
  commit: string | null,
): Promise<boolean> {
  const note =
    commit === null
      ? "accepted by a person"
      : `accepted by a person; ${commit.slice(0, 10)} is on the feature's branch`;
  const committed = await act(context, "attempt", async (writer, at) => {
    const item = await writer.item("attempt", key);
    const task = await writer.node(nr);
    if (item?.fields.state !== "pending" || !task) return ok({ sentence: "", changes: [], value: false });
    const report = task.report && commit !== null ? { report: { ...task.report, commit } } : {};
    const steps = [...item.fields.steps, { state: "accepted" as const, at }];
    const changes = [
      ...changeNode(task, report),
      ...changeItem(item, { state: "accepted", merged: commit, kept: null, note, steps }),
    ];
    return ok({ sentence: `${key} of ${id} was integrated: a person accepted it`, changes, value: true });
  });
  if (committed.ok) onEvent({ type: "end", attempt: key, task: id, state: "accepted", note });
  return committed.ok && committed.value.value;
}

async function askAboutConflict({ context }: Services, { id }: Node, files: readonly string[]): Promise<boolean> {
  await act(context, "attempt", async (writer, at) => {
    const asked = await raise(
      writer,
      {
        kind: "conflict",
        question: `What was accepted of ${id} does not merge with its feature's branch any more. What now?`,
        context: `Files: ${files.join(", ")}`,
        owner: id,
        blocks: [id],
        recommended: "reset",
        options: [{ id: "reset", label: "Do it again", detail: "On top of what is there now." }],
      },
      { by: context.actor, at },
    );
    return ok({ sentence: `${id} does not merge with its feature's branch`, changes: asked.changes, value: null });
  });
  return false;
}
