// Items as rows: JSON text, and the columns by which they are found.

import { type Entity, type Item, type ItemChange, type ItemTypes, placeOf } from "../../model/item/item.js";
import type { Database, Row, SqlStatement, Value } from "../database.js";
import type { ItemQuery } from "../store.js";
import { insertion, numberOf, textOf } from "./values.js";

const toItem = <E extends Entity>(row: Row): Item<E> => ({
  entity: row["entity"] as E,
  key: textOf(row["key"]),
  fields: JSON.parse(textOf(row["fields"])) as ItemTypes[E],
  revision: numberOf(row["revision"]),
  updatedAt: numberOf(row["updated_at"]),
});

export async function readItem<E extends Entity>(db: Database, entity: E, key: string): Promise<Item<E> | undefined> {
  const row = await db.get("select * from item where entity = ? and key = ?", entity, key);
  return row && toItem<E>(row);
}

export async function listItems<E extends Entity>(db: Database, entity: E, query: ItemQuery): Promise<Item<E>[]> {
  const { owner, state, newest = false, limit } = query;
  const where = ["entity = ?"];
  const params: Value[] = [entity];
  const ask = (column: string, value: string | undefined): void => {
    if (value === undefined) return;
    where.push(`${column} = ?`);
    params.push(value);
  };
  ask("owner", owner);
  ask("state", state);
  const way = newest ? "desc" : "asc";
  const sql = `select * from item where ${where.join(" and ")}
    order by created_op ${way}, length(key) ${way}, key ${way}${limit === undefined ? "" : ` limit ${limit}`}`;
  return (await db.all(sql, ...params)).map((row) => toItem<E>(row));
}

/** An item that changes is read first: a change has only the fields that differ. Nothing is written yet. */
export async function itemStatement(db: Database, change: ItemChange, op: number, at: number): Promise<SqlStatement> {
  const { entity, key, before, after } = change;
  if (after === null) return { sql: "delete from item where entity = ? and key = ?", params: [entity, key] };
  const now = before === null ? undefined : await readItem(db, entity, key);
  const merged = { ...now?.fields, ...after };
  const fields = JSON.stringify(merged);
  const { owner, state } = placeOf(entity, merged as never);
  if (before === null) {
    return insertion("item", { entity, key, owner, state, fields, created_op: op, revision: 1, updated_at: at });
  }
  const sql = `update item set owner = ?, state = ?, fields = ?, revision = revision + 1, updated_at = ?
    where entity = ? and key = ?`;
  return { sql, params: [owner, state, fields, at, entity, key] };
}

export async function readDocument(db: Database, hash: string): Promise<string | undefined> {
  const row = await db.get("select body from document where hash = ?", hash);
  return row && textOf(row["body"]);
}

export const documentStatement = (hash: string, body: string): SqlStatement => ({
  sql: "insert into document (hash, body) values (?, ?) on conflict (hash) do nothing",
  params: [hash, body],
});
