// References in the plan of the moment.

import type { Actor } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { isFocusToken, pickFocus, pickMatch } from "../../model/node/resolve.js";
import { ok, type Result, usage } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "./context.js";

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

/** The feature around a node. */
export async function featureOf(reader: Reader, context: Context, reference: string): Promise<Result<Nr>> {
  const node = await resolve(reader, reference, context.actor);
  if (!node.ok) return node;
  const { id, tier, feature } = node.value;
  if (feature !== null) return ok(feature);
  const article = tier === "initiative" ? "an" : "a";
  return usage("no-feature", `${id} is ${article} ${tier} and is in no feature. Name a feature or something in it.`, {
    next: [step("list", { tier: ["feature"] })],
  });
}
