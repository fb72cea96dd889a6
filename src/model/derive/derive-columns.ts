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
import { isStaleScope } from "../status/stale-approval.js";
import type { PendingRow, PendingRows } from "./pending-rows.js";

/** The rows around the changed ones are loaded: `checkRows` did that. */
export async function deriveColumns(rows: PendingRows, digest: Digest): Promise<void> {
  const recount = deriveOwn(rows, digest);
  await updatePlaces(rows, recount);
  rollUp(rows);
  await updateLandings(rows, recount);
  await updateDependents(rows, recount);
  await findDependentsOfNewCode(rows, recount);
  await countUnmet(rows, recount);
  await updateHeld(rows);
}

/** Only what each row has of its own: its hash and its edges. The result are rows whose unmet dependencies have to be counted again. */
export function deriveOwn(rows: PendingRows, digest: Digest): Set<Nr> {
  updateHashes(rows, digest);
  return updateEdges(rows);
}

/** The feature around each node, and whether it is in a planning-only inbox. */
async function updatePlaces(rows: PendingRows, recount: Set<Nr>): Promise<void> {
  const moved = rows.changed.filter((d) => !d.removed && (d.was === null || "parent" in d.patch || "inbox" in d.patch));
  for (const tier of TIERS) {
    for (const row of moved) {
      const shifted = row.node.tier === tier && updatePlace(rows, row);
      if (shifted && row.was !== null) await updatePlacesBelow(rows, row, recount);
    }
  }
}

function updatePlace(rows: PendingRows, { node }: PendingRow): boolean {
  const { feature, shelved } = placeUnder(node, rows.loaded(node.parent)?.node);
  if (node.feature === feature && node.shelved === shelved) return false;
  node.feature = feature;
  node.shelved = shelved;
  return true;
}

/** Dependencies across features wait for a landing, so what moved and what waits for it is counted again. */
async function updatePlacesBelow(rows: PendingRows, { node }: PendingRow, recount: Set<Nr>): Promise<void> {
  recount.add(node.nr);
  for (const nr of await rows.before.dependents(node.nr)) recount.add(nr);
  for (const nr of await rows.before.children(node.nr)) {
    const child = await rows.get(nr);
    if (child.node.parent === node.nr && updatePlace(rows, child)) await updatePlacesBelow(rows, child, recount);
  }
}

/** Only approved nodes have a hash: it tells whether the approval is stale. */
function updateHashes(rows: PendingRows, digest: Digest): void {
  for (const { node, was, patch, removed } of rows.changed) {
    if (removed || (was !== null && !HASHED.some((field) => field in patch))) continue;
    node.hash = node.approval === null ? "" : contentHash(node, (nr) => rows.loaded(nr)?.node.uuid ?? "", digest);
  }
}

const targets = (edges: readonly Edge[]): Nr[] => edges.map((edge) => edge.on);

/** The edge table repeats `dependsOn` so that it can be searched from both ends. */
function updateEdges(rows: PendingRows): Set<Nr> {
  const recount = new Set<Nr>();
  for (const { node, was, patch, removed } of rows.changed) {
    if (was !== null && !removed && !("dependsOn" in patch)) continue;
    const before = targets(was?.dependsOn ?? []);
    const after = removed ? [] : targets(node.dependsOn);
    for (const target of before) if (!after.includes(target)) rows.unlinked.push([node.nr, target]);
    for (const target of after) {
      // A node that depends on itself is refused by a check with a message; the table would throw.
      if (target !== node.nr && !before.includes(target)) rows.linked.push([node.nr, target]);
    }
    if (before.length + after.length > 0) recount.add(node.nr);
  }
  return recount;
}

/** Tasks first, then their containers, so that each container is updated once. */
function rollUp(rows: PendingRows): void {
  const byTier = new Map<Tier, Set<PendingRow>>(TIERS.map((tier) => [tier, new Set()]));
  const enlist = (row: PendingRow | undefined): unknown => row && byTier.get(row.node.tier)?.add(row);
  for (const row of rows.changed) enlist(row);
  // Descendants of a moved node change their feature without being changed themselves.
  for (const row of rows.all()) if (row.was && row.was.feature !== row.node.feature) enlist(row);
  for (const tier of [...TIERS].reverse()) {
    for (const row of byTier.get(tier) as Set<PendingRow>) {
      if (row.was) addToCounters(rows, row.was, -1, enlist);
      if (!row.removed) addToCounters(rows, row.node, 1, enlist);
    }
  }
}

function addToCounters(
  rows: PendingRows,
  node: Node,
  sign: 1 | -1,
  enlist: (row: PendingRow | undefined) => unknown,
): void {
  const [parent, feature] = [rows.loaded(node.parent), rows.loaded(node.feature)];
  addToCounts(node, sign, parent?.node, feature?.node);
  enlist(parent);
  enlist(feature);
}

