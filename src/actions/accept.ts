// A person accepts what the checks could not, or did not: recorded with a reason.

import { isPerson } from "../graph/actor.js";
import { ok, type Result, refused } from "../graph/result.js";
import { acceptPatch, mayAccept } from "../graph/settle-work.js";
import type { Context } from "./context.js";
import { type Settled, settleOne } from "./settle-one.js";

export const accept = (context: Context, input: { reference: string; reason: string }): Promise<Result<Settled>> =>
  settleOne(context, "accept", input.reference, (node, settling) => {
    if (!isPerson(context.actor)) {
      return refused("needs-person", `Only a person can accept; ${context.actor} is not one.`, {
        hint: `Ask a person to look at ${node.id}.`,
      });
    }
    const may = mayAccept(node);
    if (!may.ok) return may;
    const sentence = `${context.actor} accepted ${node.id}: ${input.reason}`;
    return ok({ patch: acceptPatch(settling, input.reason), sentence });
  });
