import { RECORD_KINDS } from "../../model/item/record.js";
import { step } from "../../model/next-step.js";
import { choice, fields, flag, node, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { renderRecordLine } from "../text/render-item.js";
import { listRecords } from "./list-records.js";

export const input = fields({
  in: optional(node("only what concerns this feature: its own records and the workspace's")),
  kind: optional(choice(RECORD_KINDS, "only this kind")),
  all: optional(flag("also those that another record replaced")),
});

export const verb = planVerb({
  name: "record.list",
  command: { words: "record list", group: "record" },
  summary: "List decisions, constraints, requirements and assumptions",
  who: "both",
  effect: "reads",
  lists: "record",
  tools: [{ tool: "find", action: "records", fields: ["in", "kind", "all"], pages: "" }],
  input,
  examples: [{ input: { in: "FEAT-001" }, does: "lists what is in force or proposed there" }],
  run: listRecords,
  text: (found, style) =>
    found.length === 0 ? style.dim("No records.") : found.map((record) => renderRecordLine(record, style)).join("\n"),
  next: (found) => {
    if (found.length === 0) return [step("record.add", { kind: "decision" }, "title")];
    const proposed = found.filter(({ state }) => state === "proposed").map(({ id }) => id);
    return proposed.length === 0 ? [] : [step("record.approve", { ids: proposed })];
  },
});
