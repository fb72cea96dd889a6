// Decisions that only a person makes, depending on what they are about.

import { type Actor, isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { idsOf, summary } from "./branch.js";

export const LEAVE_NOTE = [step("promote", {}, "note")];

/** `what` completes "Only a person can …". */
export function requirePerson(actor: Actor, what: string): Result<void> {
  if (isPerson(actor)) return ok(undefined);
  return refused("needs-person", `Only a person can ${what}, and ${actor} is not one. Leave a note for them.`, {
    next: LEAVE_NOTE,
  });
}

/** An agent may give up only what no person approved, and no branch that waits for a new plan: its feature would land without. */
export function mayGiveUp(actor: Actor, nodes: readonly Node[]): Result<void> {
  if (isPerson(actor)) return ok(undefined);
  const approved = idsOf(nodes.filter((node) => node.approval !== null));
  const awaiting = idsOf(nodes.filter((node) => node.awaitsPlan !== null));
  if (approved.length === 0 && awaiting.length === 0) return ok(undefined);
  if (approved.length === 0) return requirePerson(actor, `give up what is to be planned again (${summary(awaiting)})`);
  const message = `Only a person can give up what a person approved: ${summary(approved)}. Leave a note for them.`;
  return refused("needs-person", message, { next: LEAVE_NOTE, details: { approved } });
}
