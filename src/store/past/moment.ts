// The plan as it was after some operation: a copy of its rows, moved along the log. Everything that reads a plan reads this one with
// the same statements; the log and the long texts are those of the file, up to that operation. Copying 10,000 nodes takes 0.1 s, moving
// takes as long as there are changes in between, and no write is held up by either. A copy may begin from a kept state instead.

import { type Entity, placeOf } from "../../model/item/item.js";
import { contentHash, HASHED } from "../../model/node/content-hash.js";
import { BLANK, type NodeFields, newNode } from "../../model/node/node.js";
import type { Database, Row, Value } from "../database.js";
import { changeNr } from "../rows/log-rows.js";
import { NODE_BY_NR, toColumns, toNode } from "../rows/node-rows.js";
import { insertRow, numberOf, textOf, textOrNull } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import { newRow } from "../write/writable-rows.js";
import { Recount } from "./recount.js";

/** The statement is seen to give many rows by its first page, and gives the next ones faster. */
const FIRST_PAGE = 200;
const PAGE = 5_000;
const KEYS_AT_ONCE = 500;

export class Moment {
  readonly #db: Database;
  readonly #recount: Recount;
  #op: number;
  /** What is derived follows from the rows, also where a later version than the one that kept them derives it in another way. */
  #mustRecount: boolean;

  private constructor(db: Database, op: number, mustRecount = false) {
    this.#db = db;
    this.#recount = new Recount(db);
    this.#op = op;
    this.#mustRecount = mustRecount;
  }

  get op(): number {
    return this.#op;
  }

  /** A copy of the plan as it is now. The database has the plan attached as `live`, and nothing else. */
  static async copy(db: Database): Promise<Moment> {
    const latest = await inTransaction(db, async () => {
      const row = await db.get("select max(op) as op from live.operation");
      for (const [table, key] of COPIED) await copyTable(db, table, key);
      const op = Number(row?.["op"] ?? 0);
      await showLog(db, op);
      return op;
    });
    return new Moment(db, latest);
  }

  /** The same from a state that was kept of an earlier moment: the database has its rows, and the plan as `live`. */
  static async from(db: Database, op: number): Promise<Moment> {
    for (const [table] of COPIED) await requireSameColumns(db, table);
    await inTransaction(db, () => showLog(db, op));
    return new Moment(db, op, true);
  }

  /** Writes its rows into a file, for `from`. */
  save(file: string): Promise<void> {
    return this.#db.copyTo(file);
  }

