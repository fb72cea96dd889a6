import { changeItem, type ItemChange } from "../../model/item/item.js";
import { approveRecord, type KeyedRecord, RECORD_PREFIXES } from "../../model/item/record.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { findItems } from "../../plan/item/find-item.js";
import { type PreviewSettings, previewOf, requireAsSeen, type SeenPreview } from "../../plan/node/approval-preview.js";
import { summary } from "../../plan/node/branch.js";
import { allOf, fields, filled, flag, key, ok, optional, planVerb, type Reader, step, undoStep } from "../kit/verb.js";
import { PREVIEW_REPORT } from "../text/preview-lines.js";
import { contradictingTasks, contradictionLines, contradictionNote } from "./contradicting-tasks.js";

export const input = fields({
  ids: allOf(key("record", "a record, such as CON-001", "ID")),
  seen: optional(filled("approve exactly what a preview with this hash showed", "HASH")),
  yes: optional(flag("approve without showing a preview and asking")),
});

export const verb = planVerb({
  command: {
    words: "approve",
    when: { keys: Object.values(RECORD_PREFIXES) },
    group: "record",
    positional: ["ids"],
    aliases: ["record approve"],
  },
  summary: "Put proposed records in force",
  description:
    "Shows every word of the records, then asks: they go into every prompt and bundle. Without a terminal, confirm with seen or yes. Names approved work that contradicts a constraint from now on: approved tasks, and done tasks that have not landed.",
  who: "person",
  effect: "writes",
  tools: [{ tool: "decide", action: "record", fields: ["ids"] }],
  input,
  examples: [{ input: { ids: ["CON-001", "REQ-001"] }, does: "binds every plan to them from now on" }],
  run: async (session, { ids, ...consent }) => {
    const { confirmApproval } = await import("../consent/confirm-approval.js");
    const seen = await confirmApproval(session, {
      consent,
      preview: (settings) => previewRecords(session, ids, settings),
      question: `Approve ${ids.join(", ")}?`,
      withSeen: (hash) => step("record.approve", { ids, seen: hash }),
    });
    return seen.ok ? approveRecords(session, { ids }, seen.value) : seen;
  },
  ...PREVIEW_REPORT,
  text: ({ approved, held, contradictions }, style) => [
    ...approved.map((id) => `${style.green("✓")} ${style.bold(id)}  is in force`),
    ...held.map((id) => style.dim(`${id} was in force already.`)),
    ...contradictionLines(contradictions, style),
  ],
  note: ({ contradictions }) => contradictionNote(contradictions),
  next: ({ op, contradictions: [first] }) => [
    ...(first?.task ? [step("show", { reference: first.task })] : []),
    ...undoStep(op),
  ],
});

/** Every word that would come into force, and the commands that measure it. */
export function previewRecords(context: Context, ids: readonly string[], settings: PreviewSettings) {
  return context.store.read(async (reader) => {
    const drafted = await draftApproval(reader, context, ids, context.now());
    return drafted.ok ? ok(await previewOf(reader, drafted.value, settings)) : drafted;
  });
}

export function approveRecords(context: Context, { ids }: { readonly ids: readonly string[] }, seen?: SeenPreview) {
  return actWithNumber(context, "records", async (writer, at) => {
    const drafted = await draftApproval(writer, context, ids, at);
    if (!drafted.ok) return drafted;
    const { changes, value } = drafted.value;
    const asSeen = await requireAsSeen(writer, { changes }, seen);
    if (!asSeen.ok) return asSeen;
    return ok({ sentence: `${context.actor} approved ${summary(value.approved)}`, changes, value });
  });
}

/** `held`: these were in force already. `contradictions`: approved work that contradicts what is in force now. */
async function draftApproval(reader: Reader, { actor }: Context, ids: readonly string[], at: number) {
  const items = await findItems(reader, "record", ids);
  if (!items.ok) return items;
  const changes: ItemChange[] = [];
  const [approved, held]: [string[], string[]] = [[], []];
  const records: KeyedRecord[] = [];
  for (const item of items.value) {
    const patch = approveRecord(item, actor, at);
    if (!patch.ok) return patch;
    (patch.value === null ? held : approved).push(item.key);
    if (patch.value === null) continue;
    changes.push(...changeItem(item, patch.value));
    records.push({ key: item.key, fields: { ...item.fields, ...patch.value } });
  }
  return ok({ changes, value: { approved, held, contradictions: await contradictingTasks(reader, records) } });
}
