// What people said when a plan was made binds what follows: answers become decisions, the technology and the folder that they
// asked for become constraints. They are in force once the plan is approved.

import { changeItem } from "../../model/item/item.js";
import type { Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { activeRecords, type Maker, type NewRecord, saveRecord } from "../../plan/record/save-record.js";
import type { Writer } from "../../store/store.js";
import { answersOf } from "../driver/learn.js";
import type { Run } from "../driver/runs.js";

export async function recordsOfWords(
  writer: Writer,
  run: Run,
  scope: Nr | null,
  maker: Maker,
  approve: boolean,
): Promise<Change[]> {
  const active = await activeRecords(writer, scope);
  const changes: Change[] = [];
  for (const record of await saidIn(writer, run)) {
    const { kind, title, body = "" } = record;
    const before = active.find(({ fields }) => fields.kind === kind && fields.title === title);
    if (before?.fields.body === body) continue;
    const saved = await saveRecord(writer, { ...record, scope, run: run.key }, maker, approve);
    changes.push(...saved.changes);
    // Another answer to the same question takes the place of the one before; what holds elsewhere stays.
    if (approve && before?.fields.scope === scope)
      changes.push(...changeItem(before, { state: "superseded", supersededBy: saved.key }));
  }
  return changes;
}

const TITLE = 200;
const inOneLine = (words: string): string => words.replace(/\s+/g, " ").trim();

/** Words too long for a title: their first sentence, or as many whole words as fit. */
function short(words: string): string {
  const line = inOneLine(words);
  if (line.length <= TITLE) return line;
  const [sentence] = /^.+?[.!?](?=\s)/.exec(line) ?? [];
  if (sentence !== undefined && sentence.length <= TITLE) return sentence;
  return `${line.slice(0, TITLE - 2).replace(/\s+\S*$/, "")} …`;
}

/** The question stands whole before its answer where the title has no room for it. */
function answered(question: string, answer: string): string {
  const line = inOneLine(question);
  return line.length <= TITLE ? answer : `${line}\n\n${answer}`;
}

async function saidIn(writer: Writer, run: Run): Promise<NewRecord[]> {
  const { stack, target } = run.intake;
  const because = `asked for when ${run.key} was planned`;
  const answers = await answersOf(writer, run);
  return [
    ...answers.map(
      ({ question, answer, note, relayedBy }): NewRecord => ({
        kind: "decision",
        title: short(question),
        body: answered(question, note === "" ? answer : `${answer} (${note})`),
        because: `answered when ${run.key} was planned${relayedBy === undefined ? "" : `, passed on by ${relayedBy}`}`,
      }),
    ),
    ...(stack === null ? [] : [{ kind: "constraint", title: short(`Use ${stack}`), because } as const]),
    ...(target === null || target === "."
      ? []
      : [{ kind: "constraint", title: short(`Code goes to ${target}`), because } as const]),
  ];
}
