// Questions for a person: asked at once at a terminal, otherwise left open in the store. The run continues when the answers are
// there. With a question comes what a person has to know to decide it.

import { isPerson } from "../../model/actor.js";
import { changeItem, type Item, type ItemChange } from "../../model/item/item.js";
import { isExpired, type Option, type Question, type QuestionKind } from "../../model/item/question.js";
import { step } from "../../model/next-step.js";
import type { Change } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { answer } from "../../plan/answer/answer.js";
import { raise, withdraw } from "../../plan/question/raise.js";
import type { Reader, Writer } from "../../store/store.js";
import type { Clarification } from "../contracts/answers.js";
import { shortLine } from "../contracts/common.js";
import {
  type AnsweredFinding,
  type Feedback,
  findingSubject,
  gravity,
  isMinor,
  type StoredFinding,
} from "../contracts/findings.js";
import { type Choice, type Machine, type Matter, roundNumber, type Wait } from "../machine/machine.js";
import { lastProblems, settleErrors } from "./calls.js";
import { answersIn, latestFindings } from "./gather-brief.js";
import { dueDocuments } from "./present.js";
import { answeredIn, dropAssumptions } from "./run-records.js";
import { type Drive, saveStep } from "./services.js";
import { currentJson, earlierRuns, jsonArtifact, type Run, type RunArtifact, saveArtifacts } from "./stored-run.js";

type NewQuestion = Pick<Question, "kind" | "question" | "context" | "options" | "recommended">;

const CHOICES: Readonly<Record<Choice, Omit<Option, "id">>> = {
  guide: {
    label: "Tell the author what to do",
    detail: "in your own words, as a note; the author gets them with the feedback, and all counters start again",
    free: true,
  },
  "start-over": { label: "Start over", detail: "the author gets the latest feedback, and all counters start again" },
  accept: {
    label: "Accept as it is",
    detail: "the plan goes to you for approval with its open findings; nothing is approved by this",
  },
  abort: { label: "Abort", detail: "the run ends; nothing was added to the plan" },
  retry: { label: "Try again", detail: "the same question is asked once more" },
  skip: { label: "Continue without it", detail: "this role is skipped, and the plan says so" },
};

const MATTERS: Readonly<Record<Matter, (machine: Machine) => readonly [QuestionKind, string]>> = {
  conformance: ({ conformance }) => [
    "conformance",
    conformance === "escalate"
      ? "The plan cannot be read, so it cannot be judged. What next?"
      : "Your edit leaves the plan with errors. What next?",
  ],
  critic: () => ["critic", "The critic found critical problems in the plan. What next?"],
  stagnation: () => ["stagnation", "A revision did not solve the serious problems: the plan is stuck. What next?"],
  limit: ({ limits }) => [
    "limit",
    `The plan was revised ${limits.revisions} times and is still not approved. What next?`,
  ],
  overview: ({ limits }) => [
    "overview",
    `The overviewer still has concerns after ${limits.overviews} rounds. What next?`,
  ],
  failure: () => ["failure", "An agent failed. What next?"],
  declined: () => ["critic", "A reviewer insists on what the author declined. Who is right?"],
  decision: () => ["critic", "The author needs your decision about a finding. What should it do?"],
};

/** In every clarifying question: the options are a model's guesses. */
const OWN_WORDS: Option = {
  id: "other",
  label: "Something else…",
  detail: "say it in your own words, as a note",
  free: true,
};

/** No question has this id: ids begin with a letter. */
export const CHOICE = "#choice";

/** Undefined: the questions wait for a person. */
export async function settleQuestions(drive: Drive, run: Run): Promise<Result<Run> | undefined> {
  const raised = await raiseAll(drive, run);
  if (!raised.ok) return raised;
  const { machine, fields } = raised.value;
  const open = topicsOf(machine.wait);
  for (const topic of open) {
    const key = fields.asked[topic] as string;
    if (await isSettled(drive, raised.value, key)) return continueWith(drive, topic, key);
  }
  drive.hooks.onProgress({ type: "asked", questions: open.map((topic) => fields.asked[topic] as string) });
  return undefined;
}

const topicsOf = (wait: Wait): readonly string[] =>
  wait.for === "answers" ? wait.open : wait.for === "choice" ? [CHOICE] : [];

