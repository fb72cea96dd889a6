// PostgreSQL takes every statement of the store as it is, but for the words that a dialect says itself: `Fragments`, and the types in
// the tables. Where PostgreSQL is installed, it prepares each statement that the suite of the store runs.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "../../../../test/needs.js";
import { Spy } from "../../../../test/spy.js";
import { StorePlan } from "../../../../test/store-plan.js";
import type { Fragments, Value } from "../../database.js";
import { migrate } from "../../migrations/migrate.js";
import { storeOn } from "../../open/open.js";
import type { Store } from "../../store.js";
import { describeStore } from "../../suite/store.suite.js";
import { openSqlite } from "../sqlite/sqlite.js";

const STORE = resolve(import.meta.dirname, "../..");

/** What PostgreSQL says instead of SQLite. */
const FRAGMENTS: Fragments = {
  jsonText: (column, field) => `(${column}::json ->> '${field}')`,
  jsonNumber: (column, field) => `(${column}::json ->> '${field}')::double precision`,
  like: "ilike",
  hasOtherLetters: (text) => `${text} ~ '[^\\x01-\\x7e]'`,
  lookup: {
    create: "create table node_text (nr bigint primary key, words text)",
    put: "insert into node_text (nr, words) values (?, ?) on conflict (nr) do update set words = excluded.words",
    remove: "delete from node_text where nr = ?",
    clear: "delete from node_text",
    find: "select nr from node_text where to_tsvector(words) @@ to_tsquery(?) and nr > ? order by nr limit ?",
    lengths: "select nr, to_hex(length(words)) as length from node_text where nr > ? order by nr limit ?",
  },
};

/** Numbers are milliseconds, or count changes over all operations; texts are compared byte by byte, whatever the database's language. */
const tableOf = (sql: string): string =>
  sql
    .replace(/\binteger\b/g, "bigint")
    .replace(/\breal\b/g, "double precision")
    .replace(/\btext\b/g, 'text collate "C"')
    .replace(/\) without rowid/, ")");

const marked = (name: string, args: readonly string[], sql: string): string =>
  `/*${JSON.stringify([name, ...args])}*/${sql}/*end*/`;

