// Every derived value of a plan in memory, the content hashes included.

import { type Counts, recomputeCounts } from "../src/model/derive/recompute.js";
import { contentHash } from "../src/model/node/content-hash.js";
import type { Derived, NodeFields, Nr } from "../src/model/node/node.js";
import { isStaleScope } from "../src/model/status/stale-approval.js";
import { sha256 } from "../src/store/sha256.js";

export function recompute(rows: Iterable<NodeFields & { readonly nr: Nr }>): Map<Nr, Derived> {
  const all = new Map<Nr, NodeFields & { readonly nr: Nr }>();
  for (const row of rows) all.set(row.nr, row);
  const hashes = new Map<Nr, string>();
  for (const [nr, row] of all) {
    hashes.set(nr, row.approval === null ? "" : contentHash(row, (other) => all.get(other)?.uuid ?? "", sha256));
  }
  const hashOf = (nr: Nr): string => hashes.get(nr) as string;
  const counts = recomputeCounts(
    [...all.values()].map((row) => ({
      ...row,
      stale: isStaleScope({ tier: row.tier, approval: row.approval, hash: hashOf(row.nr) }),
    })),
  );
  const derived = new Map<Nr, Derived>();
  for (const nr of all.keys()) derived.set(nr, { ...(counts.get(nr) as Counts), hash: hashOf(nr) });
  return derived;
}
