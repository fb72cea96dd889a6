// When code was finished: of a task by its outcome, of a container by the latest outcome inside it.

import { codeOp } from "../status/rollup.js";
import { type Facts, type Node, type Nr, TIERS } from "./node.js";

type Settling = Pick<Node, "nr" | "parent" | "tier" | "kind"> & Pick<Facts, "outcome">;

/** One list per tier: parents stand in an earlier list than their children, whatever the order of the rows. */
export function byTier<T extends Pick<Node, "tier">>(rows: Iterable<T>): T[][] {
  const lists = new Map<string, T[]>(TIERS.map((tier) => [tier, []]));
  for (const row of rows) lists.get(row.tier)?.push(row);
  return [...lists.values()];
}

/** The number of the latest operation that finished code in each node or below it; 0 where none did. */
export function codeOps(tiers: readonly (readonly Settling[])[]): Map<Nr, number> {
  const latest = new Map<Nr, number>();
  for (const tier of [...tiers].reverse()) {
    for (const { nr, parent, kind, outcome } of tier) {
      const op = Math.max(latest.get(nr) ?? 0, codeOp({ kind, outcome }));
      latest.set(nr, op);
      if (parent !== null && op > (latest.get(parent) ?? 0)) latest.set(parent, op);
    }
  }
  return latest;
}
