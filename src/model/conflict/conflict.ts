// A conflict between two tasks: which layer found it, what overlaps, and what was decided about it.

import type { Actor } from "../actor.js";
import type { Edge, Node, Nr } from "../node/node.js";
import { firstOf } from "../words.js";
import { type Ground, groundOf, groundsMeet, type Overlap } from "./overlap.js";

/** `files`: footprints share a path. `symbols`: both change the same symbol. `merge`: their branches do not merge. */
export type ConflictLayer = "files" | "symbols" | "merge";

/** `reorder`, `serialise`: the later one waits. `freeze`: a stored stop. `escalate`: a person decides. */
export type Arbitration = "reorder" | "serialise" | "freeze" | "escalate" | "none";

export const CONFLICT_CHOICES = ["accept-proposed", "accept-blocker", "sequential", "freeze-both", "escalate"] as const;
/** What a person can decide about a conflict. The `blocker` goes first as things stand, the `proposed` one waits. */
export type ConflictChoice = (typeof CONFLICT_CHOICES)[number];

export interface Conflict {
  readonly layer: ConflictLayer;
  readonly state: "open" | "settled";
  /** The one that goes first, and the one that waits. */
  readonly first: Nr;
  readonly second: Nr;
  readonly files: readonly string[];
  readonly symbols: readonly string[];
  readonly arbitration: Arbitration;
  readonly resolution: string | null;
  readonly detectedAt: number;
  readonly detectedBy: Actor;
  readonly settledAt: number | null;
  readonly settledBy: Actor | null;
  /** Everything that was decided about it, oldest first. */
  readonly steps: readonly ConflictStep[];
}

export interface ConflictStep {
  readonly at: number;
  readonly by: Actor;
  readonly what: string;
}

export interface Clash extends Pick<Conflict, "layer" | "files" | "symbols"> {
  readonly first: Node;
  readonly second: Node;
}

export type WithFootprint = Pick<Node, "nr" | "id" | "kind" | "files" | "symbols">;

/** Only work changes files, and nothing is known of a task without a footprint. */
const mayOverlap = ({ kind, files, symbols }: WithFootprint): boolean =>
  kind === "work" && files.length + symbols.length > 0;

/** A task that touches what another one wants to touch, and where they meet. */
export interface Overlapping extends Overlap {
  readonly nr: Nr;
  readonly id: string;
}

/** A task in progress with its footprint parsed: a candidate is compared with many, and many candidates with it. */
export interface Occupied extends Pick<Node, "nr" | "id"> {
  readonly ground: Ground;
}

export const occupiedBy = (tasks: readonly WithFootprint[]): Occupied[] =>
  tasks.filter(mayOverlap).map((task) => ({ nr: task.nr, id: task.id, ground: groundOf(task) }));

/** Which of these the candidate overlaps with, and where. Costs what is in progress, whatever the size of the plan. */
export function overlapsOf(candidate: WithFootprint, others: readonly Occupied[]): Overlapping[] {
  if (others.length === 0 || !mayOverlap(candidate)) return [];
  const own = groundOf(candidate);
  const found: Overlapping[] = [];
  for (const { nr, id, ground } of others) {
    const met = nr === candidate.nr ? null : groundsMeet(own, ground);
    if (met) found.push({ ...met, nr, id });
  }
  return found;
}

/** Every two of them that overlap; the earlier in the list goes first. */
export function clashesAmong(tasks: readonly Node[]): Clash[] {
  const byNr = new Map(tasks.map((node) => [node.nr, node]));
  const before: Occupied[] = [];
  const found: Clash[] = [];
  for (const second of tasks) {
    for (const { nr, layer, files, symbols } of overlapsOf(second, before)) {
      found.push({ layer, files, symbols, first: byNr.get(nr) as Node, second });
    }
    before.push(...occupiedBy([second]));
  }
  return found;
}

export function placesOf({ files, symbols }: Pick<Conflict, "files" | "symbols">): string {
  const places = symbols.length >= files.length && symbols.length > 0 ? symbols : files;
  return firstOf(places, 3);
}

export const waitsForEdge = (node: Node, on: Nr): boolean => node.dependsOn.some((edge) => edge.on === on);

/** One edge for each target: what a person stated stays. */
export const withConflictEdge = (edges: readonly Edge[], on: Nr): readonly Edge[] =>
  edges.some((edge) => edge.on === on) ? edges : [...edges, { on, origin: "conflict" }];

export const withoutConflictEdge = (edges: readonly Edge[], on: Nr): readonly Edge[] =>
  edges.some((edge) => edge.on === on && edge.origin === "conflict")
    ? edges.filter((edge) => edge.on !== on || edge.origin !== "conflict")
    : edges;

/** The reason of a freeze names its conflict, so that a thaw can look it up. */
export const freezeReason = (key: string, why: string): string => `${key}: ${why}`;

export const conflictBehind = ({ freeze }: Pick<Node, "freeze">): string | undefined =>
  /^(CONFLICT-\d+): /.exec(freeze?.reason ?? "")?.[1];
