// Between the log's rows and the operations and changes they stand for.

import type { Change } from "../graph/change.js";
import type { Operation } from "../graph/operation.js";
import type { Row } from "./database.js";

export const toOperation = (row: Row): Operation => ({
  op: row["op"] as number,
  at: row["at"] as number,
  actor: row["actor"] as string,
  verb: row["verb"] as string,
  sentence: row["sentence"] as string,
  commit: row["git_commit"] as string | null,
  undoes: row["undoes"] as number | null,
  redoes: row["redoes"] as number | null,
});

export function toChange(row: Row): Change {
  const image = (column: string): unknown => {
    const text = row[column] as string | null;
    return text === null ? null : JSON.parse(text);
  };
  const entity = row["entity"] as Change["entity"];
  const key = entity === "node" ? Number(row["key"]) : row["key"];
  return { entity, key, before: image("before"), after: image("after") } as Change;
}

export const keyOf = (change: Change): string => String(change.key);

export const imageOf = (image: object | null): string | null => (image === null ? null : JSON.stringify(image));
