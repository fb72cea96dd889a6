// Drops what is not finished below a node, so that it can be planned again, and counts how often.

import { changeNode } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import { type ReplanBudget, spendReplan } from "../../model/rules/budget.js";
import { dropPatch, toDrop, toPlanAgain } from "../../model/rules/drop.js";
import { branchOf, claimsOn, type EndedClaim, idsOf } from "../../plan/branch/branch.js";
import { act, type Context } from "../../plan/context.js";
import { mayGiveUp } from "../../plan/require-person.js";
import { resolve } from "../../plan/resolve.js";

export interface Replanned {
  readonly op: number | null;
  readonly id: string;
  readonly dropped: readonly string[];
  readonly endedClaims: readonly EndedClaim[];
  readonly replans: ReplanBudget;
}

export async function replan(
  context: Context,
  input: { readonly reference: string; readonly reason: string },
): Promise<Result<Replanned>> {
  const { reason } = input;
  const committed = await act<Omit<Replanned, "op">>(context, "replan", async (writer, at) => {
    const root = await resolve(writer, input.reference, context.actor);
    if (!root.ok) return root;
    const { id, nr } = root.value;
    const replans = spendReplan(root.value, context.settings.replans);
    if (!replans.ok) return replans;
    const branch = await branchOf(writer, root.value);
    const dropped = toDrop(branch, (node) => node.nr !== nr);
    const may = mayGiveUp(context.actor, dropped);
    if (!may.ok) return may;
    const patch = dropPatch({ by: context.actor, at, op: writer.op }, `replan: ${reason}`);
    const changes = [
      ...changeNode(root.value, { replans: replans.value.used }),
      ...dropped.flatMap((node) => changeNode(node, patch)),
      ...toPlanAgain(branch, dropped).flatMap((node) =>
        changeNode(node, { awaitsPlan: { by: context.actor, at, reason } }),
      ),
    ];
    const sentence = `${context.actor} replans ${id}: ${reason}`;
    const value = { id, dropped: idsOf(dropped), endedClaims: claimsOn(dropped), replans: replans.value };
    return ok({ sentence, changes, value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}
