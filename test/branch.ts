// Nodes for tests of pure decisions: said in one line each, counted like the store counts them.

import { type Node, newNode, type OutcomeKind, type Tier } from "../src/model/node/node.js";
import type { Branch } from "../src/model/status/rollup.js";
import { recompute } from "./recompute.js";

export const settled = (kind: OutcomeKind, at = 2_000, by = "human:ada"): Pick<Node, "outcome" | "acceptance"> => ({
  outcome: { kind, by, at, reason: null, op: 1 },
  acceptance: kind === "done" ? { state: "accepted", by: "checks", at, reason: null } : null,
});

export const frozenBy = (from: number, by = "human:ada", reason = "wait"): Pick<Node, "freeze"> => ({
  freeze: { reason, by, at: 1_500, from, commit: null },
});

/** The number is part of the id: `node(3, "task", 2)` is T3 below 2. */
export function node(nr: number, tier: Tier, parent: number | null, rest: Partial<Node> = {}): Node {
  const { kind = tier === "task" ? "work" : null, ...others } = rest;
  const id = `${tier[0]?.toUpperCase() ?? ""}${nr}`;
  const birth = {
    uuid: `uuid-${nr}`,
    id,
    tier,
    kind,
    title: `Title ${nr}`,
    parent,
    createdAt: 1_000,
    createdBy: "human:ada",
  };
  return { ...newNode(nr, birth, 1_000), ...others };
}

/** With everything that follows from many nodes filled in. */
export function branch(...nodes: readonly Node[]): Branch {
  const derived = recompute(nodes);
  const [root, ...below] = nodes.map((each) => ({ ...each, ...derived.get(each.nr) }));
  return [root as Node, ...below];
}

export const ids = (nodes: readonly Node[]): string[] => nodes.map((each) => each.id);
