// Every derived value from nothing: slow and plain. The store keeps the same values step by step;
// `verify` and the property tests hold the two equal.

import { contentHash } from "./content-hash.js";
import type { Derived, Node, NodeFields, Nr } from "./node.js";
import { tierRank } from "./node.js";
import { countsForLanding, isFinished, isLive, isMet } from "./rollup.js";

type Known = { -readonly [K in keyof Derived]: Derived[K] } & NodeFields & { readonly nr: Nr };

export function recompute(rows: Iterable<NodeFields & { readonly nr: Nr }>): Map<Nr, Derived & { readonly nr: Nr }> {
  const all = new Map<Nr, Known>();
  for (const row of rows) {
    all.set(row.nr, {
      ...row,
      feature: null,
      shelved: false,
      hash: "",
      pending: 0,
      live: 0,
      finished: 0,
      tasksLive: 0,
      tasksFinished: 0,
      landedOp: null,
      awaited: 0,
    });
  }
  const topDown = [...all.values()].sort((a, b) => tierRank(a.tier) - tierRank(b.tier));
  for (const node of topDown) place(node, all);
  for (const node of [...topDown].reverse()) rollUp(node, all);
  for (const node of topDown) {
    node.hash = node.approval === null ? "" : contentHash(node, (nr) => all.get(nr)?.uuid ?? "");
    depend(node, all);
  }
  return all;
}

function place(node: Known, all: ReadonlyMap<Nr, Known>): void {
  const parent = node.parent === null ? undefined : all.get(node.parent);
  node.feature = node.tier === "feature" ? node.nr : (parent?.feature ?? null);
  node.shelved = node.inbox || (parent?.shelved ?? false);
}

function rollUp(node: Known, all: ReadonlyMap<Nr, Known>): void {
  const live = isLive(node) ? 1 : 0;
  const finished = isFinished(node) ? 1 : 0;
  const parent = node.parent === null ? undefined : all.get(node.parent);
  if (parent) {
    parent.live += live;
    parent.finished += finished;
  }
  const feature = node.feature === null ? undefined : all.get(node.feature);
  if (feature && countsForLanding(node)) {
    feature.tasksLive += live;
    feature.tasksFinished += finished;
  }
  if (feature && node.kind === "land" && finished) {
    feature.landedOp = Math.max(feature.landedOp ?? 0, node.outcome?.op ?? 0);
  }
}

function depend(node: Known, all: ReadonlyMap<Nr, Known>): void {
  for (const { on } of node.dependsOn) {
    const target = all.get(on);
    const feature = target && target.feature !== null ? all.get(target.feature) : undefined;
    if (feature && feature.nr !== node.feature) feature.awaited++;
    const view = target && { ...target, landedOp: feature?.landedOp ?? null, settledOp: settledOp(target, all) };
    if (!view || !isMet(node, view)) node.pending++;
  }
}

function settledOp(target: Known, all: ReadonlyMap<Nr, Known>): number {
  if (target.tier === "task") return target.outcome?.op ?? 0;
  let latest = target.outcome?.op ?? 0;
  for (const node of all.values()) {
    if (node.outcome === null) continue;
    for (let at: Known | undefined = node; at; at = at.parent === null ? undefined : all.get(at.parent)) {
      if (at.nr === target.nr) latest = Math.max(latest, node.outcome.op);
    }
  }
  return latest;
}

export type Recomputed = Pick<Node, keyof Derived>;
