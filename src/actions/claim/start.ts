// Claims a task by its name.

import type { Node } from "../../graph/node/node.js";
import { changeFocus, changeNode } from "../../graph/operation/change.js";
import { ok, type Result } from "../../graph/result.js";
import { claimPatch } from "../../graph/rules/claim.js";
import { holds } from "../../graph/status/holds.js";
import type { Surroundings } from "../../graph/status/status.js";
import { act, type Context } from "../context.js";
import { gatherSurroundings } from "../holds/gather-surroundings.js";
import { requirePerson } from "../require-person.js";
import { resolve } from "../resolve.js";
import { isoTime, toView } from "../view.js";
import { claimedCheckout, noteCheckout } from "./claim-notes.js";
import { cannotBegin, isHeld, leaseMs, type StartInput } from "./claim-terms.js";
import { expireLeases } from "./expire.js";
import type { Assignment } from "./next.js";

export async function start(context: Context, input: StartInput): Promise<Result<Assignment>> {
  const despite = mayOverride(context, input.despite);
  if (!despite.ok) return despite;
  await expireLeases(context);
  const checkout = await claimedCheckout(context);
  const committed = await act<Assignment>(context, "start", async (writer, at) => {
    const found = await resolve(writer, input.reference, context.actor);
    if (!found.ok) return found;
    const node = found.value;
    const around = await gatherSurroundings(writer, node);
    const held = holds(node, { around: despite.value === null ? around : withoutOverlaps(around) }, "self");
    if (isHeld(held)) return cannotBegin(node, held);
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
    const changes = [...changeNode(node, patch), ...focus, ...(await noteCheckout(writer, node, checkout))];
    const sentence = `${context.actor} claimed ${node.id}${despiteWords(around, despite.value)}`;
    return ok({ sentence, changes, value: assignment });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

/** Only a person may let two overlapping tasks run together, and says why. */
export function mayOverride(context: Context, reason: string | undefined): Result<string | null> {
  if (reason === undefined) return ok(null);
  const may = requirePerson(context.actor, "claim a task that overlaps with work in progress");
  return may.ok ? ok(reason) : may;
}

export const withoutOverlaps = (around: Surroundings): Surroundings => ({ ...around, overlaps: [] });

/** What the log says of an override: nothing if there was no overlap. */
export const despiteWords = ({ overlaps }: Pick<Surroundings, "overlaps">, reason: string | null): string =>
  reason === null || overlaps.length === 0
    ? ""
    : `, which overlaps with ${overlaps.map(({ id }) => id).join(", ")}: ${reason}`;
