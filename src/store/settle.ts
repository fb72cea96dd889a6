// Keeps the derived columns true, in the same transaction and only where something changed: placement,
// content hash, roll-up counters, landings, unmet dependencies. `recompute` (graph) does the same from
// nothing; `verify` and the property tests hold the two equal.

import { contentHash, HASHED } from "../graph/node/content-hash.js";
import { type Edge, type Node, type Nr, TIERS, type Tier } from "../graph/node/node.js";
import { codeOp, countsForLanding, countsForParent, isFinished, isMet, waits } from "../graph/status/rollup.js";
import { sha256 } from "./sha256.js";
import type { Draft, Sheet } from "./sheet.js";

/** The rows around the changed ones are at hand: the guard has looked at them. */
export async function settle(sheet: Sheet, changed: readonly Draft[]): Promise<void> {
  /** Rows whose dependencies have to be counted anew. */
  const recount = new Set<Nr>();
  await place(sheet, changed, recount);
  hash(sheet, changed);
  await writeEdges(sheet, changed, recount);
  rollUp(sheet, changed);
  await land(sheet, changed, recount);
  await unblock(sheet, recount);
  await renew(sheet, recount);
  await count(sheet, recount);
  await hold(sheet);
}

/** Where the node stands: the feature around it, and whether that is a planning-only inbox. */
async function place(sheet: Sheet, changed: readonly Draft[], recount: Set<Nr>): Promise<void> {
  const moved = changed.filter((d) => !d.gone && (d.was === null || "parent" in d.patch || "inbox" in d.patch));
  for (const tier of TIERS) {
    for (const draft of moved) {
      const shifted = draft.node.tier === tier && placeOne(sheet, draft);
      if (shifted && draft.was !== null) await placeBelow(sheet, draft, recount);
    }
  }
}

/** Whether that changed anything. */
function placeOne(sheet: Sheet, { node }: Draft): boolean {
  const parent = sheet.peek(node.parent)?.node;
  const feature = node.tier === "feature" ? node.nr : (parent?.feature ?? null);
  const shelved = node.inbox || (parent?.shelved ?? false);
  if (node.feature === feature && node.shelved === shelved) return false;
  node.feature = feature;
  node.shelved = shelved;
  return true;
}

/** Landing counts across features, so everything that moved, and all that waits for it, is counted anew. */
async function placeBelow(sheet: Sheet, { node }: Draft, recount: Set<Nr>): Promise<void> {
  recount.add(node.nr);
  for (const row of await sheet.db.all("select node from edge where target = ?", node.nr))
    recount.add(row["node"] as Nr);
  for (const row of await sheet.db.all("select nr from node where parent = ?", node.nr)) {
    const child = await sheet.get(row["nr"] as Nr);
    if (child.node.parent === node.nr && placeOne(sheet, child)) await placeBelow(sheet, child, recount);
  }
}

/** Only what is approved needs a hash: it says whether the approval still holds. */
function hash(sheet: Sheet, changed: readonly Draft[]): void {
  for (const { node, was, patch, gone } of changed) {
    if (gone || (was !== null && !HASHED.some((field) => field in patch))) continue;
    node.hash = node.approval === null ? "" : contentHash(node, (nr) => sheet.peek(nr)?.node.uuid ?? "", sha256);
  }
}

const targets = (edges: readonly Edge[]): Nr[] => edges.map((edge) => edge.on);

/** The edge table follows `dependsOn`; it exists to be searched from both ends. */
async function writeEdges(sheet: Sheet, changed: readonly Draft[], recount: Set<Nr>): Promise<void> {
  for (const { node, was, patch, gone } of changed) {
    if (was !== null && !gone && !("dependsOn" in patch)) continue;
    const before = targets(was?.dependsOn ?? []);
    const after = gone ? [] : targets(node.dependsOn);
    for (const target of before) {
      if (!after.includes(target))
        await sheet.db.run("delete from edge where node = ? and target = ?", node.nr, target);
    }
    for (const target of after) {
      // The guard refuses a node that waits for itself in words; the table would only throw.
      if (target !== node.nr && !before.includes(target)) sheet.link(node.nr, target);
    }
    if (before.length + after.length > 0) recount.add(node.nr);
  }
}

