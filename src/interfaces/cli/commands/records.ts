import { approveRecords, records as listRecords, supersedeRecord } from "../../../actions/record/list-records.js";
import type { RecordView } from "../../../actions/record/record-view.js";
import { ok, RECORD_KINDS, type Result, usage } from "../../../app/vocabulary.js";
import type { Answer, App, Command, Input } from "../command.js";
import { optional } from "../input.js";
import { notes, undoNote } from "../render-change.js";
import { renderRecordLine } from "../render-item.js";

export const records: Command = {
  name: "records",
  group: "deciding",
  summary: "Show decisions, constraints, requirements and assumptions",
  description: [
    "With `approve ID...` a person makes proposed constraints and requirements binding; with `supersede ID` another record takes",
    "the place of one: --by ID names it, --with TEXT writes it anew. `show ID` has the whole of one.",
  ].join("\n"),
  arguments: [
    { name: "approve|supersede", help: "what to do, instead of listing", optional: true },
    { name: "ID", help: "such as CON-001", optional: true, many: true },
  ],
  flags: {
    for: { type: "string", value: "REF", help: "only what concerns this feature: its own and the workspace's" },
    kind: { type: "string", choices: RECORD_KINDS, value: "KIND", help: `only one of ${RECORD_KINDS.join(", ")}` },
    all: { type: "boolean", help: "also those that no longer hold" },
    by: { type: "string", value: "ID", help: "with supersede: the record that takes its place" },
    with: { type: "string", value: "TEXT", help: "with supersede: the new words" },
  },
  examples: [
    { run: "planwright records --for FEAT-001", does: "what holds there, and what is proposed" },
    { run: "planwright records approve CON-001 REQ-001", does: "they bind every plan from now on" },
    { run: 'planwright records supersede DEC-001 --with "Use PostgreSQL"', does: "a new decision in its place" },
  ],
  run: async (input, app) => {
    const [deed, ...ids] = input.args;
    if (deed === undefined) return list(input, app);
    if (deed === "approve" && ids.length > 0) return approve(ids, app);
    if (deed === "supersede" && ids.length === 1) return supersede(ids[0] as string, input, app);
    const problem =
      deed === "approve" || deed === "supersede"
        ? `planwright records ${deed} needs ${deed === "approve" ? "at least one ID" : "exactly one ID"}.`
        : `planwright records cannot "${deed.slice(0, 60)}".`;
    return usage("usage", problem, { hint: "`planwright records --help` shows how." });
  },
};

async function list(input: Input, app: App): Promise<Result<Answer>> {
  const found = await listRecords(await app.open(), {
    all: input.has("all"),
    ...optional("for", input.text("for")),
    ...optional("kind", input.text("kind") as RecordView["kind"] | undefined),
  });
  if (!found.ok) return found;
  const proposed = found.value.filter(({ state }) => state === "proposed").map(({ id }) => id);
  return ok({
    data: found.value,
    text: (style) =>
      found.value.length === 0
        ? style.dim("There are no records here.")
        : found.value.map((record) => renderRecordLine(record, style)).join("\n"),
    note: () => {
      if (found.value.length === 0) return "planwright decide TEXT   writes the first one";
      return proposed.length === 0 ? "" : `To make them binding: planwright records approve ${proposed.join(" ")}`;
    },
  });
}

async function approve(ids: readonly string[], app: App): Promise<Result<Answer>> {
  const done = await approveRecords(await app.open(), ids);
  if (!done.ok) return done;
  const { op, approved, held } = done.value;
  return ok({
    data: done.value,
    text: (style) =>
      [
        ...approved.map((id) => `${style.green("✓")} ${style.bold(id)}  holds from now on`),
        ...held.map((id) => style.dim(`${id} held already.`)),
      ].join("\n"),
    note: () => undoNote(op),
  });
}

async function supersede(id: string, input: Input, app: App): Promise<Result<Answer>> {
  const asked = { id, ...optional("by", input.text("by")), ...optional("with", input.text("with")) };
  const done = await supersedeRecord(await app.open(), asked);
  if (!done.ok) return done;
  const { op, by, superseded } = done.value;
  return ok({
    data: done.value,
    text: (style) => `${style.dim(`− ${superseded}`)}\n${renderRecordLine(by, style)}`,
    note: () =>
      notes(by.state === "proposed" ? `To make it binding: planwright records approve ${by.id}` : "", undoNote(op)),
  });
}
