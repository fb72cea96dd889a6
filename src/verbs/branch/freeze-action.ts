// Stops nodes with everything below them, with a reason, until you thaw them.

import { type Nr, tierRank } from "../../model/node/node.js";
import { changeNode, type NodeChange } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import { freezePatch, toFreeze } from "../../model/rules/archive.js";
import { branchOf, claimsOn, type EndedClaim, idsOf, summary } from "../../plan/branch/branch.js";
import { act, type Context } from "../../plan/context.js";
import { resolveAll } from "../../plan/resolve.js";

export interface FreezeInput {
  readonly references: readonly string[];
  readonly reason?: string;
}

export interface Frozen {
  readonly op: number | null;
  readonly reason: string;
  readonly frozen: readonly string[];
  /** Tasks that were claimed: those claims have ended. */
  readonly released: readonly EndedClaim[];
}

export async function freeze(context: Context, input: FreezeInput): Promise<Result<Frozen>> {
  const { actor } = context;
  const { reason = `paused by ${actor}` } = input;
  const committed = await act<Omit<Frozen, "op">>(context, "freeze", async (writer, at) => {
    const roots = await resolveAll(writer, input.references, actor);
    if (!roots.ok) return roots;
    const commit = context.head();
    const changes: NodeChange[] = [];
    const frozen: string[] = [];
    const released: EndedClaim[] = [];
    const covered = new Set<Nr>();
    // From the top, so that what lies below another of them is frozen with it.
    for (const root of roots.value.sort((a, b) => tierRank(a.tier) - tierRank(b.tier))) {
      if (covered.has(root.nr)) continue;
      const nodes = toFreeze(await branchOf(writer, root));
      if (!nodes.ok) return nodes;
      for (const node of nodes.value) {
        covered.add(node.nr);
        changes.push(...changeNode(node, freezePatch(root.nr, { reason, by: actor, at, commit })));
      }
      for (const id of idsOf(nodes.value)) frozen.push(id);
      for (const claim of claimsOn(nodes.value)) released.push(claim);
    }
    const sentence = `${actor} froze ${summary(frozen)}: ${reason}`;
    return ok({ sentence, changes, value: { reason, frozen, released } });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}
