// A whole plan as lines of JSON, and back. What counts is the log with its documents and counters: every row follows from it, and its
// chain and its signatures show whether a line was changed on the way. The rows of now stand in it for other programs to read.

import { writeFileSync } from "node:fs";
import { readPlainBytes } from "../../base/plain-file.js";
import type { Node } from "../../model/node/node.js";
import { fieldsOf } from "../../model/operation/change.js";
import type { Database, Row, Value } from "../database.js";
import { markAsPlan } from "../dialects/sqlite/sqlite.js";
import { damaged, StoreFault } from "../fault.js";
import { migrate } from "../migrations/migrate.js";
import { readSchema, SCHEMA } from "../migrations/schema.js";
import { readPages } from "../read/pages.js";
import { DatabaseReader } from "../read/reader.js";
import { CHAINED_FROM, changeNr } from "../rows/log-rows.js";
import { insertion, numberOf, textOf, textOrNull } from "../rows/values.js";
import { rebuild } from "../verify/repair.js";
import { Differences, replay } from "../verify/replay.js";
import { openDatabase, openPlan } from "./open.js";

/** Of these lines, not of the plan. */
const VERSION = 1;

const START = `{"planwright":`;

export const isTextCopy = (file: string): boolean => {
  try {
    return readPlainBytes(file).subarray(0, START.length).toString("latin1") === START;
  } catch {
    return false;
  }
};

const line = (kind: string, value: unknown): string => `{"${kind}":${JSON.stringify(value)}}\n`;

/** Of a file that nobody writes to meanwhile: a backup. */
export async function* textCopyOf(file: string): AsyncGenerator<string, void, void> {
  const db = await openPlan({ path: file, durability: "normal", engine: "auto" }, (opened) => Promise.resolve(opened));
  try {
    const { version } = await readSchema(db);
    const chained = await db.get("select value from meta where name = ?", CHAINED_FROM);
    yield line("planwright", { version: VERSION, schema: version, chainedFrom: chained?.["value"] ?? null });
    yield* nodeLines(db);
    for await (const row of rowsOf(db, "item", "entity, key, fields", ["entity", "key"])) {
      yield `{"item":{"entity":${JSON.stringify(row["entity"])},"key":${JSON.stringify(row["key"])},"fields":${textOf(row["fields"])}}}\n`;
    }
    for await (const row of rowsOf(db, "operation", "*", ["op"])) yield line("operation", row);
    for await (const row of rowsOf(db, "change", "nr, op, entity, key, before, after", ["nr"])) {
      const { op, entity, key } = row;
      const images = [row["before"], row["after"]].map((image) => textOrNull(image ?? null) ?? "null");
      yield `{"change":[${numberOf(op)},${JSON.stringify(entity)},${JSON.stringify(key)},${images.join()}]}\n`;
    }
    for await (const row of rowsOf(db, "document", "hash, body", ["hash"])) yield line("document", row);
    for await (const row of rowsOf(db, "counter", "name, value", ["name"])) yield line("counter", row);
  } finally {
    await db.close();
  }
}

async function* nodeLines(db: Database): AsyncGenerator<string, void, void> {
  const reader = new DatabaseReader(db);
  const uuids = new Map<number, string>();
  for await (const row of rowsOf(db, "node", "nr, uuid", ["nr"])) uuids.set(numberOf(row["nr"]), textOf(row["uuid"]));
  const uuidOf = (nr: number | null): string | null => (nr === null ? null : (uuids.get(nr) ?? null));
  for await (const node of reader.scan()) yield line("node", readable(node, uuidOf));
}

/** With UUIDs where the plan has numbers of its own rows. */
function readable(node: Node, uuidOf: (nr: number | null) => string | null): object {
  const { dependsOn, parent, claim: _, ...fields } = fieldsOf(node);
  const edges = dependsOn.map(({ on, origin }) => ({ on: uuidOf(on), origin }));
  return { ...fields, parent: uuidOf(parent), dependsOn: edges };
}

async function* rowsOf(db: Database, table: string, columns: string, by: readonly string[]): AsyncGenerator<Row> {
  const keys = by.join();
  const marks = by.map(() => "?").join();
  const sql = `select ${columns} from ${table} where (${keys}) > (${marks}) order by ${keys} limit ?`;
  const first: Value[] = by.map((key) => (key === "nr" || key === "op" ? -1 : ""));
  yield* readPages(db, sql, first, (last) => by.map((key) => last[key] as Value));
}

/** Makes the file of a plan. Nothing of it is trusted before its chain was followed, as with every backup. */
export async function planFromText(file: string, to: string): Promise<void> {
  writeFileSync(to, "", { flag: "wx", mode: 0o600 });
  const db = await openDatabase({ path: to, durability: "normal", engine: "auto" }, "create");
  try {
    await db.write(async () => {
      await markAsPlan(db);
      await migrate(db, 0);
      for (const table of ["operation", "change", "counter"]) await db.run(`delete from ${table}`);
      await insertLines(db, file);
      await rebuild(db, await replay(db, new Differences()));
      return { keep: true, value: undefined };
    });
  } finally {
    await db.close();
  }
}

const BATCH = 500;

async function insertLines(db: Database, file: string): Promise<void> {
  const bytes = readPlainBytes(file);
  const seqs = new Map<number, number>();
  let batch: ReturnType<typeof insertion>[] = [];
  let number = 0;
  for (let from = 0; from < bytes.length; ) {
    const found = bytes.indexOf(10, from);
    const end = found === -1 ? bytes.length : found;
    number++;
    const text = bytes.toString("utf8", from, end);
    from = end + 1;
    if (text.trim() !== "") batch.push(...statementsOf(file, number, text, seqs));
    if (batch.length < BATCH) continue;
    await db.batch(batch);
    batch = [];
  }
  await db.batch(batch);
}

const wrong = (file: string, number: number, problem: string): StoreFault =>
  new StoreFault(damaged(file, `line ${number}: ${problem}`));

function statementsOf(file: string, number: number, text: string, seqs: Map<number, number>) {
  let entry: Record<string, unknown>;
  try {
    entry = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw wrong(file, number, "it is not valid JSON, so the file is cut off or damaged");
  }
  const { planwright, operation, document, counter } = entry as Record<string, Row | undefined>;
  if (planwright) return headStatements(file, number, planwright);
  if (operation) return [insertion("operation", operation)];
  if (document) return [insertion("document", document)];
  if (counter) return [insertion("counter", counter)];
  if (!Array.isArray(entry["change"])) return [];
  const [op, entity, key, before, after] = entry["change"] as [number, string, string, unknown, unknown];
  const seq = seqs.get(op) ?? 0;
  seqs.set(op, seq + 1);
  const image = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  const row = { nr: changeNr(op, seq), op, entity, key, before: image(before), after: image(after) };
  return [insertion("change", row)];
}

function headStatements(file: string, number: number, head: Row) {
  const { version, schema, chainedFrom } = head;
  if (version !== VERSION || schema !== SCHEMA) {
    const made = `version ${String(version)}, schema ${String(schema)}`;
    throw wrong(file, number, `it was written for ${made}; this program reads version ${VERSION}, schema ${SCHEMA}`);
  }
  return chainedFrom == null ? [] : [insertion("meta", { name: CHAINED_FROM, value: chainedFrom })];
}
