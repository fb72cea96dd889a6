import { type NextStep, step } from "../../model/next-step.js";
import type { Assignment } from "../../plan/claim/assignment.js";

export const completeStep = ({ task, token, begunBefore }: Assignment): NextStep =>
  step("complete", { reference: task.id, token, ...(begunBefore && { include: begunBefore }) });
