// Before commands of a node run, its content is held against its hash. Every operation writes both, so a difference means that
// the plan's file was changed behind our back: what it says now was never approved.

import { step } from "../../graph/next-step.js";
import type { Node } from "../../graph/node/node.js";
import { ok, type Result, refused } from "../../graph/result.js";
import type { Reader } from "../../store/store.js";
import { hashOf } from "./approve.js";

export async function requireIntact(reader: Reader, nodes: readonly Node[]): Promise<Result<void>> {
  for (const node of nodes) {
    if (node.approval === null || node.hash === (await hashOf(reader, node))) continue;
    return refused(
      "rewritten",
      `${node.id} is not what was approved, and no operation changed it: the plan's file was rewritten. Nothing of it runs.`,
      { next: [step("verify"), step("verify", { repair: true })], details: { id: node.id } },
    );
  }
  return ok(undefined);
}
