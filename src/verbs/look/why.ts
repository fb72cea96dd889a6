import { failureDetails } from "../../model/attempt/failure-view.js";
import { localMinute } from "../../model/iso-time.js";
import { isDriven, type PlanningRun, type RunStatus } from "../../model/item/planning-run.js";
import { answerStep } from "../../model/item/question.js";
import type { Context } from "../../plan/base/context.js";
import { entityOfKey, findItem, type NamedEntity } from "../../plan/item/find-item.js";
import type { Reader } from "../../store/store.js";
import { spell } from "../kit/spell.js";
import {
  fields,
  type Item,
  type NextStep,
  node,
  ok,
  planVerb,
  type Result,
  type Style,
  spoken,
  step,
} from "../kit/verb.js";
import { harmless, icon, statusWord } from "../kit/wording.js";
import { failureText } from "../text/check-lines.js";
import type { Why } from "./why-node.js";

export const input = fields({
  reference: node("the node; or a run, question, attempt, conflict or record, such as RUN-001 or ATT-00001"),
});

export const verb = planVerb({
  command: { words: "why", group: "look", daily: 6, positional: ["reference"] },
  summary: "Explain why a node has its status and what to do about it",
  description: "Follows what the node waits for down to the first cause, and ends with what you can do about it.",
  effect: "reads",
  takesKeys: true,
  phrases: spoken(
    "why, explain, what blocks, what's blocking, what is blocking, what holds, what's holding, what is holding, " +
      "what's stopping, what is stopping, what stops, who blocks, waiting for, waits for, depend on, depends on, " +
      "in the way of, held up by, holding up, holds up, hold up, how come, what's wrong with, what is wrong with, " +
      "what's up with, what keeps, what's keeping, what is keeping",
  ),
  emptyWords:
    "isn't aren't can't won't doesn't not start run running blocked blocking stuck frozen ready waiting moving " +
    "held holding stopping up failing failed still yet be begin move progress on off hold paused",
  hints: ["blame", "unblock"],
  tools: [{ tool: "why", fields: ["reference"] }],
  input,
  examples: [
    { input: { reference: "TASK-00003" }, does: "shows what it waits for and what to do" },
    { input: { reference: "RUN-001" }, does: "shows what a planning run waits for" },
  ],
  run: async (session, { reference }): Promise<Result<Why | WhyItem>> => {
    const ofNode = await (await import("./why-node.js")).why(session, reference);
    return ofNode.ok || entityOfKey(reference) === undefined ? ofNode : whyItem(session, reference);
  },
  text: (found, style) => ("chain" in found ? renderWhy(found, style) : renderWhyItem(found, style)),
});

function renderWhyItem({ id, title, state, sentences, next }: WhyItem, style: Style): string {
  return [
    `${style.yellow("?")} ${style.bold(id)}  ${harmless(title)}  ${style.dim(state)}`,
    ...sentences.map((sentence) => `  ${harmless(sentence)}`),
    ...(next.length > 0 ? ["", "Next:", ...next.map((each) => `  ${style.cyan(spell(each))}`)] : []),
  ].join("\n");
}

function renderWhy({ chain, next, cut, questions }: Why, style: Style): string {
  const lines: string[] = [];
  for (const [depth, { id, title, status: stands, sentences, failed }] of chain.entries()) {
    const indent = "  ".repeat(depth);
    const branch = depth === 0 ? "" : `${"  ".repeat(depth - 1)}${style.dim("└ ")}`;
    const head = `${icon(stands, style)} ${style.bold(id)}  ${harmless(title)}`;
    lines.push(`${branch}${head}  ${style.dim(statusWord(stands))}`);
    lines.push(...sentences.map((sentence) => `${indent}  ${harmless(sentence)}`));
    lines.push(...failureText(failed, style, `${indent}    `));
  }
  if (cut === "cycle") lines.push("", "The last of them waits for one of the others: this is a cycle.");
  if (cut === "long") lines.push("", `The chain is longer; these are its first ${chain.length} steps.`);
  if (questions.length > 0) lines.push("", "A question is open as well:");
  for (const { id, question, answer } of questions) {
    lines.push(`  ${style.yellow("?")} ${style.bold(id)}  ${harmless(question)}`, `    ${style.cyan(spell(answer))}`);
  }
  if (next.length > 0) lines.push("", "Next:");
  return [...lines, ...next.map((each) => `  ${style.cyan(spell(each))}`)].join("\n");
}