/** Stores a question for each topic that has none yet, or whose question was withdrawn without an answer. */
async function raiseAll(drive: Drive, run: Run): Promise<Result<Run>> {
  const { context, limits } = drive.services;
  const missing = await context.store.read((reader) => unasked(reader, run));
  if (missing.length === 0) return ok(run);
  const report = await dueDocuments(drive.services, run);
  const waitMs = limits.answerHours * 3_600_000;
  return saveStep(drive, async (writer, now, at) => {
    const maker = { by: context.actor, at };
    const asked: Record<string, string> = { ...now.fields.asked };
    const changes: ItemChange[] = [];
    // What an earlier run asked and you answered is not asked again.
    const answered = await answeredIn(writer, await earlierRuns(writer, now));
    const saved = await saveArtifacts(writer, now, report, maker);
    for (const topic of missing) {
      const question = await questionFor(writer, now, topic, saved.current.verification);
      if (question === undefined) return questionLost(run.key, topic);
      const words = sameWords(question.question);
      const known = question.kind === "question" && answered.find((each) => sameWords(each.question) === words);
      if (known && (known.isFree || question.options.some(({ label }) => label === known.label))) {
        asked[topic] = known.key;
        continue;
      }
      const expiresAt = waitMs > 0 && question.recommended !== null ? at + waitMs : null;
      const asking = { ...question, expiresAt, blocks: [run.key], owner: run.key };
      const raised = await raise(writer, asking, maker, changes);
      asked[topic] = raised.key;
      changes.push(...raised.changes);
    }
    const patch = { asked, current: saved.current };
    return ok({ sentence: `${run.key} asks for a decision`, changes: [...saved.changes, ...changes], patch });
  });
}

async function unasked(reader: Reader, { machine, fields }: Run): Promise<string[]> {
  const missing: string[] = [];
  for (const topic of topicsOf(machine.wait)) {
    const key = Object.hasOwn(fields.asked, topic) ? fields.asked[topic] : undefined;
    const state = key === undefined ? undefined : (await reader.item("question", key))?.fields.state;
    if (state === undefined || state === "withdrawn") missing.push(topic);
  }
  return missing;
}

/** Without case, white space and punctuation; every word counts. */
const sameWords = (question: string): string =>
  question
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const questionLost = (run: string, topic: string): Result<never> =>
  refused("broken", `The clarification of ${run} is lost: it has no question ${topic}. Plan again from the spec.`, {
    next: [step("verify"), step("plan.abort", { run })],
  });

/** Undefined if the clarification no longer has the question. */
async function questionFor(
  reader: Reader,
  run: Run,
  topic: string,
  report: string | undefined,
): Promise<NewQuestion | undefined> {
  const { wait } = run.machine;
  if (wait.for === "choice") {
    const [kind, question] = MATTERS[wait.matter](run.machine);
    const failure = wait.failed ? (await lastProblems(reader, run.key, wait.failed.role)).join("\n") : "";
    const stop = await contextOfStop(reader, run, report);
    const context = [failure, stop].filter((words) => words !== "").join("\n");
    const options = wait.choices.map((id) => ({ id, ...CHOICES[id] }));
    const which = wait.failed
      ? `${wait.failed.role}, call ${wait.failed.call}`
      : `round ${roundNumber(run.machine) + 1}`;
    return { kind, question: `${question} (${which})`, context, options, recommended: wait.failed ? "retry" : null };
  }
  const clarification = await currentJson<Clarification>(reader, run, "clarification");
  const found = clarification?.questions.find(({ id }) => id === topic);
  if (found === undefined) return undefined;
  const options = found.options.map(({ label, detail }, index) => ({ id: optionId(index), label, detail }));
  const recommended = options.find(({ label }) => label === found.default)?.id ?? null;
  return {
    kind: "question",
    question: found.question,
    context: found.why,
    options: [...options, OWN_WORDS],
    recommended,
  };
}

const optionId = (index: number): string => String.fromCharCode(97 + index);

/** Answered already, expired, defaulted, or answered here and now. */
async function isSettled({ services: { context }, hooks }: Drive, { intake }: Run, key: string): Promise<boolean> {
  const item = await context.store.read((reader) => reader.item("question", key));
  if (!item || item.fields.state !== "open") return item?.fields.state === "answered";
  const { recommended, kind } = item.fields;
  if (recommended !== null && (isExpired(item.fields, context.now()) || (intake.defaults && kind === "question")))
    return true;
  if (!hooks.ask || !isPerson(context.actor)) return false;
  const given = await hooks.ask(key, item.fields);
  if (given === undefined) return false;
  const { option, note } = given;
  return (await answer(context, { id: key, option, ...(note === "" ? {} : { note }) })).ok;
}

/** Choices after which the author is asked again: what a person says with them reaches it. */
const GUIDED: ReadonlySet<string> = new Set<Choice>(["guide", "start-over", "retry"]);

