// Updates the derived columns in the same transaction, only where something changed: place, content hash, roll-up counters,
// landings, unmet dependencies. `recompute` (graph) computes them from scratch; `verify` and property tests compare the two.

import { contentHash, HASHED } from "../../model/node/content-hash.js";
import { type Edge, type Node, type Nr, TIERS, type Tier } from "../../model/node/node.js";
import { codeOp, countsForLanding, countsForParent, holdsBack, isFinished, isMet } from "../../model/status/rollup.js";
import { isStale } from "../../model/status/stale.js";
import { numberOf } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import type { PendingRow, PendingRows } from "./pending-rows.js";

/** The rows around the changed ones are loaded: `checkRows` did that. */
export async function deriveColumns(pendingRows: PendingRows, changed: readonly PendingRow[]): Promise<void> {
  /** Rows whose unmet dependencies have to be counted again. */
  const recount = new Set<Nr>();
  await updatePlaces(pendingRows, changed, recount);
  updateHashes(pendingRows, changed);
  await updateEdges(pendingRows, changed, recount);
  rollUp(pendingRows, changed);
  await updateLandings(pendingRows, changed, recount);
  await updateDependents(pendingRows, recount);
  await findDependentsOfNewCode(pendingRows, recount);
  await countUnmet(pendingRows, recount);
  await updateHeld(pendingRows);
}

/** The feature around each node, and whether it is in a planning-only inbox. */
async function updatePlaces(pendingRows: PendingRows, changed: readonly PendingRow[], recount: Set<Nr>): Promise<void> {
  const moved = changed.filter((d) => !d.removed && (d.was === null || "parent" in d.patch || "inbox" in d.patch));
  for (const tier of TIERS) {
    for (const row of moved) {
      const shifted = row.node.tier === tier && updatePlace(pendingRows, row);
      if (shifted && row.was !== null) await updatePlacesBelow(pendingRows, row, recount);
    }
  }
}

/** True if the place changed. */
function updatePlace(pendingRows: PendingRows, { node }: PendingRow): boolean {
  const parent = pendingRows.loaded(node.parent)?.node;
  const feature = node.tier === "feature" ? node.nr : (parent?.feature ?? null);
  const shelved = node.inbox || (parent?.shelved ?? false);
  if (node.feature === feature && node.shelved === shelved) return false;
  node.feature = feature;
  node.shelved = shelved;
  return true;
}

/** Dependencies across features wait for a landing, so what moved and what waits for it is counted again. */
async function updatePlacesBelow(pendingRows: PendingRows, { node }: PendingRow, recount: Set<Nr>): Promise<void> {
  recount.add(node.nr);
  for (const row of await pendingRows.db.all("select node from edge where target = ?", node.nr))
    recount.add(numberOf(row["node"]));
  for (const row of await pendingRows.db.all("select nr from node where parent = ?", node.nr)) {
    const child = await pendingRows.get(numberOf(row["nr"]));
    if (child.node.parent === node.nr && updatePlace(pendingRows, child))
      await updatePlacesBelow(pendingRows, child, recount);
  }
}

/** Only approved nodes have a hash: it tells whether the approval is stale. */
function updateHashes(pendingRows: PendingRows, changed: readonly PendingRow[]): void {
  for (const { node, was, patch, removed } of changed) {
    if (removed || (was !== null && !HASHED.some((field) => field in patch))) continue;
    node.hash =
      node.approval === null ? "" : contentHash(node, (nr) => pendingRows.loaded(nr)?.node.uuid ?? "", sha256);
  }
}

const targets = (edges: readonly Edge[]): Nr[] => edges.map((edge) => edge.on);

/** The edge table repeats `dependsOn` so that it can be searched from both ends. */
async function updateEdges(pendingRows: PendingRows, changed: readonly PendingRow[], recount: Set<Nr>): Promise<void> {
  for (const { node, was, patch, removed } of changed) {
    if (was !== null && !removed && !("dependsOn" in patch)) continue;
    const before = targets(was?.dependsOn ?? []);
    const after = removed ? [] : targets(node.dependsOn);
    for (const target of before) {
      if (!after.includes(target))
        await pendingRows.db.run("delete from edge where node = ? and target = ?", node.nr, target);
    }
    for (const target of after) {
      // A node that depends on itself is refused by a check with a message; the table would throw.
      if (target !== node.nr && !before.includes(target)) pendingRows.link(node.nr, target);
    }
    if (before.length + after.length > 0) recount.add(node.nr);
  }
}