interface WhyItem {
  readonly id: string;
  readonly entity: "run" | "question" | NamedEntity;
  readonly title: string;
  readonly state: string;
  readonly sentences: readonly string[];
  readonly blocks: readonly string[];
  readonly next: readonly NextStep[];
}

export function whyItem(context: Context, key: string): Promise<Result<WhyItem>> {
  return context.store.read(async (reader) => {
    const found = await findItem(reader, entityOfKey(key) ?? "question", key);
    if (!found.ok) return found;
    const item = found.value;
    if (isOf(item, "run")) return ok(await ofRun(reader, item, context));
    if (isOf(item, "attempt")) return ok(await ofAttempt(reader, item));
    return ok(isOf(item, "question") ? await ofQuestion(reader, context, item) : ofStored(item));
  });
}

const isOf = <E extends NamedEntity>(item: Item<NamedEntity>, entity: E): item is Item<E> => item.entity === entity;

async function ofAttempt(reader: Reader, { key: id, fields }: Item<"attempt">): Promise<WhyItem> {
  const { state, note, worker } = fields;
  const task = (await reader.idOf(fields.task)) ?? "a task that is gone";
  const why = note === "" ? "" : `: ${note.replace(/(?<![.\s])[.\s]+$/, "")}`;
  const next = [step("attempt.show", { id }), step("why", { reference: task })];
  const failed = fields.failure === null ? [] : failureDetails([...fields.checks, ...fields.mergedChecks]);
  const sentences = [`${id} of ${task} by ${worker.name} is ${state}${why}.`, ...failed.map((line) => `  ${line}`)];
  return { id, entity: "attempt", title: task, state, sentences, blocks: [], next };
}

/** These wait for nothing by themselves, so their state says it all. */
function ofStored({ entity, key: id, fields }: Item<NamedEntity>): WhyItem {
  const state = "state" in fields ? fields.state : null;
  const sentences = [state ? `${id} is ${state}.` : `${id} is kept with the plan.`];
  return { id, entity, title: "", state: state ?? "", sentences, blocks: [], next: [step("show", { reference: id })] };
}

async function ofQuestion(reader: Reader, context: Context, item: Item<"question">): Promise<WhyItem> {
  const { key: id, fields } = item;
  const { question: title, state, blocks } = fields;
  const common = { id, entity: "question", title, state, blocks } as const;
  const next = [step("show", { reference: id })];
  if (fields.answer) {
    const { by, option, at, note } = fields.answer;
    const label = fields.options.find((each) => each.id === option)?.label ?? option;
    const why = note === "" ? "" : ` (${note})`;
    return { ...common, sentences: [`${by} answered ${id} at ${localMinute(at)}: ${label}${why}.`], next };
  }
  if (state !== "open") {
    const { withdrawnBecause: because } = fields;
    const withdrawn = `${id} was withdrawn${because === undefined ? "" : ` (${because})`}. It needs no answer any more.`;
    return { ...common, sentences: [withdrawn], next };
  }
  // Loaded here: almost every `why` is about a node.
  const { suggestionsIn } = await import("../../plan/answer/list-questions.js");
  const suggestion = await suggestionsIn(context)(reader, item);
  const held = blocks.length === 0 ? [] : [`It holds up ${blocks.join(", ")}.`];
  const asked = `${fields.createdBy} asked it at ${localMinute(fields.createdAt)}, and only a person can answer it.`;
  return {
    ...common,
    sentences: [asked, ...held, ...(suggestion === null ? [] : [suggestion.sentence])],
    next: [suggestion?.next ?? answerStep(id, fields.recommended), ...next],
  };
}

