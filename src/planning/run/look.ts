// The plan of a run as the program judges it: its texts read, and everything that lint has to know.

import { idKey } from "../../graph/ids.js";
import { mayContain } from "../../graph/node.js";
import type { Reader } from "../../store/store.js";
import { type LintInput, type LintResult, lintDraft } from "../conformance/lint.js";
import type { CapabilityMap } from "../contracts/capability-map.js";
import type { FileMap } from "../contracts/file-map.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { parseSpec } from "../spec/parse.js";
import type { Spec } from "../spec/spec.js";
import type { Surroundings } from "../surroundings.js";
import { currentText } from "./artifacts.js";
import { callsOf } from "./calls.js";
import { recordsFor } from "./run-records.js";
import type { Run } from "./runs.js";
import { isSettledNode } from "./scope.js";
import { OUTLINE } from "./services.js";

export interface PlanTexts {
  readonly draft: PlanDraft;
  readonly map: CapabilityMap | undefined;
  readonly files: FileMap | undefined;
  /** Undefined for a node that is its own spec. */
  readonly spec: Spec | undefined;
}

export async function textsOf(reader: Reader, run: Run): Promise<PlanTexts> {
  const read = async <T>(kind: "draft" | "capability-map" | "file-map"): Promise<T | undefined> => {
    const text = await currentText(reader, run, kind);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  };
  const spec = run.intake.kind === "node" ? undefined : await currentText(reader, run, "spec");
  return {
    draft: (await read<PlanDraft>("draft")) as PlanDraft,
    map: await read<CapabilityMap>("capability-map"),
    files: await read<FileMap>("file-map"),
    spec: spec === undefined ? undefined : parseSpec(spec),
  };
}

export async function lintRun(
  reader: Reader,
  run: Run,
  around: Surroundings,
): Promise<LintResult & { texts: PlanTexts }> {
  const texts = await textsOf(reader, run);
  const input: LintInput = {
    ...texts,
    // A revised plan is judged by its own words: the spec may be about more than the part that is revised.
    spec: run.machine.mode === "new" || run.machine.mode === "quick" ? texts.spec : undefined,
    records: await recordsFor(reader, run),
    ...(await referredTo(reader, texts.draft)),
    hasTool: (name) => around.hasTool(name),
    repositoryFiles: new Set(await around.files()),
    scripts: await around.scripts(),
    level: run.intake.level,
    asStated: (await authorOf(reader, run)) === OUTLINE,
    mode: run.machine.mode === "new" ? "full" : "quick",
  };
  return { ...lintDraft(input), texts };
}

const authorOf = async (reader: Reader, run: Run): Promise<string | undefined> =>
  (await callsOf(reader, run.key)).findLast(({ fields }) => fields.role === "author")?.fields.agent;

/** Ids outside the draft that it names and the plan has: looked up by name, however large the plan is. */
async function referredTo(
  reader: Reader,
  { features, stories, tasks }: PlanDraft,
): Promise<Required<Pick<LintInput, "existing" | "mayHold">>> {
  const named = new Set([
    ...features.flatMap(({ parent }) => parent ?? []),
    ...stories.map(({ feature }) => feature),
    ...tasks.flatMap(({ parent, dependsOn }) => [parent, ...dependsOn]),
  ]);
  for (const { id } of [...features, ...stories, ...tasks]) named.delete(id);
  const found = new Map((await reader.byIds([...named])).map((node) => [idKey(node.id), node]));
  return {
    existing: new Set([...found.values()].map(({ id }) => id)),
    mayHold: (parent, child) => {
      const node = found.get(idKey(parent));
      return node === undefined || (!isSettledNode(node) && mayContain(node.tier, child));
    },
  };
}
