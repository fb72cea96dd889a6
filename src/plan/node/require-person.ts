// Decisions that only a person makes, depending on what they are about.

import { type Actor, isPerson } from "../../model/actor.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { idsOf, summary } from "./branch.js";

/** What any agent can do about a node that it may not change: the person reads it there. */
export const tellPerson = (reference: string): NextStep[] => [step("comment", { reference }, "text")];

/** `what` completes "Only a person can …". `about`: a node on which the agent can say why it wants that. */
export function requirePerson(actor: Actor, what: string, about?: string): Result<void> {
  if (isPerson(actor)) return ok(undefined);
  return refused("needs-person", `Only a person can ${what}, and ${actor} is not one. Ask one to do it.`, {
    next: about === undefined ? [] : tellPerson(about),
  });
}

/** An agent may give up only what no person approved, and no branch that waits for a new plan: its feature would land without. */
export function mayGiveUp(actor: Actor, nodes: readonly Node[]): Result<void> {
  if (isPerson(actor)) return ok(undefined);
  const approved = idsOf(nodes.filter((node) => node.approval !== null));
  const awaiting = idsOf(nodes.filter((node) => node.awaitsPlan !== null));
  if (approved.length === 0 && awaiting.length === 0) return ok(undefined);
  if (approved.length === 0)
    return requirePerson(actor, `give up what is to be planned again (${summary(awaiting)})`, awaiting[0]);
  const message = `Only a person can give up what a person approved: ${summary(approved)}. Say on it why it should go.`;
  return refused("needs-person", message, {
    next: approved.slice(0, 1).flatMap(tellPerson),
    details: { approved },
  });
}