/** Tasks first, then what contains them, so that each container is looked at once. */
function rollUp(sheet: Sheet, changed: readonly Draft[]): void {
  const byTier = new Map<Tier, Set<Draft>>(TIERS.map((tier) => [tier, new Set()]));
  const enlist = (draft: Draft | undefined): unknown => draft && byTier.get(draft.node.tier)?.add(draft);
  for (const draft of changed) enlist(draft);
  // A move may have carried along rows that did not change themselves.
  for (const draft of sheet.drafts()) if (draft.was && draft.was.feature !== draft.node.feature) enlist(draft);
  for (const tier of [...TIERS].reverse()) {
    for (const draft of byTier.get(tier) ?? []) {
      if (draft.was) post(sheet, draft.was, -1, enlist);
      if (!draft.gone) post(sheet, draft.node, 1, enlist);
    }
  }
}

/** Adds a node's share to what contains it, or takes it away. */
function post(sheet: Sheet, node: Node, sign: 1 | -1, enlist: (draft: Draft | undefined) => unknown): void {
  if (!countsForParent(node)) return;
  const finished = isFinished(node) ? sign : 0;
  const parent = sheet.peek(node.parent);
  if (parent) {
    parent.node.live += sign;
    parent.node.finished += finished;
    enlist(parent);
  }
  const feature = countsForLanding(node) ? sheet.peek(node.feature) : undefined;
  if (feature) {
    feature.node.tasksLive += sign;
    feature.node.tasksFinished += finished;
    enlist(feature);
  }
}

/** A landing meets what other features wait for. */
async function land(sheet: Sheet, changed: readonly Draft[], recount: Set<Nr>): Promise<void> {
  const landed = (node: Node | null): number => (node !== null && isFinished(node) ? (node.outcome?.op ?? 0) : 0);
  const features = new Set<Nr>();
  for (const { node, was, gone } of changed) {
    if (node.kind !== "land" || node.feature === null) continue;
    if (landed(was) !== (gone ? 0 : landed(node))) features.add(node.feature);
  }
  for (const nr of features) {
    const feature = await sheet.find(nr);
    if (!feature) continue;
    feature.node.landedOp = await latestLanding(sheet, nr);
    for (const row of await sheet.db.all(OUTSIDE, nr, nr)) recount.add(row["nr"] as Nr);
  }
}

async function latestLanding(sheet: Sheet, feature: Nr): Promise<number | null> {
  for (const row of await sheet.db.all("select nr from node where parent = ? and kind = 'land'", feature)) {
    await sheet.find(row["nr"] as Nr);
  }
  let latest: number | null = null;
  for (const { node, gone } of sheet.drafts()) {
    if (gone || node.kind !== "land" || node.parent !== feature || !isFinished(node)) continue;
    latest = Math.max(latest ?? 0, node.outcome?.op ?? 0);
  }
  return latest;
}

/** What waits, from outside, for something inside a feature. */
const OUTSIDE = `
  with recursive inside (nr) as (
    select nr from node where parent = ?
    union all
    select node.nr from node join inside on node.parent = inside.nr
  )
  select distinct edge.node as nr from inside cross join edge cross join node
  where edge.target = inside.nr and node.nr = edge.node and node.feature is distinct from ?`;

/** What waits for a node that was finished, or no longer is. */
async function unblock(sheet: Sheet, recount: Set<Nr>): Promise<void> {
  for (const { node, was, gone } of sheet.drafts()) {
    if (was === null || gone) continue;
    const [before, after] = [isFinished(was), isFinished(node)];
    if (before === after && was.outcome?.kind === node.outcome?.kind && codeOp(was) === codeOp(node)) continue;
    for (const row of await sheet.db.all("select node from edge where target = ?", node.nr)) {
      const nr = row["node"] as Nr;
      if (recount.has(nr)) continue;
      const dependent = await sheet.get(nr);
      // Within a feature finished is met, and one step up or down tells; across features landing counts too.
      if (dependent.node.feature !== node.feature) recount.add(nr);
      else if (before !== after) dependent.node.pending += after ? -1 : 1;
    }
  }
}

