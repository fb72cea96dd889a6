// What a branch that is being archived has taught, kept in the same operation.

import { isPerson } from "../../model/actor.js";
import { createItem, type ItemChange } from "../../model/item/item.js";
import { itemKey } from "../../model/item/item-key.js";
import type { Node, Nr } from "../../model/node/node.js";
import { harvest, LESSONS_AT_MOST, lessonKey } from "../../model/rules/harvest.js";
import type { Branch } from "../../model/status/rollup.js";
import type { Maker } from "../../plan/record/save-record.js";
import type { Reader, Writer } from "../../store/store.js";

/** Operations of a task that are looked through for what it failed with. */
const LOOKED_BACK = 50;

export async function keepLessons(
  writer: Writer,
  branch: Branch,
  { by, at }: Maker,
): Promise<{ keys: string[]; changes: ItemChange[] }> {
  // What was forgotten once does not come back, and neither does what an earlier archiving has kept.
  const known = new Set((await writer.items("memory", {})).map(({ fields }) => lessonKey(fields)));
  const lessons = harvest(branch, await failuresOf(writer, branch), known);
  if (lessons.length === 0) return { keys: [], changes: [] };
  const first = await writer.number("MEM", lessons.length);
  const keys = lessons.map((_, i) => itemKey("MEM", first + i));
  const changes = lessons.map((lesson, i) =>
    // A person who archives a branch keeps what it taught; an agent only proposes it.
    createItem("memory", keys[i] as string, {
      ...lesson,
      state: isPerson(by) ? "kept" : "proposed",
      createdAt: at,
      createdBy: by,
    }),
  );
  return { keys, changes };
}

/** Of tasks that took several attempts: what an earlier one was rejected for. */
async function failuresOf(reader: Reader, branch: Branch): Promise<Map<Nr, string>> {
  const failures = new Map<Nr, string>();
  const repeated = branch.filter((node) => node.tier === "task" && node.epoch > 1 && node.outcome?.kind === "done");
  for (const task of repeated) {
    if (failures.size === LESSONS_AT_MOST) break;
    const reason = await lastRejection(reader, task);
    if (reason !== undefined) failures.set(task.nr, reason);
  }
  return failures;
}

async function lastRejection(reader: Reader, { nr }: Node): Promise<string | undefined> {
  for (const { op } of await reader.operations({ node: nr, limit: LOOKED_BACK })) {
    for (const change of await reader.changes(op)) {
      if (change.entity !== "node" || change.key !== nr) continue;
      const rejection = change.after?.acceptance;
      if (rejection?.state === "rejected") return rejection.reason ?? undefined;
    }
  }
  return undefined;
}
