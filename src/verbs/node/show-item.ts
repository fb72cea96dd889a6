// One item by its key, whole: a record, an escalation, a lesson, an artifact with its text, a planning run, an attempt,
// or a conflict.

import { answerStep } from "../../model/item/escalation.js";
import type { PlanningRun } from "../../model/item/planning-run.js";
import { type NextStep, step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";
import { type EscalationView, Suggestions, splitOf, toEscalationView } from "../../plan/answer/list-questions.js";
import { type AttemptView, toAttemptView } from "../../plan/attempt/list-attempts.js";
import type { Context } from "../../plan/base/context.js";
import { findItem, NAMED_ENTITIES, type NamedEntity } from "../../plan/item/find-item.js";
import { isoTime } from "../../plan/node/view.js";
import { nameOfNode, type RecordView, toRecordView } from "../../plan/record/record-view.js";
import type { Reader } from "../../store/store.js";
import { type ArtifactView, staleNow, toArtifactView } from "../artifact/list.js";
import { type ConflictHistory, renderConflict, toConflictView } from "../conflict/list.js";
import type { Style } from "../kit/style.js";
import { type MemoryView, renderMemory, toMemoryView } from "../lesson/list.js";
import { renderEscalation } from "../question/list.js";
import { renderRecord } from "../record/list.js";
import { head, rows } from "../text/item-lines.js";
import { renderAttempt, stepsAfter } from "../text/render-attempt.js";
import { harmless, minute } from "../text/wording.js";

export interface RunView extends Pick<PlanningRun, "status" | "title"> {
  readonly id: string;
  readonly node: string | null;
  readonly artifacts: readonly string[];
  /** Open questions. */
  readonly escalations: readonly string[];
  readonly createdAt: string;
  readonly createdBy: string;
}

export type ShownItem =
  | { readonly entity: "record"; readonly item: RecordView }
  | { readonly entity: "escalation"; readonly item: EscalationView }
  | { readonly entity: "memory"; readonly item: MemoryView }
  | { readonly entity: "artifact"; readonly item: ArtifactView & { readonly text: string } }
  | { readonly entity: "run"; readonly item: RunView }
  | { readonly entity: "attempt"; readonly item: AttemptView }
  | { readonly entity: "conflict"; readonly item: ConflictHistory };

type Show = (reader: Reader, context: Context, key: string) => Promise<Result<ShownItem>>;

const SHOW: Readonly<Record<NamedEntity, Show>> = {
  record: async (reader, _, typed) => {
    const found = await findItem(reader, "record", typed);
    return found.ok ? ok({ entity: "record", item: await toRecordView(reader, found.value) }) : found;
  },
  escalation: async (reader, context, typed) => {
    const found = await findItem(reader, "escalation", typed);
    if (!found.ok) return found;
    const suggestion = await new Suggestions(context).for(reader, found.value);
    return ok({
      entity: "escalation",
      item: toEscalationView(found.value, context.now(), { suggestion, split: await splitOf(reader, found.value) }),
    });
  },
  memory: async (reader, _, typed) => {
    const found = await findItem(reader, "memory", typed);
    return found.ok ? ok({ entity: "memory", item: await toMemoryView(reader, found.value) }) : found;
  },
  artifact: async (reader, context, typed) => {
    const found = await findItem(reader, "artifact", typed);
    if (!found.ok) return found;
    const siblings = await reader.items("artifact", { owner: found.value.fields.run });
    const view = await toArtifactView(reader, found.value, staleNow(context, siblings));
    return ok({ entity: "artifact", item: { ...view, text: (await reader.document(view.hash)) ?? "" } });
  },
  run: async (reader, _, typed) => {
    const found = await findItem(reader, "run", typed);
    return found.ok ? ok({ entity: "run", item: await toRunView(reader, found.value) }) : found;
  },
  attempt: async (reader, context, typed) => {
    const found = await findItem(reader, "attempt", typed);
    if (!found.ok) return found;
    return ok({ entity: "attempt", item: await toAttemptView(reader, found.value, context.now()) });
  },
  conflict: async (reader, _, typed) => {
    const found = await findItem(reader, "conflict", typed);
    return found.ok ? ok({ entity: "conflict", item: await toConflictView(reader, found.value) }) : found;
  },
};

async function toRunView(reader: Reader, { key, fields }: { key: string; fields: PlanningRun }): Promise<RunView> {
  return {
    id: key,
    status: fields.status,
    title: fields.title,
    node: fields.node === null ? null : await nameOfNode(reader, fields.node),
    artifacts: (await reader.items("artifact", { owner: key })).map((item) => item.key),
    escalations: (await reader.items("escalation", { owner: key, state: "open" })).map((item) => item.key),
    createdAt: isoTime(fields.createdAt),
    createdBy: fields.createdBy,
  };
}

export function showItem(context: Context, typed: string): Promise<Result<ShownItem>> {
  return context.store.read(async (reader) => {
    for (const entity of NAMED_ENTITIES) {
      const shown = await SHOW[entity](reader, context, typed);
      if (shown.ok) return shown;
    }
    return absent("not-found", `Nothing is called ${typed.slice(0, 60)}.`, {
      next: [step("record.list"), step("question.list"), step("artifact.list"), step("lesson.list")],
    });
  });
}

const renderRun = (run: RunView, style: Style): string =>
  [
    head(run.id, run.title, style),
    `  ${run.status} ${style.dim("· planning run")}`,
    ...rows(
      [
        ["about", run.node],
        ["artifacts", run.artifacts.join(", ")],
        ["open", run.escalations.join(", ")],
        ["started", `by ${run.createdBy}, ${minute(run.createdAt)}`],
      ],
      style,
    ),
  ].join("\n");

/** Of an artifact the text alone: that is what it is for, and it can be piped on. */
export function renderItem(shown: ShownItem, style: Style): string {
  if (shown.entity === "record") return renderRecord(shown.item, style);
  if (shown.entity === "escalation") return renderEscalation(shown.item, style);
  if (shown.entity === "memory") return renderMemory(shown.item, style);
  if (shown.entity === "run") return renderRun(shown.item, style);
  if (shown.entity === "attempt") return renderAttempt(shown.item, style);
  if (shown.entity === "conflict") return renderConflict(shown.item, style);
  return harmless(shown.item.text).replace(/\n$/, "");
}

/** What else to know. */
export const noteOnItem = (shown: ShownItem): string => (shown.entity === "artifact" ? aboutArtifact(shown.item) : "");

/** What to do with an item next. */
export function stepsForItem(shown: ShownItem): NextStep[] {
  if (shown.entity === "attempt") return stepsAfter(shown.item);
  const { entity, item } = shown;
  if (entity === "run") return [step("plan.show", { run: item.id })];
  if (entity === "escalation" && item.state === "open") return [answerStep(item.id, item.recommended)];
  if (entity === "record" && item.state === "proposed") return [step("record.approve", { ids: [item.id] })];
  return [];
}

const aboutArtifact = ({ id, kind, round, run, stale }: ArtifactView): string =>
  [`${id} is ${kind} ${round} of ${run}.`, ...(stale === null ? [] : [`It is stale: ${stale}.`])].join(" ");
