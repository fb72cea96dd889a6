// Writes the plan document and the report of how the plan was verified, once for each draft, and exports them as files of the
// repository for people who review plans where they review code. Nothing is approved by it.

import { createHash } from "node:crypto";
import { lstat, mkdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { append } from "../../base/append.js";
import { isInside, pathFrom } from "../../base/paths.js";
import { findPlainFile } from "../../base/plain-file.js";
import { commitFiles } from "../../machine/git/files.js";
import type { ArtifactKind } from "../../model/item/artifact.js";
import { step } from "../../model/next-step.js";
import { idKey } from "../../model/node/ids.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import type { Clarification } from "../contracts/answers.js";
import type { AnsweredFinding } from "../contracts/findings.js";
import type { CapabilityMap } from "../contracts/maps.js";
import { type PlanDraft, parentsIn } from "../contracts/plan-draft.js";
import { type PlanDocumentInput, planDocument } from "../document/plan-document.js";
import { type ReviewRound, tracesOf, verificationReport } from "../document/verification-report.js";
import { sequence } from "../draft/sequence.js";
import { withSources } from "../draft/sources.js";
import { lintDraft } from "../lint/lint.js";
import { leftOutOf } from "../machine/machine.js";
import { parseSpec } from "../spec/parse.js";
import { lintInput } from "./conform.js";
import { answersIn, findingsIn } from "./gather-brief.js";
import { answersOf, recordsFor } from "./run-records.js";
import { type Drive, type PlanningServices, projectOf, saveStep } from "./services.js";
import { currentJson, currentText, type Run, type RunArtifact } from "./stored-run.js";
import { draftIn, nameIn, renamed } from "./subject.js";

/** Undefined when the documents of this draft are there, or there is nothing to write. */
export async function present(drive: Drive, run: Run): Promise<Result<Run> | undefined> {
  const artifacts = await dueDocuments(drive.services, run);
  const how = run.machine.wait.for === "approval" ? "is ready for approval" : "stopped";
  return artifacts.length === 0 ? undefined : saveStep(drive, { sentence: `${run.key} ${how}`, artifacts });
}

/** The report and the plan as they are when a run stops; nothing before a draft was judged, or if they are there. */
export async function dueDocuments(services: PlanningServices, run: Run): Promise<RunArtifact[]> {
  const { draft, findings, plan } = run.fields.current;
  if (draft === undefined || findings === undefined || run.machine.wait.for === "answers") return [];
  const known =
    plan === undefined ? undefined : await services.context.store.read((reader) => reader.item("artifact", plan));
  if (known && [draft, findings].every((key) => known.fields.from.includes(key))) return [];
  const dossier = await gatherDossier(services, run);
  return dossier.documentsOf(dossier.draft, {});
}

export type Dossier = Awaited<ReturnType<typeof gatherDossier>>;

/** Everything that the documents of a run say, read once: they can then be written again under other names. */
export async function gatherDossier(services: PlanningServices, run: Run) {
  const { context } = services;
  const project = await projectOf(services, run.intake);
  return context.store.read(async (reader) => {
    const { texts, input } = await lintInput(reader, run, project);
    const clarification = await currentJson<Clarification>(reader, run, "clarification");
    const dialogue = await answersIn(reader, run);
    const rounds = await roundsOf(reader, run, dialogue);
    const records = await recordsFor(reader, run);
    const answers = await answersOf(reader, run);
    const leftOut = leftOutOf(run.machine);
    /** The report and the plan. The draft has its names already; what reviewers said of its nodes gets them here. */
    const documentsOf = (
      draft: PlanDraft,
      names: Readonly<Record<string, string>>,
      approval?: PlanDocumentInput["approval"],
    ): RunArtifact[] => {
      const { findings, coverage } = lintDraft({ ...input, draft });
      const said = rounds.map((round) => renamedRound(round, names));
      const shared = { draft, map: texts.map, spec: texts.spec, coverage, findings, leftOut };
      const plan = planDocument({
        ...shared,
        sequence: sequence(draft),
        records,
        clarification,
        answers,
        rounds: said,
        dialogue: dialogue.filter(({ source }) => source !== "conformance"),
        approval,
      });
      return [
        { kind: "verification", text: verificationReport({ ...shared, rounds: said }), format: "markdown" },
        { kind: "plan", text: `${markOf(run.key, plan)}\n\n${plan}`, format: "markdown" },
      ];
    };
    return { from: run.fields.current.draft, draft: texts.draft, documentsOf };
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

async function roundsOf(reader: Reader, run: Run, answers: readonly AnsweredFinding[]): Promise<ReviewRound[]> {
  const rounds: ReviewRound[] = [];
  for (const { source, round, verdict, ratings, findings, against } of await findingsIn(reader, run)) {
    if (source === "person") continue;
    const isLint = source === "conformance";
    const answerTo = (id: string): AnsweredFinding | undefined =>
      answers.find((each) => each.source === source && each.round === round && each.id === id);
    const reviewed = (isLint ? [] : findings) as NonNullable<ReviewRound["findings"]>;
    rounds.push({
      round: source === "overviewer" ? round : round + 1,
      by: source === "overviewer" ? "overview" : source,
      verdict,
      ratings,
      findings: reviewed.map((finding) => ({ ...finding, answer: answerTo(finding.id) })),
      lint: isLint ? (findings as ReviewRound["lint"]) : against,
    });
  }
  return rounds;
}

/** Such as `T1` or `F2.3`. An id that is a plain word may be just that word. */
const IS_ID = /\d/;

const literally = (id: string): string => id.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

type Rename = (text: string) => string;

/** Names every id that stands for itself: not as a part of a longer word, of a path or of a number. */
function renameIn(names: Readonly<Record<string, string>>): Rename {
  const known = new Map(Object.entries(names).filter(([id, name]) => id !== name && IS_ID.test(id)));
  if (known.size === 0) return (text) => text;
  const ids = [...known.keys()].sort((a, b) => b.length - a.length).map(literally);
  const mention = new RegExp(
    String.raw`(?<![\p{L}\p{N}_./-])(?:${ids.join("|")})(?![\p{L}\p{N}_/-]|\.[\p{L}\p{N}])`,
    "gu",
  );
  return (text) => text.replace(mention, (id) => known.get(id) ?? id);
}

export interface ExportedFiles {
  readonly files: readonly string[];
  readonly commit: string | null;
}

const DOCUMENTS: readonly (readonly [ArtifactKind, string])[] = [
  ["plan", "plan.md"],
  ["verification", "verification.md"],
  ["spec", "spec.md"],
  ["capability-map", "capability-map.json"],
  ["file-map", "file-map.json"],
];

export const DOCUMENTS_FOLDER = "docs/plans";

function slugOf(title: string): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ["plan"];
  return words
    .join("-")
    .slice(0, 50)
    .replace(/(?<!-)-+$/, "");
}

/** Whether the folder, as far as it is there, is outside of the workspace once all links are followed. */
async function leadsOut(root: string, folder: string): Promise<boolean> {
  for (let at = folder; isInside(at, root); at = dirname(at)) {
    const link = await lstat(at).catch(() => undefined);
    if (link) return !isInside(await realpath(at).catch(() => "/"), await realpath(root));
  }
  return false;
}

/** Files whose text is none that this run ever wrote. */
async function editedByHand({ store, root }: Context, run: Run, folder: string): Promise<string[]> {
  const edited: string[] = [];
  for (const [kind, name] of DOCUMENTS) {
    const file = join(folder, name);
    const text = findPlainFile(file);
    if (text === undefined) continue;
    const known = await store.read((reader) => reader.items("artifact", { owner: run.key, state: kind }));
    if (!known.some(({ fields }) => fields.hash === sha256(text))) edited.push(pathFrom(root, file));
  }
  return edited;
}

export async function exportRun(
  context: Context,
  run: Run,
  to: string | null,
  commit: boolean,
): Promise<Result<ExportedFiles>> {
  const { root } = context;
  const folder = resolve(root, to ?? DOCUMENTS_FOLDER, `${run.key.toLowerCase()}-${slugOf(run.fields.title)}`);
  if (!isInside(folder, root))
    return refused("outside", `${to ?? ""} is not in the workspace. Name a folder below its root.`);
  if (await leadsOut(root, folder))
    return refused("outside", `${relative(root, folder)} leaves the workspace through a link.`);
  const edited = await editedByHand(context, run, folder);
  if (edited.length > 0) {
    return refused("edited", `You edited ${edited.join(", ")} since it was exported, so nothing was overwritten.`, {
      next: [step("plan.edit", { run: run.key }, "document"), step("plan.export", { run: run.key }, "to")],
      details: { files: edited },
    });
  }
  const files: string[] = [];
  for (const [kind, name] of DOCUMENTS) {
    const text = await context.store.read((reader) => currentText(reader, run, kind));
    if (text === undefined) continue;
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await rm(`${file}.part`, { force: true });
    // Never write through an existing link.
    await writeFile(`${file}.part`, text, { flag: "wx" });
    await rename(`${file}.part`, file);
    files.push(pathFrom(root, file));
  }
  if (files.length === 0)
    return refused("no-documents", `${run.key} has no documents yet.`, {
      next: [step("plan.resume", { run: run.key })],
    });
  if (!commit) return ok({ files, commit: null });
  const committed = await commitFiles(root, files, `plan: ${run.fields.title}\n\nRun: ${run.key}`);
  if ("commit" in committed) return ok({ files, commit: committed.commit });
  const why = committed.problem.slice(0, 500);
  return refused("no-commit", `The files were written, but git did not commit them: ${why}`);
}

/** Line numbers by the id of a node, in small letters. */
type SpecLines = Readonly<Record<string, readonly number[]>>;

/** `draft` has the names that its nodes have in the plan. */
export async function specLinesOf(reader: Reader, run: Run, draft: PlanDraft): Promise<SpecLines> {
  const text = await currentText(reader, run, "spec");
  if (text === undefined) return {};
  const map = (await currentJson<CapabilityMap>(reader, run, "capability-map")) ?? null;
  const spec = parseSpec(text);
  const parentOf = new Map(parentsIn(draft).map(([id, parent]) => [idKey(id), parent]));
  const found = new Map<string, number[]>();
  for (const { line, tasks } of tracesOf({ draft: withSources(draft, map, spec), spec })) {
    if (line === undefined) continue;
    // In the order of the spec, each line once.
    const ids = new Set(tasks.flatMap(({ id }) => [...withAncestors(id, parentOf)]));
    for (const id of ids) if (found.get(id)?.at(-1) !== line) append(found, id, line);
  }
  return Object.fromEntries(found);
}

/** Keys of a node and what is above it. A draft that was not linted yet may name itself as its parent. */
function withAncestors(id: string, parentOf: ReadonlyMap<string, string | undefined>): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let at: string | undefined = id; at !== undefined && !keys.has(idKey(at)); at = parentOf.get(idKey(at))) {
    keys.add(idKey(at));
  }
  return keys;
}

/** For a run that was approved before the lines were kept with it. */
export async function findSpecLines(reader: Reader, run: Run): Promise<SpecLines> {
  const draft = await draftIn(reader, run);
  return draft ? specLinesOf(reader, run, renamed(draft, run.fields.applied)) : {};
}
