// One task settled or reopened by somebody's word: what fail, accept and reset have in common.

import type { Node, NodeFields } from "../../graph/node/node.js";
import { type Change, changeNode } from "../../graph/operation/change.js";
import { ok, type Result } from "../../graph/result.js";
import type { Settling } from "../../graph/rules/task-outcome.js";
import type { Writer } from "../../store/store.js";
import { act, type Context } from "../context.js";
import { resolve } from "../resolve.js";

export interface Settled {
  readonly id: string;
  readonly op: number | null;
}

/** What becomes of the task, what changes with it, and what there is to tell. */
export interface Settlement<T extends object = object> {
  readonly patch: Partial<NodeFields>;
  readonly sentence: string;
  readonly also?: readonly Change[];
  readonly told?: T;
}

export type Decide<T extends object> = (
  node: Node,
  settling: Settling,
  writer: Writer,
) => Result<Settlement<T>> | Promise<Result<Settlement<T>>>;

export async function settleOne<T extends object = object>(
  context: Context,
  verb: string,
  reference: string,
  decide: Decide<T>,
): Promise<Result<Settled & T>> {
  const committed = await act(context, verb, async (writer, at) => {
    const found = await resolve(writer, reference, context.actor);
    if (!found.ok) return found;
    const decided = await decide(found.value, { by: context.actor, at, op: writer.op }, writer);
    if (!decided.ok) return decided;
    const { patch, sentence, also = [], told } = decided.value;
    const value = { id: found.value.id, ...(told as T) };
    return ok({ sentence, changes: [...changeNode(found.value, patch), ...also], value });
  });
  return committed.ok ? ok({ ...committed.value.value, op: committed.value.op }) : committed;
}
