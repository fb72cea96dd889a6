// Which dependencies of a source the plan can hold: none on what is missing, on itself, on what contains it, or round in a circle.
// What is left out is said, with the place.

import { append } from "../../base/append.js";
import { describeCycle, findCycles } from "../../model/order/cycle.js";
import { itemName, type SourceItem, type SourceRemark } from "../source/source.js";
import { idInKey, type Placed } from "./place.js";

/** `implied`: the order of a list says so. It only delays, so an approval does not bind it. */
export interface KeptEdge {
  readonly on: string;
  readonly isImplied: boolean;
}

export interface KeptEdges {
  readonly edges: ReadonlyMap<string, readonly KeptEdge[]>;
  readonly findings: readonly SourceRemark[];
}

interface Edge extends KeptEdge {
  readonly from: string;
}

export function keepEdges(placed: readonly Placed[], droppedFrees: boolean): KeptEdges {
  const graph = new Graph(placed);
  const findings: SourceRemark[] = [];
  const dropped = (from: Placed, on: string, why: string): void => {
    findings.push({
      at: from.item.at,
      message: `${itemName(from.item)}: Its dependency on ${nameOf(graph.placed.get(on)) ?? idInKey(on)} was left out: ${why}.`,
    });
  };
  for (const each of placed) {
    const asked = wishesOf(each);
    for (const { on, isImplied } of asked) {
      const target = graph.placed.get(on);
      const why = target ? graph.problem(each, target) : "the source has no such item";
      if (why !== undefined) {
        if (!isImplied) dropped(each, on, why);
      } else if (droppedFrees && target && isGone(target.item)) {
        dropped(each, on, "that is cancelled, and the tool lets work go on that waits for it");
      } else graph.add({ from: each.item.key, on, isImplied });
    }
  }
  for (const { edge, cycle } of graph.breakCycles()) {
    const from = graph.placed.get(edge.from);
    const ids = cycle.map((key) => nameOf(graph.placed.get(key)) ?? key);
    if (from) dropped(from, edge.on, `it closes a circle (${describeCycle(ids)})`);
  }
  return { edges: graph.edges(), findings };
}

const nameOf = (placed: Placed | undefined): string | undefined => placed && itemName(placed.item);

const isGone = ({ progress }: SourceItem): boolean => progress === "dropped";

function wishesOf({ item, contained }: Placed): KeptEdge[] {
  const stated = new Set(item.dependsOn ?? []);
  const implied = [...contained, ...(item.after ?? [])].filter((key) => !stated.has(key));
  return [
    ...[...stated].map((on) => ({ on, isImplied: false })),
    ...[...new Set(implied)].map((on) => ({ on, isImplied: true })),
  ];
}

class Graph {
  readonly placed: ReadonlyMap<string, Placed>;
  readonly #edges = new Map<string, Edge[]>();
  readonly #children = new Map<string, string[]>();
  readonly #features = new Map<string, string | null>();

  constructor(placed: readonly Placed[]) {
    this.placed = new Map(placed.map((each) => [each.item.key, each]));
    for (const { item, parent, tier } of placed) {
      if (parent !== null) append(this.#children, parent, item.key);
      this.#features.set(item.key, tier === "feature" ? item.key : (this.#features.get(parent ?? "") ?? null));
    }
  }

  add(edge: Edge): void {
    append(this.#edges, edge.from, edge);
  }

  edges(): Map<string, readonly KeptEdge[]> {
    return this.#edges;
  }

  problem(from: Placed, target: Placed): string | undefined {
    if (from === target) return "it would wait for itself";
    if (this.#contains(target, from)) return "that contains it";
    return this.#contains(from, target) ? "it contains that" : undefined;
  }

  #contains(container: Placed, { parent }: Placed): boolean {
    for (let at = parent; at !== null; at = this.placed.get(at)?.parent ?? null)
      if (at === container.item.key) return true;
    return false;
  }

  /** Everything in a container waits with it, and a dependency into another feature waits for its landing. */
  *#waits(key: string): Generator<readonly [to: string, edge: Edge | null]> {
    for (let at: string | null = key; at !== null; at = this.placed.get(at)?.parent ?? null) {
      for (const edge of this.#edges.get(at) ?? []) {
        yield [edge.on, edge];
        const feature = this.#features.get(edge.on) ?? null;
        if (feature !== null && feature !== this.#features.get(at) && feature !== edge.on) yield [feature, edge];
      }
    }
    for (const child of this.#children.get(key) ?? []) yield [child, null];
  }

  /** Takes edges away until nothing waits for itself. */
  breakCycles(): { edge: Edge; cycle: readonly string[] }[] {
    const broken: { edge: Edge; cycle: readonly string[] }[] = [];
    for (;;) {
      const cycles = [...findCycles(this.placed.keys(), (key) => [...this.#waits(key)].map(([to]) => to))];
      if (cycles.length === 0) return broken;
      const before = broken.length;
      for (const cycle of cycles) {
        const edge = this.#edgeIn(cycle);
        if (edge) broken.push({ edge, cycle });
      }
      if (broken.length === before) return broken;
    }
  }

  /** One that was only implied, if there is one; else the last. */
  #edgeIn(cycle: readonly string[]): Edge | undefined {
    const found = cycle.slice(0, -1).flatMap((key, i) => {
      const next = cycle[i + 1];
      return [...this.#waits(key)].flatMap(([to, edge]) => (to === next && edge ? [edge] : [])).slice(0, 1);
    });
    const edge = found.find(({ isImplied }) => isImplied) ?? found.at(-1);
    if (!edge) return undefined;
    this.#edges.set(
      edge.from,
      (this.#edges.get(edge.from) ?? []).filter((each) => each !== edge),
    );
    return edge;
  }
}
