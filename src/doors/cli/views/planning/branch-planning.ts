// Views of planning and judging one branch.

import type { OutputOf } from "../../../../app/catalogue.js";
import { harmless } from "../../../../app/text/harmless.js";
import { plural } from "../../../../app/text/wording.js";
import { step } from "../../../../app/vocabulary.js";
import type { PlanLint } from "../../../../planning/lint/lint-graph.js";
import { planProgress } from "../../live/plan-progress.js";
import { endedLine, lineOf, undoStep } from "../../text/ids.js";
import { runLines } from "../../text/plan-lines.js";
import { type Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";
import { RUN_VIEW } from "./plan.js";

const expand: ViewOf<"expand"> = {
  ...RUN_VIEW,
  text: (output, style) =>
    "below" in output
      ? `${output.node} is a ${output.tier}: it would get ${output.below}.${output.mode === "revise" ? " It has children, so they would be revised." : ""}`
      : RUN_VIEW.text(output, style),
  note: (output) =>
    "below" in output
      ? Object.entries(output.roles)
          .map(([role, agent]) => `${role}: ${agent}`)
          .join("\n")
      : "",
  next: (output) => ("below" in output ? [] : output.next),
};

const replan: ViewOf<"replan"> = {
  live: planProgress,
  text: ({ id, dropped, endedClaims, replans, run }, style) =>
    [
      `${style.yellow("↻")} ${style.bold(id)} is ready to be planned again (replan ${replans.used} of at most ${replans.of})`,
      ...lineOf(`${style.dim("−")} dropped`, dropped),
      ...endedLine(endedClaims),
      ...(run ? runLines(run, style) : []),
    ].join("\n"),
  next: ({ id, op, run }) => [
    ...(run ? run.next : [step("expand", { reference: id }), step("add", { parent: id }, "title")]),
    ...undoStep(op),
  ],
};

type Base = NonNullable<OutputOf<"lint">["base"]>;

/** A check that passes before the work is worth a warning; one that fails is as it should be. */
function baseLines(base: Base | undefined, style: Style): string[] {
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

const review: ViewOf<"review"> = {
  ...RUN_VIEW,
  text: (output, style) => [RUN_VIEW.text(output, style), ...baseLines(output.base, style)].join("\n"),
};

const MARKS: Readonly<Record<string, (style: Style) => string>> = {
  error: (style) => style.red("✗"),
  unreadable: (style) => style.red("✗"),
  warning: (style) => style.yellow("!"),
};

function lintLines({ problems, warnings, findings, fixed }: PlanLint, style: Style): string[] {
  const width = [...problems, ...warnings, ...findings, ...fixed].reduce(
    (most, { code }) => Math.max(most, code.length),
    0,
  );
  const line = (mark: string, { code, message }: { readonly code: string; readonly message: string }): string =>
    `${mark} ${code.padEnd(width)}  ${harmless(message)}`;
  return [
    ...fixed.map(({ code, message }) => line(style.green("✓"), { code, message: `fixed: ${message}` })),
    ...problems.map((problem) => line(style.red("✗"), problem)),
    ...warnings.map((warning) => line(style.yellow("!"), warning)),
    ...findings.map((finding) => line(MARKS[finding.grade]?.(style) ?? style.dim("·"), finding)),
  ];
}

/** Warnings are no errors, but "nothing is wrong" below them would be. */
const soundWords = ({ warnings, findings }: OutputOf<"lint">): string =>
  warnings.length + findings.length === 0 ? "nothing is wrong" : "no errors";

const lint: ViewOf<"lint"> = {
  text: (report, style) =>
    [
      ...lintLines(report, style),
      ...baseLines(report.base, style),
      `${style.green("✓")} Checked ${plural(report.nodes, "node")}: ${soundWords(report)}.`,
    ].join("\n"),
  note: ({ findings, fixed }) => (fixed.length === 0 ? (findings[0]?.suggestion ?? "") : ""),
  next: ({ findings, fixed, op }) =>
    fixed.length === 0 && findings.some(({ fixable }) => fixable) ? [step("lint", { fix: true })] : undoStep(op),
  problems: (details: OutputOf<"lint">, style) =>
    [...lintLines(details, style), ...baseLines(details.base, style)].join("\n"),
};

export const branchPlanningViews = { expand, replan, review, lint };
