// The rows that one operation touches, in memory: each as it is stored and as it will be. Reads through this class see the
// operation's own changes; `flush` writes what differs.

import { type Birth, type Derived, type Node, type NodeFields, type Nr, newNode } from "../../model/node/node.js";
import type { NodeChange } from "../../model/operation/change.js";
import { rankOf } from "../../model/order/rank.js";
import { isClaimable } from "../../model/status/status.js";
import type { Database, Row } from "../database.js";
import { derivedColumns, NODE_BY_NR, toColumns, toNode } from "../rows/node-rows.js";
import { insertRow } from "../rows/values.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface PendingRow {
  /** Null for a new row. */
  readonly was: Node | null;
  readonly node: Mutable<Node>;
  /** Fields that the operation's own changes set: they are logged. */
  readonly patch: Partial<NodeFields>;
  /** The operation deletes the row. */
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

/** What the derived columns of a new row hold unless it says otherwise. */
const UNDERIVED: Derived = newNode(0, { uuid: "", id: "", tier: "task", title: "", createdAt: 0, createdBy: "" }, 0);

export function changesOnlyItself({ was, patch, removed }: PendingRow): boolean {
  if (was === null || removed) return false;
  for (const field in patch) if (!SELF_CONTAINED.has(field)) return false;
  return true;
}

export class PendingRows {
  readonly db: Database;
  readonly #rows = new Map<Nr, PendingRow>();
  readonly #known: ReadonlyMap<Nr, Node>;
  readonly #links: [from: Nr, to: Nr][] = [];
  /** The node whose ancestors were last found to be loaded. */
  #ancestorsFrom: Nr | null = null;

  /** `known`: nodes that this transaction has read already. */
  constructor(db: Database, known: ReadonlyMap<Nr, Node>) {
    this.db = db;
    this.#known = known;
  }

  all(): readonly PendingRow[] {
    return [...this.#rows.values()];
  }

  /** Undefined if there is no such row. Rows that the operation deletes are still found. */
  async find(nr: Nr): Promise<PendingRow | undefined> {
    const known = this.#track(nr);
    if (known) return known;
    const row = await this.db.get(NODE_BY_NR, nr);
    return row && this.#track(nr, toNode(row));
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

  /** Whether a node and all its ancestors are loaded. */
  #hasAncestors(from: Nr): boolean {
    const start = this.#rows.get(from);
    if (!start) return false;
    // The rows of one operation are mostly near each other, so the last answer is often this one.
    const parent = start.node.parent;
    for (let at = parent; at !== this.#ancestorsFrom && at !== null; ) {
      const row = this.#rows.get(at);
      if (!row) return false;
      at = row.node.parent;
    }
    this.#ancestorsFrom = parent;
    return true;
  }

  async #loadAncestors(starts: readonly Nr[]): Promise<void> {
    for (const start of starts) {
      for (let at: Nr | null = start; at !== null; ) at = (await this.find(at))?.node.parent ?? null;
    }
  }

  /** Changes an existing row. */
  async apply(change: NodeChange, at: number): Promise<PendingRow> {
    const row = this.#track(change.key) ?? (await this.get(change.key));
    if (change.after === null) {
      row.removed = true;
      return row;
    }
    // Its ancestors may be others now.
    this.#ancestorsFrom = null;
    Object.assign(row.node, change.after, { revision: (row.was?.revision ?? 0) + 1, updatedAt: at });
    Object.assign(row.patch, change.after);
    return row;
  }

  create(change: NodeChange, at: number): PendingRow {
    const birth = change.after as Birth;
    const row: PendingRow = { was: null, node: newNode(change.key, birth, at), patch: birth, removed: false };
    this.#rows.set(change.key, row);
    return row;
  }

  /** Adds an edge; `flush` writes it. */
  link(from: Nr, to: Nr): void {
    this.#links.push([from, to]);
  }

  /** New rows last: one may take the id of a deleted row, or follow a land task that was settled. */
  async flush(): Promise<void> {
    const rows = this.all();
    for (const { node, removed } of rows) {
      if (removed) await this.db.run("delete from node where nr = ?", node.nr);
    }
    for (const row of rows) if (row.was !== null && !row.removed) await this.#update(row, row.was);
    for (const row of rows) if (row.was === null) await insertRow(this.db, "node", newRow(row));
    // After the nodes: an edge to a missing node makes SQLite search for its dependents at every insert.
    for (const [node, target] of this.#links) await insertRow(this.db, "edge", { node, target });
  }

  async #update({ node, patch }: PendingRow, was: Node): Promise<void> {
    const row = derivedColumns(node, was);
    if (readyOf(node) !== readyOf(was)) row["ready"] = readyOf(node);
    if (node.revision !== was.revision) {
      Object.assign(row, toColumns(patch), { revision: node.revision, updated_at: node.updatedAt });
    }
    const columns = Object.keys(row);
    if (columns.length === 0) return;
    const written = await this.db.count(
      `update node set ${columns.join(" = ?, ")} = ? where nr = ? and revision = ?`,
      ...Object.values(row),
      node.nr,
      was.revision,
    );
    if (written !== 1) throw new Error(`Row ${node.nr} changed while it was being written.`);
  }
}

/** Only the columns that differ from the table's defaults: that is faster than all sixty. */
export function newRow({ node, patch }: Pick<PendingRow, "node" | "patch">): Row {
  const { nr, revision, updatedAt } = node;
  const row = { nr, revision, updated_at: updatedAt, ...toColumns(patch), ...derivedColumns(node, UNDERIVED) };
  const ready = readyOf(node);
  return ready === null ? row : { ...row, ready };
}

/** The `ready` column: the rank of a task that may be claimed now, null for everything else. */
export const readyOf = (node: Node): number | null =>
  node.approval !== null && isClaimable(node) ? rankOf(node.priority) : null;
