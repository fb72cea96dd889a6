// A worker gives up, and says why.

import { FAILURE_CLASSES, type FailureClass } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { giveUp } from "../../model/rules/task-outcome.js";
import { settleTasks } from "../../plan/claim/settle-tasks.js";
import { requireHeld } from "../../plan/claim/token.js";
import type { Context } from "../../plan/context.js";

export interface FailInput {
  readonly reference: string;
  readonly token?: string;
  readonly reason: string;
  readonly class?: string;
}

export interface Failed {
  readonly op: number | null;
  readonly id: string;
  readonly class: FailureClass;
}

/** A worker that reports a failure is never refused for its choice of word. */
const toFailureClass = (word: string | undefined): FailureClass =>
  FAILURE_CLASSES.find((known) => known === word) ?? "other";

export async function failTask(
  context: Context,
  { reference, token, reason, class: word }: FailInput,
): Promise<Result<Failed>> {
  const failure = { class: toFailureClass(word), reason };
  const settled = await settleTasks(context, {
    verb: "fail",
    references: [reference],
    because: reason,
    decide: (node, settling) => {
      const claim = requireHeld(context, node, token);
      return claim.ok
        ? ok({ patch: giveUp(claim.value, settling, failure), details: { class: failure.class } })
        : claim;
    },
  });
  if (!settled.ok) return settled;
  const { op, tasks } = settled.value;
  return ok({ op, id: tasks[0]?.id ?? reference, class: failure.class });
}
