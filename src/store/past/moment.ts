// The plan as it was after some operation: a copy of its rows, moved along the log. Everything that reads a plan reads this one with
// the same statements; the log and the long texts are those of the file, up to that operation. Copying 10,000 nodes takes 0.1 s, moving
// takes as long as there are changes in between, and no write is held up by either. A copy may begin from a kept state instead.

import { deriveColumns, deriveOwn } from "../../model/derive/derive-columns.js";
import { type Entity, placeOf } from "../../model/item/item.js";
import { type Change, type FocusChange, invert, mergeChanges, type NodeChange } from "../../model/operation/change.js";
import type { Database, Row } from "../database.js";
import { copyRows, inTransaction, requireSameColumns, showLog } from "../dialects/sqlite/plan-beside.js";
import { pagesOf } from "../read/pages.js";
import { changeNr, latestOp, toChange } from "../rows/log-rows.js";
import { insertRow, numberOf, textOf } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import { rederive } from "../write/rederive.js";
import { WritableRows } from "../write/writable-rows.js";

const KEYS_AT_ONCE = 500;

/** Of more rows than this, what derives is computed for the whole plan: 0.1 s with 10,000 nodes. */
const STEPWISE_ROWS_LIMIT = 200;

export class Moment {
  readonly db: Database;
  #op: number;
  /** What is derived follows from the rows, also where a later version than the one that kept them derives it in another way. */
  #mustRederive: boolean;

  private constructor(db: Database, op: number, mustRederive = false) {
    this.db = db;
    this.#op = op;
    this.#mustRederive = mustRederive;
  }

  /** A copy of the plan as it is now. The database has the plan attached as `live`, and nothing else. */
  static async copy(db: Database): Promise<Moment> {
    const latest = await inTransaction(db, async () => {
      const op = await latestOp(db, "live.operation");
      await copyRows(db);
      await showLog(db, op);
      return op;
    });
    return new Moment(db, latest);
  }

  /** The same from a state that was kept of an earlier moment: the database has its rows, and the plan as `live`. */
  static async from(db: Database, op: number): Promise<Moment> {
    await requireSameColumns(db);
    await inTransaction(db, () => showLog(db, op));
    return new Moment(db, op, true);
  }

  async move(op: number): Promise<void> {
    if (op === this.#op && !this.#mustRederive) return;
    await inTransaction(this.db, async () => {
      const { changes, touched } = await this.#travel(op);
      await this.db.run("update moment set op = ?", op);
      for (const change of changes) if (change.entity === "focus") await this.#writeFocus(change);
      for (const [entity, keys] of touched) {
        if (entity !== "node" && entity !== "focus") await this.#writeItems(entity, [...keys], changes);
      }
      const nodes = changes.filter((change) => change.entity === "node");
      if (touched.has("node") || this.#mustRederive) await this.#writeNodes(nodes, [...(touched.get("node") ?? [])]);
    });
    this.#op = op;
    this.#mustRederive = false;
  }

  /** What differs there, and every row that was touched on the way: it may look the same and have been written since. */
  async #travel(op: number) {
    const isBack = op < this.#op;
    const [low, high] = [changeNr(Math.min(op, this.#op) + 1, 0), changeNr(Math.max(op, this.#op) + 1, 0)];
    const sql = `select nr, entity, key, before, after from live.change where nr >= ? and nr < ? order by nr ${isBack ? "desc" : "asc"} limit ?`;
    const after = ({ nr }: Row): number[] => (isBack ? [low, numberOf(nr)] : [numberOf(nr) + 1, high]);
    const found: Change[] = [];
    const touched = new Map<string, Set<string>>();
    for await (const page of pagesOf(this.db, sql, [low, high], after)) {
      for (const row of page) {
        found.push(...(isBack ? invert([toChange(row)]) : [toChange(row)]));
        const [entity, key] = [textOf(row["entity"]), textOf(row["key"])];
        const keys = touched.get(entity);
        if (keys) keys.add(key);
        else touched.set(entity, new Set([key]));
      }
    }
    return { changes: mergeChanges(found), touched };
  }

  async #writeNodes(changes: readonly NodeChange[], touched: readonly string[]): Promise<void> {
    const rows = new WritableRows(this.db);
    for (const change of changes) await rows.take(change, 0);
    for (const [key, { revision, at }] of await this.#touched("node", touched)) {
      const row = await rows.find(Number(key));
      if (row) Object.assign(row.node, { revision, updatedAt: at });
    }
    for (const row of rows.changed) await rows.loadAroundRow(row);
    const isFar = this.#mustRederive || rows.changed.length > STEPWISE_ROWS_LIMIT;
    if (isFar) deriveOwn(rows, sha256);
    else await deriveColumns(rows, sha256);
    await rows.flush();
    if (isFar) await rederive(this.db);
  }

  async #writeFocus({ key, after }: FocusChange): Promise<void> {
    await this.db.run("delete from focus where actor = ?", key);
    if (after !== null) await this.db.run("insert into focus (actor, node) values (?, ?)", key, after.node);
  }

  async #writeItems(entity: string, keys: readonly string[], changes: readonly Change[]): Promise<void> {
    const changeOf = new Map(changes.filter((each) => each.entity === entity).map((each) => [each.key, each]));
    const touched = await this.#touched(entity, keys);
    for (const key of keys) {
      const change = changeOf.get(key);
      const known = await this.db.get("select fields from item where entity = ? and key = ?", entity, key);
      await this.db.run("delete from item where entity = ? and key = ?", entity, key);
      const history = touched.get(key);
      if (change?.after === null || history === undefined) continue;
      const fields = known === undefined ? {} : (JSON.parse(textOf(known["fields"])) as Record<string, unknown>);
      for (const field in change?.before) if (!(field in (change?.after ?? {}))) delete fields[field];
      Object.assign(fields, change?.after);
      await insertRow(this.db, "item", {
        entity,
        key,
        ...placeOf(entity as Entity, fields as never),
        fields: JSON.stringify(fields),
        created_op: history.created,
        revision: history.revision,
        updated_at: history.at,
      });
    }
  }

  /** How often each row had been written until then, since it was made, and when last. */
  async #touched(entity: string, keys: readonly string[]): Promise<Map<string, RowHistory>> {
    const found = new Map<string, RowHistory>();
    for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) {
      const some = keys.slice(i, i + KEYS_AT_ONCE);
      const marks = some.map(() => "?").join();
      const rows = await this.db.all(
        `select key, writes, at, created, made from (
           select key, count(*) as writes, max(change.op) as latest, min(change.op) as created,
             max(case when before is null then change.op end) as made
           from change where key in (${marks}) and entity = ? group by key
         ) as touched join operation on operation.op = touched.latest`,
        ...some,
        entity,
      );
      for (const row of rows) found.set(textOf(row["key"]), await this.#touchedRow(entity, row));
    }
    return found;
  }

  async #touchedRow(entity: string, row: Row): Promise<RowHistory> {
    const [created, made] = [numberOf(row["created"]), Number(row["made"] ?? 0)];
    // A row that was taken back and done again counts from its second beginning.
    const counted = made <= created ? row : await this.db.get(WRITES_SINCE, textOf(row["key"]), entity, made);
    return { revision: numberOf(counted?.["writes"]), at: numberOf(row["at"]), created: Math.max(made, created) };
  }
}

const WRITES_SINCE = "select count(*) as writes from change where key = ? and entity = ? and op >= ?";

interface RowHistory {
  readonly revision: number;
  readonly at: number;
  readonly created: number;
}
