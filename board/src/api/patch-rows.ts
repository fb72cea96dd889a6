// Rows of the tree that changed, put into an answer that has them: only the objects on the way to a changed row are new. Pure.

import { keepSame } from "./keep-same.js";
import type { Output } from "./types.js";

export type ChangedRow = Output<"children">["children"][number];

/** What a row shows; where it stands is not changed by this. */
const FIELDS = [
  ...(["title", "kind", "status", "reason", "because", "progress", "priority", "checks"] as const),
  ...(["landed", "readyToLand"] as const),
];

type Rows = ReadonlyMap<string, ChangedRow>;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

const isRow = (value: Readonly<Record<string, unknown>>): value is { readonly id: string } & typeof value =>
  typeof value["id"] === "string" && "status" in value && "tier" in value;

function patchedRow(row: Readonly<Record<string, unknown>> & { readonly id: string }, rows: Rows): unknown {
  const changed = rows.get(row.id);
  if (!changed) return row;
  const next: Record<string, unknown> = { ...row };
  for (const field of FIELDS) if (field in row) next[field] = changed[field];
  // What keeps the daemon from it is told only by asking again.
  if (row["reason"] !== changed.reason && "engineHolds" in row) next["engineHolds"] = [];
  return keepSame(row, next);
}

export function patched<T>(value: T, rows: Rows): T {
  if (Array.isArray(value)) {
    const next = value.map((each) => patched(each as unknown, rows));
    return (next.some((each, index) => each !== value[index]) ? next : value) as T;
  }
  if (!isObject(value)) return value;
  const row = isRow(value) ? patchedRow(value, rows) : value;
  const own = row as Readonly<Record<string, unknown>>;
  let next: Record<string, unknown> | undefined;
  for (const key of ["tree", "children", "rows", "nodes", "node"]) {
    const below = own[key];
    if (!isObject(below)) continue;
    const kept = patched(below, rows);
    if (kept !== below) next = { ...(next ?? own), [key]: kept };
  }
  return (next ?? row) as T;
}
