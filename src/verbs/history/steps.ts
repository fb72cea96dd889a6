// Steps of attempts and planning runs: they cannot be undone, only their results can.

import { hasEnded, isByHand } from "../../model/attempt/attempt.js";
import { endOf, type Item } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { isFirstHand, isStep, judgesWork } from "../../model/operation/undo.js";
import { type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";

const MAX_LOOKED_AT = 50;

/** The attempts that a step belongs to. */
async function attemptsOf(reader: Reader, { op }: LoggedOperation): Promise<Item<"attempt">[]> {
  const found: Item<"attempt">[] = [];
  for (const { entity, key } of await reader.changes(op)) {
    const item = entity === "attempt" ? await reader.item("attempt", key) : undefined;
    if (item) found.push(item);
  }
  return found;
}

/** Its attempt ended in an operation that can be undone, or was: the step belongs to that. */
export async function hasResult(reader: Reader, operation: LoggedOperation): Promise<boolean> {
  const attempts = await attemptsOf(reader, operation);
  for (const { fields } of attempts) {
    const later = await reader.operations({ node: fields.task, limit: MAX_LOOKED_AT });
    const since = later.filter((each) => each.at >= fields.startedAt && isFirstHand(each) && !isStep(each));
    let isJudged = false;
    for (const { op } of since) isJudged ||= judgesWork(await reader.changes(op));
    if (!isJudged) return false;
  }
  return attempts.length > 0;
}

/** Its planning run is over: nothing is left of the step to go back. */
export async function isOfEndedRun(reader: Reader, { op }: LoggedOperation): Promise<boolean> {
  for (const { entity, key } of await reader.changes(op)) {
    const run = entity === "run" ? await reader.item("run", key) : undefined;
    if (run !== undefined) return endOf("run", run.fields) !== null;
  }
  return false;
}

export async function stepStays(reader: Reader, operation: LoggedOperation): Promise<Result<never>> {
  const { op, verb, sentence } = operation;
  if (verb !== "attempt") {
    const message = `Operation ${op} (${sentence}) is a step of a planning run, which cannot go back. Abort the run, or undo what it added to the plan.`;
    return refused("run-step", message, { next: [step("plan.list")] });
  }
  const message = `Operation ${op} (${sentence}) is a step of an attempt, which cannot go back.`;
  for (const { fields } of await attemptsOf(reader, operation)) {
    const task = await reader.node(fields.task);
    if (task === undefined || hasEnded(fields.state) || task.claim === null) continue;
    const end = isByHand(fields)
      ? step("work.abandon", { reference: task.id })
      : step("claim.release", { reference: task.id });
    return refused("attempt-step", `${message} Give ${task.id} back instead.`, { next: [end] });
  }
  return refused("attempt-step", `${message} Undo its result: the operation that ended it, if one did.`, {
    next: [step("undo", { list: true }), step("attempt.list")],
  });
}
