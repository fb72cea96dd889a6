// The conformance lint on the plan that is there: what people edited by hand is judged like what agents wrote.

import { act } from "../../actions/context.js";
import { decideAdditions } from "../../actions/node/add.js";
import { type Linted, lintAll } from "../../actions/overview/lint.js";
import { activeRecords } from "../../actions/record/active-records.js";
import { readAll, scopeOf } from "../../actions/scope.js";
import type { Node } from "../../graph/node/node.js";
import { ok, type Result } from "../../graph/result.js";
import { isStanding } from "../../graph/status/rollup.js";
import type { Reader } from "../../store/store.js";
import { additionsOf } from "../apply/apply.js";
import { toPlanNodes } from "../apply/scope.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { draftOf } from "../draft/plan-nodes.js";
import type { Services } from "../driver/services.js";
import type { Level, LintFinding } from "./finding.js";
import { fixDraft } from "./fix.js";
import { type LintResult, lintDraft } from "./lint.js";

export interface GraphLint extends LintResult, Linted {
  /** What `fix` mended, and the operation that did it. */
  readonly fixed: readonly LintFinding[];
  readonly op: number | null;
}

export async function lintGraph(
  services: Services,
  reference: string | undefined,
  level: Level,
  fix: boolean,
): Promise<Result<GraphLint>> {
  const { context, around } = services;
  // Looked up before a write begins, so that nobody waits for the file system.
  await Promise.all([around.files(), around.scripts()]);
  const mended = fix ? await mend(services, reference, level) : ok({ fixed: [], op: null });
  if (!mended.ok) return mended;
  const looked = await context.store.read((reader) => look(services, reader, reference, level));
  if (!looked.ok) return looked;
  const { result, linted } = looked.value;
  return linted.ok ? ok({ ...linted.value, ...result, ...mended.value }) : linted;
}

/** Looks and mends in one operation: nothing that somebody else changes in between is written over. */
async function mend(
  services: Services,
  reference: string | undefined,
  level: Level,
): Promise<Result<Pick<GraphLint, "fixed" | "op">>> {
  const { context } = services;
  const committed = await act<readonly LintFinding[]>(context, "lint-fix", async (writer, at) => {
    const looked = await look(services, writer, reference, level);
    if (!looked.ok) return looked;
    const { draft, result } = looked.value;
    const mended = fixDraft(draft, result.findings);
    const sentence = `${context.actor} had ${mended.fixed.length} lint findings mended`;
    const changed = additionsOf(changesIn(draft, mended.draft));
    if (changed.length === 0) return ok({ sentence, changes: [], value: [] });
    const decided = await decideAdditions(writer, context.actor, at, changed);
    return decided.ok ? ok({ sentence, changes: decided.value.changes, value: mended.fixed }) : decided;
  });
  return committed.ok ? ok({ fixed: committed.value.value, op: committed.value.op }) : committed;
}

async function look(
  { context, around }: Services,
  reader: Reader,
  reference: string | undefined,
  level: Level,
): Promise<Result<{ draft: PlanDraft; result: LintResult; linted: Result<Linted> }>> {
  const scope = await scopeOf(reader, context, reference);
  if (!scope.ok) return scope;
  const all = await readAll(reader);
  const isEmpty = (node: Node): boolean => isStanding(node) && node.live === 0;
  const nodes = all.filter((node) => scope.value.has(node.nr) && !node.shelved && !isEmpty(node));
  const { draft } = draftOf(await toPlanNodes(reader, nodes));
  const result = lintDraft({
    draft,
    records: (await activeRecords(reader, scope.value.root?.feature ?? null)).map(({ key, fields }) => ({
      key,
      record: fields,
    })),
    existing: new Set(all.map(({ id }) => id)),
    hasTool: (name) => around.hasTool(name),
    repositoryFiles: new Set(await around.files()),
    scripts: await around.scripts(),
    level,
    asStated: true,
    mode: "quick",
  });
  const linted = lintAll(all, scope.value);
  return ok({ draft, linted, result: { ...result, findings: byHand(result.findings) } });
}

/** The invariants of the graph say these already; and a plan that is being made may have no task yet. */
const SAID_ELSEWHERE = new Set(["P-CYCLE", "P-PARENT", "P-DEPENDENCY", "P-KINSHIP", "P-ID", "P-NO-TASKS"]);

/** A plan that is being made by hand may have features that nobody has filled yet. */
const byHand = (findings: readonly LintFinding[]): LintFinding[] =>
  findings
    .filter(({ code }) => !SAID_ELSEWHERE.has(code))
    .map((finding) => (finding.code === "P-EMPTY" ? { ...finding, grade: "warning" } : finding));

/** Only what the fix touched is written. */
function changesIn(before: PlanDraft, after: PlanDraft): Pick<PlanDraft, "features" | "stories" | "tasks"> {
  const differ = <T extends { readonly id: string }>(old: readonly T[], now: readonly T[]): T[] => {
    const known = new Map(old.map((node) => [node.id, JSON.stringify(node)]));
    return now.filter((node) => known.get(node.id) !== JSON.stringify(node));
  };
  return {
    features: differ(before.features, after.features),
    stories: differ(before.stories, after.stories),
    tasks: differ(before.tasks, after.tasks),
  };
}