/** Continues the run with the answer, or with the recommended option if the time to answer is over. */
function continueWith(drive: Drive, topic: string, key: string): Promise<Result<Run>> {
  const { actor } = drive.services.context;
  return saveStep(drive, async (writer, { key: run, machine, fields }, at) => {
    const { option, note, changes } = await takeAnswer(writer, key, actor, at);
    const { wait } = machine;
    if (wait.for !== "choice") {
      const event = { type: "answered", question: topic } as const;
      return ok({ sentence: `${run} has an answer to ${topic}`, changes, event });
    }
    const { [topic]: _, ...asked } = fields.asked;
    const guided = note !== "" && GUIDED.has(option);
    const isSkipped = option === "skip" && wait.failed !== null;
    const more = option === "abort" ? await abortChanges(writer, run, key) : [];
    return ok({
      sentence: option === "abort" ? `${actor} ended ${run}` : `${run} continues: ${option}`,
      event: { type: "chosen", choice: option as Choice, guided },
      artifacts: guided ? [guidanceOf(note, roundNumber(machine))] : [],
      changes: [...changes, ...more, ...(isSkipped ? await settleErrors(writer, { run, ...wait.failed }) : [])],
      patch: { asked },
    });
  });
}

/** Once a run has used an answer, the question blocks nothing and the answer cannot be undone. */
async function takeAnswer(writer: Writer, key: string, actor: string, at: number) {
  const item = (await writer.item("question", key)) as Item<"question">;
  const given = item.fields.answer;
  if (given) return { option: given.option, note: given.note, changes: changeItem(item, { blocks: [] }) };
  const option = item.fields.recommended ?? "";
  const note = isExpired(item.fields, at)
    ? "not answered in time, so the recommended option was taken"
    : "the default was taken";
  const answered = { option, note, by: actor, at };
  return { option, note: "", changes: changeItem(item, { state: "answered", answer: answered, blocks: [] }) };
}

const ABORTED = { message: "The run was aborted.", recovery: "nothing has to be done", settled: true };

/** What ends with a run: its questions need no answer any more, its assumptions hold no longer, and no call is left waiting.
 *  `answered`: the question whose answer it is. */
export async function abortChanges(reader: Reader, run: string, answered?: string): Promise<Change[]> {
  const open = await reader.items("call", { owner: run, state: "asked" });
  return [
    ...(await withdraw(reader, run, answered)),
    ...(await dropAssumptions(reader, run)),
    ...open.flatMap((item) => changeItem(item, { state: "failed", error: ABORTED })),
  ];
}

/** What a person says to the author: kept as feedback, like the findings of a reviewer. */
export function guidanceOf(note: string, round: number): RunArtifact {
  // The author answers it under this id.
  const finding = { id: "person", severity: "high", title: "What the person asks for", description: note };
  const findings = [finding];
  return jsonArtifact("findings", { source: "person", round, verdict: "revise", findings, questions: [], note });
}

const MAX_FINDINGS = 5;

const LINE_LENGTH = 400;

/** What a person has to know to decide: the worst findings with their evidence, what the author answered to each, what reviewers asked, and
 *  where the whole report is. */
async function contextOfStop(reader: Reader, run: Run, report: string | undefined): Promise<string> {
  const { feedback } = run.machine;
  const sources = feedback.length > 0 ? feedback.filter((source) => source !== "person") : (["conformance"] as const);
  const found = await latestFindings(reader, run, sources);
  const said = found.flatMap(({ source, round, findings }) => findings.map((finding) => ({ source, round, finding })));
  const grave = said
    .filter(({ finding }) => !isMinor(finding))
    .toSorted((a, b) => gravity(b.finding) - gravity(a.finding));
  const questions = found.flatMap(({ source, questions }) =>
    questions.map((asked) => `- ${source}: ${questionText(asked)}`),
  );
  const answers = await answersIn(reader, run);
  return [
    ...grave.slice(0, MAX_FINDINGS).map((each) => findingText(each, answers)),
    ...(grave.length > MAX_FINDINGS ? [`and ${grave.length - MAX_FINDINGS} more findings`] : []),
    ...(questions.length > 0 ? ["Questions of the reviewers:", ...questions.slice(0, MAX_FINDINGS)] : []),
    ...(report === undefined ? [] : [`The whole report is ${report}.`]),
  ].join("\n");
}

function findingText(
  { source, round, finding }: Pick<Feedback, "source" | "round"> & { readonly finding: StoredFinding },
  answers: readonly AnsweredFinding[],
): string {
  const { id, description = "", suggestion = "", evidence = [] } = finding;
  const answer = answers.findLast((each) => each.source === source && each.id === id && each.round <= round);
  const more = [description, suggestion].filter((words) => words !== "").join(" ");
  return [
    `- ${source} ${inLine(findingSubject(finding))}`,
    ...(more === "" ? [] : [`  ${inLine(more)}`]),
    ...evidence.slice(0, 3).map(({ file, lineStart, claim }) => `  ${file}:${lineStart} ${inLine(claim)}`),
    ...(answer ? [`  author: ${answer.action}${answer.note === "" ? "" : `, ${inLine(answer.note)}`}`] : []),
  ].join("\n");
}

const inLine = (words: string): string => shortLine(words, LINE_LENGTH);

const questionText = ({ question, context }: Feedback["questions"][number]): string =>
  inLine(context === "" ? question : `${question} (${context})`);
