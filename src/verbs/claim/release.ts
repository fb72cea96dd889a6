import { isPerson } from "../../model/actor.js";
import { changeNode } from "../../model/operation/change.js";
import type { HeldInput } from "../../plan/claim/lease.js";
import { requireHeld } from "../../plan/claim/token.js";
import { actWithNumber, type Context, fields, node, ok, planVerb, resolve, step } from "../kit/verb.js";
import { token } from "../task/claim-parts.js";

export const input = fields({ reference: node("the task"), token: token() });

export const verb = planVerb({
  command: { words: "claim release", group: "work", positional: ["reference"], aliases: ["release"] },
  summary: "Give a claim back without finishing the task",
  description:
    "The task returns to the queue at once and is not counted as a failure. A person can release any claim, without its token.",
  effect: "writes",
  destructive: true,
  endsClaim: true,
  tools: [{ tool: "give_up", action: "release", fields: ["reference"] }],
  input,
  examples: [{ input: { reference: "TASK-00007", token: "5f0c2a" }, does: "lets another worker have it" }],
  run: releaseClaim,
  text: ({ id }, style) => `${style.bold(id)} is back in the queue`,
  next: () => [step("next")],
});

export function releaseClaim(context: Context, input: HeldInput) {
  return actWithNumber(context, "release", async (writer) => {
    const found = await resolve(writer, input.reference, context.actor);
    if (!found.ok) return found;
    const { claim: held } = found.value;
    // A person may take any claim away.
    const isTaken = held !== null && isPerson(context.actor) && input.token === undefined;
    const claim = isTaken ? ok(held) : requireHeld(context, found.value, input.token);
    if (!claim.ok) return claim;
    const changes = changeNode(found.value, { claim: null, retries: 0 });
    const { by } = claim.value;
    const whose = by === context.actor ? "" : `, which ${by} had claimed`;
    return ok({
      sentence: `${context.actor} released ${found.value.id}${whose}`,
      changes,
      value: { id: found.value.id },
    });
  });
}
