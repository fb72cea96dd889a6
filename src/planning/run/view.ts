// A run as people and programs see it: how it stands, what it has found and cost, and what to do next.

import type { Escalation } from "../../model/item/escalation.js";
import { type NextStep, step } from "../../model/next-step.js";
import { absent, interrupted, ok, problems, type Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { countSeverities } from "../contracts/findings.js";
import { type PlanDraft, parseDraft } from "../contracts/plan-draft.js";
import { type CheckedWork, checkedSentence, sharesSentence } from "../draft/headline.js";
import { sequence } from "../draft/sequence.js";
import { leftOutOf, type Machine, overviewNumber, type Role, roundNumber } from "../machine/machine.js";
import { HOST } from "../roles/agents.js";
import type { Coverage } from "../spec/spec.js";
import { callsOf, type RunCost, spent } from "./calls.js";
import { type PlannedDrops, plannedDrops } from "./compare.js";
import { findingsBy, type RoundFindings } from "./gather-brief.js";
import { currentText, type Run } from "./stored-run.js";
import { openTwins } from "./subject.js";

export interface PlanningRunView {
  readonly id: string;
  readonly status: Run["fields"]["status"];
  readonly mode: Machine["mode"];
  readonly stage: Machine["stage"];
  /** The stages that this run goes through; others are skipped. */
  readonly path: Machine["path"];
  readonly title: string;
  /** A host serves its roles, in place of agents that are started. */
  readonly host: boolean;
  readonly source: string | null;
  /** The node that it is about. */
  readonly node: string | null;
  readonly revisions: number;
  readonly overviews: number;
  readonly calls: number;
  readonly tokens: number;
  readonly costUsd: number;
  readonly verdict: Machine["verdict"];
  /** Roles that were skipped: no agent is configured for them, or a person continued without them. */
  readonly leftOut: readonly Role[];
  /** The problem that a person passed over. */
  readonly accepted: Machine["accepted"];
  readonly counts: {
    readonly initiatives: number;
    readonly features: number;
    readonly stories: number;
    readonly tasks: number;
    readonly decisions: number;
  } | null;
  /** Shares of the spec, in percent, and why parts of it are left out; null without a spec. */
  readonly coverage: SpecShares | null;
  /** What to know first: how many tasks have a check, and how much of the spec the plan holds. */
  readonly headline: readonly string[];
  /** Tasks that an agent does, and how many of them have a check; null before the plan was checked. */
  readonly checked: { readonly tasks: number; readonly withCheck: number } | null;
  readonly sections: readonly { readonly id: string; readonly title: string; readonly percent: number }[];
  /** Open findings of the latest round, by who found them and how grave they are. */
  readonly findings: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly escalations: readonly string[];
  /** The open questions themselves. */
  readonly questions: readonly RunQuestion[];
  /** Of the plan as it stands; null before there is one, and once the run is over. */
  readonly work: WorkSummary | null;
  /** What an approval would take away. You confirm it. */
  readonly drops: PlannedDrops;
  /** Other runs about the same spec or node that are not over. */
  readonly alsoOpen: readonly string[];
  readonly artifacts: Run["fields"]["current"];
  /** Why it stopped. */
  readonly stopped: string | null;
  readonly createdAt: string;
  readonly createdBy: string;
  /** What to do about it, the best first. */
  readonly next: readonly NextStep[];
}

type SpecShares = Pick<Coverage, "planned" | "leftOut" | "notUnderstood" | "reasons"> & {
  /** What no task carries and nothing leaves out: the first of them. */
  readonly unclear: readonly { readonly line: number; readonly text: string }[];
};

const UNCLEAR_SHOWN = 10;

/** Runs of an earlier version stored other figures: those are not shown. */
function sharesOf(found: Partial<Coverage> | undefined): SpecShares | null {
  if (found?.planned === undefined) return null;
  const { planned, leftOut = 0, notUnderstood = 0, reasons = [], uncovered = [] } = found;
  const unclear = uncovered.slice(0, UNCLEAR_SHOWN).map(({ line, text }) => ({ line, text }));
  return { planned, leftOut, notUnderstood, reasons, unclear };
}

function headlineOf(found: StoredLint | undefined): Pick<PlanningRunView, "coverage" | "headline" | "checked"> {
  const coverage = sharesOf(found?.coverage);
  const { work, checked: withCheck = 0, shown } = found?.stats ?? {};
  const checked = work === undefined ? null : { tasks: work, withCheck };
  const headline = [
    ...(checked === null ? [] : [checkedSentence(shown ?? checked)]),
    ...(coverage === null ? [] : [sharesSentence(coverage)]),
  ];
  return { coverage, headline, checked };
}

interface RunQuestion extends Pick<Escalation, "question" | "context" | "options" | "recommended"> {
  readonly id: string;
}

interface WorkSummary {
  readonly waves: number;
  /** Of all tasks, and of the longest path. */
  readonly hours: number;
  readonly longestPathHours: number;
  /** Task ids, in order. */
  readonly steelThread: readonly string[];
  /** The title of its first task. */
  readonly begins: string | null;
  readonly files: number;
}

function workOf(draft: PlanDraft): WorkSummary {
  const { waves, hours, totalHours, steelThread } = sequence(draft);
  const files = new Set(draft.tasks.flatMap((task) => task.files.map(({ path }) => path)));
  const begins = draft.tasks.find(({ id }) => id === steelThread[0])?.title ?? null;
  return { waves: waves.length, hours: totalHours, longestPathHours: hours, steelThread, begins, files: files.size };
}

export async function toRunView(reader: Reader, run: Run): Promise<PlanningRunView> {
  const { machine, fields, intake } = run;
  const calls = await callsOf(reader, run.key);
  const text = await currentText(reader, run, "draft");
  const draft = text === undefined ? undefined : parseDraft(text);
  const conformance: StoredLint | undefined = await findingsBy(reader, run, "conformance");
  const open = await reader.items("escalation", { owner: run.key, state: "open" });
  return {
    id: run.key,
    status: fields.status,
    mode: machine.mode,
    stage: machine.stage,
    path: machine.path,
    title: fields.title,
    host: intake.agent === HOST,
    source: intake.source,
    node: fields.node === null ? null : ((await reader.node(fields.node))?.id ?? null),
    revisions: roundNumber(machine),
    overviews: overviewNumber(machine),
    calls: calls.length,
    ...spent(calls),
    verdict: machine.verdict,
    leftOut: leftOutOf(machine),
    accepted: machine.accepted,
    counts: draft
      ? {
          initiatives: draft.initiatives.length,
          features: draft.features.length,
          stories: draft.stories.length,
          tasks: draft.tasks.length,
          decisions: draft.decisions.length,
        }
      : null,
    ...headlineOf(conformance),
    sections: (conformance?.coverage?.sections ?? []).map(({ id, title, percent }) => ({ id, title, percent })),
    findings: await countFindings(reader, run, conformance),
    escalations: open.map(({ key }) => key),
    questions: open.map(({ key, fields: { question, context, options, recommended } }) => ({
      id: key,
      question,
      context,
      options,
      recommended,
    })),
    work: draft && machine.end === null ? workOf(draft) : null,
    drops: await plannedDrops(reader, run),
    alsoOpen: await openTwins(reader, run),
    artifacts: fields.current,
    stopped: machine.wait.for === "resume" ? machine.wait.why : null,
    createdAt: new Date(fields.createdAt).toISOString(),
    createdBy: fields.createdBy,
    next: nextOf(run, spent(calls), open[0]?.key),
  };
}

/** What conformance keeps with its findings. */
interface StoredLint extends RoundFindings {
  readonly stats?: {
    readonly grades: Readonly<Record<string, number>>;
    readonly work?: number;
    readonly checked?: number;
    readonly shown?: CheckedWork;
  };
  readonly coverage?: Partial<Coverage>;
}

async function countFindings(
  reader: Reader,
  run: Run,
  conformance: StoredLint | undefined,
): Promise<PlanningRunView["findings"]> {
  const counted: Record<string, Record<string, number>> = {};
  // All that were found: which of them are shown is a matter of the level.
  const grades = Object.entries(conformance?.stats?.grades ?? {}).filter(([, count]) => count > 0);
  if (conformance) counted["conformance"] = Object.fromEntries(grades);
  for (const source of ["critic", "overviewer"] as const) {
    const said = await findingsBy(reader, run, source);
    if (said) counted[source] = countSeverities(said.findings);
  }
  return counted;
}

function nextOf({ key: run, machine, fields, intake }: Run, used: RunCost, question: string | undefined): NextStep[] {
  const { wait, end } = machine;
  if (end === "approved") return [step("next")];
  if (end === "applied") return [step("status")];
  if (end === "reviewed") return [step("artifact.list", { run, kind: "findings" })];
  if (end !== null) return [step("plan.list")];
  if (wait.for === "approval") {
    const document = fields.current.plan ?? run;
    return [
      step("show", { reference: document }),
      step("plan.diff", { run }),
      step("approve", { references: [run] }),
      step("plan.revise", { run }, "note"),
    ];
  }
  if ((wait.for === "answers" || wait.for === "choice") && question !== undefined)
    return [
      step("question.answer", { id: question }, "option"),
      step(intake.agent === HOST ? "plan.step" : "plan.resume", { run }),
    ];
  if (wait.for === "role" && intake.agent === HOST) return [step("plan.step", { run })];
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
  const { id, status, mode, verdict, stopped, escalations, next } = driven.value;
  const rest = { details: { ...driven.value }, next };
  if (status === "waiting")
    return absent("run-waiting", `${id} waits for your answer: ${escalations.join(", ")}.`, rest);
  if (status === "halted" && stopped === "cancelled") return interrupted("interrupted", `${id} was interrupted.`, rest);
  if (status === "halted") return absent("run-halted", `${id} stopped: ${stopped ?? "no reason is known"}.`, rest);
  if (mode === "review" && status === "finished" && verdict?.startsWith("approve") !== true) {
    return problems("problems", `The review of the plan says: ${verdict ?? "nothing"}.`, rest);
  }
  return ok(driven.value);
}
