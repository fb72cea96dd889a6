// What a new parent means for a node and everything below it: they are frozen with a frozen parent, and lose a freeze
// that came from the old one. A freeze of the branch itself stays.

import type { Actor } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { escapesFreeze } from "../../model/rules/freeze.js";
import { isFinished } from "../../model/status/rollup.js";
import type { Reader } from "../../store/store.js";
import { requireOpenParent } from "../base/require-open.js";
import { requirePerson } from "./require-person.js";

export async function place(reader: Reader, actor: Actor, node: Node, parent: Node): Promise<Result<Change[]>> {
  if (node.parent === parent.nr) return ok([]);
  const open = requireOpenParent(parent);
  if (!open.ok) return open;
  const branch = [node, ...(await reader.descendants(node.nr))];
  const leaving = branch.find((each) => leavesItsFeature(each, parent));
  const mayLeave = leaving ? requirePerson(actor, `take ${leaving.id} out of its feature`) : ok(undefined);
  if (!mayLeave.ok) return mayLeave;
  const inside = new Set(branch.map((each) => each.nr));
  const changes: Change[] = changeNode(node, { parent: parent.nr });
  for (const each of branch) {
    if (each.outcome !== null || each.archive !== null || isFinished(each)) continue;
    if (each.claim !== null && (parent.freeze !== null || parent.shelved)) return inFlight(each, parent);
    const isOwn = each.freeze !== null && inside.has(each.freeze.from);
    const what = `move ${each.id} away from where it is frozen (${each.freeze?.reason ?? ""})`;
    const may = escapesFreeze(actor, each, parent, isOwn) ? requirePerson(actor, what) : ok(undefined);
    if (!may.ok) return may;
    if (!isOwn) changes.push(...changeNode(each, { freeze: parent.freeze }));
  }
  return ok(changes);
}

/** What a person approved, or wants planned again, holds its feature: without it, what is left would land. */
function leavesItsFeature({ feature, approval, awaitsPlan, outcome }: Node, parent: Node): boolean {
  const to = parent.tier === "feature" ? parent.nr : parent.feature;
  return feature !== null && feature !== to && outcome === null && (approval !== null || awaitsPlan !== null);
}

function inFlight(node: Node, parent: Node): Result<never> {
  const message = `${node.claim?.by ?? "A worker"} is working on ${node.id}, and nothing runs below ${parent.id} now. Release the claim first.`;
  return refused("in-flight", message, { next: [step("claim.release", { reference: node.id })] });
}
