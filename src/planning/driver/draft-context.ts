// The plan of a run as the program judges it: its texts read, and everything that lint has to know.

import { idKey } from "../../model/node/ids.js";
import { mayContain } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import { authorOf, type Origin, originOf } from "../apply/origin.js";
import { recordsFor } from "../apply/run-records.js";
import { isSettledNode, nodesInScope, outsideBranch } from "../apply/scope.js";
import type { CapabilityMap } from "../contracts/capability-map.js";
import type { FileMap } from "../contracts/file-map.js";
import { type DraftTask, nodesOf, type PlanDraft, parentsIn, parseDraft } from "../contracts/plan-draft.js";
import { type LintInput, type LintResult, lintDraft } from "../lint/lint.js";
import type { Project } from "../project.js";
import { parseSpec } from "../spec/parse.js";
import type { Spec } from "../spec/spec.js";
import { currentText } from "./artifacts.js";
import type { Run } from "./runs.js";
import { OUTLINE } from "./services.js";

export interface PlanTexts {
  readonly draft: PlanDraft;
  readonly map: CapabilityMap | undefined;
  readonly files: FileMap | undefined;
  /** Undefined for a node that is its own spec. */
  readonly spec: Spec | undefined;
}

export async function planTexts(reader: Reader, run: Run): Promise<PlanTexts> {
  const read = async <T>(kind: "capability-map" | "file-map"): Promise<T | undefined> => {
    const text = await currentText(reader, run, kind);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  };
  const isNode = run.intake.kind === "node" && run.fields.node !== null;
  const spec = isNode ? undefined : await currentText(reader, run, "spec");
  return {
    draft: parseDraft((await currentText(reader, run, "draft")) as string),
    map: await read<CapabilityMap>("capability-map"),
    files: await read<FileMap>("file-map"),
    spec: spec === undefined ? undefined : parseSpec(spec),
  };
}

export async function lintRun(reader: Reader, run: Run, around: Project): Promise<LintResult & { texts: PlanTexts }> {
  const { input, texts } = await lintInput(reader, run, around);
  return { ...lintDraft(input), texts };
}

/** Everything that the lint has to know of a run. */
export async function lintInput(
  reader: Reader,
  run: Run,
  around: Project,
): Promise<{ readonly input: LintInput; readonly texts: PlanTexts }> {
  const texts = await planTexts(reader, run);
  const scope = await nodesInScope(reader, run);
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
    hasTool: (name) => around.hasTool(name),
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
  const [first] = await reader.items("artifact", { owner: run.key, state: "draft" });
  const text = first && (await reader.document(first.fields.hash));
  return text === undefined ? [] : parseDraft(text).tasks;
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
