// The hash that ties an operation to the one before it. It covers everything that the log stores about the operation and its
// changes, so nothing in the log can be changed, removed or added without breaking the chain from there on.

import type { Row, Value } from "../database.js";
import { Sha256 } from "../sha256.js";

/** The end of the chain: the latest operation, its hash and its signature. */
export interface ChainEnd {
  readonly op: number;
  readonly link: string;
  readonly signature: string | null;
}

export const NO_OPERATION: ChainEnd = { op: 0, link: "", signature: null };

const COLUMNS = ["op", "at", "actor", "verb", "sentence", "git_commit", "undoes", "redoes"];

export class LinkHash {
  readonly #hash = new Sha256();

  constructor(before: ChainEnd, operation: Row) {
    const said = COLUMNS.map((column) => operation[column] ?? null);
    this.#hash.update(`${before.link} ${before.signature ?? "-"} ${JSON.stringify(said)}\n`);
  }

  /** Images are JSON, which tells by itself where it ends. */
  add(entity: string, key: string, before: Value | undefined, after: Value | undefined): void {
    this.#hash.update(`${entity} ${key.length} ${key} ${before ?? "-"} ${after ?? "-"}\n`);
  }

  end(): string {
    return this.#hash.digest();
  }
}

/** The latest operation. */
export const CHAIN_END = "select op, link, signature from operation where op = (select max(op) from operation)";

export const toChainEnd = (row: Row | undefined): ChainEnd =>
  row
    ? { op: row["op"] as number, link: row["link"] as string, signature: row["signature"] as string | null }
    : NO_OPERATION;
