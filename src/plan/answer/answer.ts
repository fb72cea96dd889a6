// A person answers a question. Answers about conflicts and tasks are carried out at once; a planning run reads its own answers.

import { changeItem, type Item } from "../../model/item/item.js";
import { freeOption, isExpired, pickOption, type Question } from "../../model/item/question.js";
import { step } from "../../model/next-step.js";
import { ambiguous, ok, type Result, refused, usage } from "../../model/result.js";
import type { Settling } from "../../model/rules/task-outcome.js";
import type { Writer } from "../../store/store.js";
import { type Context, withNumber } from "../base/context.js";
import { isConflictChoice, resolution } from "../conflict/resolve-conflict.js";
import { findItem } from "../item/find-item.js";
import type { PreviewSettings, SeenPreview } from "../node/approval-preview.js";
import { actAsSeen, previewDecision } from "../node/approve.js";
import { colon } from "../node/branch.js";
import { type Applied, applyAnswer, NOTHING_DONE } from "./apply-answer.js";

export interface AnswerInput {
  readonly id: string;
  /** The id of an option, its number, or the beginning of its label. */
  readonly option: string;
  readonly note?: string;
  /** An agent passes on what a person said to it. */
  readonly relayed?: true;
}

export async function answer(context: Context, input: AnswerInput, seen?: SeenPreview) {
  const decided = (writer: Writer, at: number) => decideAnswer(context, input, writer, at);
  return withNumber(await actAsSeen(context, "answer", seen, decided));
}

/** What the same answer would approve. */
export const previewAnswer = (context: Context, input: AnswerInput, settings?: PreviewSettings) =>
  previewDecision(context, settings, (writer, at) => decideAnswer(context, input, writer, at));

async function decideAnswer(context: Context, input: AnswerInput, writer: Writer, at: number) {
  const found = await findItem(writer, "escalation", input.id);
  if (!found.ok) return found;
  const open = requireOpen(found.value);
  if (!open.ok) return open;
  const { key, fields } = found.value;
  const chosen = choose(found.value, input.option, input.note ?? "");
  if (!chosen.ok) return chosen;
  const { option: picked, note } = chosen.value;
  const { id: option, label } = picked;
  const settling = { by: context.actor, at, op: writer.op };
  const asked = { question: found.value, option: picked, note };
  const effect = await effectOf(writer, asked, settling, context.head());
  if (!effect.ok) return effect;
  const given = { option, note, by: context.actor, at, ...(input.relayed && { relayed: input.relayed }) };
  const value = {
    id: key,
    option,
    label,
    note,
    /** What waited for it. */
    blocks: fields.blocks,
    /** It had expired already. */
    expired: isExpired(fields, at),
    did: effect.value.did,
    next: /^RUN-\d+$/.test(fields.owner) ? [step("plan.resume", { run: fields.owner })] : effect.value.next,
  };
  const sentence = `${context.actor} ${input.relayed ? "passed on the answer to" : "answered"} ${key} with "${label}"${colon(note === "" ? null : note)}`;
  const answered = changeItem(found.value, { state: "answered", answer: given });
  return ok({ sentence, changes: [...effect.value.changes, ...answered], value });
}

/** Answers about conflicts and tasks take effect here; every other asker reads the answer itself. */
async function effectOf(
  writer: Writer,
  asked: Parameters<typeof applyAnswer>[1],
  settling: Settling,
  commit: string | null,
): Promise<Result<Applied>> {
  const { kind, owner } = asked.question.fields;
  const item = kind === "conflict" ? await writer.item("conflict", owner) : undefined;
  const choice = asked.option.id;
  if (!item || !isConflictChoice(choice)) return applyAnswer(writer, asked, settling);
  const resolved = await resolution(writer, item, choice, { by: settling.by, at: settling.at, commit });
  return resolved.ok ? ok({ ...NOTHING_DONE, changes: resolved.value.changes, did: resolved.value.effect }) : resolved;
}

function requireOpen({ key, fields }: Item<"escalation">): Result<void> {
  if (fields.state === "open") return ok(undefined);
  if (fields.state === "withdrawn") {
    return refused("withdrawn", `${key} was withdrawn and needs no answer any more.`, {
      next: [step("question.list")],
    });
  }
  const { option = "", by = "somebody", note = "" } = fields.answer ?? {};
  const label = fields.options.find(({ id }) => id === option)?.label ?? option;
  return refused("answered", `${by} answered ${key} already: ${label}${note === "" ? "" : ` (${note})`}.`, {
    details: { answer: fields.answer },
    next: [step("show", { reference: key })],
  });
}

const optionList = ({ options }: Question): string =>
  options.map(({ id, label }, i) => `${i + 1} ${id} (${label})`).join(", ");

/** A question without options is answered in the person's own words. Others may have an option that takes them. */
function choose({ key, fields }: Item<"escalation">, typed: string, note: string) {
  if (fields.options.length === 0) return ok({ option: { id: typed, label: typed, detail: "" }, note });
  const [first, ...others] = pickOption(fields.options, typed);
  if (first && others.length === 0) {
    if (first.free !== true || note.trim() !== "") return ok({ option: first, note });
    return usage("needs-note", `"${first.label}" needs your own words, as the note.`, {
      next: [step("question.answer", { id: key, option: first.id }, "note")],
    });
  }
  const free = first ? undefined : freeOption(fields.options, typed);
  if (free) return ok({ option: free, note: [typed.trim(), note.trim()].filter((words) => words !== "").join("\n") });
  const rest = {
    details: { options: fields.options.map(({ id }) => id) },
    next: [step("question.answer", { id: key }, "option")],
  };
  const choices = `Its options are ${optionList(fields)}.`;
  if (!first) return usage("unknown-option", `${key} has no option "${typed.slice(0, 60)}". ${choices}`, rest);
  const labels = [first, ...others].map(({ label }) => label).join(", ");
  return ambiguous("ambiguous", `"${typed.slice(0, 60)}" could be ${labels}. ${choices}`, rest);
}
