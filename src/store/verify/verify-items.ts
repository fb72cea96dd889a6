// Compares items with the replayed log, and long texts with their hashes.

import { type Entity, placeOf } from "../../model/item/item.js";
import type { Database, Row } from "../database.js";
import { numberOf, textOf, textOrNull } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import type { Differences } from "./differences.js";

interface ReplayedItem {
  readonly entity: Entity;
  readonly key: string;
  fields: Record<string, unknown>;
  readonly op: number;
  revision: number;
  at: number;
}

export type ReplayedItems = Map<string, ReplayedItem>;

const PAGE = 500;

export function replayItem(items: ReplayedItems, row: Row, differences: Differences): void {
  const [entity, key] = [row["entity"] as Entity, textOf(row["key"])];
  const name = `${entity}:${key}`;
  const known = items.get(name);
  const image = (column: string): Record<string, unknown> | null => {
    const text = textOrNull(row[column]);
    return text === null ? null : (JSON.parse(text) as Record<string, unknown>);
  };
  const [before, after] = [image("before"), image("after")];
  const where = `operation ${row["op"]}`;
  if ((before === null) !== (known === undefined)) differences.compare(where, `before: ${key}`, before, known?.fields);
  for (const field in before) differences.compare(where, `before: ${field}`, before[field], known?.fields[field]);
  const at = numberOf(row["at"]);
  if (after === null) items.delete(name);
  else if (known) {
    known.fields = { ...known.fields, ...after };
    known.revision++;
    known.at = at;
  } else items.set(name, { entity, key, fields: after, op: numberOf(row["op"]), revision: 1, at });
}

export async function compareItems(db: Database, differences: Differences, items: ReplayedItems): Promise<number> {
  const missing = new Set(items.keys());
  let rows = 0;
  for await (const row of pages(db, "item", ["entity", "key"])) {
    rows++;
    const name = `${row["entity"]}:${row["key"]}`;
    missing.delete(name);
    compareItem(differences, row, items.get(name));
  }
  for (const name of missing) differences.compare(items.get(name)?.key ?? name, "row", null, "in the log");
  return rows + (await compareDocuments(db, differences));
}

function compareItem(differences: Differences, row: Row, said: ReplayedItem | undefined): void {
  const key = textOf(row["key"]);
  if (!said) return differences.compare(key, "row", "stored", null);
  const { owner, state } = placeOf(said.entity, said.fields as never);
  const stored = JSON.parse(textOf(row["fields"])) as Record<string, unknown>;
  for (const field of new Set([...Object.keys(stored), ...Object.keys(said.fields)])) {
    differences.compare(key, field, stored[field], said.fields[field]);
  }
  differences.compare(key, "owner", row["owner"], owner);
  differences.compare(key, "state", row["state"], state);
  differences.compare(key, "created_op", row["created_op"], said.op);
  differences.compare(key, "revision", row["revision"], said.revision);
  differences.compare(key, "updatedAt", row["updated_at"], said.at);
}

async function compareDocuments(db: Database, differences: Differences): Promise<number> {
  let rows = 0;
  for await (const row of pages(db, "document", ["hash"])) {
    rows++;
    const hash = sha256(textOf(row["body"]));
    differences.compare(`text ${(textOf(row["hash"])).slice(0, 12)}`, "hash", row["hash"], hash);
  }
  return rows;
}

async function* pages(db: Database, table: string, keys: readonly string[]): AsyncIterable<Row> {
  const columns = keys.join(", ");
  let after = keys.map(() => "");
  for (;;) {
    const page = await db.all(
      `select * from ${table} where (${columns}) > (${keys.map(() => "?").join(", ")}) order by ${columns} limit ${PAGE}`,
      ...after,
    );
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = keys.map((key) => textOf(last[key]));
  }
}
