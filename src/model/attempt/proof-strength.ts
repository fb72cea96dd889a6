// What a check proves about a change. A check that was green before the work shows only that nothing broke; one that was red
// without the change shows that the work is done.

import type { CheckResult, Facts } from "../node/node.js";

/** It failed, and nobody approved that failure as a baseline. */
export const hasFailed = ({ passed, excused }: Pick<CheckResult, "passed" | "excused">): boolean =>
  !passed && excused === undefined;

export const PROOF_MODES = ["off", "note", "require"] as const;
/** What a weak proof does: nothing is looked at, it is shown, or a person has to accept the work. */
export type ProofMode = (typeof PROOF_MODES)[number];

/** `unknown`: the check did not run without the change. */
export type Strength = "strong" | "weak" | "unknown";

const strengthOfCheck = ({ passed, before, flaky }: CheckResult): Strength => {
  if (!passed || flaky === true) return "weak";
  if (before === undefined) return "unknown";
  return before.passed ? "weak" : "strong";
};

/** One check that fails without the change is enough: the others show that nothing broke. */
export function strengthOf(checks: readonly CheckResult[]): Strength {
  const all = checks.map(strengthOfCheck);
  if (all.includes("strong")) return "strong";
  return all.length > 0 && all.every((each) => each === "unknown") ? "unknown" : "weak";
}

/** The mark of a result whose checks do not show that the work was needed. */
export const WEAK_PROOF = "weak proof";

/** The mark with its reason, for wherever a result is shown. Empty if the proof is not weak. */
export function weakProofWords(checks: readonly CheckResult[]): string {
  if (checks.length === 0 || strengthOf(checks) !== "weak") return "";
  const why = checks.some(({ flaky }) => flaky === true)
    ? "a check is flaky"
    : checks.some(({ passed }) => !passed)
      ? "a check is not green"
      : "no check failed without the change";
  return `${WEAK_PROOF}: ${why}`;
}

/** In a few words, for people: `red → green`. Empty if nothing is known. */
export function proofWords(check: CheckResult): string {
  const { restored = [] } = check;
  const also = restored.length === 0 ? [] : [`also passes with ${restored.join(", ")} unchanged`];
  return [wordsOf(check), ...also].filter((each) => each !== "").join(", ");
}

function wordsOf({ passed, before, flaky, excused }: CheckResult): string {
  if (excused !== undefined) return `not green, excused by ${excused}`;
  if (!passed) return "red";
  if (flaky === true) return "flaky: red and green on the same tree";
  if (before === undefined) return "";
  if (before.on === "tests")
    return before.passed ? "its tests pass without the change" : "its tests fail without the change";
  return before.passed ? "green → green" : "red → green";
}

/** The strength with its reasons, for a person who decides: `strong (red → green)`. */
export function proofText(checks: readonly CheckResult[]): string {
  const known = [...new Set(checks.map(proofWords))].filter((each) => each !== "");
  const strength = checks.length === 0 ? "none, there are no checks" : strengthOf(checks);
  return known.length === 0 ? strength : `${strength} (${known.join("; ")})`;
}

export interface TaskProof {
  readonly task: string;
  /** `override`: a person accepted it. `unversioned`: no commit holds it. */
  readonly strength: Strength | "override" | "unversioned";
  readonly words: string;
}

export function taskProof({
  id,
  acceptance,
  report,
}: Pick<Facts, "acceptance" | "report"> & { readonly id: string }): TaskProof {
  const by = acceptance?.by ?? "";
  if (by !== "checks") {
    const reason = acceptance?.reason ?? null;
    return { task: id, strength: "override", words: `accepted by ${by}${reason === null ? "" : `: ${reason}`}` };
  }
  const checks = report?.checks ?? [];
  const known = [...new Set(checks.map(proofWords))].filter((each) => each !== "");
  if (report?.commit) return { task: id, strength: strengthOf(checks), words: known.join(", ") };
  return { task: id, strength: "unversioned", words: ["no commit holds the work", ...known].join(", ") };
}
