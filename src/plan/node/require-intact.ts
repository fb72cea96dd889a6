// Before commands of a node run, its content is held against its hash, and its approval against the signature of a person whom the
// plan knows. Every operation writes them together, so a difference means that the plan's file was changed behind our back: what it
// says now was never approved.

import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { hashOf } from "./approve.js";

/** Nor may what is around a node have been rewritten: workers read its text. Whether it is approved is asked elsewhere. */
export async function requireIntact(reader: Reader, nodes: readonly Node[]): Promise<Result<void>> {
  const looked = new Set<Nr>();
  for (const node of nodes) {
    if (node.approval === null) continue;
    const doubt = await reader.people.doubt(node);
    if (doubt === "unknown") return unknownApproval(node);
    for (const each of [node, ...(await reader.ancestors(node.nr))]) {
      if (looked.has(each.nr) || each.approval === null) continue;
      looked.add(each.nr);
      const found = each === node ? doubt : await reader.people.doubt(each);
      if (found === "false" || each.hash !== (await hashOf(reader, each))) return rewritten(each);
    }
  }
  return ok(undefined);
}

function rewritten({ id }: Node): Result<never> {
  const message = `${id} is not what was approved, and no operation changed it: the plan's file was rewritten. Nothing of it runs.`;
  return refused("rewritten", message, {
    next: [step("verify"), step("verify", { repair: true })],
    details: { id },
  });
}

function unknownApproval({ id, outcome }: Node): Result<never> {
  const message = `${id} was approved with a secret that this plan does not know, so nothing of it runs. Look at it, and approve it again.`;
  return refused("approval-unknown", message, {
    // What is done is approved only together with the rest.
    next: [
      ...(outcome === null ? [step("approve", { references: [id] })] : []),
      step("people.confirm"),
      step("verify"),
    ],
    details: { id },
  });
}