/** Tasks first, then their containers, so that each container is updated once. */
function rollUp(pendingRows: PendingRows, changed: readonly PendingRow[]): void {
  const byTier = new Map<Tier, Set<PendingRow>>(TIERS.map((tier) => [tier, new Set()]));
  const enlist = (row: PendingRow | undefined): unknown => row && byTier.get(row.node.tier)?.add(row);
  for (const row of changed) enlist(row);
  // Descendants of a moved node change their feature without being changed themselves.
  for (const row of pendingRows.all()) if (row.was && row.was.feature !== row.node.feature) enlist(row);
  for (const tier of [...TIERS].reverse()) {
    for (const row of byTier.get(tier) ?? []) {
      if (row.was) addToCounters(pendingRows, row.was, -1, enlist);
      if (!row.removed) addToCounters(pendingRows, row.node, 1, enlist);
    }
  }
}

/** Adds a node to the counters of its containers, or subtracts it. */
function addToCounters(
  pendingRows: PendingRows,
  node: Node,
  sign: 1 | -1,
  enlist: (row: PendingRow | undefined) => unknown,
): void {
  if (!countsForParent(node)) return;
  const finished = isFinished(node) ? sign : 0;
  const parent = pendingRows.loaded(node.parent);
  if (parent) {
    parent.node.live += sign;
    parent.node.finished += finished;
    enlist(parent);
  }
  const feature = countsForLanding(node) ? pendingRows.loaded(node.feature) : undefined;
  if (feature) {
    feature.node.tasksLive += sign;
    feature.node.tasksFinished += finished;
    enlist(feature);
  }
}

/** A landing meets dependencies of other features. */
async function updateLandings(
  pendingRows: PendingRows,
  changed: readonly PendingRow[],
  recount: Set<Nr>,
): Promise<void> {
  const landed = (node: Node | null): number => (node !== null && isFinished(node) ? (node.outcome?.op ?? 0) : 0);
  const features = new Set<Nr>();
  for (const { node, was, removed } of changed) {
    if (node.kind !== "land" || node.feature === null) continue;
    if (landed(was) !== (removed ? 0 : landed(node))) features.add(node.feature);
  }
  for (const nr of features) {
    const feature = await pendingRows.find(nr);
    if (!feature) continue;
    feature.node.landedOp = await latestLanding(pendingRows, nr);
    for (const row of await pendingRows.db.all(OUTSIDE, nr, nr)) recount.add(numberOf(row["nr"]));
  }
}

async function latestLanding(pendingRows: PendingRows, feature: Nr): Promise<number | null> {
  for (const row of await pendingRows.db.all("select nr from node where parent = ? and kind = 'land'", feature)) {
    await pendingRows.find(numberOf(row["nr"]));
  }
  let latest: number | null = null;
  for (const { node, removed } of pendingRows.all()) {
    if (removed || node.kind !== "land" || node.parent !== feature || !isFinished(node)) continue;
    latest = Math.max(latest ?? 0, node.outcome?.op ?? 0);
  }
  return latest;
}

/** Nodes of other features that depend on something inside a feature. */
const OUTSIDE = `
  with recursive inside (nr) as (
    select nr from node where parent = ?
    union all
    select node.nr from node join inside on node.parent = inside.nr
  )
  select distinct edge.node as nr from inside cross join edge cross join node
  where edge.target = inside.nr and node.nr = edge.node and node.feature is distinct from ?`;

/** Dependents of nodes that became finished, or no longer are. */
async function updateDependents(pendingRows: PendingRows, recount: Set<Nr>): Promise<void> {
  for (const { node, was, removed } of pendingRows.all()) {
    if (was === null || removed) continue;
    const [before, after] = [isFinished(was), isFinished(node)];
    if (before === after && was.outcome?.kind === node.outcome?.kind && codeOp(was) === codeOp(node)) continue;
    for (const row of await pendingRows.db.all("select node from edge where target = ?", node.nr)) {
      const nr = numberOf(row["node"]);
      if (recount.has(nr)) continue;
      const dependent = await pendingRows.get(nr);
      // Within a feature, finished means met: one less or one more. Across features the landing counts too.
      if (dependent.node.feature !== node.feature) recount.add(nr);
      else if (before !== after) dependent.node.pending += after ? -1 : 1;
    }
  }
}