/** What only SQLite takes, also where PostgreSQL is not there to say so. */
const ONLY_SQLITE =
  /\bis (?:not )?(?!null\b|not\b|distinct\b|true\b|false\b)\S|\b(?:total|instr|char|glob|ifnull|iif|group_concat|json_\w+|randomblob|hex|printf|strftime|unixepoch|typeof|changes|last_insert_rowid)\(|\b(?:max|min)\([^()]*,|\bglob\b|\browid\b|\binsert or\b|\breplace into\b|\bcollate nocase\b|\bindexed by\b|\bpragma\b|\bsqlite_/;

/** Runs on SQLite, and marks what the dialect says. */
class Recorder extends Spy {
  override get sql(): Fragments {
    const { jsonText, jsonNumber, like, hasOtherLetters, lookup } = super.sql;
    const statements = Object.entries(lookup).map(([name, sql]) => [name, marked("lookup", [name], sql)]);
    return {
      jsonText: (column, field) => marked("jsonText", [column, field], jsonText(column, field)),
      jsonNumber: (column, field) => marked("jsonNumber", [column, field], jsonNumber(column, field)),
      like: marked("like", [], like),
      hasOtherLetters: (text) => marked("hasOtherLetters", [text], hasOtherLetters(text)),
      lookup: Object.fromEntries(statements) as Fragments["lookup"],
    };
  }
}

/** On one line, with PostgreSQL's own words and numbered parameters. */
function forPostgres(sql: string): string {
  const said = sql.replace(/\/\*(\[.*?\])\*\/.*?\/\*end\*\//gs, (_, mark: string) => {
    const [name, ...args] = JSON.parse(mark) as [keyof Fragments, string, string];
    const fragment = FRAGMENTS[name];
    if (typeof fragment === "object") return fragment[args[0] as keyof Fragments["lookup"]];
    return typeof fragment === "string" ? fragment : fragment(...args);
  });
  let parameters = 0;
  return said.replace(/\s+/g, " ").replace(/'[^']*'|\?/g, (part) => (part === "?" ? `$${++parameters}` : part));
}

const recorders: Recorder[] = [];
let tables: readonly string[] = [];

async function recordedStore(): Promise<Store> {
  const recorder = new Recorder(await openSqlite({ path: ":memory:", durability: "normal", engine: "auto" }));
  await migrate(recorder, 0);
  tables = [...recorder.statements.keys()].filter((sql) => /^(\/\*.*?\*\/)?(create|alter)/.test(sql));
  for (const sql of tables) recorder.statements.delete(sql);
  recorders.push(recorder);
  return storeOn(recorder, ":memory:");
}

/** What the suite does not ask for. */
async function askTheRest(): Promise<void> {
  const { store } = new StorePlan(await recordedStore());
  await store.read(async (reader) => {
    await reader.tally();
    await reader.outline();
    await reader.sorts([1, 2]);
    await reader.taskSorts();
    await reader.footprints([1]);
    await reader.durations(5);
    for (const query of [
      { text: [["abc"]], texts: true },
      { file: "a/b.ts", files: true },
      { sorts: ["w"] },
      { among: [1] },
      {},
    ])
      for await (const _ of reader.listings({ ...query, tiers: ["task"], kinds: ["work"], hidden: false })) break;
    await reader.unapproved();
    await reader.forPerson(5);
    await reader.stopped(5);
    await reader.begunWork();
    await reader.readyFootprints(1);
    await reader.planning();
    await reader.density({ slotMs: 1000, from: 0, to: 1, verbs: ["add"], limit: 5 });
    await reader.operations({ limit: 5, about: 1, overlaps: 1, of: 1, state: "standing" });
    await reader.operations({ limit: 5, actor: "human:ada", state: "undone" });
  });
  await store.verify();
  await store.close();
}

const FOLDERS = [
  ...(process.env["PATH"] ?? "").split(":"),
  ...(existsSync("/usr/lib/postgresql")
    ? readdirSync("/usr/lib/postgresql").map((version) => `/usr/lib/postgresql/${version}/bin`)
    : []),
];
const PROGRAMS = FOLDERS.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")));

/** It refuses to be started by root. */
const AS_USER = process.getuid?.() === 0 ? ["runuser", "-u", "postgres", "--"] : [];
const HAS_USER = AS_USER.length === 0 || spawnSync("id", ["-u", "postgres"]).status === 0;

const INSTALLED = needs(PROGRAMS !== undefined && HAS_USER, "PostgreSQL is not installed");

/** Runs each line, without a server. The result: what was refused, and why. */
function refusedBy(lines: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "planwright-postgres-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o777);
  const start = (program: string, args: readonly string[], input = ""): string => {
    const [command = "", ...rest] = [...AS_USER, join(PROGRAMS ?? "", program), ...args];
    const ended = spawnSync(command, rest, { input, encoding: "utf8", cwd: folder, maxBuffer: 100_000_000 });
    if (ended.status !== 0) throw new Error(`${program}: ${ended.stderr.slice(-2_000)}`);
    return ended.stderr;
  };
  const data = join(folder, "data");
  start("initdb", ["--pgdata", data, "--no-sync", "--encoding", "UTF8", "--locale", "C.UTF-8"]);
  const said = start("postgres", ["--single", "-F", "-D", data, "postgres"], `${lines.join("\n")}\n`);
  return [...said.matchAll(/ERROR: +(.*)(?:\n(?!.*STATEMENT:).*)*\n.*STATEMENT: +(.*)/g)].map(
    ([, why = "", statement = ""]) => `${why}: ${statement}`,
  );
}

describeStore("that is watched", recordedStore);

describe("SQL", () => {
  it("is prepared by PostgreSQL, every statement of it", INSTALLED, async () => {
    await askTheRest();
    const statements = new Map<string, Value[]>(recorders.flatMap(({ statements: each }) => [...each]));
    const texts = [...new Set([...statements.keys()].map(forPostgres))];
    expect(texts.length).toBeGreaterThan(150);
    const prepared = texts.map((sql, i) => `prepare s${i} as ${sql}`);
    // It would notice one that PostgreSQL does not take.
    const wrong = "prepare wrong as select glob('a', 'b')";
    const refused = refusedBy([...tables.map((sql) => tableOf(forPostgres(sql))), ...prepared, wrong]);
    expect(refused).toEqual([expect.stringContaining(wrong)]);
  });

  it("has nothing that only SQLite takes, in any statement", async () => {
    await askTheRest();
    const texts = recorders.flatMap(({ statements }) => [...statements.keys()].map(forPostgres));
    expect(texts.length).toBeGreaterThan(150);
    expect(texts.filter((sql) => ONLY_SQLITE.test(sql.replace(/'[^']*'/g, "''")))).toEqual([]);
    const wrong = ["where kind is 'land'", "where a is not b", "select total(a)", "select max(a, b)", "a glob 'b'"];
    expect(wrong.filter((sql) => !ONLY_SQLITE.test(sql))).toEqual([]);
  });

  it("that only SQLite takes is only in its own folder", () => {
    const files = readdirSync(STORE, { recursive: true, encoding: "utf8" }).filter(
      (file) => /\.(ts|sql)$/.test(file) && !/\.(test|suite)\.ts$/.test(file) && !file.startsWith("dialects/"),
    );
    expect(files.length).toBeGreaterThan(30);
    const own = /pragma|sqlite_master|attach database|vacuum into|json_extract|randomblob| glob /;
    expect(files.filter((file) => own.test(readFileSync(join(STORE, file), "utf8")))).toEqual([]);
  });
});
