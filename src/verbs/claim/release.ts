import { isPerson } from "../../model/actor.js";
import { hasEnded } from "../../model/attempt/attempt.js";
import type { Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { latestAttempt } from "../../plan/attempt/settle-attempts.js";
import type { HeldInput } from "../../plan/claim/lease.js";
import { requireHeld } from "../../plan/claim/token.js";
import { readWorkTips } from "../../plan/repository/work-tips.js";
import type { Reader } from "../../store/store.js";
import { actWithNumber, type Context, fields, node, ok, planVerb, resolve, step } from "../kit/verb.js";
import { token } from "../task/claim-parts.js";

export const input = fields({ reference: node("the task"), token: token() });

export const verb = planVerb({
  command: { words: "claim release", group: "work", positional: ["reference"], aliases: ["release"] },
  summary: "Give a claim back without finishing the task",
  description:
    "The task returns to the queue at once and is not counted as a failure. A person can release any claim, without its token. That stops a worker of a run or of the daemon, and the task is frozen, so that it does not begin again by itself.",
  effect: "writes",
  destructive: true,
  endsClaim: true,
  tools: [{ tool: "give_up", action: "release", fields: ["reference"] }],
  input,
  examples: [{ input: { reference: "TASK-00007", token: "5f0c2a" }, does: "lets another worker have it" }],
  run: releaseClaim,
  text: ({ id, frozen }, style) =>
    frozen ? `${style.cyan("❄")} stopped ${style.bold(id)}, and frozen it` : `${style.bold(id)} is back in the queue`,
  next: ({ id, frozen }) => [frozen ? step("thaw", { references: [id] }) : step("next")],
});

export async function releaseClaim(context: Context, input: HeldInput) {
  const tipOf = await readWorkTips(context);
  return actWithNumber(context, "release", async (writer, at) => {
    const found = await resolve(writer, input.reference, context);
    if (!found.ok) return found;
    const { claim: held } = found.value;
    // A person may take any claim away.
    const isTaken = held !== null && isPerson(context.actor) && input.token === undefined;
    const claim = isTaken ? ok(held) : requireHeld(context, found.value, input.token);
    if (!claim.ok) return claim;
    const { id, nr } = found.value;
    const { by } = claim.value;
    const frozen = isTaken && (await isDriven(writer, found.value));
    const reason = `${context.actor} stopped the work of ${by}`;
    const freeze = { reason, by: context.actor, at, commit: await tipOf(writer, found.value), from: nr };
    const changes = changeNode(found.value, { claim: null, retries: 0, ...(frozen && { freeze }) });
    const whose = by === context.actor ? "" : `, which ${by} had claimed`;
    const sentence = `${context.actor} released ${id}${whose}${frozen ? ", and froze it" : ""}`;
    return ok({ sentence, changes, value: { id, frozen } });
  });
}

/** An engine works on it, and would claim it again at once. */
async function isDriven(reader: Reader, { nr, freeze }: Node): Promise<boolean> {
  const latest = await latestAttempt(reader, nr);
  const isEngines = latest !== undefined && !hasEnded(latest.fields.state) && latest.fields.worker.kind !== "person";
  return isEngines && freeze === null;
}
