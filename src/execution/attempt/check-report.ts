// What a failed check said, for whoever has to mend it.

import type { CheckResult } from "../../graph/node/node.js";

const TOLD = 6_000;

export const describeFailedChecks = (checks: readonly CheckResult[]): string =>
  checks
    .filter(({ passed }) => !passed)
    .map(({ run, outcome, output }) => `The check \`${run}\` failed: ${outcome}.\n${output.trim()}`)
    .join("\n\n")
    .slice(0, TOLD);
