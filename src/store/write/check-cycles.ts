// Checks whether an operation closes a cycle of waiting. The rows are already written, so the searches see the plan as it
// would be. A cycle that existed before does not count: a new one passes through a node that waits for something new.

import type { PendingRow } from "../../model/derive/pending-rows.js";
import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { type Violation, violation } from "../../model/operation/invariants.js";
import { describeCycle, findCycle, findCycles } from "../../model/order/cycle.js";
import { addTo } from "../../model/order/order.js";
import { mustLandFor } from "../../model/status/rollup.js";
import { boundBy, findPath, numbersBelow, waitsFor } from "../read/find-path.js";
import { numberOf } from "../rows/values.js";
import type { WritableRows } from "./writable-rows.js";

/** Above this, one search over the whole batch is cheaper than one per node. */
const FEW = 20;

export async function findNewCycle(rows: WritableRows): Promise<Violation[]> {
  const suspects = await findSuspects(rows);
  if (suspects.length > FEW) {
    const inside = isInOrder(rows, suspects) ? undefined : cycleInBatch(rows, suspects);
    if (inside) return report(rows, inside);
    const around = (await mayCloseThroughPlan(rows, suspects)) ? await cycleBehind(rows, suspects) : undefined;
    return around ? report(rows, around) : [];
  }
  for (const suspect of suspects) {
    const cycle = await cycleOf(rows, suspect);
    if (cycle) return report(rows, cycle);
  }
  return [];
}

/** Through the node itself, or through something inside it that has to wait with it. */
async function cycleOf({ db }: WritableRows, { node, was }: PendingRow): Promise<Nr[] | undefined> {
  const path = await findPath(db, await waitsFor(db, node.nr), [node.nr]);
  if (path) return [node.nr, ...path];
  const inside = was !== null && isContainer(node) ? await numbersBelow(db, node.nr) : [];
  const back = inside.length > 0 ? await findPath(db, await boundBy(db, node.nr), inside) : undefined;
  return back && [back.at(-1) as Nr, ...back];
}

/** Nodes that wait for something they did not wait for before. */
async function findSuspects(rows: WritableRows): Promise<PendingRow[]> {
  const bound = inherited(rows);
  const suspects = new Set(rows.changed.filter((row) => !row.removed && hasNewWaits(row, bound)));
  // Where a node lands decides what its dependents wait for; what it waits for itself comes back through them.
  for (const row of rows.all().filter((row) => !row.removed && landsElsewhere(row))) {
    for (const edge of await rows.db.all("select node from edge where target = ?", row.node.nr)) {
      const dependent = await rows.get(numberOf(edge["node"]));
      await rows.loadAround(dependent.node);
      suspects.add(dependent);
    }
  }
  return [...suspects];
}

/** A new node without dependencies waits only for its children, which are suspects themselves. */
const hasNewWaits = ({ node, was, patch }: PendingRow, bound: Inherited): boolean =>
  was === null
    ? node.dependsOn.length > 0 || bound(node.parent).length > 0
    : "dependsOn" in patch || "parent" in patch || landsAgain(node, was);

/** Once it has landed it waits for nothing; a landing that is taken back waits for the rest of its feature again. */
const landsAgain = (node: Node, was: Node): boolean =>
  node.kind === "land" && node.outcome === null && was.outcome !== null;

const landsElsewhere = ({ node, was }: PendingRow): boolean =>
  was !== null && (was.feature !== node.feature || was.kind !== node.kind);

async function report(rows: WritableRows, cycle: readonly Nr[]): Promise<Violation[]> {
  const ids: string[] = [];
  for (const nr of cycle) ids.push((await rows.get(nr)).node.id);
  return [violation("I-CYCLE", ids[0] ?? "", `That would make a cycle: ${describeCycle(ids)}.`)];
}

function featureAcross(rows: WritableRows, from: Node, on: Nr): Nr | undefined {
  const target = rows.loaded(on)?.node;
  return target && target.feature !== null && mustLandFor(from, target) ? target.feature : undefined;
}