/** New code in a story has to land before other features may build on it, even if the story stays finished. */
async function renew(sheet: Sheet, recount: Set<Nr>): Promise<void> {
  const stories = new Set<Nr>();
  for (const { node, was, gone } of sheet.drafts()) {
    const [before, after] = [was ? codeOp(was) : 0, gone ? 0 : codeOp(node)];
    if (before === after && was?.parent === node.parent) continue;
    if (before > 0 && was && was.parent !== null) stories.add(was.parent);
    if (after > 0 && node.parent !== null) stories.add(node.parent);
  }
  for (const nr of stories) {
    const story = sheet.peek(nr)?.node;
    if (story?.tier !== "story") continue;
    for (const row of await sheet.db.all(BEYOND, nr, story.feature)) recount.add(row["nr"] as Nr);
  }
}

/** What waits for a node from another feature. */
const BEYOND = `
  select edge.node as nr from edge join node on node.nr = edge.node
  where edge.target = ? and node.feature is distinct from ?`;

async function count(sheet: Sheet, recount: ReadonlySet<Nr>): Promise<void> {
  /** Of each target: many may wait for one story. */
  const code = new Map<Nr, number>();
  for (const nr of recount) {
    const draft = sheet.peek(nr) ?? (await sheet.find(nr));
    if (!draft) continue;
    // Of a new row the guard has found it all.
    const found = draft.was === null ? undefined : sheet.surround(draft.node);
    if (found) await found;
    countAwaited(sheet, draft, (d) => d.was, -1);
    if (draft.gone) continue;
    countAwaited(sheet, draft, (d) => (d.gone ? null : d.node), 1);
    let pending = 0;
    for (const edge of draft.node.dependsOn) {
      const target = sheet.peek(edge.on)?.node;
      if (!target || !isFinished(target)) pending++;
      else if (target.feature !== draft.node.feature && !(await metAcross(sheet, draft.node, target, code))) pending++;
    }
    draft.node.pending = pending;
  }
}

async function metAcross(sheet: Sheet, from: Node, target: Node, code: Map<Nr, number>): Promise<boolean> {
  const landedOp = sheet.peek(target.feature)?.node.landedOp ?? null;
  const latest = code.get(target.nr) ?? (await latestCode(sheet, target));
  code.set(target.nr, latest);
  return isMet(from, { ...target, landedOp, codeOp: latest });
}

async function latestCode(sheet: Sheet, target: Node): Promise<number> {
  if (target.tier !== "story") return codeOp(target);
  for (const row of await sheet.db.all("select nr from node where parent = ?", target.nr)) {
    await sheet.find(row["nr"] as Nr);
  }
  let latest = 0;
  for (const { node, gone } of sheet.drafts()) {
    if (!gone && node.parent === target.nr) latest = Math.max(latest, codeOp(node));
  }
  return latest;
}

/** Every edge that crosses into a feature counts there once. */
function countAwaited(sheet: Sheet, draft: Draft, version: (draft: Draft) => Node | null, sign: 1 | -1): void {
  const node = version(draft);
  for (const edge of node?.dependsOn ?? []) {
    const target = sheet.peek(edge.on);
    const nr = (target && version(target)?.feature) ?? null;
    const feature = nr === node?.feature ? undefined : sheet.peek(nr);
    if (feature) feature.node.awaited += sign;
  }
}

/** From the top down: what is in a container that waits, waits with it. */
async function hold(sheet: Sheet): Promise<void> {
  for (const tier of TIERS) {
    for (const { node, was, gone } of sheet.drafts()) {
      if (node.tier !== tier || gone) continue;
      const parent = sheet.peek(node.parent)?.node;
      if (parent) node.held = waits(parent);
      if (tier === "task" || waits(node) === (was !== null && waits(was))) continue;
      for (const row of await sheet.db.all("select nr from node where parent = ?", node.nr))
        await sheet.find(row["nr"] as Nr);
    }
  }
}
