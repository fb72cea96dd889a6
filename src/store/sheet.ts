// The rows that one operation touches, in memory: as they were, and as they are becoming. Reading
// through the sheet sees the operation's own changes; `flush` writes what differs.

import { type Birth, type Derived, type Node, type NodeFields, type Nr, newNode } from "../graph/node/node.js";
import type { NodeChange } from "../graph/operation/change.js";
import { rankOf } from "../graph/order/rank.js";
import { isClaimable } from "../graph/status/status.js";
import type { Database, Row } from "./database.js";
import { derivedColumns, toColumns } from "./node-columns.js";
import { NODE_BY_NR, toNode } from "./node-rows.js";
import { insertRow } from "./write-row.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export interface Draft {
  /** Null for a new row. */
  readonly was: Node | null;
  readonly node: Mutable<Node>;
  /** Fields that the operation's own changes set: they are logged. */
  readonly patch: Partial<NodeFields>;
  /** The row is being taken away. */
  gone: boolean;
}

/** No other row, and no derived value, follows from these: taking a task up has no surroundings to look at. */
const OWN_AFFAIR: ReadonlySet<string> = new Set<keyof NodeFields>([
  "claim",
  "acceptance",
  "report",
  "epoch",
  "attempts",
  "retries",
]);

/** What the derived columns of a new row hold unless it says otherwise. */
const UNDERIVED: Derived = newNode(0, { uuid: "", id: "", tier: "task", title: "", createdAt: 0, createdBy: "" }, 0);

export function isOwnAffair({ was, patch, gone }: Draft): boolean {
  if (was === null || gone) return false;
  for (const field in patch) if (!OWN_AFFAIR.has(field)) return false;
  return true;
}

export class Sheet {
  readonly db: Database;
  readonly #drafts = new Map<Nr, Draft>();
  readonly #known: ReadonlyMap<Nr, Node>;
  readonly #links: [from: Nr, to: Nr][] = [];
  /** From here upwards everything is at hand. */
  #reached: Nr | null = null;

  /** `known`: nodes that were read already in this transaction. */
  constructor(db: Database, known: ReadonlyMap<Nr, Node>) {
    this.db = db;
    this.#known = known;
  }

  drafts(): readonly Draft[] {
    return [...this.#drafts.values()];
  }

  /** Undefined if there is no such row. Rows on their way out are still found. */
  async find(nr: Nr): Promise<Draft | undefined> {
    const known = this.#atHand(nr);
    if (known) return known;
    const row = await this.db.get(NODE_BY_NR, nr);
    return row && this.#atHand(nr, toNode(row));
  }

  #atHand(nr: Nr, was = this.#known.get(nr)): Draft | undefined {
    const known = this.#drafts.get(nr);
    if (known || !was) return known;
    const draft: Draft = { was, node: { ...was }, patch: {}, gone: false };
    this.#drafts.set(nr, draft);
    return draft;
  }

  async get(nr: Nr): Promise<Draft> {
    const draft = await this.find(nr);
    if (!draft) throw new Error(`There is no row ${nr} in the plan.`);
    return draft;
  }

  /** A row that was found before: what is pure, or runs a hundred thousand times, does not wait. */
  peek(nr: Nr | null): Draft | undefined {
    return nr === null ? undefined : this.#drafts.get(nr);
  }

  /** Finds all that the derived values of a node follow from: what contains it, what it waits for.
   *  There is something to wait for only if one of them was not at hand. */
  surround(...nodes: Node[]): Promise<void> | undefined {
    const missing: Nr[] = [];
    for (const { parent, dependsOn } of nodes) {
      if (parent !== null && !this.#reaches(parent)) missing.push(parent);
      for (const { on } of dependsOn) if (!this.#reaches(on)) missing.push(on);
    }
    return missing.length === 0 ? undefined : this.#climb(missing);
  }

  /** For a row as it was, too: what it leaves behind has to be derived anew. */
  surroundDraft(draft: Draft): Promise<void> | undefined {
    const { node, was } = draft;
    if (was === null) return this.surround(node);
    return isOwnAffair(draft) ? undefined : this.surround(node, was);
  }

  /** Is everything from here upwards at hand? */
  #reaches(from: Nr): boolean {
    const start = this.#drafts.get(from);
    if (!start) return false;
    // What is worked on together mostly stands together.
    const parent = start.node.parent;
    for (let at = parent; at !== this.#reached && at !== null; ) {
      const draft = this.#drafts.get(at);
      if (!draft) return false;
      at = draft.node.parent;
    }
    this.#reached = parent;
    return true;
  }

  async #climb(starts: readonly Nr[]): Promise<void> {
    for (const start of starts) {
      for (let at: Nr | null = start; at !== null; ) at = (await this.find(at))?.node.parent ?? null;
    }
  }

  /** To a row that is there already. */
  async apply(change: NodeChange, at: number): Promise<Draft> {
    const draft = this.#atHand(change.key) ?? (await this.get(change.key));
    if (change.after === null) {
      draft.gone = true;
      return draft;
    }
    // What contains it may be others now.
    this.#reached = null;
    Object.assign(draft.node, change.after, { revision: (draft.was?.revision ?? 0) + 1, updatedAt: at });
    Object.assign(draft.patch, change.after);
    return draft;
  }

  create(change: NodeChange, at: number): Draft {
    const birth = change.after as Birth;
    const draft: Draft = { was: null, node: newNode(change.key, birth, at), patch: birth, gone: false };
    this.#drafts.set(change.key, draft);
    return draft;
  }

  /** A new edge; `flush` writes it. */
  link(from: Nr, to: Nr): void {
    this.#links.push([from, to]);
  }

  /** New rows last: one may take the id of a row that goes, or the place of a land task that was settled. */
  async flush(): Promise<void> {
    const drafts = this.drafts();
    for (const { node, gone } of drafts) {
      if (gone) await this.db.run("delete from node where nr = ?", node.nr);
    }
    for (const draft of drafts) if (draft.was !== null && !draft.gone) await this.#update(draft, draft.was);
    for (const draft of drafts) if (draft.was === null) await insertRow(this.db, "node", newRow(draft));
    // Once both ends are there: an edge into nothing would have every new row searched for those who miss it.
    for (const [node, target] of this.#links) await insertRow(this.db, "edge", { node, target });
  }

  async #update({ node, patch }: Draft, was: Node): Promise<void> {
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

/** Most of the sixty columns stay as the table has them. */
function newRow({ node, patch }: Draft): Row {
  const { nr, revision, updatedAt } = node;
  const row = { nr, revision, updated_at: updatedAt, ...toColumns(patch), ...derivedColumns(node, UNDERIVED) };
  const ready = readyOf(node);
  return ready === null ? row : { ...row, ready };
}

/** The `ready` index holds a rank for what may be claimed now, and nothing for everything else. */
export const readyOf = (node: Node): number | null =>
  node.approval !== null && isClaimable(node) ? rankOf(node.priority) : null;
