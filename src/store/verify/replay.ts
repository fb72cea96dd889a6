// Replays the log from its first operation to its last, and compares the rows with what it gives.

import { type Entity, placeOf } from "../../model/item/item.js";
import { BLANK, type NodeFields, type Nr } from "../../model/node/node.js";
import type { Database, Row } from "../database.js";
import type { ReportWork } from "../progress.js";
import { readPages } from "../read/pages.js";
import { toChange } from "../rows/log-rows.js";
import { numberOf, textOf } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import type { Verification } from "../verification.js";

interface Replays<Fields extends object> {
  readonly fields: Fields;
  revision: number;
  /** When the last operation touched it. */
  at: number;
}

/** Without the values that a new node starts with. */
export type ReplayedRow = Replays<Partial<NodeFields>>;

export interface ReplayedPlan {
  readonly operations: number;
  readonly nodes: Map<Nr, ReplayedRow>;
  readonly focus: Map<string, Nr>;
  readonly items: ReplayedItems;
}

const CHANGES = `
  select change.nr, change.op, entity, key, before, after, operation.at from change
    join operation on operation.op = change.op
  where change.nr > ? order by change.nr limit ?`;

/** Changes after which it says how far it is. */
const TOLD_AFTER = 2_000;

/** The "before" of each change must be what the earlier changes made of the row. */
export async function replay(db: Database, differences: Differences, report?: ReportWork): Promise<ReplayedPlan> {
  const nodes = new Map<Nr, ReplayedRow>();
  const focus = new Map<string, Nr>();
  const items: ReplayedItems = new Map();
  let done = 0;
  for await (const row of readPages(db, CHANGES, [-1], (last) => [numberOf(last["nr"])])) {
    if (++done % TOLD_AFTER === 0) report?.({ doing: "Replaying", done, total: null, unit: "change" });
    const change = toChange(row);
    const [op, at] = [numberOf(row["op"]), numberOf(row["at"])];
    const compare = (what: string, said: unknown, known: unknown): void =>
      differences.compare(`operation ${op}`, `before: ${what}`, said, known);
    if (change.entity === "focus") {
      compare(`focus of ${change.key}`, change.before?.node, focus.get(change.key));
      if (change.after === null) focus.delete(change.key);
      else focus.set(change.key, change.after.node);
    } else if (change.entity === "node") {
      const { key, before, after } = change;
      const known = nodes.get(key);
      compareBefore(compare, `row ${key}`, before, known?.fields, BLANK);
      if (after === null) nodes.delete(key);
      else if (known) advance(known, after, at);
      else nodes.set(key, { fields: after, revision: 1, at });
    } else {
      const { entity, key, before, after } = change;
      const name = `${entity}:${key}`;
      const known = items.get(name);
      compareBefore(compare, key, before, known?.fields);
      if (after === null) items.delete(name);
      else if (known) advance(known, after, at);
      else items.set(name, { entity, key, op, fields: { ...after }, revision: 1, at });
    }
  }
  const { operations } = (await db.get("select count(*) as operations from operation")) as { operations: number };
  return { operations, nodes, focus, items };
}

/** `blank`: what the log leaves out of a row. */
function compareBefore(
  compare: (what: string, said: unknown, known: unknown) => void,
  name: string,
  before: object | null,
  known: object | undefined,
  blank: object = {},
): void {
  if ((before === null) !== (known === undefined)) compare(name, before, known);
  const was = (field: string): unknown => Reflect.get(field in (known ?? {}) ? (known ?? {}) : blank, field);
  for (const [field, value] of Object.entries(before ?? {})) compare(field, value, known && was(field));
}

/** In place: a copy of each row for each of its changes makes `verify` half as slow again. */
function advance<T extends object>(known: Replays<T>, after: T, at: number): void {
  Object.assign(known.fields, after);
  known.revision++;
  known.at = at;
}

type Difference = Verification["differences"][number];

/** Enough to see what is wrong. */
const PROBLEMS_LISTED = 100;

export class Differences {
  readonly list: Difference[] = [];

  compare(row: string, field: string, stored: unknown, replayed: unknown): void {
    if (stored === replayed || isSame(stored, replayed) || this.list.length >= PROBLEMS_LISTED) return;
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

interface ReplayedItem extends Replays<Readonly<Record<string, unknown>>> {
  readonly entity: Entity;
  readonly key: string;
  /** The operation that made it. */
  readonly op: number;
}

type ReplayedItems = Map<string, ReplayedItem>;

const ITEMS_AT_ONCE = 500;

export async function compareItems(db: Database, differences: Differences, items: ReplayedItems): Promise<number> {
  const missing = new Set(items.keys());
  let rows = 0;
  for await (const row of rowsOf(db, "item", ["entity", "key"])) {
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
  for await (const row of rowsOf(db, "document", ["hash"])) {
    rows++;
    const hash = sha256(textOf(row["body"]));
    differences.compare(`text ${(textOf(row["hash"])).slice(0, 12)}`, "hash", row["hash"], hash);
  }
  return rows;
}

/** Reads a table page by page, in the order of its keys. */
const rowsOf = (db: Database, table: string, keys: readonly string[]): AsyncIterable<Row> => {
  const [columns, marks] = [keys.join(", "), keys.map(() => "?").join(", ")];
  const sql = `select * from ${table} where (${columns}) > (${marks}) order by ${columns} limit ?`;
  return readPages(
    db,
    sql,
    keys.map(() => ""),
    (last) => keys.map((key) => textOf(last[key])),
    ITEMS_AT_ONCE,
  );
};