  async move(op: number): Promise<void> {
    if (op === this.#op && !this.#mustRecount) return;
    const direction = op < this.#op ? "back" : "forward";
    const move = async (): Promise<void> => {
      const images = await this.#images(Math.min(op, this.#op), Math.max(op, this.#op), direction);
      await this.#db.run("update moment set op = ?", op);
      await this.#writeNodes(images.get("node") ?? new Map());
      await this.#writeFocus(images.get("focus") ?? new Map());
      for (const [entity, rows] of images)
        if (entity !== "node" && entity !== "focus") await this.#writeItems(entity as Entity, rows);
      const nodes = images.get("node");
      if (nodes || this.#mustRecount) await this.#recount.after(new Set([...(nodes?.keys() ?? [])].map(Number)));
    };
    await inTransaction(this.#db, move).catch((error: unknown) => {
      this.#recount.forget();
      throw error;
    });
    this.#op = op;
    this.#mustRecount = false;
  }

  async #images(after: number, upTo: number, direction: Direction): Promise<Map<string, RowImages>> {
    const images = new Map<string, RowImages>();
    const order = direction === "back" ? "asc" : "desc";
    let [low, high] = [changeNr(after + 1, 0), changeNr(upTo + 1, 0)];
    for (let limit = FIRST_PAGE; ; limit = PAGE) {
      const page = await this.#db.all(
        `select nr, entity, key, before, after from live.change where nr >= ? and nr < ? order by nr ${order} limit ?`,
        low,
        high,
        limit,
      );
      addImages(images, page, direction);
      const last = page.at(-1);
      if (!last || page.length < limit) return images;
      if (direction === "back") low = numberOf(last["nr"]) + 1;
      else high = numberOf(last["nr"]);
    }
  }

  async #writeNodes(rows: RowImages): Promise<void> {
    const touched = await this.#touched("node", [...rows.keys()]);
    for (const [key, { fields }] of rows) {
      if (fields !== null && !("dependsOn" in fields) && rows.get(key)?.isWhole !== true) continue;
      await this.#db.run("delete from edge where node = ?", Number(key));
      for (const { on } of (fields?.["dependsOn"] ?? []) as NodeFields["dependsOn"])
        await this.#db.run("insert into edge (node, target) values (?, ?)", Number(key), on);
    }
    for (const [key, image] of rows) await this.#writeNode(Number(key), image, touched.get(key) ?? UNTOUCHED);
    for (const [key, { fields, isWhole }] of rows) {
      if (fields !== null && (isWhole || HASHED.some((field) => field in fields))) await this.#writeHash(Number(key));
    }
  }

  async #writeNode(nr: number, { fields, isWhole }: RowImage, { revision, at }: Touched): Promise<void> {
    if (fields === null || isWhole) await this.#db.run("delete from node where nr = ?", nr);
    if (fields === null) return;
    if (isWhole) {
      const patch = { ...BLANK, ...fields } as NodeFields;
      const node = { ...newNode(nr, patch, at), revision };
      return insertRow(this.#db, "node", { ...DEFAULTS, ...newRow({ node, patch }) });
    }
    const row: Row = { ...toColumns(fields), revision, updated_at: at };
    const columns = Object.keys(row);
    await this.#db.run(`update node set ${columns.join(" = ?, ")} = ? where nr = ?`, ...Object.values(row), nr);
  }

  async #writeHash(nr: number): Promise<void> {
    const row = await this.#db.get(NODE_BY_NR, nr);
    // Only approved nodes have a hash, and most rows that change have none.
    if (!row || (row["approved_by"] === null && row["hash"] === "")) return;
    const node = toNode(row);
    const uuids = new Map<number, string>();
    for (const other of [node.parent ?? 0, ...node.dependsOn.map(({ on }) => on)]) {
      const found = await this.#db.get("select uuid from node where nr = ?", other);
      uuids.set(other, String(found?.["uuid"] ?? ""));
    }
    const hash = node.approval === null ? "" : contentHash(node, (other) => uuids.get(other) ?? "", sha256);
    await this.#db.run("update node set hash = ? where nr = ?", hash, nr);
  }

  async #writeFocus(rows: RowImages): Promise<void> {
    for (const [actor, { fields }] of rows) {
      await this.#db.run("delete from focus where actor = ?", actor);
      if (fields !== null)
        await this.#db.run("insert into focus (actor, node) values (?, ?)", actor, fields["node"] as Value);
    }
  }

  async #writeItems(entity: Entity, rows: RowImages): Promise<void> {
    const touched = await this.#touched(entity, [...rows.keys()]);
    for (const [key, { fields, isWhole }] of rows) {
      const known = isWhole
        ? undefined
        : await this.#db.get("select fields from item where entity = ? and key = ?", entity, key);
      await this.#db.run("delete from item where entity = ? and key = ?", entity, key);
      if (fields === null) continue;
      const all = { ...(known && (JSON.parse(textOf(known["fields"])) as object)), ...fields };
      const { revision, at, created } = touched.get(key) ?? UNTOUCHED;
      await insertRow(this.#db, "item", {
        entity,
        key,
        ...placeOf(entity, all as never),
        fields: JSON.stringify(all),
        created_op: created,
        revision,
        updated_at: at,
      });
    }
  }

  /** How often each row had been written until then, since it was made, and when last. */
  async #touched(entity: string, keys: readonly string[]): Promise<Map<string, Touched>> {
    const found = new Map<string, Touched>();
    for (let i = 0; i < keys.length; i += KEYS_AT_ONCE) {
      const some = keys.slice(i, i + KEYS_AT_ONCE);
      const marks = some.map(() => "?").join();
      const rows = await this.#db.all(
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

  async #touchedRow(entity: string, row: Row): Promise<Touched> {
    const [created, made] = [numberOf(row["created"]), Number(row["made"] ?? 0)];
    // A row that was taken back and done again counts from its second beginning.
    const writes =
      made <= created
        ? numberOf(row["writes"])
        : numberOf(
            (
              await this.#db.get(
                "select count(*) as writes from change where key = ? and entity = ? and op >= ?",
                textOf(row["key"]),
                entity,
                made,
              )
            )?.["writes"],
          );
    return { revision: writes, at: numberOf(row["at"]), created: Math.max(made, created) };
  }

  async close(): Promise<void> {
    await this.#db.close();
  }
}

