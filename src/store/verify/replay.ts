// Replays the log from its first operation to its last, and compares the rows with what it gives.

import { type Entity, placeOf } from "../../model/item/item.js";
import { BLANK, type NodeFields, type Nr } from "../../model/node/node.js";
import type { Database, Row, Value } from "../database.js";
import { numberOf, textOf, textOrNull } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import type { Verification } from "../store.js";

export interface ReplayedRow {
  /** Without the values that a new node starts with. */
  readonly fields: Partial<NodeFields>;
  revision: number;
  /** When the last operation touched it. */
  at: number;
}

export interface Replayed {
  readonly operations: number;
  readonly nodes: Map<Nr, ReplayedRow>;
  readonly focus: Map<string, Nr>;
  readonly items: ReplayedItems;
}

const PAGE = 5_000;

const CHANGES = `
  select change.nr, change.op, entity, key, before, after, operation.at from change
    join operation on operation.op = change.op
  where change.nr > ? order by change.nr limit ?`;

/** The "before" of each change must be what the earlier changes made of the row. */
export async function replay(db: Database, differences: Differences): Promise<Replayed> {
  const nodes = new Map<Nr, ReplayedRow>();
  const focus = new Map<string, Nr>();
  const items: ReplayedItems = new Map();
  for await (const row of changes(db)) {
    if (row["entity"] === "focus") replayFocus(focus, row, differences);
    else if (row["entity"] === "node") replayNode(nodes, row, differences);
    else replayItem(items, row, differences);
  }
  const { operations } = (await db.get("select count(*) as operations from operation")) as { operations: number };
  return { operations, nodes, focus, items };
}

async function* changes(db: Database): AsyncIterable<Row> {
  let after = -1;
  for (;;) {
    const page = await db.all(CHANGES, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = numberOf(last["nr"]);
  }
}

const image = (text: Value | undefined): unknown => (text === null ? null : JSON.parse(textOf(text)));

function replayFocus(focus: Map<string, Nr>, row: Row, differences: Differences): void {
  const actor = textOf(row["key"]);
  const before = image(row["before"]) as { node: Nr } | null;
  differences.compare(`operation ${row["op"]}`, `before: focus of ${actor}`, before?.node, focus.get(actor));
  const after = image(row["after"]) as { node: Nr } | null;
  if (after === null) focus.delete(actor);
  else focus.set(actor, after.node);
}

function replayNode(nodes: Map<Nr, ReplayedRow>, row: Row, differences: Differences): void {
  const nr = Number(row["key"]);
  const known = nodes.get(nr);
  const before = image(row["before"]) as Partial<NodeFields> | null;
  const after = image(row["after"]) as Partial<NodeFields> | null;
  const at = numberOf(row["at"]);
  const name = `operation ${row["op"]}`;
  if ((before === null) !== (known === undefined))
    differences.compare(name, `before: row ${nr}`, before, known?.fields);
  for (const field in before) {
    const key = field as keyof NodeFields;
    const was = known && (key in known.fields ? known.fields : (BLANK as Partial<NodeFields>))[key];
    differences.compare(name, `before: ${field}`, before[key], was);
  }
  if (after === null) nodes.delete(nr);
  else if (known) {
    Object.assign(known.fields, after);
    known.revision++;
    known.at = at;
  } else nodes.set(nr, { fields: after, revision: 1, at });
}

type Difference = Verification["differences"][number];

/** Enough to see what is wrong. */
const SHOWN = 100;

export class Differences {
  readonly list: Difference[] = [];

  compare(row: string, field: string, stored: unknown, replayed: unknown): void {
    if (stored === replayed || isSame(stored, replayed) || this.list.length >= SHOWN) return;
    this.list.push({ row, field, stored: shortenToken(stored ?? null), replayed: shortenToken(replayed ?? null) });
  }
}

/** By value, whatever the order of keys; undefined and null are the same. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key in left) if (!isSame(left[key], right[key])) return false;
  for (const key in right) if (!(key in left) && !isSame(null, right[key])) return false;
  return true;
}

/** A claim's token is secret: its beginning is enough to tell two apart. */
const shortenToken = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "token" in value && typeof value.token === "string"
    ? { ...value, token: `${value.token.slice(0, 4)}…` }
    : value;

interface ReplayedItem {
  readonly entity: Entity;
  readonly key: string;
  fields: Record<string, unknown>;
  readonly op: number;
  revision: number;
  at: number;
}

type ReplayedItems = Map<string, ReplayedItem>;

const ITEMS_AT_ONCE = 500;

function replayItem(items: ReplayedItems, row: Row, differences: Differences): void {
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
      `select * from ${table} where (${columns}) > (${keys.map(() => "?").join(", ")}) order by ${columns} limit ${ITEMS_AT_ONCE}`,
      ...after,
    );
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < ITEMS_AT_ONCE) return;
    after = keys.map((key) => textOf(last[key]));
  }
}