async function ofRun(reader: Reader, { key: id, fields }: Item<"run">, context: Context): Promise<WhyItem> {
  const { status: state, title } = fields;
  const questions = await reader.items("question", { owner: id, state: "open" });
  const common = { id, entity: "run", title, state, blocks: [] } as const;
  const [first] = questions;
  if (first && (state === "waiting" || state === "halted")) {
    const asked = questions.map(({ key, fields: { question } }) => `${key}: ${question}`);
    const next = [answerStep(first.key, first.fields.recommended), step("plan.resume", { run: id })];
    return { ...common, sentences: [`${id} waits for your answers.`, ...asked], next };
  }
  const twin = state === "ready" ? await addedTwin(reader, id, fields) : undefined;
  if (twin !== undefined) {
    const twice = `${id} planned the same as ${twin}, which was added to the plan since. ${id} would add it twice, so it cannot be approved.`;
    const next = [step("plan.start", { revise: twin }), step("plan.abort", { run: id })];
    return { ...common, sentences: [twice], next };
  }
  if (state === "waiting" && (await hasWithdrawn(reader, fields))) {
    const withdrawn = `A question of ${id} was withdrawn without an answer. Resume it, and it asks you again.`;
    return { ...common, sentences: [withdrawn], next: resume(id) };
  }
  const isAlive = fields.driver !== null && (await context.isAlive(fields.driver.by));
  const { sentence, next } = STANDS[state](
    id,
    fields,
    isDriven(fields, context.now(), () => isAlive),
  );
  return { ...common, sentences: [sentence], next };
}

/** It waits for an answer that nobody can give any more. */
async function hasWithdrawn(reader: Reader, { asked }: PlanningRun): Promise<boolean> {
  for (const key of Object.values(asked)) {
    if ((await reader.item("question", key))?.fields.state === "withdrawn") return true;
  }
  return false;
}

/** A run about the same node or spec that was added to the plan while this one was open. */
async function addedTwin(reader: Reader, id: string, run: PlanningRun): Promise<string | undefined> {
  const hash = async ({ current }: PlanningRun): Promise<string | undefined> =>
    current.spec === undefined ? undefined : (await reader.item("artifact", current.spec))?.fields.hash;
  const own = await hash(run);
  for (const { key, fields } of await reader.items("run", {})) {
    if (key === id || (fields.appliedBy ?? 0) <= (run.begunBy ?? Infinity) || fields.node !== run.node) continue;
    if (run.node !== null || (own !== undefined && own === (await hash(fields)))) return key;
  }
  return undefined;
}

const resume = (run: string): NextStep[] => [step("plan.resume", { run })];

type RunExplanation = (
  id: string,
  run: PlanningRun,
  driven: boolean,
) => Pick<WhyItem, "next"> & { readonly sentence: string };

const STANDS: Readonly<Record<RunStatus, RunExplanation>> = {
  running: (id, { driver }, driven) =>
    driven && driver !== null
      ? { sentence: `${driver.by} is working on ${id} now.`, next: [step("plan.show", { run: id })] }
      : { sentence: `${id} was interrupted: the program that worked on it has ended.`, next: resume(id) },
  waiting: (id) => ({ sentence: `${id} has your answers and can go on.`, next: resume(id) }),
  ready: (id) => ({
    sentence: `${id} has finished its plan and waits for your approval. Nothing of it is in the plan yet.`,
    next: [step("plan.diff", { run: id }), step("approve", { references: [id] })],
  }),
  halted: (id, run) => {
    const why = stopReason(run);
    return { sentence: `${id} stopped${why === null ? "" : ` (${why})`}. You can resume it.`, next: resume(id) };
  },
  finished: (id) => ({ sentence: `${id} is finished: its plan is decided.`, next: [step("plan.show", { run: id })] }),
  aborted: (id) => ({ sentence: `${id} was aborted. Nothing of it was added.`, next: [step("plan.list")] }),
};

function stopReason({ machine }: Pick<PlanningRun, "machine">): string | null {
  const wait = machine !== null && typeof machine === "object" && "wait" in machine ? machine.wait : null;
  const why = wait !== null && typeof wait === "object" && "why" in wait ? wait.why : null;
  return typeof why === "string" ? why.replace(/(?<![.\s])[.\s]+$/, "") : null;
}
