// One node, whole, with everything that is known beside it.

import type { Result } from "../../model/result.js";
import { ok } from "../../model/result.js";
import { type ReplanBudget, replanBudget } from "../../model/rules/budget.js";
import type { Context } from "../../plan/base/context.js";
import { resolve } from "../../plan/base/resolve.js";
import { type NodeView, toView } from "../../plan/node/view.js";
import { type Beside, besideNode } from "./beside-node.js";

export interface ShownNode extends NodeView, Beside {
  /** How often it was replanned, and how often it may be; null for a mission or a task. */
  readonly replans: ReplanBudget | null;
}

export function show(context: Context, reference: string): Promise<Result<ShownNode>> {
  return context.store.read(async (reader) => {
    const node = await resolve(reader, reference, context.actor);
    if (!node.ok) return node;
    // Onto the view that was just made, because a copy of its forty fields takes longer than everything else here.
    const replans = replanBudget(node.value, context.settings.replans) ?? null;
    return ok(Object.assign(await toView(reader, node.value, true), await besideNode(reader, node.value), { replans }));
  });
}