/** A landing meets dependencies of other features. */
async function updateLandings(rows: PendingRows, recount: Set<Nr>): Promise<void> {
  const features = new Set<Nr>();
  for (const { node, was, removed } of rows.changed) {
    if (node.kind !== "land" || node.feature === null) continue;
    if ((was && landingOp(was)) !== (removed ? null : landingOp(node))) features.add(node.feature);
  }
  for (const nr of features) {
    const feature = await rows.find(nr);
    if (!feature) continue;
    feature.node.landedOp = await landingOf(rows, nr);
    for (const waiting of await rows.before.dependentsOutside(nr)) recount.add(waiting);
  }
}

async function landingOf(rows: PendingRows, feature: Nr): Promise<number | null> {
  for (const nr of await rows.before.lands(feature)) await rows.find(nr);
  const children = rows.all().filter(({ node, removed }) => !removed && node.parent === feature);
  return latestLanding(children.map(({ node }) => node));
}

/** Dependents of nodes that became finished, or no longer are. */
async function updateDependents(rows: PendingRows, recount: Set<Nr>): Promise<void> {
  for (const { node, was, removed } of rows.all()) {
    if (was === null || removed) continue;
    const [before, after] = [isFinished(was), isFinished(node)];
    if (before === after && was.outcome?.kind === node.outcome?.kind && codeOp(was) === codeOp(node)) continue;
    for (const nr of await rows.before.dependents(node.nr)) {
      if (recount.has(nr)) continue;
      const dependent = await rows.get(nr);
      // Within a feature, finished means met: one less or one more. Across features the landing counts too.
      if (dependent.node.feature !== node.feature) recount.add(nr);
      else if (before !== after) dependent.node.pending += after ? -1 : 1;
    }
  }
}

/** New code in a story has to land before other features may use it, even if the story stays finished. */
async function findDependentsOfNewCode(rows: PendingRows, recount: Set<Nr>): Promise<void> {
  const stories = new Set<Nr>();
  for (const { node, was, removed } of rows.all()) {
    const [before, after] = [was ? codeOp(was) : 0, removed ? 0 : codeOp(node)];
    if (before === after && was?.parent === node.parent) continue;
    if (before > 0 && was && was.parent !== null) stories.add(was.parent);
    if (after > 0 && node.parent !== null) stories.add(node.parent);
  }
  for (const nr of stories) {
    const story = rows.loaded(nr)?.node;
    if (story?.tier !== "story") continue;
    for (const waiting of await rows.before.dependentsBeyond(nr, story.feature)) recount.add(waiting);
  }
}

async function countUnmet(rows: PendingRows, recount: ReadonlySet<Nr>): Promise<void> {
  /** By target: many nodes may depend on one story. */
  const code = new Map<Nr, number>();
  for (const nr of recount) {
    const row = rows.loaded(nr) ?? (await rows.find(nr));
    if (!row) continue;
    // Around a new row everything is loaded.
    const found = row.was === null ? undefined : rows.loadAround(row.node);
    if (found) await found;
    countAwaited(rows, row, (d) => d.was, -1);
    if (row.removed) continue;
    countAwaited(rows, row, (d) => d.node, 1);
    let pending = 0;
    for (const edge of row.node.dependsOn) {
      const target = rows.loaded(edge.on)?.node;
      if (!target || !isFinished(target)) pending++;
      else if (target.feature !== row.node.feature && !(await metAcross(rows, row.node, target, code))) pending++;
    }
    row.node.pending = pending;
  }
}

async function metAcross(rows: PendingRows, from: Node, target: Node, code: Map<Nr, number>): Promise<boolean> {
  const landedOp = rows.loaded(target.feature)?.node.landedOp ?? null;
  const latest = code.get(target.nr) ?? (await latestCode(rows, target));
  code.set(target.nr, latest);
  return isMet(from, { ...target, landedOp, codeOp: latest });
}

async function latestCode(rows: PendingRows, target: Node): Promise<number> {
  if (target.tier !== "story") return codeOp(target);
  for (const nr of await rows.before.children(target.nr)) await rows.find(nr);
  let latest = 0;
  for (const { node, removed } of rows.all()) {
    if (!removed && node.parent === target.nr) latest = Math.max(latest, codeOp(node));
  }
  return latest;
}

/** A feature counts the edges from other features into it. */
function countAwaited(
  rows: PendingRows,
  row: PendingRow,
  version: (row: PendingRow) => Node | null,
  sign: 1 | -1,
): void {
  const node = version(row);
  for (const edge of node?.dependsOn ?? []) {
    const target = rows.loaded(edge.on);
    const nr = (target && version(target)?.feature) ?? null;
    const feature = nr === node?.feature ? undefined : rows.loaded(nr);
    if (feature) feature.node.awaited += sign;
  }
}

/** From the top down: everything in a container that waits, or whose change nobody approved, is held back with it. */
async function updateHeld(rows: PendingRows): Promise<void> {
  for (const tier of TIERS) {
    for (const { node, was, removed } of rows.all()) {
      if (node.tier !== tier || removed) continue;
      const parent = rows.loaded(node.parent)?.node;
      if (parent) node.held = holdsBack(parent, isStaleScope(parent));
      const before = was !== null && holdsBack(was, isStaleScope(was));
      if (tier === "task" || holdsBack(node, isStaleScope(node)) === before) continue;
      for (const nr of await rows.before.children(node.nr)) await rows.find(nr);
    }
  }
}
