// Carries out a person's yes to a split: adds the parts, approves them and lets them replace the task, in one operation.

import type { SplitDraft } from "../../model/attempt/attempt.js";
import type { Item } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import { displayId } from "../../model/node/ids.js";
import { type Node, type Nr, newNode } from "../../model/node/node.js";
import { uuid7 } from "../../model/node/uuid7.js";
import { ok, type Result, refused } from "../../model/result.js";
import { type Naming, type SplitChanges, splitTask } from "../../model/rules/split.js";
import type { Settling } from "../../model/rules/task-outcome.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader, Writer } from "../../store/store.js";
import { requireOpen } from "../base/require-open.js";
import { splitProblems } from "../question/split-question.js";

/** `unchecked`: those that no check can accept. */
type SplitMade = Pick<SplitChanges, "changes" | "made"> & { readonly unchecked: readonly string[] };

export async function decideSplit(
  writer: Writer,
  task: Node,
  settling: Settling,
  asked: Item<"question">,
): Promise<Result<SplitMade>> {
  const may = maySplit(task);
  if (!may.ok) return may;
  const draft = await draftFor(writer, task, asked);
  if (!draft.ok) return draft;
  const parent = task.parent === null ? undefined : await writer.node(task.parent);
  const all = await writer.dependents(task.nr);
  const dependents = all.filter(({ outcome, archive }) => outcome === null && archive === null);
  const uuids = await uuidsAround(writer, [task, ...dependents]);
  const parted = splitTask({
    task,
    draft: draft.value,
    names: await namesFor(writer, draft.value.parts.length + 1, settling.at),
    dependents,
    freeze: parent?.freeze ?? null,
    settling,
    uuidOf: (nr) => uuids.get(nr) ?? "",
    digest: sha256,
  });
  const held = await holdToRecords(writer, task, parted, settling.at);
  if (!held.ok) return held;
  const unchecked = parted.births.filter(({ birth }) => birth.checks?.length === 0).map(({ birth }) => birth.id);
  return ok({ changes: parted.changes, made: parted.made, unchecked });
}

function maySplit(task: Node): Result<void> {
  const open = requireOpen(task);
  if (!open.ok) return open;
  if (task.claim === null) return ok(undefined);
  const next = [step("show", { reference: task.id })];
  return refused("in-flight", `${task.claim.by} is working on ${task.id}.`, { next });
}

/** What else the question offers. */
const INSTEAD = "Nothing was changed. Answer linear to have the task done in one piece.";

/** More attempts than a task has after a split was proposed. */
const MAX_ATTEMPTS = 20;

/** What the question is about, or else the latest that an attempt proposed. */
async function draftFor(reader: Reader, task: Node, { key, fields }: Item<"question">): Promise<Result<SplitDraft>> {
  if (fields.split !== undefined) return soundDraft(task, fields.split, key);
  const proposed = await proposedSplit(reader, task);
  const next = [step("attempt.list", { reference: task.id })];
  if (!proposed) return refused("no-draft", `No attempt of ${task.id} has proposed how to split it.`, { next });
  return soundDraft(task, proposed.draft, proposed.key);
}

/** How the latest attempt that said so would split a task. */
export async function proposedSplit(reader: Reader, { nr }: Pick<Node, "nr">) {
  const attempts = await reader.items("attempt", { owner: String(nr), newest: true, limit: MAX_ATTEMPTS });
  const [latest] = attempts.flatMap(({ key, fields: { split } }) => (split === null ? [] : { key, draft: split }));
  return latest;
}

/** `key`: of the attempt or the question that holds it. */
function soundDraft({ id }: Node, draft: SplitDraft, key: string): Result<SplitDraft> {
  const problems = splitProblems(draft);
  if (problems.length === 0) return ok(draft);
  const message = `${id} cannot be split as ${key} proposes it. ${problems.join(" ")}`;
  return refused("bad-split", `${message} ${INSTEAD}`, {
    details: { attempt: key, problems },
    next: [step("show", { reference: key })],
  });
}

async function namesFor(writer: Writer, count: number, at: number): Promise<Naming[]> {
  const nr = await writer.allocate(count);
  const number = await writer.mint("task", count);
  const names: Naming[] = [];
  for (let i = 0; i < count; i++) {
    const uuid = uuid7(at, Buffer.from(await writer.random(10), "hex"));
    names.push({ nr: nr + i, id: displayId("task", number + i), uuid });
  }
  return names;
}

/** The UUIDs of what contains these nodes, and of what they wait for. */
async function uuidsAround(reader: Reader, nodes: readonly Node[]): Promise<Map<Nr, string>> {
  const uuids = new Map<Nr, string>();
  for (const { parent, dependsOn } of nodes) {
    for (const nr of [parent, ...dependsOn.map(({ on }) => on)]) {
      if (nr !== null && !uuids.has(nr)) uuids.set(nr, (await reader.node(nr))?.uuid ?? "");
    }
  }
  return uuids;
}

/** An answer approves the parts, so it is held to the records as an approval is. */
async function holdToRecords(reader: Reader, task: Node, { births }: SplitChanges, at: number): Promise<Result<void>> {
  const records = await reader.items("record", { state: "active" });
  if (records.length === 0) return ok(undefined);
  const { contradictionsOf } = await import("../node/check-records.js");
  const asked = births.map(({ nr, birth }) => ({ node: newNode(nr, birth, at), feature: task.feature }));
  const found = await contradictionsOf(reader, records, asked, []);
  if (found.length === 0) return ok(undefined);
  const problems = found.map(({ message }) => message).join(" ");
  return refused("contradicts-record", `The parts contradict records in force. ${problems} ${INSTEAD}`, {
    details: { contradictions: found },
    next: [step("record.list")],
  });
}
