// Gives up a task, or what is not finished in a branch. It can be taken back like everything else.

import { parseWords } from "../../graph/node/content.js";
import type { Node } from "../../graph/node/node.js";
import { changeNode } from "../../graph/operation/change.js";
import { ok, type Result } from "../../graph/result.js";
import { dropBranch, dropPatch } from "../../graph/rules/drop.js";
import { isStanding } from "../../graph/status/rollup.js";
import type { Reader } from "../../store/store.js";
import { act, type Context } from "../context.js";
import { mayGiveUp } from "../require-person.js";
import { resolve } from "../resolve.js";
import { branchOf, claimsOn, colon, type EndedClaim, idsOf, summary } from "./branch.js";

export interface Dropped {
  readonly op: number | null;
  readonly dropped: readonly string[];
  /** Open nodes that depend on something dropped, and wait in vain. */
  readonly waiting: readonly string[];
  readonly endedClaims: readonly EndedClaim[];
  /** In the branch, and part of every plan: only what was in them is gone. */
  readonly kept: readonly string[];
}

export async function drop(
  context: Context,
  input: { readonly reference: string; readonly reason?: string },
): Promise<Result<Dropped>> {
  const reason = input.reason === undefined ? ok(null) : parseWords(input.reason, "reason");
  if (!reason.ok) return reason;
  const committed = await act<Omit<Dropped, "op">>(context, "drop", async (writer, at) => {
    const root = await resolve(writer, input.reference, context.actor);
    if (!root.ok) return root;
    const branch = await branchOf(writer, root.value);
    const dropped = dropBranch(branch);
    if (!dropped.ok) return dropped;
    const may = mayGiveUp(context.actor, dropped.value);
    if (!may.ok) return may;
    const patch = dropPatch({ by: context.actor, at, op: writer.op }, reason.value);
    const value = {
      dropped: idsOf(dropped.value),
      waiting: await waitingFor(writer, dropped.value),
      endedClaims: claimsOn(dropped.value),
      kept: idsOf(branch.filter(isStanding)),
    };
    const sentence = `${context.actor} dropped ${summary(value.dropped)}${colon(reason.value)}`;
    return ok({ sentence, changes: dropped.value.flatMap((node) => changeNode(node, patch)), value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

async function waitingFor(reader: Reader, dropped: readonly Node[]): Promise<string[]> {
  const going = new Set(dropped.map((node) => node.nr));
  const waiting = new Set<string>();
  for (const { nr } of dropped) {
    for (const node of await reader.dependents(nr)) {
      if (!going.has(node.nr) && node.outcome === null) waiting.add(node.id);
    }
  }
  return [...waiting];
}
