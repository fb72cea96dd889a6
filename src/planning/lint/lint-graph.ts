// The conformance lint on the plan that is there: what people edited by hand is judged like what agents wrote.

import type { LintCode } from "../../model/lint-codes.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, problems, type Result } from "../../model/result.js";
import { lintNodes } from "../../model/rules/lint.js";
import { isStanding } from "../../model/status/rollup.js";
import { act, type Context } from "../../plan/base/context.js";
import { emptyPlan, readAll, scopeOf } from "../../plan/base/resolve.js";
import { decideAdditions } from "../../plan/node/add.js";
import { activeRecords } from "../../plan/record/save-record.js";
import type { Reader } from "../../store/store.js";
import type { LintFinding, LintLevel } from "../contracts/findings.js";
import { changedNodes } from "../contracts/plan-draft.js";
import { additionsOf, draftOf, toPlanNodes } from "../draft/plan-nodes.js";
import type { Project } from "../project.js";
import { fixDraft } from "./fix.js";
import { lintDraft } from "./lint.js";

export interface PlanFix {
  readonly fixed: readonly LintFinding[];
  /** The operation that did it. */
  readonly op: number | null;
}

type Look = Extract<Awaited<ReturnType<typeof look>>, { readonly ok: true }>["value"];

export type PlanLint = Look["report"] & PlanFix;

interface LintWish {
  readonly reference?: string;
  readonly level?: LintLevel;
  readonly fix?: boolean;
}

/** The plan, or one branch, as it is in the graph. */
export async function lintPlan(
  session: { readonly context: Context; readonly readProject: (which: "checkout") => Promise<Project> },
  wish: LintWish,
): Promise<Result<PlanLint>> {
  const { context } = session;
  const project = await session.readProject("checkout");
  // Looked up before a write begins, so that no other writer waits for the file system.
  await Promise.all([project.files(), project.scripts()]);
  const fixed = wish.fix === true ? await fixPlan(context, project, wish) : ok({ fixed: [], op: null });
  if (!fixed.ok) return fixed;
  const looked = await context.store.read((reader) => look(context, project, reader, wish));
  if (!looked.ok) return looked;
  const report: PlanLint = { ...looked.value.report, ...fixed.value };
  const { findings } = report;
  const errors = report.problems.length + findings.filter(({ grade }) => ERRORS.has(grade)).length;
  if (errors === 0) return ok(report);
  const [first] = report.problems;
  return problems("problems", errors === 1 ? "The plan has 1 problem." : `The plan has ${errors} problems.`, {
    details: { ...report },
    next: [
      ...(first === undefined ? [] : [step("show", { reference: first.id })]),
      ...(wish.fix !== true && findings.some(({ fixable }) => fixable) ? [step("lint", { fix: true })] : []),
    ],
  });
}

const ERRORS: ReadonlySet<string> = new Set(["error", "unreadable"]);

/** Looks and fixes in one operation, so that changes made in between are not overwritten. */
async function fixPlan(context: Context, project: Project, wish: LintWish): Promise<Result<PlanFix>> {
  const committed = await act<readonly LintFinding[]>(context, "lint-fix", async (writer, at) => {
    const looked = await look(context, project, writer, wish);
    if (!looked.ok) return looked;
    const { draft, report } = looked.value;
    const better = fixDraft(draft, report.findings);
    const count = better.fixed.length;
    const sentence = `${context.actor} fixed ${count} lint ${count === 1 ? "finding" : "findings"}`;
    // Only what the fix touched is written.
    const changed = additionsOf(changedNodes(draft, better.draft));
    if (changed.length === 0) return ok({ sentence, changes: [], value: [] });
    const decided = await decideAdditions(writer, context, at, changed);
    return decided.ok ? ok({ sentence, changes: decided.value.changes, value: better.fixed }) : decided;
  });
  return committed.ok ? ok({ fixed: committed.value.value, op: committed.value.op }) : committed;
}

async function look(context: Context, project: Project, reader: Reader, { reference, level = "normal" }: LintWish) {
  const scope = await scopeOf(reader, context, reference);
  if (!scope.ok) return scope;
  const all = await readAll(reader, context.report);
  if (all.length === 0) return emptyPlan();
  const isEmpty = (node: Node): boolean => isStanding(node) && node.live === 0;
  const nodes = all.filter((node) => scope.value.has(node.nr) && !node.shelved && !isEmpty(node));
  const draft = draftOf(await toPlanNodes(reader, nodes));
  const records = await activeRecords(reader, scope.value.root?.feature ?? null);
  const { findings } = lintDraft({
    draft,
    records: records.map(({ key, fields }) => ({ key, record: fields })),
    existing: new Set(all.map(({ id }) => id)),
    hasTool: project.hasTool,
    repositoryFiles: new Set(await project.files()),
    scripts: await project.scripts(),
    level,
    asStated: true,
    mode: "quick",
  });
  const isInScope = (node: Node): boolean => scope.value.has(node.nr);
  const invariants = lintNodes(all, isInScope, await reader.planning());
  return ok({ draft, report: { nodes: all.filter(isInScope).length, ...invariants, findings: byHand(findings) } });
}

/** The invariants of the graph say these already; and a plan that is being made may have no task yet. */
const SAID_ELSEWHERE: ReadonlySet<LintCode> = new Set([
  "P-CYCLE",
  "P-PARENT",
  "P-DEPENDENCY",
  "P-KINSHIP",
  "P-ID",
  "P-NO-TASKS",
]);

/** A plan that is made by hand may have features that are still empty. */
const byHand = (findings: readonly LintFinding[]): LintFinding[] =>
  findings
    .filter(({ code }) => !SAID_ELSEWHERE.has(code))
    .map((finding) => (finding.code === "P-EMPTY" ? { ...finding, grade: "warning" } : finding));
