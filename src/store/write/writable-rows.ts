// The rows that an operation touches, and how what became of them is written.

import { type PendingRow, PendingRows, type PlanRows, readyOf } from "../../model/derive/pending-rows.js";
import { type Node, type Nr, UNDERIVED } from "../../model/node/node.js";
import type { Database, Row, SqlStatement } from "../database.js";
import type { ReportWork } from "../progress.js";
import { derivedColumns, INSIDE, NODE_BY_NR, toColumns, toNode } from "../rows/node-rows.js";
import { insertion, numbersIn } from "../rows/values.js";
import { lookupStatements } from "./lookups.js";

class StoredRows implements PlanRows {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async node(nr: Nr): Promise<Node | undefined> {
    const row = await this.#db.get(NODE_BY_NR, nr);
    return row && toNode(row);
  }

  readonly children = (nr: Nr) => this.#numbers("select nr from node where parent = ?", nr);
  readonly lands = (feature: Nr) => this.#numbers("select nr from node where parent = ? and kind = 'land'", feature);
  readonly dependents = (nr: Nr) => this.#numbers("select node as nr from edge where target = ?", nr);
  readonly dependentsBeyond = (nr: Nr, feature: Nr | null) => this.#numbers(BEYOND, nr, feature);
  readonly dependentsOutside = (feature: Nr) => this.#numbers(OUTSIDE, feature, feature);

  async #numbers(sql: string, ...params: (Nr | null)[]): Promise<Nr[]> {
    return numbersIn(await this.#db.all(sql, ...params));
  }
}

const BEYOND = `
  select edge.node as nr from edge join node on node.nr = edge.node
  where edge.target = ? and node.feature is distinct from ?`;

const OUTSIDE = `${INSIDE}
  select distinct edge.node as nr from inside cross join edge cross join node
  where edge.target = inside.nr and node.nr = edge.node and node.feature is distinct from ?`;

/** Statements after which a long write says how far it is. */
const TOLD_AFTER = 2_000;

export class WritableRows extends PendingRows {
  readonly db: Database;

  constructor(db: Database, known?: ReadonlyMap<Nr, Node>) {
    super(new StoredRows(db), known);
    this.db = db;
  }

  /** New rows last: one may take the id of a deleted row, or follow a land task that was settled. `also` goes before them. */
  async flush(also: readonly SqlStatement[] = [], report?: ReportWork): Promise<void> {
    const statements: SqlStatement[] = [...also];
    for (const edge of this.unlinked)
      statements.push({ sql: "delete from edge where node = ? and target = ?", params: edge });
    const rows = this.all();
    for (const { node, removed } of rows) {
      if (removed) statements.push({ sql: "delete from node where nr = ?", params: [node.nr] });
    }
    // One may take the id that another has until now.
    for (const { node, was, patch, removed } of rows) {
      if (was !== null && !removed && "id" in patch)
        statements.push({ sql: "update node set id = ? where nr = ?", params: [`~${node.nr}`, node.nr] });
    }
    for (const row of rows) if (row.was !== null && !row.removed) statements.push(...updateOf(row, row.was));
    for (const row of rows) if (row.was === null) statements.push(insertion("node", newRow(row)));
    // After the nodes: an edge to a missing node makes SQLite search for its dependents at every insert.
    for (const [node, target] of this.linked) statements.push(insertion("edge", { node, target }));
    for (const row of rows)
      if (isFoundByOther(row)) statements.push(...lookupStatements(this.db, row.was, row.removed ? null : row.node));
    for (let at = 0; at < statements.length; at += TOLD_AFTER) {
      await this.db.batch(
        at === 0 && statements.length <= TOLD_AFTER ? statements : statements.slice(at, at + TOLD_AFTER),
      );
      const done = at + TOLD_AFTER;
      if (done < statements.length) report?.({ doing: "Writing", done, total: statements.length, unit: "change" });
    }
  }
}

/** Most operations change nothing by which a node is found. */
const isFoundByOther = ({ was, patch, removed }: PendingRow): boolean =>
  was === null || removed || "title" in patch || "body" in patch || "files" in patch || "id" in patch;

function updateOf({ node, patch }: PendingRow, was: Node): SqlStatement[] {
  const row = derivedColumns(node, was);
  if (readyOf(node) !== readyOf(was)) row["ready"] = readyOf(node);
  if (node.revision !== was.revision || node.updatedAt !== was.updatedAt || Object.keys(patch).length > 0) {
    Object.assign(row, toColumns(patch), { revision: node.revision, updated_at: node.updatedAt });
  }
  const columns = Object.keys(row);
  if (columns.length === 0) return [];
  const sql = `update node set ${columns.join(" = ?, ")} = ? where nr = ? and revision = ?`;
  return [{ sql, params: [...Object.values(row), node.nr, was.revision], rows: 1 }];
}

/** Only the columns that differ from the table's defaults: that is faster than all sixty. */
export function newRow({ node, patch }: Pick<PendingRow, "node" | "patch">): Row {
  const { nr, revision, updatedAt } = node;
  const row = { nr, revision, updated_at: updatedAt, ...toColumns(patch), ...derivedColumns(node, UNDERIVED) };
  const ready = readyOf(node);
  return ready === null ? row : { ...row, ready };
}