/** A batch of tasks that wait only for tasks of their own feature with smaller numbers cannot go in circles by itself. */
function isInOrder(rows: WritableRows, suspects: readonly PendingRow[]): boolean {
  const bound = inherited(rows);
  return suspects.every(({ node: { nr, tier, feature, parent, dependsOn } }) => {
    const isBefore = (on: Nr): boolean => {
      const target = rows.loaded(on)?.node;
      return on < nr && target?.tier === "task" && target.feature === feature;
    };
    return tier === "task" && bound(parent).length === 0 && dependsOn.every((edge) => isBefore(edge.on));
  });
}

/** The batch alone, with the containers around it, in memory. */
function cycleInBatch(rows: WritableRows, suspects: readonly PendingRow[]): Nr[] | undefined {
  const waits = new Map<Nr, Nr[]>();
  const placed = new Set<Nr>();
  for (const { node } of suspects) {
    for (const { on } of node.dependsOn) {
      addTo(waits, node.nr, on);
      const feature = featureAcross(rows, node, on);
      if (feature !== undefined) addTo(waits, node.nr, feature);
    }
    for (
      let at: Node | undefined = node;
      at && at.parent !== null && !placed.has(at.nr);
      at = rows.loaded(at.parent)?.node
    ) {
      placed.add(at.nr);
      addTo(waits, at.parent, at.nr);
    }
  }
  const bound = inherited(rows);
  return findCycle(waits.keys(), (nr) => [...(waits.get(nr) ?? []), ...bound(rows.loaded(nr)?.node.parent ?? null)]);
}

type Inherited = (container: Nr | null) => readonly Nr[];

/** What everything in a container waits for, because the container does. */
function inherited(rows: WritableRows): Inherited {
  const known = new Map<Nr, readonly Nr[]>();
  return function targets(container): readonly Nr[] {
    const node = rows.loaded(container)?.node;
    if (!node) return [];
    const found = known.get(node.nr) ?? [
      ...node.dependsOn.flatMap(({ on }) => [on, featureAcross(rows, node, on) ?? on]),
      ...targets(node.parent),
    ];
    known.set(node.nr, found);
    return found;
  };
}

/** Whether a path may lead from the batch through the older plan and back into the batch or its containers. */
async function mayCloseThroughPlan(rows: WritableRows, suspects: readonly PendingRow[]): Promise<boolean> {
  // What is new is in the batch, or waits for nothing.
  const old = new Set(suspects.flatMap(({ node, was }) => (was === null ? [] : node.nr)));
  const isOld = (nr: Nr): boolean => rows.loaded(nr)?.was !== null;
  const leaves = new Set<Nr>();
  const returns = new Set<Nr>();
  const containers = new Set<Nr>();
  for (const { node, was } of suspects) {
    for (const { on } of node.dependsOn) {
      if (isOld(on) && !old.has(on)) leaves.add(on);
      const feature = featureAcross(rows, node, on);
      if (feature !== undefined && isOld(feature)) leaves.add(feature);
    }
    if (node.parent !== null) {
      returns.add(node.parent);
      containers.add(node.parent);
    }
    if (was === null) continue;
    returns.add(node.nr);
    // What it contains, or lands, was not looked at with the batch.
    if (isContainer(node) || node.kind === "land") for (const nr of await waitsFor(rows.db, node.nr)) leaves.add(nr);
    if (isContainer(node)) for (const nr of await numbersBelow(rows.db, node.nr)) returns.add(nr);
  }
  for (const container of containers) for (const nr of await boundBy(rows.db, container)) leaves.add(nr);
  return (await findPath(rows.db, [...leaves], [...returns])) !== undefined;
}

/** Searches everything that the batch waits for, each node once. */
async function cycleBehind(rows: WritableRows, suspects: readonly PendingRow[]): Promise<Nr[] | undefined> {
  const starts = suspects.map(({ node }) => node.nr);
  const waits = new Map<Nr, Nr[]>();
  for (const queue = [...starts]; queue.length > 0; ) {
    const nr = queue.pop() as Nr;
    if (waits.has(nr)) continue;
    const next = await waitsFor(rows.db, nr);
    waits.set(nr, next);
    for (const each of next) queue.push(each);
  }
  const isNew = new Set(starts);
  for (const { node, was } of suspects) {
    if (was !== null && isContainer(node)) for (const nr of await numbersBelow(rows.db, node.nr)) isNew.add(nr);
  }
  for (const cycle of findCycles(starts, (nr) => waits.get(nr) ?? [])) {
    if (cycle.some((nr) => isNew.has(nr))) return cycle;
  }
  return undefined;
}
