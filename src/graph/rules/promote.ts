// Where a discovery goes: from a node up to something that contains it, by default two steps up, where
// it concerns the siblings too.

import type { Node } from "../node/node.js";
import { ok, type Result, refused } from "../result.js";

/** `above` is everything that contains the source, nearest first. */
export function discoveryTarget(source: Node, above: readonly Node[], asked: Node | undefined): Result<Node> {
  const names = above.map((node) => node.id);
  if (asked === undefined) {
    const [, grandparent] = above;
    if (grandparent) return ok(grandparent);
    return refused("no-grandparent", `Nothing stands two steps above ${source.id} to carry the discovery to.`, {
      hint:
        names.length > 0 ? `Say where it belongs: --to ${names[0] as string}.` : "`planwright status` shows the plan.",
    });
  }
  if (above.some((node) => node.nr === asked.nr)) return ok(asked);
  return refused("not-an-ancestor", `${asked.id} does not contain ${source.id}, and a discovery only goes up.`, {
    hint: names.length > 0 ? `It can go to: ${names.join(", ")}` : "`planwright status` shows the plan.",
    details: { ancestors: names },
  });
}
