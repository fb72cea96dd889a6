import { step } from "../../model/next-step.js";
import { fields, filled, judged, key, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { undoStep } from "../text/ids.js";
import { renderRecordLine, supersedeRecord } from "./list.js";

export const input = fields({
  id: key("record", "the record to replace, such as DEC-001", "ID"),
  by: optional(key("record", "the record that replaces it", "ID")),
  with: optional(filled("the new words")),
}).check(
  judged(({ by, with: words }) =>
    (by === undefined) === (words === undefined) ? "must say either by or with" : undefined,
  ),
);

export const verb = planVerb({
  name: "record.supersede",
  command: { words: "record supersede", group: "record", positional: ["id"] },
  summary: "Replace a record by another one or by new words",
  description:
    "What a person approved, only a person can replace. Another record can replace one that is in force only when it is in force itself.",
  who: "both",
  effect: "writes",
  tools: [{ tool: "record", action: "supersede", fields: ["id", "by", "with"] }],
  input,
  examples: [{ input: { id: "DEC-001", with: "Use PostgreSQL" }, does: "writes a new decision in its place" }],
  run: supersedeRecord,
  text: ({ superseded, by }, style) => `${style.dim(`− ${superseded}`)}\n${renderRecordLine(by, style)}`,
  note: ({ by }) => (by.state === "proposed" ? "Not in force until you approve it." : ""),
  next: ({ by, op }) => [
    ...(by.state === "proposed" ? [step("record.approve", { ids: [by.id] })] : []),
    ...undoStep(op),
  ],
});
