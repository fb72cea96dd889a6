// The rows of the tree that an operation may have changed: what it touched, what is around that, and what waits for any of it.

import type { Node, Nr } from "../../graph/node/node.js";
import type { Reader } from "../../store/store.js";
import { type TreeRow, TreeRows } from "./tree-row.js";

/** A client that shows more rows than this reads them again. */
const MOST_TOUCHED = 20;
const MOST_ROWS = 60;

/** Undefined: too many, or something was added or is gone. */
export async function changedRows(reader: Reader, ids: readonly string[]): Promise<readonly TreeRow[] | undefined> {
  if (ids.length > MOST_TOUCHED) return undefined;
  const touched = await reader.byIds(ids);
  if (touched.length < ids.length) return undefined;
  const found = new Map<Nr, Node>();
  for (const node of touched) {
    for (const each of [node, ...(await reader.ancestors(node.nr))]) found.set(each.nr, each);
  }
  const before = Array.from(found.keys());
  for (const nr of before) {
    for (const dependent of await reader.dependents(nr, MOST_ROWS)) found.set(dependent.nr, dependent);
    if (found.size > MOST_ROWS) return undefined;
  }
  const rows = new TreeRows(reader);
  const changed: TreeRow[] = [];
  for (const node of found.values()) changed.push(await rows.of(node));
  return changed;
}
