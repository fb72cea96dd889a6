// Does an operation close a cycle of waiting? Rows are already written when this runs, so the searches
// see the plan as it would be. A cycle that existed before does not count: it must pass through a node
// that waits for something new.

import { findCycle, findCycles } from "../graph/cycle.js";
import { type Violation, violation } from "../graph/invariants.js";
import { isContainer, type Node, type Nr } from "../graph/node.js";
import { findPath, waitsFor } from "./find-path.js";
import type { Draft, Sheet } from "./sheet.js";

/** Above this, one search over the whole batch is cheaper than one per node. */
const FEW = 20;

export async function cycleThrough(sheet: Sheet, changed: readonly Draft[]): Promise<Violation[]> {
  const suspects = await findSuspects(sheet, changed);
  if (suspects.length > FEW) {
    const inside = cycleInBatch(sheet, suspects);
    if (inside) return report(sheet, inside);
    const around = (await mayCloseThroughPlan(sheet, suspects)) ? await cycleBehind(sheet, suspects) : undefined;
    return around ? report(sheet, around) : [];
  }
  for (const { node } of suspects) {
    const path = await findPath(sheet.db, await waitsFor(sheet.db, node.nr), [node.nr]);
    if (path) return report(sheet, [node.nr, ...path]);
  }
  return [];
}

/** Whatever waits for something that it did not wait for before. */
async function findSuspects(sheet: Sheet, changed: readonly Draft[]): Promise<Draft[]> {
  const suspects = new Set(changed.filter((draft) => !draft.gone && hasNewWaits(draft)));
  // Where a node lands decides what its dependents wait for, and what it waits for itself.
  for (const draft of [...sheet.drafts()].filter((draft) => !draft.gone && landsElsewhere(draft))) {
    suspects.add(draft);
    for (const row of await sheet.db.all("select node from edge where target = ?", draft.node.nr)) {
      const dependent = await sheet.get(row["node"] as Nr);
      await sheet.surround(dependent.node);
      suspects.add(dependent);
    }
  }
  return [...suspects];
}

/** A new node without dependencies waits for nothing but its children, which are suspects themselves. */
const hasNewWaits = ({ node, was, patch }: Draft): boolean =>
  was === null ? node.dependsOn.length > 0 : "dependsOn" in patch || "parent" in patch;

const landsElsewhere = ({ node, was }: Draft): boolean =>
  was !== null && (was.feature !== node.feature || was.kind !== node.kind);

async function report(sheet: Sheet, cycle: readonly Nr[]): Promise<Violation[]> {
  const ids: string[] = [];
  for (const nr of cycle) ids.push((await sheet.get(nr)).node.id);
  return [violation("I-CYCLE", ids[0] ?? "", `That would make a cycle: ${ids.join(" → ")}.`)];
}

function featureAcross(sheet: Sheet, from: Node, on: Nr): Nr | undefined {
  const target = sheet.peek(on)?.node;
  if (!target || target.feature === null || target.feature === from.feature) return undefined;
  return target.kind === "work" || target.tier === "story" ? target.feature : undefined;
}

/** The batch alone, with the containers around it, in memory. */
function cycleInBatch(sheet: Sheet, suspects: readonly Draft[]): Nr[] | undefined {
  const waits = new Map<Nr, Nr[]>();
  const add = (from: Nr, to: Nr): void => {
    const known = waits.get(from);
    if (known) known.push(to);
    else waits.set(from, [to]);
  };
  const placed = new Set<Nr>();
  for (const { node } of suspects) {
    for (const { on } of node.dependsOn) {
      add(node.nr, on);
      const feature = featureAcross(sheet, node, on);
      if (feature !== undefined) add(node.nr, feature);
    }
    for (
      let at: Node | undefined = node;
      at && at.parent !== null && !placed.has(at.nr);
      at = sheet.peek(at.parent)?.node
    ) {
      placed.add(at.nr);
      add(at.parent, at.nr);
    }
  }
  return findCycle(waits.keys(), (nr) => waits.get(nr) ?? []);
}

/** Could a way lead out of the batch, through the plan as it was, and back into the batch or what contains it? */
async function mayCloseThroughPlan(sheet: Sheet, suspects: readonly Draft[]): Promise<boolean> {
  const inBatch = new Set(suspects.map(({ node }) => node.nr));
  const isOld = (nr: Nr): boolean => sheet.peek(nr)?.was !== null;
  const leaves = new Set<Nr>();
  const returns = new Set<Nr>();
  for (const { node, was } of suspects) {
    for (const { on } of node.dependsOn) {
      if (!inBatch.has(on) && isOld(on)) leaves.add(on);
      const feature = featureAcross(sheet, node, on);
      if (feature !== undefined && isOld(feature)) leaves.add(feature);
    }
    if (node.parent !== null) returns.add(node.parent);
    if (was === null) continue;
    returns.add(node.nr);
    // What it contains, or lands, was not looked at with the batch.
    if (isContainer(node) || node.kind === "land") for (const nr of await waitsFor(sheet.db, node.nr)) leaves.add(nr);
  }
  return (await findPath(sheet.db, [...leaves], [...returns])) !== undefined;
}

/** Everything behind the batch, each node once. */
async function cycleBehind(sheet: Sheet, suspects: readonly Draft[]): Promise<Nr[] | undefined> {
  const starts = suspects.map(({ node }) => node.nr);
  const waits = new Map<Nr, Nr[]>();
  for (const queue = [...starts]; queue.length > 0; ) {
    const nr = queue.pop() as Nr;
    if (waits.has(nr)) continue;
    const next = await waitsFor(sheet.db, nr);
    waits.set(nr, next);
    for (const each of next) queue.push(each);
  }
  const isNew = new Set(starts);
  for (const cycle of findCycles(starts, (nr) => waits.get(nr) ?? [])) {
    if (cycle.some((nr) => isNew.has(nr))) return cycle;
  }
  return undefined;
}
