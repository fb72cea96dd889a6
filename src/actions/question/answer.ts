// A person answers a question. What is asked about a conflict or a task is decided with the answer; what a planning run asked
// is its own affair.

import { type Escalation, isExpired, type Option, pickOption } from "../../graph/item/escalation.js";
import { changeItem, type Item } from "../../graph/item/item.js";
import { parseWords } from "../../graph/node/content.js";
import { ambiguous, ok, type Result, refused, usage } from "../../graph/result.js";
import type { Settling } from "../../graph/rules/task-outcome.js";
import type { Writer } from "../../store/store.js";
import { colon } from "../branch/branch.js";
import { isConflictChoice, resolution } from "../conflict/resolve-conflict.js";
import { act, type Context } from "../context.js";
import { findItem } from "../item/find-item.js";
import { requirePerson } from "../require-person.js";
import { type Applied, applyAnswer, NOTHING_DONE } from "./apply-answer.js";

export interface AnswerInput {
  readonly id: string;
  /** The id of an option, its number, or the beginning of its label. */
  readonly option: string;
  readonly note?: string;
}

export interface Answered {
  readonly op: number | null;
  readonly id: string;
  readonly option: string;
  readonly label: string;
  readonly note: string;
  /** What waited for it. */
  readonly blocks: readonly string[];
  /** Its time was over already. */
  readonly expired: boolean;
  /** What it did to the task that it is about, in words. */
  readonly did: string | null;
  /** What to type to go on, if somebody has to. */
  readonly next: string | null;
}

export async function answer(context: Context, input: AnswerInput): Promise<Result<Answered>> {
  const may = requirePerson(context.actor, "answer an escalation");
  if (!may.ok) return may;
  const note = input.note === undefined ? ok("") : parseWords(input.note, "note");
  if (!note.ok) return note;
  const committed = await act<Omit<Answered, "op">>(context, "answer", async (writer, at) => {
    const found = await findItem(writer, "escalation", input.id);
    if (!found.ok) return found;
    const open = requireOpen(found.value);
    if (!open.ok) return open;
    const { key, fields } = found.value;
    const chosen = choose(found.value, input.option);
    if (!chosen.ok) return chosen;
    const { id: option, label } = chosen.value;
    const settling = { by: context.actor, at, op: writer.op };
    const asked = { escalation: found.value, option: chosen.value, note: note.value };
    const effect = await effectOf(writer, asked, settling, context.head());
    if (!effect.ok) return effect;
    const given = { option, note: note.value, by: context.actor, at };
    const value = {
      id: key,
      option,
      label,
      note: note.value,
      blocks: fields.blocks,
      expired: isExpired(fields, at),
      did: effect.value.did,
      next: /^RUN-\d+$/.test(fields.owner) ? `planwright plan resume ${fields.owner}` : effect.value.next,
    };
    const sentence = `${context.actor} answered ${key} with "${label}"${colon(note.value === "" ? null : note.value)}`;
    const answered = changeItem(found.value, { state: "answered", answer: given });
    return ok({ sentence, changes: [...effect.value.changes, ...answered], value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

/** Conflicts and tasks are decided with the answer; everything else is up to whoever asked. */
async function effectOf(
  writer: Writer,
  asked: Parameters<typeof applyAnswer>[1],
  settling: Settling,
  commit: string | null,
): Promise<Result<Applied>> {
  const { kind, owner } = asked.escalation.fields;
  const item = kind === "conflict" ? await writer.item("conflict", owner) : undefined;
  const choice = asked.option.id;
  if (!item || !isConflictChoice(choice)) return applyAnswer(writer, asked, settling);
  const resolved = await resolution(writer, item, choice, { by: settling.by, at: settling.at, commit });
  return resolved.ok ? ok({ ...NOTHING_DONE, changes: resolved.value.changes, did: resolved.value.effect }) : resolved;
}

function requireOpen({ key, fields }: Item<"escalation">): Result<void> {
  if (fields.state === "open") return ok(undefined);
  if (fields.state === "withdrawn") {
    return refused("withdrawn", `${key} was taken back by who asked it; there is nothing to answer any more.`, {
      hint: "`planwright escalations` lists what is open.",
    });
  }
  const { option = "", by = "somebody", note = "" } = fields.answer ?? {};
  const label = fields.options.find(({ id }) => id === option)?.label ?? option;
  return refused("answered", `${key} was answered by ${by} already: ${label}${note === "" ? "" : ` (${note})`}.`, {
    hint: `\`planwright show ${key}\` has the whole of it.`,
    details: { answer: fields.answer },
  });
}

const optionList = ({ options }: Escalation): string =>
  options.map(({ id, label }, i) => `${i + 1} ${id} (${label})`).join(", ");

/** A question without options is answered in the person's own words. */
function choose({ key, fields }: Item<"escalation">, typed: string): Result<Option> {
  if (fields.options.length === 0) {
    const words = parseWords(typed, "answer");
    return words.ok ? ok({ id: words.value, label: words.value, detail: "" }) : words;
  }
  const [first, ...others] = pickOption(fields.options, typed);
  const details = { options: fields.options.map(({ id }) => id) };
  if (!first) {
    return usage("unknown-option", `${key} has no option "${typed.slice(0, 60)}".`, {
      hint: `Its options are ${optionList(fields)}.`,
      details,
    });
  }
  if (others.length === 0) return ok(first);
  const labels = [first, ...others].map(({ label }) => label).join(", ");
  return ambiguous("ambiguous", `"${typed.slice(0, 60)}" could be ${labels}.`, {
    hint: `Its options are ${optionList(fields)}.`,
    details,
  });
}
