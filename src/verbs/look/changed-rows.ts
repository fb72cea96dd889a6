// The rows of the tree that an operation may have changed: what it touched, what is around that, and what waits for any of it.

import type { Node, NodeFields, Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import type { Reader } from "../../store/store.js";
import { type TreeRow, TreeRows } from "./tree-row.js";

/** A client that shows more rows than this reads them again. */
const MOST_TOUCHED = 20;
const MOST_ROWS = 60;

/**
 * An approval is about what is below, an outcome may free tasks of other features, a new plan holds the landing, and files may overlap
 * with any claimed task.
 */
const FAR_FIELDS: readonly (keyof NodeFields)[] = ["approval", "outcome", "awaitsPlan", "files", "symbols"];

/** It may change rows that are neither around what it touched nor wait for it. A claim that is only prolonged does not. */
export const reachesFar = (changes: readonly Change[]): boolean =>
  changes.some((change) => {
    // Whether features may land hangs on the planning runs in them.
    if (change.entity === "run") return change.before === null || change.after === null || "status" in change.after;
    if (change.entity !== "node") return false;
    const [before, after] = [change.before ?? {}, change.after ?? {}];
    const beginsOrEnds =
      (before.claim ?? null) === null ? (after.claim ?? null) !== null : (after.claim ?? null) === null;
    return beginsOrEnds || FAR_FIELDS.some((field) => field in before || field in after);
  });

const isApprovedContainer = ({ tier, approval }: Node): boolean => tier !== "task" && approval !== null;

/** Undefined: too many, something was added or is gone, or the approval of what is below may be stale now. */
export async function changedRows(reader: Reader, ids: readonly string[]): Promise<readonly TreeRow[] | undefined> {
  if (ids.length > MOST_TOUCHED) return undefined;
  const touched = await reader.byIds(ids);
  if (touched.length < ids.length || touched.some(isApprovedContainer)) return undefined;
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
