// Dependencies of several clones together may lead in a circle. The latest one in it is set aside, the same one in every clone.

import { findCycle } from "../order/cycle.js";
import { type Waiter, Waiting } from "../order/waiting.js";
import {
  kindOf,
  type MergedNode,
  type MergedNodes,
  outcomeOf,
  parentUuid,
  presentNodes,
  type SharedEdge,
  sharedEdges,
  tierOf,
  withFields,
} from "./merged-node.js";
import type { Write } from "./rules.js";
import { byName, byTime, type SharedOperation } from "./shared-operation.js";

/** A dependency that cannot stand beside the others. */
export interface AsideEdge {
  readonly from: string;
  readonly on: string;
  /** Who added it. */
  readonly added: SharedOperation;
}

interface Graph {
  readonly waiting: Waiting<Mutable>;
  readonly byNr: readonly MergedNode[];
  readonly nrOf: ReadonlyMap<string, number>;
}

type Mutable = Waiter & { dependsOn: Waiter["dependsOn"] };

/** Leaves out dependencies on what is not there, and returns those that would lead in a circle. */
export function setAsideEdges(nodes: MergedNodes): readonly AsideEdge[] {
  const all = presentNodes(nodes);
  const there = new Map(all.map((node) => [node.uuid, node]));
  const graph = graphOf(all, there);
  const aside = all.flatMap((node) => kinships(node, there));
  for (const edge of aside) remove(graph, edge);
  const circular: AsideEdge[] = [];
  for (let cycle = cycleIn(graph); cycle; cycle = cycleIn(graph)) {
    const latest = edgesIn(graph, cycle).sort(inTime).at(-1) as AsideEdge;
    circular.push(latest);
    remove(graph, latest);
  }
  // One that was set aside first may fit again without those that were set aside after it.
  for (const edge of circular.sort(inTime)) {
    putBack(graph, edge);
    if (!cycleIn(graph)) continue;
    remove(graph, edge);
    aside.push(edge);
  }
  for (const node of all) keepEdges(nodes, graph, node);
  return aside.sort(inTime);
}

const waiterOf = ({ waiting, nrOf }: Graph, { from }: AsideEdge): Mutable =>
  waiting.nodes.get(nrOf.get(from) as number) as Mutable;

function remove(graph: Graph, edge: AsideEdge): void {
  const waiter = waiterOf(graph, edge);
  const on = graph.nrOf.get(edge.on);
  waiter.dependsOn = waiter.dependsOn.filter((each) => each.on !== on);
}

function putBack(graph: Graph, edge: AsideEdge): void {
  const waiter = waiterOf(graph, edge);
  waiter.dependsOn = [...waiter.dependsOn, { on: graph.nrOf.get(edge.on) as number, origin: "stated" }];
}

const inTime = (one: AsideEdge, other: AsideEdge): number =>
  byTime(one.added, other.added) || byName(`${one.from} ${one.on}`, `${other.from} ${other.on}`);

const cycleIn = ({ waiting }: Graph): number[] | undefined =>
  findCycle(waiting.nodes.keys(), (nr) => waiting.everFor(nr));

function graphOf(all: readonly MergedNode[], byUuid: ReadonlyMap<string, MergedNode>): Graph {
  const nrOf = new Map(all.map((node, i) => [node.uuid, i + 1]));
  const features = new Map<string, number>();
  const waiters = all.map((node): Mutable => {
    for (let at: MergedNode | undefined = node; at; at = byUuid.get(parentUuid(at) ?? "")) {
      if (tierOf(at) === "feature") features.set(node.uuid, nrOf.get(at.uuid) as number);
    }
    return {
      nr: nrOf.get(node.uuid) as number,
      tier: tierOf(node),
      kind: kindOf(node),
      parent: nrOf.get(parentUuid(node) ?? "") ?? null,
      dependsOn: sharedEdges(node).flatMap(({ on }) => {
        const nr = nrOf.get(on);
        return nr === undefined ? [] : [{ on: nr, origin: "stated" as const }];
      }),
      outcome: outcomeOf(node),
      archive: null,
      awaitsPlan: null,
      feature: features.get(node.uuid) ?? null,
      live: 0,
      finished: 0,
      landedOp: null,
    };
  });
  return { waiting: new Waiting(waiters), byNr: all, nrOf };
}

/** Dependencies on itself, and on what contains it or is in it. Only what is there has sound parents. */
function kinships(node: MergedNode, there: ReadonlyMap<string, MergedNode>): AsideEdge[] {
  const above = (from: string | null): string[] => {
    const at = from === null ? undefined : there.get(from);
    return at ? [at.uuid, ...above(parentUuid(at))] : [];
  };
  const own = new Set(above(node.uuid));
  return sharedEdges(node)
    .filter(({ on }) => own.has(on) || above(on).includes(node.uuid))
    .map(({ on }) => edgeOf(node, on));
}

/** The dependencies that make one step of a circle out of two nodes. */
function edgesIn({ waiting, byNr }: Graph, cycle: readonly number[]): AsideEdge[] {
  const found: AsideEdge[] = [];
  for (const [i, nr] of cycle.slice(0, -1).entries()) {
    const next = cycle[i + 1] as number;
    for (let at = waiting.nodes.get(nr); at; at = waiting.nodes.get(at.parent ?? 0)) {
      const node = byNr[at.nr - 1] as MergedNode;
      const leading = at.dependsOn.filter(({ on }) => on === next || waiting.nodes.get(on)?.feature === next);
      for (const { on } of leading) found.push(edgeOf(node, (byNr[on - 1] as MergedNode).uuid));
    }
  }
  return found;
}

function edgeOf(node: MergedNode, on: string): AsideEdge {
  const names = (value: unknown): boolean => ((value ?? []) as readonly SharedEdge[]).some((edge) => edge.on === on);
  const writes = node.writes.get("dependsOn") as readonly Write[];
  const added = writes.findLast(({ was, is }) => names(is) && !names(was)) as Write;
  return { from: node.uuid, on, added: added.op };
}

function keepEdges(nodes: MergedNodes, { waiting, nrOf }: Graph, { uuid }: MergedNode): void {
  const node = nodes.get(uuid) as MergedNode;
  const kept = new Set(waiting.nodes.get(nrOf.get(uuid) as number)?.dependsOn.map(({ on }) => on));
  const edges = sharedEdges(node).filter(({ on }) => kept.has(nrOf.get(on) ?? 0));
  if (edges.length < sharedEdges(node).length) nodes.set(uuid, withFields(node, { dependsOn: edges }));
}