/** New code in a story has to land before other features may use it, even if the story stays finished. */
async function findDependentsOfNewCode(pendingRows: PendingRows, recount: Set<Nr>): Promise<void> {
  const stories = new Set<Nr>();
  for (const { node, was, removed } of pendingRows.all()) {
    const [before, after] = [was ? codeOp(was) : 0, removed ? 0 : codeOp(node)];
    if (before === after && was?.parent === node.parent) continue;
    if (before > 0 && was && was.parent !== null) stories.add(was.parent);
    if (after > 0 && node.parent !== null) stories.add(node.parent);
  }
  for (const nr of stories) {
    const story = pendingRows.loaded(nr)?.node;
    if (story?.tier !== "story") continue;
    for (const row of await pendingRows.db.all(BEYOND, nr, story.feature)) recount.add(numberOf(row["nr"]));
  }
}

/** Nodes of other features that depend on a node. */
const BEYOND = `
  select edge.node as nr from edge join node on node.nr = edge.node
  where edge.target = ? and node.feature is distinct from ?`;

async function countUnmet(pendingRows: PendingRows, recount: ReadonlySet<Nr>): Promise<void> {
  /** By target: many nodes may depend on one story. */
  const code = new Map<Nr, number>();
  for (const nr of recount) {
    const row = pendingRows.loaded(nr) ?? (await pendingRows.find(nr));
    if (!row) continue;
    // Around a new row everything is loaded.
    const found = row.was === null ? undefined : pendingRows.loadAround(row.node);
    if (found) await found;
    countAwaited(pendingRows, row, (d) => d.was, -1);
    if (row.removed) continue;
    countAwaited(pendingRows, row, (d) => (d.removed ? null : d.node), 1);
    let pending = 0;
    for (const edge of row.node.dependsOn) {
      const target = pendingRows.loaded(edge.on)?.node;
      if (!target || !isFinished(target)) pending++;
      else if (target.feature !== row.node.feature && !(await metAcross(pendingRows, row.node, target, code)))
        pending++;
    }
    row.node.pending = pending;
  }
}

async function metAcross(pendingRows: PendingRows, from: Node, target: Node, code: Map<Nr, number>): Promise<boolean> {
  const landedOp = pendingRows.loaded(target.feature)?.node.landedOp ?? null;
  const latest = code.get(target.nr) ?? (await latestCode(pendingRows, target));
  code.set(target.nr, latest);
  return isMet(from, { ...target, landedOp, codeOp: latest });
}

async function latestCode(pendingRows: PendingRows, target: Node): Promise<number> {
  if (target.tier !== "story") return codeOp(target);
  for (const row of await pendingRows.db.all("select nr from node where parent = ?", target.nr)) {
    await pendingRows.find(numberOf(row["nr"]));
  }
  let latest = 0;
  for (const { node, removed } of pendingRows.all()) {
    if (!removed && node.parent === target.nr) latest = Math.max(latest, codeOp(node));
  }
  return latest;
}

/** A feature counts the edges from other features into it. */
function countAwaited(
  pendingRows: PendingRows,
  row: PendingRow,
  version: (row: PendingRow) => Node | null,
  sign: 1 | -1,
): void {
  const node = version(row);
  for (const edge of node?.dependsOn ?? []) {
    const target = pendingRows.loaded(edge.on);
    const nr = (target && version(target)?.feature) ?? null;
    const feature = nr === node?.feature ? undefined : pendingRows.loaded(nr);
    if (feature) feature.node.awaited += sign;
  }
}

/** From the top down: everything in a container that waits, or whose change nobody approved, is held back with it. */
async function updateHeld(pendingRows: PendingRows): Promise<void> {
  for (const tier of TIERS) {
    for (const { node, was, removed } of pendingRows.all()) {
      if (node.tier !== tier || removed) continue;
      const parent = pendingRows.loaded(node.parent)?.node;
      if (parent) node.held = holdsBack(parent, isStale(parent));
      const before = was !== null && holdsBack(was, isStale(was));
      if (tier === "task" || holdsBack(node, isStale(node)) === before) continue;
      for (const row of await pendingRows.db.all("select nr from node where parent = ?", node.nr))
        await pendingRows.find(numberOf(row["nr"]));
    }
  }
}
