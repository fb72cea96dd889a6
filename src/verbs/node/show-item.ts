// One item by its key: a record, question, lesson, artifact, planning run, attempt or conflict.

import { isoTime } from "../../model/iso-time.js";
import type { Item } from "../../model/item/item.js";
import { answerStep } from "../../model/item/question.js";
import { type NextStep, step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";
import { splitOf, suggestionsIn, toQuestionView } from "../../plan/answer/list-questions.js";
import { toAttemptView } from "../../plan/attempt/list-attempts.js";
import type { Context } from "../../plan/base/context.js";
import { findItem, NAMED_ENTITIES, type NamedEntity } from "../../plan/item/find-item.js";
import { nameOfNode, toRecordView } from "../../plan/record/record-view.js";
import type { Reader } from "../../store/store.js";
import { staleNow, toArtifactView } from "../artifact/list.js";
import { renderConflict, toConflictView } from "../conflict/list.js";
import type { Style } from "../kit/style.js";
import { harmless, head, minute, rows } from "../kit/wording.js";
import { renderLesson, toLessonView } from "../lesson/list.js";
import { attemptOf, renderQuestion } from "../question/list.js";
import { renderRecord } from "../record/list.js";
import { renderAttempt, stepsAfter } from "../text/render-attempt.js";

const VIEWS = {
  record: toRecordView,
  question: async (reader, item, context) => {
    const suggestion = await suggestionsIn(context)(reader, item);
    return toQuestionView(item, context.now(), { suggestion, split: await splitOf(reader, item) });
  },
  lesson: toLessonView,
  artifact: async (reader, item, context) => {
    const siblings = await reader.items("artifact", { owner: item.fields.run });
    const view = await toArtifactView(reader, item, staleNow(context, siblings));
    return { ...view, text: (await reader.document(view.hash)) ?? "" };
  },
  run: async (reader, { key, fields }) => ({
    id: key,
    status: fields.status,
    title: fields.title,
    node: fields.node === null ? null : await nameOfNode(reader, fields.node),
    artifacts: (await reader.items("artifact", { owner: key })).map((item) => item.key),
    questions: (await reader.items("question", { owner: key, state: "open" })).map((item) => item.key),
    createdAt: isoTime(fields.createdAt),
    createdBy: fields.createdBy,
  }),
  attempt: (reader, item, context) => toAttemptView(reader, item, context.now()),
  conflict: toConflictView,
} satisfies { readonly [E in NamedEntity]: (reader: Reader, item: Item<E>, context: Context) => Promise<object> };

type ShownAs<E extends NamedEntity> = { readonly entity: E; readonly item: Awaited<ReturnType<(typeof VIEWS)[E]>> };

export type ShownItem = { [E in NamedEntity]: ShownAs<E> }[NamedEntity];

export function showItem(context: Context, typed: string): Promise<Result<ShownItem>> {
  return context.store.read(async (reader) => {
    for (const entity of NAMED_ENTITIES) {
      const found = await findItem(reader, entity, typed);
      if (!found.ok) continue;
      return ok({ entity, item: await VIEWS[entity](reader, found.value as never, context) } as ShownItem);
    }
    return absent("not-found", `Nothing is called ${typed.slice(0, 60)}.`, {
      next: [step("record.list"), step("question.list"), step("artifact.list"), step("lesson.list")],
    });
  });
}

const renderRun = (run: ShownAs<"run">["item"], style: Style): string =>
  [
    head(run.id, run.title, style),
    `  ${run.status} ${style.dim("· planning run")}`,
    ...rows(
      [
        ["about", run.node],
        ["artifacts", run.artifacts.join(", ")],
        ["open", run.questions.join(", ")],
        ["started", `by ${run.createdBy}, ${minute(run.createdAt)}`],
      ],
      style,
    ),
  ].join("\n");

/** Shows an artifact as its text alone: that is what it is for, and you can pipe it on. */
export function renderItem(shown: ShownItem, style: Style): string {
  if (shown.entity === "record") return renderRecord(shown.item, style);
  if (shown.entity === "question") return renderQuestion(shown.item, style);
  if (shown.entity === "lesson") return renderLesson(shown.item, style);
  if (shown.entity === "run") return renderRun(shown.item, style);
  if (shown.entity === "attempt") return renderAttempt(shown.item, style);
  if (shown.entity === "conflict") return renderConflict(shown.item, style);
  return harmless(shown.item.text).replace(/\n$/, "");
}

export function stepsForItem(shown: ShownItem): NextStep[] {
  if (shown.entity === "attempt") return stepsAfter(shown.item);
  const { entity, item } = shown;
  if (entity === "run") return [step("plan.show", { run: item.id })];
  if (entity === "question" && item.state === "open") {
    return [answerStep(item.id, item.recommended), ...attemptOf(item)];
  }
  if (entity === "record" && item.state === "proposed") return [step("record.approve", { ids: [item.id] })];
  return [];
}
