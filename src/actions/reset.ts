// Puts a task back into the queue.

import { resetPatch } from "../graph/reset.js";
import { ok, type Result } from "../graph/result.js";
import type { Context } from "./context.js";
import { type Settled, settleOne } from "./settle-one.js";

export const reset = (context: Context, input: { reference: string; reason?: string }): Promise<Result<Settled>> =>
  settleOne(context, "reset", input.reference, (node) => {
    const patch = resetPatch(node, context.actor, input.reason);
    if (!patch.ok) return patch;
    const sentence = `${context.actor} reset ${node.id}${input.reason === undefined ? "" : `: ${input.reason}`}`;
    return ok({ patch: patch.value, sentence });
  });
