// How checks look: green only if the command ended as expected.

import { excerptOf } from "../../model/attempt/failure-view.js";
import { proofWords } from "../../model/attempt/proof-strength.js";
import type { CheckResult } from "../../model/node/node.js";
import type { Style } from "../kit/style.js";
import type { LiveDisplay, Terminal } from "../kit/view.js";
import { harmless, withinLine } from "../kit/wording.js";

export const checkMark = ({ passed, excused, flaky }: CheckResult, style: Style): string => {
  if (excused !== undefined || flaky === true) return style.yellow("~");
  return passed ? style.green("✓") : style.red("✗");
};

export const checkWords = (check: CheckResult): string =>
  [check.outcome, ...(check.passed || check.excused !== undefined ? [proofWords(check)] : [])]
    .filter((words) => words !== "")
    .join("; ");

export function checkLines(check: CheckResult, style: Style): string {
  const head = `  ${checkMark(check, style)} ${withinLine(check.run)} ${style.dim(`(${checkWords(check)})`)}`;
  if (check.passed) return head;
  return [head, ...failureText(excerptOf(check.output), style, "      ")].join("\n");
}

/** What a failed check said, below the line that names it. */
export const failureText = (lines: readonly string[], style: Style, indent = "    "): string[] =>
  lines.map((line) => `${indent}${style.dim(harmless(line))}`);

export const workProgress = ({ style, progress }: Terminal): LiveDisplay => ({
  onEvent: (event) => {
    if (event.kind === "check") progress(`${style.dim("check")} ${harmless(event.check.run)}\n`);
    if (event.kind !== "engine") return;
    if (event.event.type === "line") progress(`${style.dim(harmless(event.event.line))}\n`);
    if (event.event.type === "notice") progress(`${harmless(event.event.text)}\n`);
  },
  close: () => undefined,
});
