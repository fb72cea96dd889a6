// Claims a task by its name.

import type { Node } from "../../graph/node/node.js";
import { changeFocus, changeNode } from "../../graph/operation/change.js";
import { ok, type Result } from "../../graph/result.js";
import { claimPatch } from "../../graph/rules/claim.js";
import { deriveStatus } from "../../graph/status/status.js";
import { act, type Context } from "../context.js";
import { resolve } from "../resolve.js";
import { isoTime, toView } from "../view.js";
import { leaseMs, notClaimable, type StartInput } from "./claim-terms.js";
import { expireLeases } from "./expire.js";
import type { Assignment } from "./next.js";

export async function start(context: Context, input: StartInput): Promise<Result<Assignment>> {
  await expireLeases(context);
  const committed = await act<Assignment>(context, "start", async (writer, at) => {
    const found = await resolve(writer, input.reference, context.actor);
    if (!found.ok) return found;
    const node = found.value;
    const derived = deriveStatus(node, await writer.surroundings(node));
    if (derived.reason !== "claimable") return notClaimable(node, derived);
    const token = await writer.random(16);
    const patch = claimPatch(node, { by: context.actor, token, at, leaseMs: leaseMs(context, input) });
    const focus = changeFocus(context.actor, await writer.focus(context.actor), node.nr);
    const claimed: Node = { ...node, ...patch, revision: node.revision + 1, updatedAt: at };
    const assignment: Assignment = {
      task: await toView(writer, claimed),
      token,
      epoch: claimed.epoch,
      leaseUntil: isoTime(at + leaseMs(context, input)),
    };
    const changes = [...changeNode(node, patch), ...focus];
    return ok({ sentence: `${context.actor} claimed ${node.id}`, changes, value: assignment });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}
