import { RECORD_KINDS } from "../../model/item/record.js";
import { type NextStep, step } from "../../model/next-step.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { featureOf } from "../../plan/base/resolve.js";
import { type RecordView, toRecordView } from "../../plan/record/record-view.js";
import type { Reader } from "../../store/store.js";
import { choice, fields, flag, type Infer, type Item, node, optional, planVerb, type Style } from "../kit/verb.js";
import { block, head, type Line, linesOr, minute, rows } from "../kit/wording.js";

export const input = fields({
  in: optional(node("only what concerns this feature: its own records and the workspace's")),
  kind: optional(choice(RECORD_KINDS, "only this kind")),
  all: optional(flag("also those that another record replaced")),
});

export const verb = planVerb({
  command: { words: "record", group: "record", aliases: ["record list"] },
  summary: "List decisions, constraints, requirements and assumptions",
  effect: "reads",
  lists: "record",
  tools: [{ tool: "find", action: "records", fields: ["in", "kind", "all"], pages: "" }],
  input,
  examples: [{ input: { in: "FEAT-001" }, does: "lists what is in force or proposed there" }],
  run: listRecords,
  text: linesOr("No records.", renderRecordLine),
  next: (found) => {
    if (found.length === 0) return [step("record.add", { kind: "decision" }, "title")];
    const proposed = found.filter(({ state }) => state === "proposed").map(({ id }) => id);
    return proposed.length === 0 ? [] : [step("record.approve", { ids: proposed })];
  },
});

export function listRecords(context: Context, asked: Infer<typeof input> = {}): Promise<Result<RecordView[]>> {
  return context.store.read(async (reader) => {
    const scope = asked.in === undefined ? ok(undefined) : await featureOf(reader, context, asked.in);
    if (!scope.ok) return scope;
    const wanted = (await listed(reader, scope.value)).filter(
      ({ fields: { kind, state } }) => (asked.kind ?? kind) === kind && (state !== "superseded" || asked.all),
    );
    return ok(await Promise.all(wanted.map((item) => toRecordView(reader, item))));
  });
}

async function listed(reader: Reader, feature: number | undefined): Promise<Item<"record">[]> {
  if (feature === undefined) return reader.items("record", {});
  return [
    ...(await reader.items("record", { owner: "" })),
    ...(await reader.items("record", { owner: String(feature) })),
  ];
}

function ruleLines({ measure, forbids }: RecordView): Line[] {
  return [
    ["measure", measure && `${measure.metric} ${measure.op} ${measure.target}`],
    ["measured by", measure?.run],
    ["no files", forbids?.files.join(", ")],
    ["never", forbids?.words.map((words) => `"${words}"`).join(", ")],
  ];
}

export function renderRecord(record: RecordView, style: Style): string {
  const approval = record.approvedBy && `by ${record.approvedBy}, ${minute(record.approvedAt ?? "")}`;
  const lines: Line[] = [
    ["for", record.for],
    ...ruleLines(record),
    ["because", record.because],
    ...record.alternatives.map((other): Line => ["instead of", other]),
    ["tasks", record.tasks.join(", ")],
    ["approved", approval],
    ["replaced by", record.supersededBy],
    ["from", record.run],
    ["written", `by ${record.createdBy}, ${minute(record.createdAt)}`],
  ];
  const title = head(record.id, record.title, style);
  const state = `  ${record.state} ${style.dim(`· ${record.kind}`)}`;
  return [title, state, ...rows(lines, style), ...block(record.body)].join("\n");
}

const SIGNS = { active: ["●", "green"], proposed: ["○", "yellow"], superseded: ["−", "dim"] } as const;

/** One line, and what a program holds a plan to. */
export function renderRecordLine(record: RecordView, style: Style): string {
  const scope = [record.for, record.state === "active" ? null : record.state].filter(Boolean).join(", ");
  const by = record.supersededBy === null ? "" : ` by ${record.supersededBy}`;
  const [sign, colour] = SIGNS[record.state];
  const first = `${style[colour](sign)} ${head(record.id, record.title, style)}`;
  return [
    scope === "" ? first : `${first}  ${style.dim(`(${scope}${by})`)}`,
    ...rows(ruleLines(record), style).map((row) => `  ${row}`),
  ].join("\n");
}

export const proposalNote = ({ state }: RecordView) =>
  state === "proposed" ? "Not in force until you approve it." : "";

export const proposalSteps = ({ id, state }: RecordView): NextStep[] =>
  state === "proposed" ? [step("record.approve", { ids: [id] })] : [];
