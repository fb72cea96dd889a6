// One task settled or reopened by somebody's word: what fail, accept and reset have in common.

import { changeNode } from "../graph/change.js";
import type { Node, NodeFields } from "../graph/node.js";
import { ok, type Result } from "../graph/result.js";
import type { Settling } from "../graph/settle-work.js";
import { act, type Context } from "./context.js";
import { resolve } from "./resolve.js";

export interface Settled {
  readonly id: string;
  readonly op: number | null;
}

export type Decide = (node: Node, settling: Settling) => Result<{ patch: Partial<NodeFields>; sentence: string }>;

export async function settleOne(
  context: Context,
  verb: string,
  reference: string,
  decide: Decide,
): Promise<Result<Settled>> {
  const committed = await act(context, verb, async (writer, at) => {
    const found = await resolve(writer, reference, context.actor);
    if (!found.ok) return found;
    const decided = decide(found.value, { by: context.actor, at, op: writer.op });
    if (!decided.ok) return decided;
    const { patch, sentence } = decided.value;
    return ok({ sentence, changes: changeNode(found.value, patch), value: found.value.id });
  });
  return committed.ok ? ok({ id: committed.value.value, op: committed.value.op }) : committed;
}
