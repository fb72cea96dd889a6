// Updates what is derived, only where something changed: place, content hash, roll-up counters, landings, unmet dependencies, what is
// held back. The same for a commit and for a look at the past. `recompute` starts from nothing; `verify` and property tests compare the two.

import { contentHash, type Digest, HASHED } from "../node/content-hash.js";
import { type Edge, type Node, type Nr, TIERS, type Tier } from "../node/node.js";
import {
  addToCounts,
  codeOp,
  holdsBack,
  isFinished,
  isMet,
  landingOp,
  latestLanding,
  placeUnder,
} from "../status/rollup.js";
import { isStale } from "../status/stale.js";
import type { PendingRow, PendingRows } from "./pending-rows.js";

/** The rows around the changed ones are loaded: `checkRows` did that. */
export async function deriveColumns(
  pendingRows: PendingRows,
  changed: readonly PendingRow[],
  digest: Digest,
): Promise<void> {
  const recount = deriveOwn(pendingRows, changed, digest);
  await updatePlaces(pendingRows, changed, recount);
  rollUp(pendingRows, changed);
  await updateLandings(pendingRows, changed, recount);
  await updateDependents(pendingRows, recount);
  await findDependentsOfNewCode(pendingRows, recount);
  await countUnmet(pendingRows, recount);
  await updateHeld(pendingRows);
}

/** Only what each row has of its own: its hash and its edges. The result are rows whose unmet dependencies have to be counted again. */
export function deriveOwn(pendingRows: PendingRows, changed: readonly PendingRow[], digest: Digest): Set<Nr> {
  updateHashes(pendingRows, changed, digest);
  return updateEdges(pendingRows, changed);
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
  const { feature, shelved } = placeUnder(node, pendingRows.loaded(node.parent)?.node);
  if (node.feature === feature && node.shelved === shelved) return false;
  node.feature = feature;
  node.shelved = shelved;
  return true;
}

/** Dependencies across features wait for a landing, so what moved and what waits for it is counted again. */
async function updatePlacesBelow(pendingRows: PendingRows, { node }: PendingRow, recount: Set<Nr>): Promise<void> {
  recount.add(node.nr);
  for (const nr of await pendingRows.before.dependents(node.nr)) recount.add(nr);
  for (const nr of await pendingRows.before.children(node.nr)) {
    const child = await pendingRows.get(nr);
    if (child.node.parent === node.nr && updatePlace(pendingRows, child))
      await updatePlacesBelow(pendingRows, child, recount);
  }
}

/** Only approved nodes have a hash: it tells whether the approval is stale. */
function updateHashes(pendingRows: PendingRows, changed: readonly PendingRow[], digest: Digest): void {
  for (const { node, was, patch, removed } of changed) {
    if (removed || (was !== null && !HASHED.some((field) => field in patch))) continue;
    node.hash =
      node.approval === null ? "" : contentHash(node, (nr) => pendingRows.loaded(nr)?.node.uuid ?? "", digest);
  }
}

const targets = (edges: readonly Edge[]): Nr[] => edges.map((edge) => edge.on);

/** The edge table repeats `dependsOn` so that it can be searched from both ends. */
function updateEdges(pendingRows: PendingRows, changed: readonly PendingRow[]): Set<Nr> {
  const recount = new Set<Nr>();
  for (const { node, was, patch, removed } of changed) {
    if (was !== null && !removed && !("dependsOn" in patch)) continue;
    const before = targets(was?.dependsOn ?? []);
    const after = removed ? [] : targets(node.dependsOn);
    for (const target of before) {
      if (!after.includes(target)) pendingRows.turnEdge([node.nr, target], false);
    }
    for (const target of after) {
      // A node that depends on itself is refused by a check with a message; the table would throw.
      if (target !== node.nr && !before.includes(target)) pendingRows.turnEdge([node.nr, target], true);
    }
    if (before.length + after.length > 0) recount.add(node.nr);
  }
  return recount;
}

/** Tasks first, then their containers, so that each container is updated once. */
function rollUp(pendingRows: PendingRows, changed: readonly PendingRow[]): void {
  const byTier = new Map<Tier, Set<PendingRow>>(TIERS.map((tier) => [tier, new Set()]));
  const enlist = (row: PendingRow | undefined): unknown => row && byTier.get(row.node.tier)?.add(row);
  for (const row of changed) enlist(row);
  // Descendants of a moved node change their feature without being changed themselves.
  for (const row of pendingRows.all()) if (row.was && row.was.feature !== row.node.feature) enlist(row);
  for (const tier of [...TIERS].reverse()) {
    for (const row of byTier.get(tier) as Set<PendingRow>) {
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
  const [parent, feature] = [pendingRows.loaded(node.parent), pendingRows.loaded(node.feature)];
  addToCounts(node, sign, parent?.node, feature?.node);
  enlist(parent);
  enlist(feature);
}

/** A landing meets dependencies of other features. */
async function updateLandings(
  pendingRows: PendingRows,
  changed: readonly PendingRow[],
  recount: Set<Nr>,
): Promise<void> {
  const features = new Set<Nr>();
  for (const { node, was, removed } of changed) {
    if (node.kind !== "land" || node.feature === null) continue;
    if ((was && landingOp(was)) !== (removed ? null : landingOp(node))) features.add(node.feature);
  }
  for (const nr of features) {
    const feature = await pendingRows.find(nr);
    if (!feature) continue;
    feature.node.landedOp = await landingOf(pendingRows, nr);
    for (const waiting of await pendingRows.before.dependentsOutside(nr)) recount.add(waiting);
  }
}

async function landingOf(pendingRows: PendingRows, feature: Nr): Promise<number | null> {
  for (const nr of await pendingRows.before.lands(feature)) await pendingRows.find(nr);
  const children = pendingRows.all().filter(({ node, removed }) => !removed && node.parent === feature);
  return latestLanding(children.map(({ node }) => node));
}

/** Dependents of nodes that became finished, or no longer are. */
async function updateDependents(pendingRows: PendingRows, recount: Set<Nr>): Promise<void> {
  for (const { node, was, removed } of pendingRows.all()) {
    if (was === null || removed) continue;
    const [before, after] = [isFinished(was), isFinished(node)];
    if (before === after && was.outcome?.kind === node.outcome?.kind && codeOp(was) === codeOp(node)) continue;
    for (const nr of await pendingRows.before.dependents(node.nr)) {
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
    for (const waiting of await pendingRows.before.dependentsBeyond(nr, story.feature)) recount.add(waiting);
  }
}

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
    countAwaited(pendingRows, row, (d) => d.node, 1);
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
  for (const nr of await pendingRows.before.children(target.nr)) await pendingRows.find(nr);
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
      for (const nr of await pendingRows.before.children(node.nr)) await pendingRows.find(nr);
    }
  }
}
