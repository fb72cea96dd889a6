// Who did a task that is done, in which commit, and what proves it.

import { proofWords, weakProofWords } from "../attempt/proof.js";
import type { Acceptance, CheckResult, Node } from "../node/node.js";
import { moment } from "./moment.js";

/** More would make the line too long to read. */
const CHECKS_NAMED = 3;

const nameOf = (check: CheckResult): string => {
  const words = proofWords(check);
  return `${check.run} (${check.outcome}${words === "" ? "" : `, ${words}`})`;
};

function proofOf(checks: readonly CheckResult[], acceptance: Acceptance | null): string {
  if (acceptance?.state === "accepted" && acceptance.by !== "checks") return ` ${acceptance.by} accepted it.`;
  const passed = checks.filter((check) => check.passed);
  if (passed.length === 0) return "";
  const named = passed.slice(0, CHECKS_NAMED).map(nameOf).join("; ");
  const more = passed.length > CHECKS_NAMED ? ` and ${passed.length - CHECKS_NAMED} more` : "";
  const weak = weakProofWords(checks);
  return ` Proven by ${named}${more}.${weak === "" ? "" : ` W${weak.slice(1)}.`}`;
}

/** Begins with a space; empty for a node that no attempt has settled. */
export function doneWords({ outcome, report, acceptance }: Node): string {
  if (outcome?.kind !== "done" || report === null) return "";
  const where = report.commit === null ? "" : ` in commit ${report.commit.slice(0, 10)}`;
  return ` ${report.by} did it at ${moment(report.at)}${where}.${proofOf(report.checks, acceptance)}`;
}
