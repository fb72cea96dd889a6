// References in the plan of the moment.

import type { Actor } from "../../model/actor.js";
import type { Node } from "../../model/node/node.js";
import { isFocusToken, pickFocus, pickMatch } from "../../model/node/resolve.js";
import { ok, type Result } from "../../model/result.js";
import type { Reader } from "../../store/store.js";

export async function resolve(reader: Reader, reference: string, actor: Actor): Promise<Result<Node>> {
  if (!isFocusToken(reference)) return pickMatch(reference, (await reader.match(reference)).nodes);
  const nr = await reader.focus(actor);
  const focused = nr === null ? undefined : await reader.node(nr);
  return pickFocus(reference, focused ? [focused, ...(await reader.ancestors(focused.nr))] : []);
}

/** All of them, each once, or the first that cannot be resolved. */
export async function resolveAll(reader: Reader, references: readonly string[], actor: Actor): Promise<Result<Node[]>> {
  const found = new Map<number, Node>();
  for (const reference of references) {
    const node = await resolve(reader, reference, actor);
    if (!node.ok) return node;
    found.set(node.value.nr, node.value);
  }
  return ok([...found.values()]);
}
