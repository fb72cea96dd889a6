// The questions that wait for a person, and those that did.

import type { SplitDraft } from "../../model/attempt/attempt.js";
import type { Item } from "../../model/item/item.js";
import { answerStep, isExpired, type Question } from "../../model/item/question.js";
import type { NextStep } from "../../model/next-step.js";
import { ok, type Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { pick } from "../base/pick.js";
import { isoTime } from "../node/view.js";
import type { TriageSuggestion } from "./triage.js";

export type QuestionView = ReturnType<typeof toQuestionView>;

export function toQuestionView(
  { key, fields }: { key: string; fields: Question },
  now: number,
  { suggestion, split }: { readonly suggestion: TriageSuggestion | null; readonly split: SplitDraft | null },
) {
  const { answer } = fields;
  return {
    id: key,
    ...pick(fields, "kind", "state", "question", "context", "options", "recommended"),
    expiresAt: fields.expiresAt === null ? null : isoTime(fields.expiresAt),
    /** It was not answered in time. */
    expired: fields.state === "open" && isExpired(fields, now),
    ...pick(fields, "blocks", "owner"),
    attempt: fields.attempt ?? null,
    answer: answer && { ...pick(answer, "option", "note", "by"), at: isoTime(answer.at) },
    ...(fields.withdrawnBecause !== undefined && { withdrawnBecause: fields.withdrawnBecause }),
    createdAt: isoTime(fields.createdAt),
    createdBy: fields.createdBy,
    /** What triage suggests; null where only you can say. */
    suggestion,
    /** The parts that were proposed, if the question is about a split. */
    split,
    /** One answer for each option; your own words where there are none. */
    next: fields.state === "open" ? answersOf(key, fields) : [],
  };
}

const answersOf = (key: string, { options }: Question): NextStep[] =>
  options.length === 0 ? [answerStep(key, null)] : options.map(({ id }) => answerStep(key, id));

/** Triage asks git about each, so it stops at one screen of them. */
const MAX_SUGGESTIONS = 20;

export type Suggest = (reader: Reader, item: Item<"question">) => Promise<TriageSuggestion | null>;

export function suggestionsIn(context: Context): Suggest {
  let made = 0;
  return async (reader, item) => {
    if (item.fields.state !== "open" || made >= MAX_SUGGESTIONS) return null;
    made++;
    const { suggestionFor } = await import("./triage.js");
    const { evidenceOf } = await import("./triage-evidence.js");
    return suggestionFor(reader, item, evidenceOf(context));
  };
}

/** The oldest first: it has waited longest. */
export function listQuestions(context: Context, { all = false } = {}): Promise<Result<QuestionView[]>> {
  const now = context.now();
  return context.store.read(async (reader) => {
    const suggest = suggestionsIn(context);
    const views: QuestionView[] = [];
    for (const item of await reader.items("question", all ? {} : { state: "open" })) {
      const suggestion = await suggest(reader, item);
      views.push(toQuestionView(item, now, { suggestion, split: await splitOf(reader, item) }));
    }
    return ok(views);
  });
}

/** What a question about a split is about. */
export async function splitOf(reader: Reader, { fields }: Item<"question">): Promise<SplitDraft | null> {
  if (fields.kind !== "split" || fields.state !== "open") return null;
  if (fields.split !== undefined) return fields.split;
  const [task] = await reader.byIds([fields.owner]);
  const { proposedSplit } = await import("./apply-answer-split.js");
  return task ? ((await proposedSplit(reader, task))?.draft ?? null) : null;
}
