// Describes failed checks with their output, for the worker that has to fix them.

import { hasFailed } from "../../model/attempt/proof.js";
import type { CheckResult } from "../../model/node/node.js";

const MAX_LENGTH = 6_000;

export const describeFailedChecks = (checks: readonly CheckResult[]): string =>
  checks
    .filter(hasFailed)
    .map(({ run, outcome, output }) => `The check \`${run}\` failed: ${outcome}.\n${output.trim()}`)
    .join("\n\n")
    .slice(0, MAX_LENGTH);
