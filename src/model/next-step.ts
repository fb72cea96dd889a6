// What to do next, as data. Rules answer with steps; the command line spells them as commands, other doors as tools or
// buttons.

import type { OperationName } from "./operation-names.js";

export interface NextStep {
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  /** Fields that only the reader can fill in, such as a reason. */
  readonly needs?: readonly string[];
}

/** `step("accept", { references: ["TASK-1"] }, "reason")`: accept TASK-1, with a reason that the reader gives. */
export const step = (
  operation: OperationName,
  input: NextStep["input"] = {},
  ...needs: readonly string[]
): NextStep => ({ operation, input, ...(needs.length === 0 ? {} : { needs }) });
