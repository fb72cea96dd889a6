// Records and runs: which hold for a run, what becomes of those that it made, and what people said when the plan was made. Their
// answers become decisions, the technology and the folder that they asked for become constraints, once the plan is approved.

import { type Contradiction, contradictions } from "../../model/item/contradictions.js";
import { changeItem } from "../../model/item/item.js";
import type { PlanRecord } from "../../model/item/record.js";
import type { Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import { spaced } from "../../model/words.js";
import { contradicts } from "../../plan/node/check-records.js";
import { activeRecords, type Maker, type NewRecord, saveRecord } from "../../plan/record/save-record.js";
import type { Reader, Writer } from "../../store/store.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { holding, judgedTask } from "../lint/record-rules.js";
import type { Brief } from "../roles/brief.js";
import { earlierRuns, nodeOf, type Run } from "./stored-run.js";

/** Another run's assumptions are about another plan, unless they were made a feature's own. */
export async function recordsFor(
  reader: Reader,
  run: Run,
): Promise<readonly { readonly key: string; readonly record: PlanRecord }[]> {
  const node = await nodeOf(reader, run);
  const records = await activeRecords(reader, node?.feature ?? null);
  // What the run itself assumes binds the run before a person approves it.
  const own = (await reader.items("record", { state: "proposed" })).filter(
    ({ fields }) => fields.run === run.key && fields.kind === "assumption",
  );
  return [...records, ...own]
    .filter(
      ({ fields: { kind, scope, run: by } }) =>
        kind !== "assumption" || scope !== null || by === null || by === run.key,
    )
    .map(({ key, fields }) => ({ key, record: fields }));
}

/** A plan is held against what holds at the moment of approval; against a reason, it may be approved all the same. */
export async function holdToRecords(
  reader: Reader,
  run: Run,
  draft: PlanDraft,
  despite: string | undefined,
): Promise<Result<{ readonly words: string; readonly found: readonly Contradiction[] }>> {
  const records = await recordsFor(reader, run);
  const found = contradictions(draft.tasks.map(judgedTask), holding(records));
  if (found.length === 0) return ok({ words: "", found });
  if (despite === undefined || despite.trim() === "") return contradicts(found);
  const keys = [...new Set(found.map(({ record }) => record))];
  return ok({ words: `, despite ${keys.join(", ")}: ${spaced(despite)}`, found });
}

/** The records that a run made, in force or not. */
export const recordsMadeBy = async (reader: Reader, run: string) =>
  (await reader.items("record", {})).filter(({ fields }) => fields.run === run);

/** The assumptions of an aborted run are no longer in force. */
export async function dropAssumptions(reader: Reader, run: string): Promise<Change[]> {
  const made = await recordsMadeBy(reader, run);
  const open = made.filter(({ fields: { kind, state } }) => kind === "assumption" && state !== "superseded");
  return open.flatMap((item) => changeItem(item, { state: "superseded" }));
}

/** The assumptions of a plan with one feature are that feature's. */
export async function placeAssumptions(reader: Reader, run: string, feature: Nr): Promise<Change[]> {
  const made = await recordsMadeBy(reader, run);
  return made
    .filter(({ fields: { kind, scope } }) => kind === "assumption" && scope === null)
    .flatMap((item) => changeItem(item, { scope: feature }));
}

/** The clarifier's assumptions become proposed records: you can see and replace them, and they come into force when you approve the plan
 *  that rests on them. */
export async function assume(
  writer: Writer,
  run: Run,
  assumptions: readonly { readonly text: string; readonly because: string }[],
  maker: Maker,
): Promise<Change[]> {
  if (assumptions.length === 0) return [];
  const records = [
    ...(await writer.items("record", { state: "active" })),
    ...(await writer.items("record", { state: "proposed" })),
  ];
  const known = new Set(records.map(({ fields }) => fields.title));
  const changes: Change[] = [];
  for (const { text, because } of assumptions) {
    const title = spaced(text);
    if (title === "" || known.has(title)) continue;
    known.add(title);
    const record = { kind: "assumption", title, because, run: run.key, proposed: true } as const;
    changes.push(...(await saveRecord(writer, record, maker)).changes);
  }
  return changes;
}

/** Makes records of what people said. They are in force once the plan is approved. */
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

const TITLE_LENGTH = 200;

/** Words too long for a title: their first sentence, or as many whole words as fit. */
function shortTitle(words: string): string {
  const line = spaced(words);
  if (line.length <= TITLE_LENGTH) return line;
  const [sentence] = /^.+?[.!?](?=\s)/.exec(line) ?? [];
  if (sentence !== undefined && sentence.length <= TITLE_LENGTH) return sentence;
  return `${line.slice(0, TITLE_LENGTH - 2).replace(/(?<!\s)\s+\S*$/, "")} …`;
}

/** The question stands whole before its answer where the title has no room for it. */
function answerBody(question: string, answer: string): string {
  const line = spaced(question);
  return line.length <= TITLE_LENGTH ? answer : `${line}\n\n${answer}`;
}

async function saidIn(writer: Writer, run: Run): Promise<NewRecord[]> {
  const { stack, target } = run.intake;
  const because = `asked for when ${run.key} was planned`;
  const answers = await answersOf(writer, run);
  return [
    ...answers.map(
      ({ question, answer, note, relayedBy }): NewRecord => ({
        kind: "decision",
        title: shortTitle(question),
        body: answerBody(question, note === "" ? answer : `${answer} (${note})`),
        because: `answered when ${run.key} was planned${relayedBy === undefined ? "" : `, passed on by ${relayedBy}`}`,
      }),
    ),
    ...(stack === null ? [] : [{ kind: "constraint", title: shortTitle(`Use ${stack}`), because } as const]),
    ...(target === null || target === "."
      ? []
      : [{ kind: "constraint", title: shortTitle(`Code goes to ${target}`), because } as const]),
  ];
}

/** The clarifying questions that you answered in these runs; `isFree`: in your own words. */
export async function answeredIn(reader: Reader, runs: readonly Run[]) {
  const keys = runs.flatMap(({ fields }) => Object.values(fields.asked));
  const asked = await Promise.all(keys.map((key) => reader.item("question", key)));
  return asked.flatMap((item) => {
    if (item?.fields.kind !== "question" || item.fields.answer === null) return [];
    const { question, options, answer } = item.fields;
    const option = options.find(({ id }) => id === answer.option);
    return [{ key: item.key, question, label: option?.label ?? answer.option, isFree: option?.free === true, answer }];
  });
}

/** What a person answered in this run and in those that it goes back to; the latest answer to a question counts. */
export async function answersOf(reader: Reader, run: Run): Promise<Brief["answers"]> {
  const all = await answeredIn(reader, [run, ...(await earlierRuns(reader, run))]);
  const latest = all.filter(({ question }, at) => all.findIndex((each) => each.question === question) === at);
  return latest.map(({ question, label, isFree, answer: { note, relayed, by } }) => {
    const said = isFree ? { answer: note, note: "" } : { answer: label, note };
    return { question, ...said, ...(relayed && { relayedBy: by }) };
  });
}
