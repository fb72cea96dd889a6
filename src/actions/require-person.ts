// Some decisions are a person's alone.

import { type Actor, isPerson } from "../graph/actor.js";
import type { Node } from "../graph/node/node.js";
import { ok, type Result, refused } from "../graph/result.js";
import { idsOf, summary } from "./branch/branch.js";

/** `deed` completes "Only a person can …". */
export function requirePerson(actor: Actor, deed: string): Result<void> {
  if (isPerson(actor)) return ok(undefined);
  return refused("needs-person", `Only a person can ${deed}; ${actor} is not one.`, {
    hint: "Ask a person to decide; `planwright promote NOTE` leaves a note for them.",
  });
}

/** What a person approved, a person gives up; an agent may take back only what nobody approved. */
export function mayGiveUp(actor: Actor, nodes: readonly Node[]): Result<void> {
  const approved = isPerson(actor) ? [] : idsOf(nodes.filter((node) => node.approval !== null));
  if (approved.length === 0) return ok(undefined);
  return refused("needs-person", `Only a person can give up what a person approved: ${summary(approved)}`, {
    hint: "Ask a person to decide; `planwright promote NOTE` leaves a note for them.",
    details: { approved },
  });
}
