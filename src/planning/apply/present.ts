// Writes the plan document and the report of how the plan was verified, once for each
// draft. Nothing is approved by it.

import { createHash } from "node:crypto";
import { ok, type Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import type { Clarification } from "../contracts/clarification.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { type AnsweredFinding, answersIn } from "../dialogue/responses.js";
import { type PlanDocumentInput, planDocument, type RoundSummary } from "../document/plan-document.js";
import { renameIn } from "../document/rename-text.js";
import { type ReviewRound, verificationReport } from "../document/verification-report.js";
import { currentText, type RunArtifact, saveArtifacts } from "../driver/artifacts.js";
import { lintInput } from "../driver/draft-context.js";
import type { RoundFindings } from "../driver/gather.js";
import { learn } from "../driver/learn.js";
import { type Driver, type Run, stepRun } from "../driver/runs.js";
import { type PlanningServices, projectOf } from "../driver/services.js";
import { lintDraft } from "../lint/lint.js";
import { leftOutOf } from "../machine/machine.js";
import { sequence } from "../sequence.js";
import { nameIn } from "./scope.js";

/** Undefined when the documents of this draft are there. */
export async function present(services: PlanningServices, run: Run, driver: Driver): Promise<Result<Run> | undefined> {
  const { context } = services;
  if (await context.store.read((reader) => isPresented(reader, run))) return undefined;
  const artifacts = await documentsOf(services, run);
  return stepRun(context, run.key, driver, async (writer, now, at) => {
    const saved = await saveArtifacts(writer, now, artifacts, { actor: context.actor, at });
    const sentence = `${run.key} is ready for approval`;
    return ok({ sentence, changes: saved.changes, patch: { current: saved.current } });
  });
}

/** The report and the plan as they are when a run stops; nothing without a draft, or if they are there. */
export async function reportOfStop(services: PlanningServices, run: Run): Promise<RunArtifact[]> {
  const { draft, findings, verification } = run.fields.current;
  const { wait } = run.machine;
  if (draft === undefined || findings === undefined || (wait.for !== "choice" && wait.for !== "resume")) return [];
  const known = await services.context.store.read(async (reader) =>
    verification === undefined ? undefined : reader.item("artifact", verification),
  );
  if (known && [draft, findings].every((key) => known.fields.from.includes(key))) return [];
  return documentsOf(services, run);
}

async function isPresented(reader: Reader, { fields: { current } }: Run): Promise<boolean> {
  const plan = current.plan === undefined ? undefined : await reader.item("artifact", current.plan);
  const from = plan?.fields.from ?? [];
  return current.draft !== undefined && from.includes(current.draft) && from.includes(current.findings ?? "");
}

async function documentsOf(services: PlanningServices, run: Run): Promise<RunArtifact[]> {
  const { draft, documentsOf: write } = await gatherDossier(services, run);
  return write(draft, {});
}

/** Everything that the documents of a run say, read once: they can then be written again under other names. */
export interface Dossier {
  /** The artifact that it was read from. */
  readonly from: string | undefined;
  readonly draft: PlanDraft;
  /** The report and the plan. The draft has its names already; what reviewers said of its nodes gets them here. */
  readonly documentsOf: (
    draft: PlanDraft,
    names: Readonly<Record<string, string>>,
    approval?: PlanDocumentInput["approval"],
  ) => RunArtifact[];
}

export async function gatherDossier(services: PlanningServices, run: Run): Promise<Dossier> {
  const { context } = services;
  const project = await projectOf(services, run.intake);
  const knowledge = await learn(services, run, { role: "overviewer", repair: 0 });
  return context.store.read(async (reader) => {
    const { texts, input } = await lintInput(reader, run, project);
    const clarified = await currentText(reader, run, "clarification");
    const answers = await answersIn(reader, run);
    const rounds = await roundsOf(reader, run, answers);
    const leftOut = leftOutOf(run.machine);
    const documents: Dossier["documentsOf"] = (draft, names, approval) => {
      const { findings, coverage } = lintDraft({ ...input, draft });
      const said = rounds.map((round) => renamedRound(round, names));
      const shared = { draft, map: texts.map, spec: texts.spec, coverage, findings, leftOut };
      const plan = planDocument({
        ...shared,
        sequence: sequence(draft),
        records: knowledge.records,
        clarification: clarified === undefined ? undefined : (JSON.parse(clarified) as Clarification),
        answers: knowledge.answers,
        rounds: said.map(toSummary),
        dialogue: answers.filter(({ source }) => source !== "conformance"),
        approval,
      });
      return [
        { kind: "verification", text: verificationReport({ ...shared, rounds: said }), format: "markdown" },
        { kind: "plan", text: `${markOf(run.key, plan)}\n\n${plan}`, format: "markdown" },
      ];
    };
    return { from: run.fields.current.draft, draft: texts.draft, documentsOf: documents };
  });
}

/** What was said of a draft, by the names that its nodes have now. Quoted code stays as it is. */
function renamedRound(round: ReviewRound, names: Readonly<Record<string, string>>): ReviewRound {
  const rename = renameIn(names);
  return {
    ...round,
    findings: round.findings?.map((finding) => ({
      ...finding,
      title: rename(finding.title),
      description: rename(finding.description),
      suggestion: rename(finding.suggestion),
      nodes: finding.nodes.map((id) => nameIn(names, id)),
    })),
    lint: round.lint?.map((finding) => ({
      ...finding,
      where: rename(finding.where),
      message: rename(finding.message),
      suggestion: rename(finding.suggestion),
    })),
  };
}

/** The first line of a plan document: giving the document back to `plan` revises the run that it names, from the version that it names. */
const markOf = (run: string, plan: string): string =>
  `<!-- planwright plan ${run} ${createHash("sha256").update(plan).digest("hex").slice(0, 12)} -->`;

export const runOfDocument = (text: string): string | undefined =>
  /^\uFEFF?<!-- planwright plan (RUN-\d+)(?: [0-9a-f]+)? -->/.exec(text)?.[1];

type Kept = RoundFindings & Pick<ReviewRound, "ratings"> & { readonly against?: ReviewRound["lint"] };

async function roundsOf(reader: Reader, run: Run, answers: readonly AnsweredFinding[]): Promise<ReviewRound[]> {
  const rounds: ReviewRound[] = [];
  for (const { fields } of await reader.items("artifact", { owner: run.key, state: "findings" })) {
    const kept = JSON.parse((await reader.document(fields.hash)) ?? "{}") as Kept;
    if (kept.source === "person") continue;
    const isLint = kept.source === "conformance";
    const reviewed = (isLint ? [] : kept.findings) as ReviewRound["findings"];
    rounds.push({
      round: kept.source === "overviewer" ? kept.round : kept.round + 1,
      by: kept.source === "overviewer" ? "overview" : kept.source,
      verdict: kept.verdict as ReviewRound["verdict"],
      ratings: kept.ratings,
      findings: reviewed?.map((finding) => ({ ...finding, answer: answerTo(answers, kept, finding.id) })),
      lint: isLint ? (kept.findings as ReviewRound["lint"]) : kept.against,
    });
  }
  return rounds;
}

const answerTo = (
  answers: readonly AnsweredFinding[],
  { source, round }: Kept,
  id: string,
): AnsweredFinding | undefined =>
  answers.find((each) => each.source === source && each.round === round && each.id === id);

const toSummary = ({ round, by, verdict, findings = [] }: ReviewRound): RoundSummary => ({
  round,
  by,
  verdict,
  notes: findings,
});
