import type { BaseChecks } from "../../engine/judgement/check-base.js";
import type { Result } from "../../model/result.js";
import { LINT_LEVELS } from "../../planning/contracts/findings.js";
import { lintPlan, type PlanLint } from "../../planning/lint/lint-graph.js";
import { choice, fields, flag, node, optional, planVerb, type Style, step, undoStep, widest } from "../kit/verb.js";
import { harmless, lineOf, plural } from "../kit/wording.js";
import type { WithBaseChecks } from "./base-checks.js";

export const runChecksFirst = optional(
  flag("also run the checks before the work, and warn of those that pass already"),
);

export const input = fields({
  reference: optional(node("only this node and everything below it")),
  level: optional(choice(LINT_LEVELS, "lenient: errors; normal: also warnings; strict: also remarks (normal)")),
  fix: optional(flag("fix what is mechanical, as one operation")),
  checks: runChecksFirst,
});

export const verb = planVerb({
  command: { words: "lint", group: "look", positional: ["reference"] },
  summary: "Check the plan for problems",
  description:
    "Checks every invariant of the plan. Approvals whose content has changed since are warnings. Then it judges the plan's form: tasks without a check, checks that cannot run here, footprints that overlap, records that are contradicted. docs/reference/lint-codes.md lists every code. With checks it also runs the checks of open tasks, in a clean worktree of the commit that the work begins from; commands that nobody approved run only if you see them and say yes.",
  effect: "runs",
  tools: [{ tool: "plan", action: "lint", fields: ["reference"] }],
  input,
  examples: [
    { input: {}, does: "checks everything" },
    { input: { level: "strict", fix: true }, does: "fixes what is mechanical and shows the rest" },
    { input: { reference: "FEAT-001" }, does: "checks one feature" },
    { input: { reference: "FEAT-001", checks: true }, does: "also says which checks pass before any work" },
  ],
  run: async (session, { checks, ...asked }): Promise<Result<PlanLint & WithBaseChecks>> => {
    const planning = await (await session.engines()).planning();
    const linted = await lintPlan({ ...planning, context: { ...planning.context, report: session.report } }, asked);
    if (checks !== true) return linted;
    const { withBaseChecks } = await import("./base-checks.js");
    return withBaseChecks(session, asked.reference, linted);
  },
  text: (report, style) => [
    ...lintLines(report, style),
    ...baseLines(report.base, style),
    `${style.green("✓")} Checked ${plural(report.nodes, "node")}: ${soundWords(report)}.`,
  ],
  note: ({ findings, fixed }) => (fixed.length === 0 ? (findings[0]?.suggestion ?? "") : ""),
  next: ({ findings, fixed, op }) =>
    fixed.length === 0 && findings.some(({ fixable }) => fixable) ? [step("lint", { fix: true })] : undoStep(op),
  problems: (details: PlanLint & WithBaseChecks, style) => [
    ...lintLines(details, style),
    ...baseLines(details.base, style),
  ],
});

/** A check that passes before the work is worth a warning; one that fails is as it should be. */
export function baseLines(base: BaseChecks | undefined, style: Style): string[] {
  if (!base) return [];
  const green = base.checks.filter(({ passed }) => passed);
  const red = base.checks.length - green.length;
  return [
    ...green.map(
      ({ task, run, commit }) =>
        `${style.yellow("!")} ${task}: ${harmless(run)} passes already on ${commit.slice(0, 10)}, so it can only show that nothing broke.`,
    ),
    ...(red > 0 ? [style.dim(`${plural(red, "check")} ${red === 1 ? "fails" : "fail"} before the work.`)] : []),
    ...lineOf(style.dim("Not run, because you have not approved them"), base.skipped),
  ];
}

const MARKS: Readonly<Record<string, (style: Style) => string>> = {
  error: (style) => style.red("✗"),
  unreadable: (style) => style.red("✗"),
  warning: (style) => style.yellow("!"),
};

/** Warnings are no errors, but "nothing is wrong" below them would be. */
const soundWords = ({ warnings, findings }: PlanLint & WithBaseChecks): string =>
  warnings.length + findings.length === 0 ? "nothing is wrong" : "no errors";

function lintLines({ problems, warnings, findings, fixed }: PlanLint, style: Style): string[] {
  const width = widest([...problems, ...warnings, ...findings, ...fixed].map(({ code }) => code));
  const line = (mark: string, { code, message }: { readonly code: string; readonly message: string }): string =>
    `${mark} ${code.padEnd(width)}  ${harmless(message)}`;
  return [
    ...fixed.map(({ code, message }) => line(style.green("✓"), { code, message: `fixed: ${message}` })),
    ...problems.map((problem) => line(style.red("✗"), problem)),
    ...warnings.map((warning) => line(style.yellow("!"), warning)),
    ...findings.map((finding) => line(MARKS[finding.grade]?.(style) ?? style.dim("·"), finding)),
  ];
}
