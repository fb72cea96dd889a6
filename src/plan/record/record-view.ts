// A record as users see it: names instead of row numbers, times as text.

import type { KeyedRecord, RecordState } from "../../model/item/record.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { Nr } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import { pick } from "../base/pick.js";
import { isoTime } from "../node/view.js";

export type RecordView = Awaited<ReturnType<typeof toRecordView>>;

/** Something that an undo took away is named by a question mark. */
export const nameOfNode = async (reader: Reader, nr: Nr): Promise<string> => (await reader.node(nr))?.id ?? "?";

function nextOf(id: string, state: RecordState): NextStep[] {
  if (state === "superseded") return [];
  const replace = step("record.supersede", { id }, "with");
  return state === "proposed" ? [step("record.approve", { ids: [id] }), replace] : [replace];
}

export async function toRecordView(reader: Reader, { key, fields }: KeyedRecord) {
  const tasks: string[] = [];
  for (const nr of fields.tasks) tasks.push(await nameOfNode(reader, nr));
  return {
    id: key,
    ...pick(fields, "kind", "state", "title", "body"),
    because: fields.because ?? null,
    alternatives: fields.alternatives,
    /** The feature that it is for; null means the workspace. */
    for: fields.scope === null ? null : await nameOfNode(reader, fields.scope),
    tasks,
    ...pick(fields, "measure", "forbids"),
    baseline: fields.baseline ?? null,
    ...pick(fields, "supersededBy", "run"),
    createdAt: isoTime(fields.createdAt),
    createdBy: fields.createdBy,
    approvedBy: fields.approvedBy,
    approvedAt: fields.approvedAt === null ? null : isoTime(fields.approvedAt),
    next: nextOf(key, fields.state),
  };
}
