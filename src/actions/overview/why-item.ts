// Why a planning run or a question stands where it does, and what to do about it.

import { answerStep, type Escalation } from "../../graph/item/escalation.js";
import type { Item } from "../../graph/item/item.js";
import type { PlanningRun, RunStatus } from "../../graph/item/planning-run.js";
import { type NextStep, step } from "../../graph/next-step.js";
import { ok, type Result } from "../../graph/result.js";
import { moment } from "../../graph/status/moment.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../context.js";
import { findItem } from "../item/find-item.js";
import { Suggestions } from "../question/list-questions.js";

export interface WhyItem {
  readonly id: string;
  readonly entity: "run" | "question";
  readonly title: string;
  readonly state: RunStatus | Escalation["state"];
  /** Everything that there is to say, in plain words. */
  readonly sentences: readonly string[];
  /** What waits for it. */
  readonly blocks: readonly string[];
  readonly next: readonly NextStep[];
}

/** Of a run such as RUN-001 or a question such as ESC-001. */
export function whyItem(context: Context, key: string): Promise<Result<WhyItem>> {
  return context.store.read(async (reader) => {
    if (/^\s*run/i.test(key)) {
      const run = await findItem(reader, "run", key);
      return run.ok ? ok(await ofRun(reader, run.value, context.now())) : run;
    }
    const question = await findItem(reader, "escalation", key);
    return question.ok ? ok(await ofQuestion(reader, context, question.value)) : question;
  });
}

async function ofQuestion(reader: Reader, context: Context, item: Item<"escalation">): Promise<WhyItem> {
  const { key: id, fields } = item;
  const { question: title, state, blocks } = fields;
  const common = { id, entity: "question", title, state, blocks } as const;
  const next = [step("show", { reference: id })];
  if (fields.answer) {
    const { by, option, at, note } = fields.answer;
    const label = fields.options.find((each) => each.id === option)?.label ?? option;
    const why = note === "" ? "" : ` (${note})`;
    return { ...common, sentences: [`${by} answered ${id} at ${moment(at)}: ${label}${why}.`], next };
  }
  if (state !== "open") return { ...common, sentences: [`${id} was withdrawn. It needs no answer any more.`], next };
  const suggestion = await new Suggestions(context).for(reader, item);
  const held = blocks.length === 0 ? [] : [`It holds up ${blocks.join(", ")}.`];
  const asked = `${fields.createdBy} asked it at ${moment(fields.createdAt)}, and only a person can answer it.`;
  return {
    ...common,
    sentences: [asked, ...held, ...(suggestion === null ? [] : [suggestion.sentence])],
    next: [suggestion?.next ?? answerStep(id, fields.recommended), ...next],
  };
}

async function ofRun(reader: Reader, { key: id, fields }: Item<"run">, now: number): Promise<WhyItem> {
  const { status: state, title } = fields;
  const questions = await reader.items("escalation", { owner: id, state: "open" });
  const common = { id, entity: "run", title, state, blocks: [] } as const;
  const [first] = questions;
  if (first && (state === "waiting" || state === "halted")) {
    const asked = questions.map(({ key, fields: { question } }) => `${key}: ${question}`);
    const next = [answerStep(first.key, first.fields.recommended), step("plan.resume", { run: id })];
    return { ...common, sentences: [`${id} waits for your answers.`, ...asked], next };
  }
  const { sentence, next } = STANDS[state](id, fields, now);
  return { ...common, sentences: [sentence], next };
}

interface Standing {
  readonly sentence: string;
  readonly next: readonly NextStep[];
}

const resume = (run: string): NextStep[] => [step("plan.resume", { run })];

const STANDS: Readonly<Record<RunStatus, (id: string, run: PlanningRun, now: number) => Standing>> = {
  running: (id, { driver }, now) =>
    driver !== null && driver.until > now
      ? { sentence: `${driver.by} is working on ${id} now.`, next: [step("plan.show", { run: id })] }
      : { sentence: `${id} was interrupted: the program that worked on it has ended.`, next: resume(id) },
  waiting: (id) => ({ sentence: `${id} has your answers and can go on.`, next: resume(id) }),
  ready: (id) => ({
    sentence: `${id} has finished its plan and waits for your approval. Nothing of it is in the plan yet.`,
    next: [step("plan.diff", { run: id }), step("approve", { references: [id] })],
  }),
  halted: (id, run) => {
    const why = stopReason(run);
    return { sentence: `${id} stopped${why === null ? "" : `: ${why}`} and can go on.`, next: resume(id) };
  },
  finished: (id) => ({ sentence: `${id} is finished: its plan is decided.`, next: [step("plan.show", { run: id })] }),
  aborted: (id) => ({ sentence: `${id} was aborted. Nothing of it was added.`, next: [step("plan.list")] }),
};

/** What the planner noted when it stopped. */
function stopReason({ machine }: Pick<PlanningRun, "machine">): string | null {
  const wait = machine !== null && typeof machine === "object" && "wait" in machine ? machine.wait : null;
  const why = wait !== null && typeof wait === "object" && "why" in wait ? wait.why : null;
  return typeof why === "string" ? why.replace(/[.\s]+$/, "") : null;
}
