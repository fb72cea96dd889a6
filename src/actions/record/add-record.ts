// Writes down what was decided, what must hold, what must be reached, and what is taken for granted.

import { OPERATORS, type Operator, type PlanRecord, type RecordKind } from "../../graph/item/record.js";
import { parseWords } from "../../graph/node/content.js";
import type { Node, Nr } from "../../graph/node/node.js";
import { ok, type Result, usage } from "../../graph/result.js";
import type { Reader } from "../../store/store.js";
import { act, type Context } from "../context.js";
import { resolve, resolveAll } from "../resolve.js";
import { type RecordView, toRecordView } from "./record-view.js";
import { type NewRecord, saveRecord } from "./save-record.js";

export interface RecordInput {
  readonly kind: RecordKind;
  readonly title: string;
  readonly body?: string;
  readonly because?: string;
  readonly alternatives?: readonly string[];
  /** A feature, or anything in it; left out, the record is for the workspace. */
  readonly for?: string;
  readonly tasks?: readonly string[];
  /** Of a requirement. */
  readonly measure?: { readonly metric: string; readonly op: string; readonly target: number; readonly run?: string };
  /** Of a constraint. */
  readonly forbids?: { readonly files: readonly string[]; readonly words: readonly string[] };
}

export interface Recorded {
  readonly op: number | null;
  readonly record: RecordView;
}

const VERBS: Readonly<Record<RecordKind, string>> = {
  decision: "decide",
  constraint: "constrain",
  requirement: "require",
  assumption: "assume",
};

const DEEDS: Readonly<Record<RecordKind, string>> = {
  decision: "decided",
  constraint: "proposed the constraint",
  requirement: "proposed the requirement",
  assumption: "assumed",
};

export async function record(context: Context, input: RecordInput): Promise<Result<Recorded>> {
  const words = readWords(input);
  if (!words.ok) return words;
  const committed = await act<RecordView>(context, VERBS[input.kind], async (writer, at) => {
    const scope = input.for === undefined ? ok(null) : await featureOf(writer, context, input.for);
    if (!scope.ok) return scope;
    const tasks = await resolveAll(writer, input.tasks ?? [], context.actor);
    if (!tasks.ok) return tasks;
    const asked = { ...words.value, scope: scope.value, tasks: tasks.value.map(({ nr }) => nr) };
    const saved = await saveRecord(writer, asked, { by: context.actor, at });
    const sentence = `${context.actor} ${DEEDS[input.kind]} ${saved.key}: ${saved.fields.title}`;
    return ok({ sentence, changes: saved.changes, value: await toRecordView(writer, saved) });
  });
  return committed.ok ? ok({ op: committed.value.op, record: committed.value.value }) : committed;
}

/** The feature around what was named. */
export async function featureOf(reader: Reader, context: Context, reference: string): Promise<Result<Nr>> {
  const node = await resolve(reader, reference, context.actor);
  if (!node.ok) return node;
  const { feature } = node.value;
  return feature === null ? noFeature(node.value) : ok(feature);
}

const noFeature = ({ id, tier }: Node): Result<never> =>
  usage("no-feature", `${id} is ${tier === "initiative" ? "an" : "a"} ${tier}, and not in a feature.`, {
    hint: "Name a feature or something in it, or leave it out: then it is for the whole workspace.",
  });

function readWords(input: RecordInput): Result<NewRecord> {
  const title = parseWords(input.title, "text");
  if (!title.ok) return title;
  for (const text of [
    ...(input.alternatives ?? []),
    ...(input.forbids?.words ?? []),
    ...(input.forbids?.files ?? []),
  ]) {
    const judged = parseWords(text, "value");
    if (!judged.ok) return judged;
  }
  for (const text of [input.body, input.because]) {
    const judged = text === undefined ? ok("") : parseWords(text, "text");
    if (!judged.ok) return judged;
  }
  const bounds = readBounds(input);
  if (!bounds.ok) return bounds;
  const measure = readMeasure(input);
  if (!measure.ok) return measure;
  const { kind, body = "", because, alternatives = [] } = input;
  const why = because === undefined ? {} : { because: because.trim() };
  return ok({ kind, title: title.value, body, ...why, alternatives, measure: measure.value, forbids: bounds.value });
}

function readBounds({ kind, forbids }: RecordInput): Result<PlanRecord["forbids"]> {
  if (kind !== "constraint") return ok(null);
  const { files = [], words = [] } = forbids ?? {};
  const outside = files.find((file) => file.split(/[\\/]/).includes("..") || /^[A-Za-z]:/.test(file));
  if (outside !== undefined) {
    return usage("bad-value", `The pattern "${outside}" leads out of the workspace.`, {
      hint: "Patterns are relative to the workspace, such as src/legacy/**.",
    });
  }
  return ok(files.length + words.length === 0 ? null : { files, words: words.map((each) => each.trim()) });
}

function readMeasure({ kind, measure }: RecordInput): Result<PlanRecord["measure"]> {
  if (kind !== "requirement") return ok(null);
  const hint = "`planwright require --help` shows how.";
  if (!measure) return usage("usage", "A requirement needs a metric, an operator and a target.", { hint });
  const metric = parseWords(measure.metric, "metric");
  if (!metric.ok) return metric;
  const op = OPERATORS.find((known): known is Operator => known === measure.op);
  if (op === undefined) return usage("bad-value", `"${measure.op}" is not one of ${OPERATORS.join(", ")}.`, { hint });
  if (!Number.isFinite(measure.target)) return usage("bad-value", "The target must be a number.", { hint });
  const run = measure.run === undefined ? ok(null) : parseWords(measure.run, "command");
  return run.ok ? ok({ metric: metric.value, op, target: measure.target, run: run.value }) : run;
}
