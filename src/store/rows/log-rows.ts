// From the log's rows to operations and changes.

import type { Change } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import type { Row } from "../database.js";
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
