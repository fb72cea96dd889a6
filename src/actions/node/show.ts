// One node, whole, with the records that name it and the open questions that hold it up.

import type { Result } from "../../graph/result.js";
import { ok } from "../../graph/result.js";
import type { Context } from "../context.js";
import { type Beside, besideNode } from "../item/beside-node.js";
import { resolve } from "../resolve.js";
import { type NodeView, toView } from "../view.js";

export type Shown = NodeView & Beside;

export function show(context: Context, reference: string): Promise<Result<Shown>> {
  return context.store.read(async (reader) => {
    const node = await resolve(reader, reference, context.actor);
    if (!node.ok) return node;
    // Onto the view that was just made: a copy of its forty fields takes longer than all that stands beside it.
    return ok(Object.assign(await toView(reader, node.value), await besideNode(reader, node.value)));
  });
}
