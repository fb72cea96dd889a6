// One node, whole.

import type { Result } from "../graph/result.js";
import { ok } from "../graph/result.js";
import type { Context } from "./context.js";
import { resolve } from "./resolve.js";
import { type NodeView, toView } from "./view.js";

export function show(context: Context, reference: string): Promise<Result<NodeView>> {
  return context.store.read(async (reader) => {
    const node = await resolve(reader, reference, context.actor);
    return node.ok ? ok(await toView(reader, node.value)) : node;
  });
}