interface Touched {
  readonly revision: number;
  readonly at: number;
  readonly created: number;
}

const UNTOUCHED: Touched = { revision: 1, at: 0, created: 0 };

/** The columns that a new row leaves to the table, whose copy has no defaults. */
const DEFAULTS: Row = {
  body: "",
  depends_on: "[]",
  files: "[]",
  symbols: "[]",
  checks: "[]",
  budgets: "{}",
  discoveries: "[]",
  hash: "",
  ...Object.fromEntries(
    [
      ["inbox", "epoch", "attempts", "retries", "replans", "replans_granted", "shelved", "pending", "held"],
      ["live", "finished", "tasks_live", "tasks_finished", "awaited"],
    ]
      .flat()
      .map((column) => [column, 0]),
  ),
};

/** Tables of the plan, and their keys. The log and the long texts are read from the file. */
const COPIED: readonly (readonly [table: string, key: string])[] = [
  ["node", "nr"],
  ["edge", "node, target"],
  ["focus", "actor"],
  ["item", "entity, key"],
];

/** The log up to this moment, by the names that readers use. */
async function showLog(db: Database, op: number): Promise<void> {
  await db.run("create temp table moment (op integer not null)");
  await db.run("insert into moment values (?)", op);
  await db.run("create temp view operation as select * from live.operation where op <= (select op from moment)");
  await db.run(
    `create temp view change as select * from live.change where nr < (select (op + 1) * ${changeNr(1, 0)} from moment)`,
  );
}

/** Without checks and references, which hold at every moment but not while it moves from one to another. */
async function copyTable(db: Database, table: string, key: string): Promise<void> {
  const columns = await db.all(`select name from pragma_table_info('${table}', 'live')`);
  const declared = columns.map(({ name }) => (name === key ? `${name} integer` : String(name)));
  const names = key === "nr" ? declared : columns.map(({ name }) => String(name));
  await db.run(`create table main.${table} (${names.join(", ")}, primary key (${key}))`);
  await db.run(`insert into main.${table} select * from live.${table}`);
  const indexes = await db.all(
    "select sql from live.sqlite_master where type = 'index' and tbl_name = ? and sql is not null",
    table,
  );
  for (const { sql } of indexes) await db.run(textOf(sql).replace(/unique/i, ""));
}

/** A state that another version kept may lack columns, or have others. */
async function requireSameColumns(db: Database, table: string): Promise<void> {
  const [kept, live] = [await columnsOf(db, table, "main"), await columnsOf(db, table, "live")];
  if (kept !== live) throw new Error(`The kept state has other columns in ${table}.`);
}

const columnsOf = async (db: Database, table: string, schema: "main" | "live"): Promise<string> =>
  (await db.all(`select name from pragma_table_info('${table}', '${schema}') order by name`))
    .map(({ name }) => String(name))
    .join();

async function inTransaction<T>(db: Database, work: () => Promise<T>): Promise<T> {
  await db.run("begin");
  try {
    const value = await work();
    await db.run("commit");
    return value;
  } catch (error) {
    await db.run("rollback");
    throw error;
  }
}

interface RowImage {
  /** Fields that differ there; null if the row was not there. */
  fields: Record<string, unknown> | null;
  /** These are all its fields: it has to be written again, and what is left out is blank. */
  isWhole: boolean;
}

type RowImages = Map<string, RowImage>;

type Direction = "back" | "forward";

/** `rows` of the log, from the far end: going back the oldest first, going forward the newest first. */
function addImages(images: Map<string, RowImages>, rows: Iterable<Row>, direction: Direction): void {
  const [there, here] = direction === "back" ? (["before", "after"] as const) : (["after", "before"] as const);
  for (const row of rows) {
    const [entity, key] = [textOf(row["entity"]), textOf(row["key"])];
    let ofEntity = images.get(entity);
    if (!ofEntity) images.set(entity, (ofEntity = new Map()));
    const known = ofEntity.get(key);
    // Nothing on the near side of a row's beginning or end is about the row that was there.
    if (known && (known.isWhole || known.fields === null)) continue;
    const text = textOrNull(row[there]);
    const image = text === null ? null : (JSON.parse(text) as Record<string, unknown>);
    const isWhole = textOrNull(row[here]) === null;
    if (!known) ofEntity.set(key, { fields: image, isWhole });
    else {
      known.fields = { ...image, ...known.fields };
      known.isWhole = isWhole;
    }
  }
}
