// Whether somebody may end work that is being done: by a freeze or a move, say.

import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../base/context.js";
import { idsOf, summary } from "../node/branch.js";
import { tellPerson } from "../node/require-person.js";
import { isOfOther } from "./session-notes.js";

type Asker = Pick<Context, "actor" | "root" | "conversation">;

/** An agent ends no work of anybody else, nor of another conversation in its own name. */
export function mayEndClaims({ actor, root, conversation }: Asker, nodes: readonly Node[]): Result<void> {
  if (isPerson(actor)) return ok(undefined);
  const [first, ...others] = nodes.filter(
    (node) => node.claim !== null && (node.claim.by !== actor || isOfOther(root, conversation, node)),
  );
  if (!first) return ok(undefined);
  const who = first.claim?.by === actor ? `Another conversation of ${actor}` : first.claim?.by;
  const more = others.length === 0 ? "" : `, and others on ${summary(idsOf(others))}`;
  const message = `${who} works on ${first.id}${more}. Only a person can end that work, and ${actor} is not one. Wait, or say on it why you ask.`;
  return refused("needs-person", message, {
    next: [step("why", { reference: first.id }), ...tellPerson(first.id)],
    details: { claimed: idsOf([first, ...others]) },
  });
}
