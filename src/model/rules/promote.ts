// A discovery goes from a node up to something that contains it: by default two steps, where it concerns the siblings.

import { step } from "../next-step.js";
import type { Node } from "../node/node.js";
import { ok, type Result, refused } from "../result.js";

/** `above` is everything that contains the source, nearest first. */
export function discoveryTarget(source: Node, above: readonly Node[], asked: Node | undefined): Result<Node> {
  const names = above.map((node) => node.id);
  const where = names.length > 0 ? ` It can go to ${names.join(", ")}.` : "";
  const next = [step("status")];
  if (asked === undefined) {
    const [, grandparent] = above;
    if (grandparent) return ok(grandparent);
    return refused("no-grandparent", `There is nothing two steps above ${source.id}.${where}`, {
      next,
      details: { ancestors: names },
    });
  }
  if (above.some((node) => node.nr === asked.nr)) return ok(asked);
  return refused(
    "not-an-ancestor",
    `${asked.id} does not contain ${source.id}, and a discovery only goes up.${where}`,
    {
      next,
      details: { ancestors: names },
    },
  );
}
