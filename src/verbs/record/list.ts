import { brokenConstraints, type Contradiction, type JudgedTask } from "../../model/item/contradictions.js";
import { changeItem, type Item, type ItemChange } from "../../model/item/item.js";
import {
  approveRecord,
  type KeyedRecord,
  mayReplace,
  maySupersede,
  RECORD_KINDS,
  type RecordKind,
  reword,
} from "../../model/item/record.js";
import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { act, type Context } from "../../plan/base/context.js";
import { findItem, findItems } from "../../plan/item/find-item.js";
import {
  type ApprovalPreview,
  type PreviewSettings,
  previewOf,
  requireAsSeen,
  type SeenPreview,
} from "../../plan/node/approval-preview.js";
import { summary } from "../../plan/node/branch.js";
import { featureOf } from "../../plan/record/add-record.js";
import { type RecordView, toRecordView } from "../../plan/record/record-view.js";
import { keepRecord } from "../../plan/record/save-record.js";
import type { Reader, Writer } from "../../store/store.js";
import { choice, fields, flag, node, optional } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { block, head, type Line, rows } from "../text/item-lines.js";
import { minute } from "../text/wording.js";

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

interface RecordsInput {
  /** Only what is for this feature, or for the feature around this node. */
  readonly in?: string;
  readonly kind?: RecordKind;
  /** Also those that another record replaced. */
  readonly all?: boolean;
}

export function listRecords(context: Context, input: RecordsInput = {}): Promise<Result<RecordView[]>> {
  return context.store.read(async (reader) => {
    const scope = input.in === undefined ? ok(undefined) : await featureOf(reader, context, input.in);
    if (!scope.ok) return scope;
    const views: RecordView[] = [];
    for (const item of await listed(reader, scope.value)) {
      const { kind, state } = item.fields;
      if ((input.kind ?? kind) !== kind || (state === "superseded" && !input.all)) continue;
      views.push(await toRecordView(reader, item));
    }
    return ok(views);
  });
}

async function listed(reader: Reader, feature: number | undefined): Promise<Item<"record">[]> {
  if (feature === undefined) return reader.items("record", {});
  return [
    ...(await reader.items("record", { owner: "" })),
    ...(await reader.items("record", { owner: String(feature) })),
  ];
}

export interface RecordsApproved {
  readonly op: number | null;
  readonly approved: readonly string[];
  /** These were in force already. */
  readonly held: readonly string[];
  /** Approved work that contradicts what is in force now. */
  readonly contradictions: readonly Contradiction[];
}

interface RecordsDraft {
  readonly changes: readonly ItemChange[];
  readonly value: Omit<RecordsApproved, "op">;
}

async function draftApproval(
  reader: Reader,
  { actor }: Context,
  ids: readonly string[],
  at: number,
): Promise<Result<RecordsDraft>> {
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

interface RecordIds {
  readonly ids: readonly string[];
}

/** Every word that would come into force, and the commands that measure it. */
export function previewRecords(
  context: Context,
  { ids }: RecordIds,
  settings: PreviewSettings,
): Promise<Result<ApprovalPreview>> {
  return context.store.read(async (reader) => {
    const drafted = await draftApproval(reader, context, ids, context.now());
    return drafted.ok ? ok(await previewOf(reader, drafted.value.changes, settings)) : drafted;
  });
}

export async function approveRecords(
  context: Context,
  { ids }: RecordIds,
  seen?: SeenPreview,
): Promise<Result<RecordsApproved>> {
  const committed = await act<Omit<RecordsApproved, "op">>(context, "records", async (writer, at) => {
    const drafted = await draftApproval(writer, context, ids, at);
    if (!drafted.ok) return drafted;
    const { changes, value } = drafted.value;
    const asSeen = await requireAsSeen(writer, changes, seen);
    if (!asSeen.ok) return asSeen;
    return ok({ sentence: `${context.actor} approved ${summary(value.approved)}`, changes, value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

interface SupersedeInput {
  readonly id: string;
  /** Exactly one of these: the record that replaces it, or the words of a new one. */
  readonly by?: string;
  readonly with?: string;
}

export interface Superseded {
  readonly op: number | null;
  readonly superseded: string;
  readonly by: RecordView;
}

export async function supersedeRecord(context: Context, input: SupersedeInput): Promise<Result<Superseded>> {
  const committed = await act<Omit<Superseded, "op">>(context, "records", async (writer, at) => {
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
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
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

/** Looks at the whole plan, but only if a record forbids something. */
async function contradictingTasks(reader: Reader, records: readonly KeyedRecord[]): Promise<Contradiction[]> {
  if (!records.some(({ fields }) => fields.forbids !== null)) return [];
  const unlanded = new Set<Nr | null>();
  const approved: Node[] = [];
  for await (const node of reader.scan()) {
    if (node.kind === "land" && node.outcome === null) unlanded.add(node.feature);
    if (node.tier === "task" && node.kind !== "land" && node.approval !== null && node.archive === null) {
      approved.push(node);
    }
  }
  const open = approved.filter(({ outcome }) => outcome === null);
  const done = approved.filter(({ outcome, feature }) => outcome?.kind === "done" && unlanded.has(feature));
  return brokenConstraints([...open, ...done.map(asDone)], records);
}

/** Only what it changed can still be wrong with it. */
const asDone = (node: Node): JudgedTask => ({
  ...node,
  title: "",
  body: "",
  checks: [],
  files: [...(node.report?.created ?? []), ...(node.report?.modified ?? [])],
});

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

const STATES: Readonly<Record<RecordView["state"], (style: Style) => string>> = {
  active: (style) => style.green("●"),
  proposed: (style) => style.yellow("○"),
  superseded: (style) => style.dim("−"),
};

/** One line, and what a program holds a plan to. */
export function renderRecordLine(record: RecordView, style: Style): string {
  const scope = [record.for, record.state === "active" ? null : record.state].filter(Boolean).join(", ");
  const by = record.supersededBy === null ? "" : ` by ${record.supersededBy}`;
  const first = `${STATES[record.state](style)} ${head(record.id, record.title, style)}`;
  return [
    scope === "" ? first : `${first}  ${style.dim(`(${scope}${by})`)}`,
    ...rows(ruleLines(record), style).map((row) => `  ${row}`),
  ].join("\n");
}
