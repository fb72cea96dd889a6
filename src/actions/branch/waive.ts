// A person decides that something need not be done. Whatever waits for it goes on.

import { parseWords } from "../../graph/node/content.js";
import { changeNode } from "../../graph/operation/change.js";
import { ok, type Result } from "../../graph/result.js";
import { toWaive, waivePatch } from "../../graph/rules/waive.js";
import { act, type Context } from "../context.js";
import { requirePerson } from "../require-person.js";
import { resolve } from "../resolve.js";
import { branchOf, claimsOn, type EndedClaim, idsOf, summary } from "./branch.js";

export interface Waived {
  readonly op: number | null;
  readonly waived: readonly string[];
  readonly endedClaims: readonly EndedClaim[];
}

export async function waive(
  context: Context,
  input: { readonly reference: string; readonly reason: string },
): Promise<Result<Waived>> {
  const may = requirePerson(context.actor, "waive");
  if (!may.ok) return may;
  const reason = parseWords(input.reason, "reason");
  if (!reason.ok) return reason;
  const committed = await act<Omit<Waived, "op">>(context, "waive", async (writer, at) => {
    const root = await resolve(writer, input.reference, context.actor);
    if (!root.ok) return root;
    const waived = toWaive(await branchOf(writer, root.value));
    if (!waived.ok) return waived;
    const patch = waivePatch({ by: context.actor, at, op: writer.op }, reason.value);
    const value = { waived: idsOf(waived.value), endedClaims: claimsOn(waived.value) };
    const sentence = `${context.actor} waived ${summary(value.waived)}: ${reason.value}`;
    return ok({ sentence, changes: waived.value.flatMap((node) => changeNode(node, patch)), value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}
