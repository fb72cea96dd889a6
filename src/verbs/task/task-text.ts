import type { Assignment } from "../../actions/claim/assignment.js";
import { type NextStep, step } from "../../model/next-step.js";

export const completeStep = ({ task, token, begunBefore }: Assignment): NextStep =>
  step("complete", { reference: task.id, token, ...(begunBefore && { include: begunBefore }) });
