// Every derived value but the content hash from nothing, in a few passes over the plan. The store keeps the same values step by step;
// `verify` and the property tests hold the two equal.

import { type Derived, type NodeFields, type Nr, UNDERIVED } from "../node/node.js";
import { addToCounts, byTier, codeOps, holdsBack, isFinished, isMet, landingOp, placeUnder } from "../status/rollup.js";

/** All that the counts follow from: small enough to hold a whole plan of it in memory. */
export type Countable = Pick<
  NodeFields,
  "id" | "tier" | "kind" | "parent" | "dependsOn" | "inbox" | "outcome" | "awaitsPlan"
> & {
  readonly nr: Nr;
  readonly stale: boolean;
};

export type Counts = Omit<Derived, "hash">;

type Known = Countable & { -readonly [K in keyof Counts]: Counts[K] };

type Plan = ReadonlyMap<Nr, Known>;

export function recomputeCounts(rows: Iterable<Countable>): ReadonlyMap<Nr, Counts> {
  const tiers = byTier(rows);
  const all = new Map<Nr, Known>();
  for (const row of tiers.flat()) place(row, all);
  for (const tier of [...tiers].reverse()) for (const row of tier) rollUp(row, all);
  const code = codeOps(tiers);
  for (const row of tiers.flat()) depend(row, all, code);
  for (const row of tiers.flat()) hold(row, all);
  return all;
}

const above = ({ parent }: Countable, all: Plan): Known | undefined => (parent === null ? undefined : all.get(parent));

/** Every field that a placed node has: a copy of it does not grow, which takes a quarter off `verify` of 20,000 nodes. */
const UNPLACED: Known = {
  nr: 0,
  id: "",
  tier: "task",
  kind: null,
  parent: null,
  dependsOn: [],
  inbox: false,
  outcome: null,
  awaitsPlan: null,
  stale: false,
  ...UNDERIVED,
};

const place = (row: Countable, all: Map<Nr, Known>): unknown =>
  all.set(row.nr, { ...UNPLACED, ...row, ...UNDERIVED, ...placeUnder(row, above(row, all)) });

function rollUp(row: Countable, all: Plan): void {
  const node = all.get(row.nr) as Known;
  const feature = node.feature === null ? undefined : all.get(node.feature);
  addToCounts(node, 1, above(row, all), feature);
  const landed = landingOp(node);
  if (feature && landed !== null) feature.landedOp = Math.max(feature.landedOp ?? 0, landed);
}

function hold(row: Countable, all: Plan): void {
  const parent = above(row, all);
  if (parent) (all.get(row.nr) as Known).held = holdsBack(parent, parent.stale);
}

function depend(row: Countable, all: Plan, code: ReadonlyMap<Nr, number>): void {
  const node = all.get(row.nr) as Known;
  for (const { on } of row.dependsOn) {
    const target = all.get(on);
    const feature = target && target.feature !== null ? all.get(target.feature) : undefined;
    if (feature && feature.nr !== node.feature) feature.awaited++;
    if (!target || !isFinished(target)) node.pending++;
    else if (!isMet(node, { ...target, landedOp: feature?.landedOp ?? null, codeOp: code.get(on) as number }))
      node.pending++;
  }
}
