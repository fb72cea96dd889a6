// The program's own part of a run: it puts the tasks in order, and judges the plan's form. No tokens, no waiting.

import { idKey } from "../../model/node/ids.js";
import { mayContain, type Node } from "../../model/node/node.js";
import type { Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import type { LintFinding } from "../contracts/findings.js";
import type { CapabilityMap, FileMap } from "../contracts/maps.js";
import { type DraftTask, nodesOf, type PlanDraft, parentsIn, parseDraft } from "../contracts/plan-draft.js";
import { isSettledNode } from "../draft/plan-nodes.js";
import { sequence } from "../draft/sequence.js";
import { lintDraft } from "../lint/lint.js";
import type { LintInput } from "../lint/rules.js";
import { roundNumber } from "../machine/machine.js";
import { conformanceVerdict } from "../machine/verdict.js";
import type { Project } from "../project.js";
import { OUTLINE } from "../roles/agents.js";
import { parseSpec } from "../spec/parse.js";
import { callsOf } from "./calls.js";
import { recordsFor } from "./run-records.js";
import { type Drive, projectOf, reportRevision, saveStep } from "./services.js";
import { allTexts, currentJson, currentText, isInPlan, jsonArtifact, listRuns, type Run } from "./stored-run.js";
import { draftIn, nodesInScope, outsideBranch, renamed } from "./subject.js";

export async function order(drive: Drive, run: Run): Promise<Result<Run>> {
  const { draft } = await drive.services.context.store.read((reader) => planTexts(reader, run));
  const { waves, added, hours, cyclic } = sequence(draft);
  const tasks = draft.tasks.length;
  drive.hooks.onProgress({ type: "sequenced", waves: waves.length, tasks, added: added.length, hours, cyclic });
  return saveStep(drive, { sentence: `${run.key} put ${tasks} tasks in order`, event: { type: "sequenced" } });
}

/** What has to be gone after a revision. */
const errorsOf = (findings: readonly LintFinding[]): string[] => [
  ...new Set(findings.filter(({ grade }) => grade === "error").map(({ code, where }) => `${code} ${where}`)),
];

export async function conform(drive: Drive, run: Run): Promise<Result<Run>> {
  const { services, hooks } = drive;
  const project = await projectOf(services, run.intake);
  const { input } = await services.context.store.read((reader) => lintInput(reader, run, project));
  const { findings, coverage, stats } = lintDraft(input);
  const verdict = conformanceVerdict(findings);
  const round = roundNumber(run.machine);
  const kept = { source: "conformance", round, verdict, findings, coverage, stats, questions: [], note: "" };
  const stepped = await saveStep(drive, {
    sentence: `${run.key} was linted: ${verdict}`,
    artifacts: [jsonArtifact("findings", kept)],
    event: { type: "linted", verdict, high: errorsOf(findings) },
  });
  const { unreadable, error, warning: warnings, remark: remarks } = stats.grades;
  const counts = { errors: unreadable + error, warnings, remarks };
  hooks.onProgress({ type: "linted", round, verdict, ...counts, coverage: coverage ?? null });
  if (stepped.ok) reportRevision(hooks, run, stepped.value);
  return stepped;
}

type PlanTexts = Awaited<ReturnType<typeof planTexts>>;

async function planTexts(reader: Reader, run: Run) {
  const isNode = run.intake.kind === "node" && run.fields.node !== null;
  const spec = isNode ? undefined : await currentText(reader, run, "spec");
  return {
    draft: (await draftIn(reader, run)) as PlanDraft,
    map: await currentJson<CapabilityMap>(reader, run, "capability-map"),
    files: await currentJson<FileMap>(reader, run, "file-map"),
    /** Undefined for a node that is its own spec. */
    spec: spec === undefined ? undefined : parseSpec(spec),
  };
}

export async function lintInput(reader: Reader, run: Run, around: Project) {
  const texts = await planTexts(reader, run);
  const scope = await nodesInScope(reader, run.fields);
  const origin = await originOf(reader, run, scope);
  const author = await authorOf(reader, run);
  const authors = author === undefined ? origin.authors : [author];
  const outside = await outsideBranch(reader, run, texts.draft, scope);
  const input: LintInput = {
    ...texts,
    ...(await askedFor(reader, run, texts, origin)),
    outside: outside && { root: outside.root.id, ids: outside.ids },
    records: await recordsFor(reader, run),
    ...(await referredTo(reader, texts.draft)),
    hasTool: around.hasTool,
    repositoryFiles: new Set(await around.files()),
    scripts: await around.scripts(),
    level: run.intake.level,
    target: run.intake.target,
    // A plan that people made by hand is judged like one that says what its spec states.
    asStated: authors.length === 0 || authors.includes(OUTLINE),
    mode: run.machine.mode === "new" ? "full" : "quick",
  };
  return { input, texts };
}

/** A branch is not asked for more of the spec than it had, nor is a plan whose spec is the same as before. */
async function askedFor(
  reader: Reader,
  run: Run,
  texts: PlanTexts,
  { spec, map, settled }: Origin,
): Promise<Pick<LintInput, "spec" | "earlier" | "before">> {
  const { mode, path } = run.machine;
  const own = await currentText(reader, run, "spec");
  const text = own === undefined ? undefined : parseSpec(own);
  const isWhole = run.fields.node === null && (mode === "new" || mode === "quick" || path.includes("capabilities"));
  const isOwn = run.fields.node === null || texts.spec !== undefined;
  const earlier = { map, tasks: settled, ...(isOwn || text === undefined ? {} : { text }) };
  const asked = isOwn ? text : spec;
  if (isWhole || asked === undefined) return { spec: asked, earlier };
  return { spec: asked, earlier, before: await tasksAtStart(reader, run) };
}

/** The tasks of the draft that the run began with; none if it began with nothing. */
async function tasksAtStart(reader: Reader, run: Run): Promise<DraftTask[]> {
  if (run.machine.mode !== "revise" && run.machine.mode !== "review") return [];
  const [first] = await allTexts(reader, run, "draft");
  return first === undefined ? [] : parseDraft(first).tasks;
}

/** Ids outside the draft that it names and the plan has: looked up by name, however large the plan is. */
async function referredTo(
  reader: Reader,
  draft: PlanDraft,
): Promise<Required<Pick<LintInput, "existing" | "mayHold">>> {
  const named = new Set([
    ...parentsIn(draft).flatMap(([, parent]) => parent ?? []),
    ...draft.tasks.flatMap(({ dependsOn }) => dependsOn),
  ]);
  for (const { id } of nodesOf(draft)) named.delete(id);
  const found = new Map((await reader.byIds([...named])).map((node) => [idKey(node.id), node]));
  return {
    existing: new Set([...found.values()].map(({ id }) => id)),
    mayHold: (parent, child) => {
      const node = found.get(idKey(parent));
      return node === undefined || (!isSettledNode(node) && mayContain(node.tier, child));
    },
  };
}

type Origin = Awaited<ReturnType<typeof originOf>>;

/** Where the nodes come from that a run is about: the runs that made them, the spec that they answer to, and what planning once knew of
 *  those that are settled. */
async function originOf(reader: Reader, run: Run, scope: readonly Node[]) {
  const others = (await listRuns(reader)).filter((other) => other.key !== run.key && isInPlan(other));
  const made = others.map((other) => new Set(Object.values(other.fields.applied).map(idKey)));
  /** The newest run that made each node. */
  const makers = (isMaker: (other: Run) => boolean): Run[] => {
    const found = scope.map(({ id }) => others.findIndex((each, at) => isMaker(each) && made[at]?.has(idKey(id))));
    return [...new Set(found.filter((at) => at >= 0))].sort((a, b) => a - b).map((at) => others[at] as Run);
  };
  const planned = makers(({ fields, intake }) => fields.node === null || intake.kind !== "node");
  const [only] = planned.length === 1 ? planned : [];
  const spec = only && (await currentText(reader, only, "spec"));
  const authors = await Promise.all(makers(() => true).map((maker) => authorOf(reader, maker)));
  return {
    /** The spec of the run that planned all of them; undefined if there is none, or several. */
    spec: spec === undefined ? undefined : parseSpec(spec),
    map: only && (await currentJson<CapabilityMap>(reader, only, "capability-map")),
    /** Tasks that are settled and were not dropped, as they were planned. */
    settled: await settledTasks(reader, scope, others, made),
    authors: authors.filter((author) => author !== undefined),
  };
}

const authorOf = async (reader: Reader, run: Run): Promise<string | undefined> =>
  (await callsOf(reader, run.key)).findLast(({ fields }) => fields.role === "author")?.fields.agent;

async function settledTasks(
  reader: Reader,
  scope: readonly Node[],
  runs: readonly Run[],
  made: readonly ReadonlySet<string>[],
): Promise<DraftTask[]> {
  const counts = ({ tier, outcome }: Node): boolean => tier === "task" && outcome?.kind !== "dropped";
  const wanted = new Set(scope.filter((node) => isSettledNode(node) && counts(node)).map(({ id }) => idKey(id)));
  const found: DraftTask[] = [];
  for (const [at, run] of runs.entries()) {
    if (wanted.size === 0) break;
    if (![...wanted].some((id) => made[at]?.has(id))) continue;
    const draft = await draftIn(reader, run);
    for (const task of draft ? renamed(draft, run.fields.applied).tasks : []) {
      if (wanted.delete(idKey(task.id))) found.push(task);
    }
  }
  return found;
}
