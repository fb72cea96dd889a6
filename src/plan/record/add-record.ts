// Writes down what was decided, what must hold, what must be reached, and what is assumed.

import type { Operator, PlanRecord, RecordKind } from "../../model/item/record.js";
import { step } from "../../model/next-step.js";
import type { Nr } from "../../model/node/node.js";
import { ok, type Result, usage } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { act, type Context } from "../base/context.js";
import { resolve, resolveAll } from "../base/resolve.js";
import { type RecordView, toRecordView } from "./record-view.js";
import { saveRecord } from "./save-record.js";

export interface RecordInput {
  readonly kind: RecordKind;
  readonly title: string;
  readonly body?: string;
  /** A feature, or anything in it; left out, the record is for the workspace. */
  readonly in?: string;
  readonly tasks?: readonly string[];
  /** Of a decision. */
  readonly because?: string;
  readonly alternatives?: readonly string[];
  /** Of a requirement, which has at least the first three. */
  readonly metric?: string;
  readonly op?: Operator;
  readonly target?: number;
  readonly run?: string;
  /** Of a constraint. */
  readonly forbidFiles?: readonly string[];
  readonly forbidWords?: readonly string[];
  /** Of a baseline: the command, the tests that fail, and the commit on which they do. */
  readonly check?: string;
  readonly failing?: readonly string[];
  readonly commit?: string;
}

export interface Recorded extends RecordView {
  readonly op: number | null;
}

/** As the log names them: the word for programs, and the words of the sentence. */
const VERBS: Readonly<Record<RecordKind, readonly [verb: string, did: string]>> = {
  decision: ["decide", "decided"],
  constraint: ["constrain", "proposed the constraint"],
  requirement: ["require", "proposed the requirement"],
  assumption: ["assume", "assumed"],
  baseline: ["baseline", "proposed the baseline"],
};

export async function addRecord(context: Context, input: RecordInput): Promise<Result<Recorded>> {
  const { kind, title, body, because, alternatives } = input;
  const [verb, did] = VERBS[kind];
  const committed = await act<RecordView>(context, verb, async (writer, at) => {
    const scope = input.in === undefined ? ok(null) : await featureOf(writer, context, input.in);
    if (!scope.ok) return scope;
    const tasks = await resolveAll(writer, input.tasks ?? [], context.actor);
    if (!tasks.ok) return tasks;
    const asked = {
      kind,
      title,
      scope: scope.value,
      tasks: tasks.value.map(({ nr }) => nr),
      ...(body === undefined ? {} : { body }),
      ...(because === undefined ? {} : { because }),
      ...(alternatives === undefined ? {} : { alternatives }),
      measure: measureOf(input),
      forbids: boundsOf(input),
      ...baselineOf(input, context.head()),
    };
    const saved = await saveRecord(writer, asked, { by: context.actor, at });
    const sentence = `${context.actor} ${did} ${saved.key}: ${title}`;
    return ok({ sentence, changes: saved.changes, value: await toRecordView(writer, saved) });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

/** The feature around a node. */
export async function featureOf(reader: Reader, context: Context, reference: string): Promise<Result<Nr>> {
  const node = await resolve(reader, reference, context.actor);
  if (!node.ok) return node;
  const { id, tier, feature } = node.value;
  if (feature !== null) return ok(feature);
  const article = tier === "initiative" ? "an" : "a";
  return usage("no-feature", `${id} is ${article} ${tier} and is in no feature. Name a feature or something in it.`, {
    next: [step("list", { tier: ["feature"] })],
  });
}

const measureOf = ({ metric, op, target, run }: RecordInput): PlanRecord["measure"] =>
  metric === undefined || op === undefined || target === undefined ? null : { metric, op, target, run: run ?? null };

const baselineOf = ({ check, failing = [], commit }: RecordInput, head: string | null): Pick<PlanRecord, "baseline"> =>
  check === undefined ? {} : { baseline: { run: check, commit: commit ?? head, tests: failing } };

const boundsOf = ({ forbidFiles: files = [], forbidWords: words = [] }: RecordInput): PlanRecord["forbids"] =>
  files.length + words.length === 0 ? null : { files, words };
