// Loads an SQLite engine with the API of `node:sqlite`: Node's own where it is new enough, otherwise the add-on. The add-on is
// loaded directly, because its own loader searches the disk for 10 ms.

import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { Row, Value } from "../../database.js";
import { StoreFault } from "../../fault.js";

export interface Statement {
  all(...params: unknown[]): unknown[];
  get(...params: unknown[]): unknown;
  run(...params: unknown[]): { changes: number | bigint };
  columns(): readonly { readonly name: string }[];
  setReturnArrays(on: boolean): void;
}

export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export type EngineChoice = "auto" | "built-in" | "add-on";

type Engine = new (path: string, options: { readOnly: boolean }) => Connection;

/** Older ones can corrupt a WAL database that several processes write and checkpoint (WAL-reset bug). */
const SAFE_SINCE = [3, 51, 3];

/** From here on `node:sqlite` prints no warning and is new enough. */
const BUILT_IN_SINCE = [24, 15];

function atLeast(version: string, floor: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [i, least] of floor.entries()) {
    const part = parts[i] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

const unusable = (message: string): StoreFault =>
  new StoreFault({
    kind: "refused",
    reason: "no-sqlite",
    message: `${message} Use Node 24.15 or newer, which has an SQLite of its own.`,
  });

function loadBuiltIn(): Engine {
  const module = process.getBuiltinModule("node:sqlite") as unknown as { DatabaseSync: Engine } | undefined;
  if (!module) throw unusable(`Node ${process.versions.node} has no SQLite of its own.`);
  return module.DatabaseSync;
}

/** Beside the built program, or for sources and tests in the package from which the build copies it. */
function findAddOn(): string | undefined {
  const platform = `${process.platform}-${process.arch}`;
  const libc = usesMusl() ? "musl" : "glibc";
  const built = `${import.meta.dirname}/sqlite/${platform}.${libc}.node`;
  if (existsSync(built)) return built;
  const inPackage = `node_modules/@photostructure/sqlite/prebuilds/${platform}/@photostructure+sqlite.${libc}.node`;
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if (existsSync(`${at}/${inPackage}`)) return `${at}/${inPackage}`;
    if (dirname(at) === at) return undefined;
  }
}

function loadAddOn(): Engine {
  const file = findAddOn();
  if (file === undefined) {
    throw unusable(`There is no SQLite for ${process.platform}-${process.arch} on Node ${process.versions.node}.`);
  }
  const holder: { exports: { DatabaseSync?: Engine } } = { exports: {} };
  process.dlopen(holder, file);
  if (!holder.exports.DatabaseSync) throw unusable(`There is no SQLite engine in ${file}.`);
  return holder.exports.DatabaseSync;
}

/** Looks for glibc's dynamic linker: `process.report` takes 20 ms. */
const usesMusl = (): boolean =>
  process.platform === "linux" &&
  !existsSync("/lib64/ld-linux-x86-64.so.2") &&
  !existsSync("/lib/ld-linux-aarch64.so.1");

const engines = new Map<EngineChoice, Engine>();

export function connect(path: string, choice: EngineChoice, readOnly = false): Connection {
  let engine = engines.get(choice);
  if (!engine) {
    const builtIn = choice === "built-in" || (choice === "auto" && atLeast(process.versions.node, BUILT_IN_SINCE));
    engine = builtIn ? loadBuiltIn() : loadAddOn();
    engines.set(choice, engine);
  }
  return new engine(path, { readOnly });
}

export function requireSafeEngine(connection: Connection): void {
  const { version } = connection.prepare("select sqlite_version() as version").get() as { version: string };
  if (!atLeast(version, SAFE_SINCE)) {
    throw unusable(`SQLite ${version} is not safe with several processes: 3.51.3 or newer is needed.`);
  }
}

const MANY_ROWS = 100;

export class NamedRows {
  readonly #statement: Statement;
  #names: readonly string[] | undefined;
  /** Has all columns: a copy of it is filled twice as fast as an object that grows. */
  #emptyRow: Row = {};

  constructor(statement: Statement) {
    this.#statement = statement;
  }

  all(params: readonly Value[]): Row[] {
    const rows = this.#statement.all(...params);
    const names = this.#names;
    if (names) return (rows as Value[][]).map((values) => this.#name(names, values));
    if (rows.length > MANY_ROWS) this.#giveArrays();
    return rows as Row[];
  }

  get(params: readonly Value[]): Row | undefined {
    const row = this.#statement.get(...params);
    return this.#names && row ? this.#name(this.#names, row as Value[]) : ((row as Row | undefined) ?? undefined);
  }

  run(params: readonly Value[]): number {
    return Number(this.#statement.run(...params).changes);
  }

  #giveArrays(): void {
    this.#names = this.#statement.columns().map(({ name }) => name);
    this.#emptyRow = Object.fromEntries(this.#names.map((name) => [name, null]));
    this.#statement.setReturnArrays(true);
  }

  #name(names: readonly string[], values: readonly Value[]): Row {
    const row = { ...this.#emptyRow };
    for (let i = 0; i < names.length; i++) row[names[i] as string] = values[i] as Value;
    return row;
  }
}
