// Two tasks that would get into each other's way: which layer found it, what overlaps, and what was done about it.

import type { Actor } from "../actor.js";
import { isSettled } from "../node/branch.js";
import type { Edge, Node, Nr } from "../node/node.js";
import { type Ground, groundOf, groundsMeet, type Overlap } from "./overlap.js";

/** `files`: footprints share a path. `symbols`: both change the same symbol. `merge`: their branches do not merge. */
export type ConflictLayer = "files" | "symbols" | "merge";

/** `reorder`, `serialise`: the later one waits. `freeze`: a stored stop. `escalate`: a person decides. */
export type Arbitration = "reorder" | "serialise" | "freeze" | "escalate" | "none";

export const CONFLICT_CHOICES = ["accept-proposed", "accept-blocker", "sequential", "freeze-both", "escalate"] as const;
/** What a person can say to a conflict. The `blocker` goes first as things stand, the `proposed` one waits. */
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

/** Two tasks that meet, and where. */
export interface Clash extends Pick<Conflict, "layer" | "files" | "symbols"> {
  readonly first: Node;
  readonly second: Node;
}

type Footed = Pick<Node, "nr" | "kind" | "files" | "symbols">;

/** Only work changes files. */
const changesFiles = (node: Footed): boolean => node.kind === "work";

/** Whoever is in flight and overlaps with the candidate. Costs what is in flight, whatever the size of the plan. */
export function clashesWith(candidate: Node, inFlight: readonly Node[]): Clash[] {
  if (!changesFiles(candidate)) return [];
  const own = groundOf(candidate);
  return inFlight
    .filter((other) => other.nr !== candidate.nr && changesFiles(other))
    .flatMap((other) => {
      const met = groundsMeet(own, groundOf(other));
      return met ? [{ ...met, first: other, second: candidate }] : [];
    });
}

/** A task that may be in another's way: its footprint, read once. */
export interface Standing {
  readonly nr: Nr;
  readonly ground: Ground;
}

export const standing = (tasks: readonly Footed[]): Standing[] =>
  tasks.filter(changesFiles).map((task) => ({ nr: task.nr, ground: groundOf(task) }));

/** Is none of these in the candidate's way? */
export function isClear(candidate: Footed, others: readonly Standing[]): boolean {
  if (!changesFiles(candidate)) return true;
  const own = groundOf(candidate);
  return !others.some(({ nr, ground }) => nr !== candidate.nr && groundsMeet(own, ground));
}

/** Every two of them that overlap; the earlier in the list goes first. */
export function clashesAmong(tasks: readonly Node[]): Clash[] {
  const found: Clash[] = [];
  const before: { readonly node: Node; readonly ground: Ground }[] = [];
  for (const node of tasks.filter(changesFiles)) {
    const ground = groundOf(node);
    for (const other of before) {
      const met: Overlap | null = groundsMeet(other.ground, ground);
      if (met) found.push({ ...met, first: other.node, second: node });
    }
    before.push({ node, ground });
  }
  return found;
}

/** Where two tasks meet, in few words. */
export function placesOf({ files, symbols }: Pick<Conflict, "files" | "symbols">): string {
  const places = symbols.length >= files.length && symbols.length > 0 ? symbols : files;
  return places.length <= 3 ? places.join(", ") : `${places.slice(0, 3).join(", ")} and ${places.length - 3} more`;
}

export const waitsForEdge = (node: Node, on: Nr): boolean => node.dependsOn.some((edge) => edge.on === on);

/** One edge for each target: what a person stated stays. */
export const withConflictEdge = (edges: readonly Edge[], on: Nr): readonly Edge[] =>
  edges.some((edge) => edge.on === on) ? edges : [...edges, { on, origin: "conflict" }];

export const withoutConflictEdge = (edges: readonly Edge[], on: Nr): readonly Edge[] =>
  edges.some((edge) => edge.on === on && edge.origin === "conflict")
    ? edges.filter((edge) => edge.on !== on || edge.origin !== "conflict")
    : edges;

/** The reason of a freeze names the conflict behind it, so that a thaw can ask how it stands. */
export const freezeReason = (key: string, why: string): string => `${key}: ${why}`;

export const conflictBehind = ({ freeze }: Pick<Node, "freeze">): string | undefined =>
  /^(CONFLICT-\d+): /.exec(freeze?.reason ?? "")?.[1];

const isStopped = (node: Node, key: string): boolean =>
  node.acceptance?.state === "rejected" || (node.freeze !== null && conflictBehind(node) !== key);

/** Why nobody is in anybody's way any more, if that is so. `met`: the one that goes first needs no waiting for. */
export function mootness(key: string, first: Node | undefined, second: Node | undefined, met: boolean): string | null {
  if (!second) return "the one that waited is gone";
  if (!first) return "the one that went first is gone";
  if (isSettled(second)) return `${second.id} is settled itself`;
  if (first.outcome?.kind === "done") return met ? `${first.id} is done` : null;
  if (isSettled(first)) return `${first.id} will not be worked on`;
  if (isStopped(first, key)) return `${first.id} is stopped, and ${second.id} need not wait for it`;
  return null;
}
