// The rows that some changes touch, in memory: each as it was and as it becomes. One operation forwards, many of them backwards: a plan
// at any operation is the plan at another one with the changes between them, and with what derives from those (derive-columns.ts).

import { type Birth, type Node, type NodeFields, type Nr, newNode, rankOf } from "../node/node.js";
import type { NodeChange } from "../operation/change.js";
import { isClaimable } from "../status/status.js";

type OrLater<T> = T | Promise<T>;

/** A plan at one operation, as far as derived columns follow from it. */
export interface PlanRows {
  node(nr: Nr): OrLater<Node | undefined>;
  children(nr: Nr): OrLater<readonly Nr[]>;
  lands(feature: Nr): OrLater<readonly Nr[]>;
  dependents(nr: Nr): OrLater<readonly Nr[]>;
  /** Those of other features than this one. */
  dependentsBeyond(nr: Nr, feature: Nr | null): OrLater<readonly Nr[]>;
  /** Nodes of other features that depend on something inside this one. */
  dependentsOutside(feature: Nr): OrLater<readonly Nr[]>;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface PendingRow {
  /** Null for a new row. */
  readonly was: Node | null;
  readonly node: Mutable<Node>;
  /** Fields that the operation's own changes set: they are logged. */
  readonly patch: Partial<NodeFields>;
  removed: boolean;
}

/** No other row and no derived column depends on these fields, so claiming a task needs no look at its surroundings. */
const SELF_CONTAINED: ReadonlySet<string> = new Set<keyof NodeFields>([
  "claim",
  "acceptance",
  "report",
  "epoch",
  "attempts",
  "retries",
]);

export function changesOnlyItself({ was, patch, removed }: PendingRow): boolean {
  if (was === null || removed) return false;
  for (const field in patch) if (!SELF_CONTAINED.has(field)) return false;
  return true;
}

export class PendingRows {
  readonly before: PlanRows;
  /** Edges that come or go: the store writes them with the rows. */
  readonly linked: (readonly [from: Nr, to: Nr])[] = [];
  readonly unlinked: (readonly [from: Nr, to: Nr])[] = [];
  /** Those that a change of its own touched; the others were only looked at, or follow. */
  readonly changed: PendingRow[] = [];
  readonly #rows = new Map<Nr, PendingRow>();
  readonly #known: ReadonlyMap<Nr, Node>;

  /** `known`: nodes that were read already. */
  constructor(before: PlanRows, known: ReadonlyMap<Nr, Node> = new Map()) {
    this.before = before;
    this.#known = known;
  }

  all(): readonly PendingRow[] {
    return [...this.#rows.values()];
  }

  /** Undefined if there is no such row. Rows that the operation deletes are still found. */
  async find(nr: Nr): Promise<PendingRow | undefined> {
    const known = this.#track(nr);
    if (known) return known;
    const node = await this.before.node(nr);
    return node && this.#track(nr, node);
  }

  #track(nr: Nr, was = this.#known.get(nr)): PendingRow | undefined {
    const known = this.#rows.get(nr);
    if (known || !was) return known;
    const row: PendingRow = { was, node: { ...was }, patch: {}, removed: false };
    this.#rows.set(nr, row);
    return row;
  }

  async get(nr: Nr): Promise<PendingRow> {
    const row = await this.find(nr);
    if (!row) throw new Error(`There is no row ${nr} in the plan.`);
    return row;
  }

  /** A row that is loaded already; never waits. */
  loaded(nr: Nr | null): PendingRow | undefined {
    return nr === null ? undefined : this.#rows.get(nr);
  }

  /** Loads the ancestors and dependencies of nodes, from which their derived columns follow. Undefined if they are loaded. */
  loadAround(...nodes: Node[]): Promise<void> | undefined {
    const missing: Nr[] = [];
    for (const { parent, dependsOn } of nodes) {
      if (parent !== null && !this.#hasAncestors(parent)) missing.push(parent);
      for (const { on } of dependsOn) if (!this.#hasAncestors(on)) missing.push(on);
    }
    return missing.length === 0 ? undefined : this.#loadAncestors(missing);
  }

  /** Also around the row as it was: what it leaves changes too. */
  loadAroundRow(row: PendingRow): Promise<void> | undefined {
    const { node, was } = row;
    if (was === null) return this.loadAround(node);
    return changesOnlyItself(row) ? undefined : this.loadAround(node, was);
  }

  #hasAncestors(from: Nr): boolean {
    for (let at: Nr | null = from; at !== null; ) {
      const row = this.#rows.get(at);
      if (!row) return false;
      at = row.node.parent;
    }
    return true;
  }

  async #loadAncestors(starts: readonly Nr[]): Promise<void> {
    for (const start of starts) {
      for (let at: Nr | null = start; at !== null; ) at = (await this.find(at))?.node.parent ?? null;
    }
  }

  async take(change: NodeChange, at: number): Promise<PendingRow> {
    return change.before === null ? this.create(change, at) : this.apply(change, at);
  }

  async apply(change: NodeChange, at: number): Promise<PendingRow> {
    return this.#change(this.#track(change.key) ?? (await this.get(change.key)), change, at);
  }

  #change(row: PendingRow, { after }: NodeChange, at: number): PendingRow {
    if (Object.keys(row.patch).length === 0) this.changed.push(row);
    if (after === null) row.removed = true;
    else {
      Object.assign(row.node, after, { revision: (row.was?.revision ?? 0) + 1, updatedAt: at });
      Object.assign(row.patch, after);
    }
    return row;
  }

  create(change: NodeChange, at: number): PendingRow {
    const birth = change.after as Birth;
    const row: PendingRow = { was: null, node: newNode(change.key, birth, at), patch: birth, removed: false };
    this.#rows.set(change.key, row);
    this.changed.push(row);
    return row;
  }
}

/** The rank of a task that may be claimed now, null for everything else. */
export const readyOf = (node: Node): number | null =>
  node.approval !== null && isClaimable(node) ? rankOf(node.priority) : null;
