import { step } from "../../model/next-step.js";
import { allOf, fields, filled, flag, key, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/ids.js";
import { PREVIEW_REPORT } from "../text/preview-lines.js";
import { approveRecords, previewRecords } from "./list.js";

const LISTED = 10;

export const input = fields({
  ids: allOf(key("record", "a record, such as CON-001", "ID")),
  seen: optional(filled("approve exactly what a preview with this hash showed", "HASH")),
  yes: optional(flag("approve without showing a preview and asking")),
});

export const verb = planVerb({
  name: "record.approve",
  command: { words: "record approve", group: "record", positional: ["ids"] },
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
      preview: (settings) => previewRecords(session, { ids }, settings),
      question: `Approve ${ids.join(", ")}?`,
      withSeen: (hash) => step("record.approve", { ids, seen: hash }),
    });
    return seen.ok ? approveRecords(session, { ids }, seen.value) : seen;
  },
  ...PREVIEW_REPORT,
  text: ({ approved, held, contradictions }, style) =>
    [
      ...approved.map((id) => `${style.green("✓")} ${style.bold(id)}  is in force`),
      ...held.map((id) => style.dim(`${id} was in force already.`)),
      ...contradictions.slice(0, LISTED).map(({ message }) => `${style.yellow("!")} ${message}`),
      ...(contradictions.length > LISTED ? [style.dim(`and ${contradictions.length - LISTED} more`)] : []),
    ].join("\n"),
  note: ({ contradictions }) =>
    contradictions.length === 0 ? "" : "This work was approved before. Change or drop it: it cannot land as it is.",
  next: ({ op, contradictions: [first] }) => [
    ...(first?.task ? [step("show", { reference: first.task })] : []),
    ...undoStep(op),
  ],
});
