// From the log's rows to operations and changes, and the hash that ties an operation to the one before it. It covers everything that
// the log stores about the operation and its changes, so nothing can be changed, removed or added without breaking the chain from there on.

import type { Change } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import type { Database, Row, Value } from "../database.js";
import { Sha256 } from "../sha256.js";
import { numberOf, numberOrNull, textOf, textOrNull } from "./values.js";

export const toOperation = (row: Row): LoggedOperation => ({
  op: numberOf(row["op"]),
  at: numberOf(row["at"]),
  actor: textOf(row["actor"]),
  verb: textOf(row["verb"]),
  sentence: textOf(row["sentence"]),
  commit: textOrNull(row["git_commit"]),
  undoes: numberOrNull(row["undoes"]),
  redoes: numberOrNull(row["redoes"]),
});

export function toChange(row: Row): Change {
  const image = (column: string): unknown => {
    const text = textOrNull(row[column]);
    return text === null ? null : JSON.parse(text);
  };
  const entity = row["entity"] as Change["entity"];
  const key = entity === "node" ? Number(row["key"]) : row["key"];
  return { entity, key, before: image("before"), after: image("after") } as Change;
}

/** No operation changes more rows, and no plan has more than 2 ** 29 operations. */
const CHANGES_PER_OPERATION = 2 ** 24;

/** The row number of a change, made of both numbers so that the table needs no index by operation. */
export const changeNr = (op: number, seq: number): number => op * CHANGES_PER_OPERATION + seq;

export interface ChainEnd {
  readonly op: number;
  readonly link: string;
  readonly signature: string | null;
}

export interface LogEnd extends ChainEnd {
  readonly at: number;
}

export const NO_OPERATION: LogEnd = { op: 0, link: "", signature: null, at: 0 };

const COLUMNS = ["op", "at", "actor", "verb", "sentence", "git_commit", "undoes", "redoes"];

/** What some kinds of items were called when links over them were first made. A link never changes. */
const NAMES_IN_LINKS: Readonly<Record<string, string>> = { question: "escalation", lesson: "memory" };

export class LinkHash {
  readonly #hash = new Sha256();

  constructor(before: ChainEnd, operation: Row) {
    const said = COLUMNS.map((column) => operation[column] ?? null);
    // Operations without a statement have the link that programs up to schema 9 gave them.
    const statement = operation["statement"] ?? null;
    if (statement !== null) said.push(statement);
    this.#hash.update(`${before.link} ${before.signature ?? "-"} ${JSON.stringify(said)}\n`);
  }

  /** Images are JSON, which tells by itself where it ends. */
  add(entity: string, key: string, before: Value | undefined, after: Value | undefined): void {
    this.#hash.update(`${NAMES_IN_LINKS[entity] ?? entity} ${key.length} ${key} ${before ?? "-"} ${after ?? "-"}\n`);
  }

  end(): string {
    return this.#hash.digest();
  }
}

/** The number of the latest operation; 0 before the first. */
export const latestOp = async (db: Database, log = "operation"): Promise<number> =>
  Number((await db.get(`select max(op) as op from ${log}`))?.["op"] ?? 0);

/** In `meta`: the first operation that was chained when it happened. */
export const CHAINED_FROM = "chained_from";

/** 1, unless an older program began the log. */
export async function readChainedFrom(db: Database): Promise<number> {
  const row = await db.get("select value from meta where name = ?", CHAINED_FROM);
  return numberOrNull(row?.["value"] ?? null) ?? 1;
}

export const CHAIN_END = "select op, link, signature, at from operation where op = (select max(op) from operation)";

export const toChainEnd = (row: Row | undefined): LogEnd =>
  row
    ? {
        op: numberOf(row["op"]),
        link: textOf(row["link"]),
        signature: textOrNull(row["signature"]),
        at: numberOf(row["at"]),
      }
    : NO_OPERATION;
