// A run as people and programs see it: how it stands, what it has found and cost, and what to do next.

import { type NextStep, step } from "../../model/next-step.js";
import { absent, interrupted, ok, problems, type Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { countSeverities } from "../contracts/findings.js";
import { countNodes, type PlanDraft } from "../contracts/plan-draft.js";
import { checkedSentence, sharesSentence } from "../draft/headline.js";
import { sequence } from "../draft/sequence.js";
import { leftOutOf, overviewNumber, roundNumber } from "../machine/machine.js";
import { HOST } from "../roles/agents.js";
import type { Coverage } from "../spec/coverage.js";
import { callsOf, type RunCost, spent } from "./calls.js";
import { plannedDrops } from "./compare.js";
import { latestFindings, type RoundFindings } from "./gather-brief.js";
import { nodeOf, type Run } from "./stored-run.js";
import { draftIn, openTwins } from "./subject.js";

const MAX_UNCLEAR = 10;

/** Shares of the spec in percent; null without a spec. Runs of an earlier version stored other figures: those are not shown. */
function sharesOf(found: Partial<Coverage> | undefined) {
  if (found?.planned === undefined) return null;
  const { planned, leftOut = 0, notUnderstood = 0, reasons = [], uncovered = [] } = found;
  // What no task carries and nothing leaves out.
  const unclear = uncovered.slice(0, MAX_UNCLEAR).map(({ line, text }) => ({ line, text }));
  return { planned, leftOut, notUnderstood, reasons, unclear };
}

/** What to know first: how many tasks have a check, and how much of the spec the plan holds. */
function headlineOf(found: RoundFindings | undefined) {
  const coverage = sharesOf(found?.coverage);
  const { work, checked: withCheck = 0, shown } = found?.stats ?? {};
  const checked = work === undefined ? null : { tasks: work, withCheck };
  const headline = [
    ...(checked === null ? [] : [checkedSentence(shown ?? checked)]),
    ...(coverage === null ? [] : [sharesSentence(coverage)]),
  ];
  return { coverage, headline, checked };
}

function workOf(draft: PlanDraft) {
  const { waves, hours, totalHours, steelThread } = sequence(draft);
  const files = new Set(draft.tasks.flatMap((task) => task.files.map(({ path }) => path)));
  const begins = draft.tasks.find(({ id }) => id === steelThread[0])?.title ?? null;
  return { waves: waves.length, hours: totalHours, longestPathHours: hours, steelThread, begins, files: files.size };
}

export type PlanningRunView = Awaited<ReturnType<typeof toRunView>>;

export async function toRunView(reader: Reader, run: Run) {
  const { machine, fields, intake } = run;
  const { mode, stage, path, verdict, accepted, wait, end } = machine;
  const calls = await callsOf(reader, run.key);
  const draft = await draftIn(reader, run);
  const found = await latestFindings(reader, run, ["conformance", "critic", "overviewer"]);
  const conformance = found.find(({ source }) => source === "conformance");
  const open = await reader.items("question", { owner: run.key, state: "open" });
  return {
    id: run.key,
    status: fields.status,
    mode,
    stage,
    path,
    title: fields.title,
    /** A host serves its roles, in place of agents that are started. */
    host: intake.agent === HOST,
    source: intake.source,
    node: (await nodeOf(reader, run))?.id ?? null,
    revisions: roundNumber(machine),
    overviews: overviewNumber(machine),
    calls: calls.length,
    ...spent(calls),
    verdict,
    leftOut: leftOutOf(machine),
    accepted,
    counts: draft ? countNodes(draft) : null,
    ...headlineOf(conformance),
    sections: (conformance?.coverage?.sections ?? []).map(({ id, title, percent }) => ({ id, title, percent })),
    /** Open findings of the latest round, by who found them and how grave they are. */
    findings: Object.fromEntries(found.map((each) => [each.source, countsOf(each)])),
    questions: open.map(({ key: id, fields: { question, context, options, recommended } }) => ({
      id,
      question,
      context,
      options,
      recommended,
    })),
    /** What the plan as it stands amounts to; null before there is one, and once the run is over. */
    work: draft && end === null ? workOf(draft) : null,
    drops: await plannedDrops(reader, run),
    /** Other runs about the same spec or node that are not over. */
    alsoOpen: await openTwins(reader, run),
    artifacts: fields.current,
    stopped: wait.for === "resume" ? wait.why : null,
    createdAt: new Date(fields.createdAt).toISOString(),
    createdBy: fields.createdBy,
    next: nextOf(run, spent(calls), open[0]?.key),
  };
}

/** Counts all that the program found: the level decides which findings are shown. */
function countsOf({ source, stats, findings }: RoundFindings): Readonly<Record<string, number>> {
  if (source !== "conformance") return countSeverities(findings);
  return Object.fromEntries(Object.entries(stats?.grades ?? {}).filter(([, count]) => count > 0));
}

function nextOf({ key: run, machine, fields, intake }: Run, used: RunCost, question: string | undefined): NextStep[] {
  const { wait, end } = machine;
  if (end === "approved") return [step("next")];
  if (end === "applied") return [step("status")];
  if (end === "reviewed") return [step("artifact.list", { run, kind: "findings" })];
  if (end !== null) return [step("plan.list")];
  if (wait.for === "approval")
    return [
      step("show", { reference: fields.current.plan ?? run }),
      step("plan.diff", { run }),
      step("approve", { references: [run] }),
      step("plan.revise", { run }, "note"),
    ];
  const isHosted = intake.agent === HOST;
  if ((wait.for === "answers" || wait.for === "choice") && question !== undefined)
    return [step("question.answer", { id: question }, "option"), step(isHosted ? "plan.step" : "plan.resume", { run })];
  if (wait.for === "role" && isHosted) return [step("plan.step", { run })];
  return [step("plan.resume", { run }, ...(wait.for === "resume" ? limitsToRaise(wait.why, intake, used) : []))];
}

/** The limit that stopped the run, and has to be raised before it can continue. */
function limitsToRaise(
  why: string,
  { maxTokens }: Run["intake"],
  { tokens }: RunCost,
): ("timeoutMinutes" | "maxTokens" | "maxCost")[] {
  if (why === "timeout") return ["timeoutMinutes"];
  if (why !== "over-budget") return [];
  return [maxTokens !== null && tokens >= maxTokens ? "maxTokens" : "maxCost"];
}

/** A run that waits for an answer or has stopped is not what was asked for, and neither is a review that found problems. */
export function runResult(driven: Result<PlanningRunView>): Result<PlanningRunView> {
  if (!driven.ok) return driven;
  const { id, status, mode, verdict, stopped, questions, next } = driven.value;
  const rest = { details: { ...driven.value }, next };
  if (status === "waiting")
    return absent("run-waiting", `${id} waits for your answer: ${questions.map((each) => each.id).join(", ")}.`, rest);
  if (status === "halted" && stopped === "cancelled") return interrupted("interrupted", `${id} was interrupted.`, rest);
  if (status === "halted") return absent("run-halted", `${id} stopped: ${stopped ?? "no reason is known"}.`, rest);
  if (mode === "review" && status === "finished" && verdict?.startsWith("approve") !== true) {
    return problems("problems", `The review of the plan says: ${verdict ?? "nothing"}.`, rest);
  }
  return ok(driven.value);
}
