// Before commands of a node run, its content is held against its hash, and its approval against the signature of a person whom the
// plan knows. Every operation writes them together, so a difference means that the plan's file was changed behind our back: what it
// says now was never approved.

import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { hashOf } from "./approve.js";

export async function requireIntact(reader: Reader, nodes: readonly Node[]): Promise<Result<void>> {
  for (const node of nodes) {
    if (node.approval === null) continue;
    const doubt = await reader.people.doubt(node);
    if (doubt === "unknown") return unknownApproval(node);
    if (doubt === null && node.hash === (await hashOf(reader, node))) continue;
    const message = `${node.id} is not what was approved, and no operation changed it: the plan's file was rewritten. Nothing of it runs.`;
    return refused("rewritten", message, {
      next: [step("verify"), step("verify", { repair: true })],
      details: { id: node.id },
    });
  }
  return ok(undefined);
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
