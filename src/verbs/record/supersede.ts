import { changeItem, type Item, type ItemChange } from "../../model/item/item.js";
import { mayReplace, maySupersede, reword } from "../../model/item/record.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { findItem } from "../../plan/item/find-item.js";
import { toRecordView } from "../../plan/record/record-view.js";
import { keepRecord } from "../../plan/record/save-record.js";
import type { Writer } from "../../store/store.js";
import { fields, filled, type Infer, key, ok, optional, planVerb, type Result, rule, undoStep } from "../kit/verb.js";
import { proposalNote, proposalSteps, renderRecordLine } from "./list.js";

export const input = fields({
  id: key("record", "the record to replace, such as DEC-001", "ID"),
  by: optional(key("record", "the record that replaces it", "ID")),
  with: optional(filled("the new words")),
}).check(
  rule(null, "must say either by or with", ({ by, with: words }) => (by === undefined) !== (words === undefined)),
);

export const verb = planVerb({
  command: { words: "record supersede", group: "record", positional: ["id"] },
  summary: "Replace a record by another one or by new words",
  description:
    "What a person approved, only a person can replace. Another record can replace one that is in force only when it is in force itself.",
  effect: "writes",
  tools: [{ tool: "record", action: "supersede", fields: ["id", "by", "with"] }],
  input,
  examples: [{ input: { id: "DEC-001", with: "Use PostgreSQL" }, does: "writes a new decision in its place" }],
  run: supersedeRecord,
  text: ({ superseded, by }, style) => `${style.dim(`− ${superseded}`)}\n${renderRecordLine(by, style)}`,
  note: ({ by }) => proposalNote(by),
  next: ({ by, op }) => [...proposalSteps(by), ...undoStep(op)],
});

type SupersedeInput = Infer<typeof input>;

export function supersedeRecord(context: Context, input: SupersedeInput) {
  return actWithNumber(context, "records", async (writer, at) => {
    const old = await findItem(writer, "record", input.id);
    if (!old.ok) return old;
    const may = maySupersede(old.value, context.actor);
    if (!may.ok) return may;
    const successor = await successorOf(writer, context, old.value, input, at);
    if (!successor.ok) return successor;
    const { key, changes: created } = successor.value;
    const changes = [...created, ...changeItem(old.value, { state: "superseded", supersededBy: key })];
    const value = { superseded: old.value.key, by: await toRecordView(writer, successor.value) };
    return ok({ sentence: `${context.actor} replaced ${old.value.key} by ${key}`, changes, value });
  });
}

async function successorOf(
  writer: Writer,
  { actor }: Context,
  old: Item<"record">,
  { by, with: words }: SupersedeInput,
  at: number,
): Promise<Result<Pick<Item<"record">, "key" | "fields"> & { changes: readonly ItemChange[] }>> {
  if (by === undefined) return ok(await keepRecord(writer, reword(old.fields, words ?? "", actor, at)));
  const found = await findItem(writer, "record", by);
  if (!found.ok) return found;
  const may = mayReplace(old, found.value);
  return may.ok ? ok({ ...found.value, changes: [] }) : may;
}
