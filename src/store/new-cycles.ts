// Does an operation close a cycle of waiting? Rows are already written when this runs, so the searches
// see the plan as it would be. A cycle that existed before does not count: it must pass through a node
// that waits for something new.

import { isContainer, type Node, type Nr } from "../graph/node/node.js";
import { type Violation, violation } from "../graph/operation/invariants.js";
import { describeCycle, findCycle, findCycles } from "../graph/order/cycle.js";
import { mustLandFor } from "../graph/status/rollup.js";
import type { Database } from "./database.js";
import { boundBy, findPath, waitsFor } from "./find-path.js";
import type { Draft, Sheet } from "./sheet.js";

/** Above this, one search over the whole batch is cheaper than one per node. */
const FEW = 20;

export async function cycleThrough(sheet: Sheet, changed: readonly Draft[]): Promise<Violation[]> {
  const suspects = await findSuspects(sheet, changed);
  if (suspects.length > FEW) {
    const inside = isInOrder(sheet, suspects) ? undefined : cycleInBatch(sheet, suspects);
    if (inside) return report(sheet, inside);
    const around = (await mayCloseThroughPlan(sheet, suspects)) ? await cycleBehind(sheet, suspects) : undefined;
    return around ? report(sheet, around) : [];
  }
  for (const suspect of suspects) {
    const cycle = await cycleOf(sheet, suspect);
    if (cycle) return report(sheet, cycle);
  }
  return [];
}

/** Through the node itself, or through something inside it that has to wait with it. */
async function cycleOf({ db }: Sheet, { node, was }: Draft): Promise<Nr[] | undefined> {
  const path = await findPath(db, await waitsFor(db, node.nr), [node.nr]);
  if (path) return [node.nr, ...path];
  const inside = was !== null && isContainer(node) ? await descendantsOf(db, node.nr) : [];
  const back = inside.length > 0 ? await findPath(db, await boundBy(db, node.nr), inside) : undefined;
  return back && [back.at(-1) as Nr, ...back];
}

const DESCENDANTS = `
  with recursive below (nr) as (
    select nr from node where parent = ?
    union all
    select node.nr from node join below on node.parent = below.nr
  )
  select nr from below`;

const descendantsOf = async (db: Database, nr: Nr): Promise<Nr[]> =>
  (await db.all(DESCENDANTS, nr)).map((row) => row["nr"] as Nr);

/** Whatever waits for something that it did not wait for before. */
async function findSuspects(sheet: Sheet, changed: readonly Draft[]): Promise<Draft[]> {
  const bound = inherited(sheet);
  const suspects = new Set(changed.filter((draft) => !draft.gone && hasNewWaits(draft, bound)));
  // Where a node lands decides what its dependents wait for; what it waits for itself comes back through them.
  for (const draft of sheet.drafts().filter((draft) => !draft.gone && landsElsewhere(draft))) {
    for (const row of await sheet.db.all("select node from edge where target = ?", draft.node.nr)) {
      const dependent = await sheet.get(row["node"] as Nr);
      await sheet.surround(dependent.node);
      suspects.add(dependent);
    }
  }
  return [...suspects];
}

/** A new node that nothing binds waits for nothing but its children, which are suspects themselves. */
const hasNewWaits = ({ node, was, patch }: Draft, bound: Inherited): boolean =>
  was === null
    ? node.dependsOn.length > 0 || bound(node.parent).length > 0
    : "dependsOn" in patch || "parent" in patch || landsAgain(node, was);

/** Once it has landed it waits for nothing; a landing that is taken back waits for the rest of its feature again. */
const landsAgain = (node: Node, was: Node): boolean =>
  node.kind === "land" && node.outcome === null && was.outcome !== null;

const landsElsewhere = ({ node, was }: Draft): boolean =>
  was !== null && (was.feature !== node.feature || was.kind !== node.kind);

async function report(sheet: Sheet, cycle: readonly Nr[]): Promise<Violation[]> {
  const ids: string[] = [];
  for (const nr of cycle) ids.push((await sheet.get(nr)).node.id);
  return [violation("I-CYCLE", ids[0] ?? "", `That would make a cycle: ${describeCycle(ids)}.`)];
}

function featureAcross(sheet: Sheet, from: Node, on: Nr): Nr | undefined {
  const target = sheet.peek(on)?.node;
  return target && target.feature !== null && mustLandFor(from, target) ? target.feature : undefined;
}

/** A batch of tasks that wait only for tasks of their own feature with smaller numbers cannot go in circles by itself. */
function isInOrder(sheet: Sheet, suspects: readonly Draft[]): boolean {
  const bound = inherited(sheet);
  return suspects.every(({ node: { nr, tier, feature, parent, dependsOn } }) => {
    const isBefore = (on: Nr): boolean => {
      const target = sheet.peek(on)?.node;
      return on < nr && target?.tier === "task" && target.feature === feature;
    };
    return tier === "task" && bound(parent).length === 0 && dependsOn.every((edge) => isBefore(edge.on));
  });
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
  const bound = inherited(sheet);
  return findCycle(waits.keys(), (nr) => [...(waits.get(nr) ?? []), ...bound(sheet.peek(nr)?.node.parent ?? null)]);
}

type Inherited = (container: Nr | null) => readonly Nr[];

/** What everything in a container waits for, because the container does. */
function inherited(sheet: Sheet): Inherited {
  const known = new Map<Nr, readonly Nr[]>();
  return function targets(container): readonly Nr[] {
    const node = sheet.peek(container)?.node;
    if (!node) return [];
    const found = known.get(node.nr) ?? [
      ...node.dependsOn.flatMap(({ on }) => [on, featureAcross(sheet, node, on) ?? on]),
      ...targets(node.parent),
    ];
    known.set(node.nr, found);
    return found;
  };
}

/** Could a way lead out of the batch, through the plan as it was, and back into the batch or what contains it? */
async function mayCloseThroughPlan(sheet: Sheet, suspects: readonly Draft[]): Promise<boolean> {
  // What is new is in the batch, or waits for nothing.
  const old = new Set(suspects.flatMap(({ node, was }) => (was === null ? [] : node.nr)));
  const isOld = (nr: Nr): boolean => sheet.peek(nr)?.was !== null;
  const leaves = new Set<Nr>();
  const returns = new Set<Nr>();
  const containers = new Set<Nr>();
  for (const { node, was } of suspects) {
    for (const { on } of node.dependsOn) {
      if (isOld(on) && !old.has(on)) leaves.add(on);
      const feature = featureAcross(sheet, node, on);
      if (feature !== undefined && isOld(feature)) leaves.add(feature);
    }
    if (node.parent !== null) {
      returns.add(node.parent);
      containers.add(node.parent);
    }
    if (was === null) continue;
    returns.add(node.nr);
    // What it contains, or lands, was not looked at with the batch.
    if (isContainer(node) || node.kind === "land") for (const nr of await waitsFor(sheet.db, node.nr)) leaves.add(nr);
    if (isContainer(node)) for (const nr of await descendantsOf(sheet.db, node.nr)) returns.add(nr);
  }
  for (const container of containers) for (const nr of await boundBy(sheet.db, container)) leaves.add(nr);
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
  for (const { node, was } of suspects) {
    if (was !== null && isContainer(node)) for (const nr of await descendantsOf(sheet.db, node.nr)) isNew.add(nr);
  }
  for (const cycle of findCycles(starts, (nr) => waits.get(nr) ?? [])) {
    if (cycle.some((nr) => isNew.has(nr))) return cycle;
  }
  return undefined;
}
