// An operation for a client that watches the plan: what happened, in a sentence, and which nodes and items it touched.

import type { Node, NodeFields, Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { occupiedNow } from "../../plan/base/surroundings.js";
import type { Reader } from "../../store/store.js";
import { type TreeRow, toTreeRow } from "../look/tree-row.js";

/** A client that shows more than this at once reads it again. */
const MAX_LISTED = 200;

export type OperationEvent = Awaited<ReturnType<typeof toOperationEvent>>;

/**
 * `nodes`: by id, those that are gone too. `items`: by key. `all`: false if it touched more than are listed. `moved`: nodes were added,
 * removed or moved, so a client that shows a part of the tree reads it again. `rows`: the rows of the tree that changed, as they are
 * now; left out if there are many, if others may have changed too, or if they were not asked for.
 */
export async function toOperationEvent(reader: Reader, operation: LoggedOperation, withRows = false) {
  const { op, at, actor, verb, sentence } = operation;
  const changes = await reader.changes(op, MAX_LISTED + 1);
  const nodes: string[] = [];
  const items: string[] = [];
  for (const change of changes.slice(0, MAX_LISTED)) {
    if (change.entity === "node") nodes.push(await idOf(reader, change));
    else if (change.entity !== "focus") items.push(change.key);
  }
  const all = changes.length <= MAX_LISTED;
  const rows = withRows && all && !reachesFar(changes) ? await changedRows(reader, nodes) : undefined;
  const event = { op, at, actor, verb, sentence, nodes, items, all, moved: !all || changes.some(isMove) };
  return { ...event, ...(rows && { rows }) };
}

const PLACES: ReadonlySet<string> = new Set(["parent", "archive", "outcome", "inbox", "kind"]);

/** An outcome moves a node only if it drops it, or takes that back. */
function isMove(change: Change): boolean {
  if (change.entity !== "node") return false;
  const { before, after } = change;
  if (before === null || after === null) return true;
  const isDropped = before.outcome?.kind === "dropped" || after.outcome?.kind === "dropped";
  return Object.keys(after).some((field) => PLACES.has(field) && (field !== "outcome" || isDropped));
}

/** A node that was taken back is in the log only. */
async function idOf(reader: Reader, { key, before, after }: Extract<Change, { entity: "node" }>): Promise<string> {
  return (await reader.idOf(key)) ?? before?.id ?? after?.id ?? String(key);
}

/** A client that shows more rows than this reads them again. */
const MAX_TOUCHED = 20;
const MAX_ROWS = 60;

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
    const beginsOrEnds = Boolean(before.claim) !== Boolean(after.claim);
    return beginsOrEnds || FAR_FIELDS.some((field) => field in before || field in after);
  });

/** Undefined: too many, something was added or is gone, or the approval of what is below may be stale now. */
async function changedRows(reader: Reader, ids: readonly string[]): Promise<readonly TreeRow[] | undefined> {
  if (ids.length > MAX_TOUCHED) return undefined;
  const touched = await reader.byIds(ids);
  const isApproved = touched.some(({ tier, approval }) => tier !== "task" && approval !== null);
  if (touched.length < ids.length || isApproved) return undefined;
  const found = new Map<Nr, Node>();
  for (const node of touched) {
    for (const each of [node, ...(await reader.ancestors(node.nr))]) found.set(each.nr, each);
  }
  const around = Array.from(found.keys());
  for (const nr of around) {
    for (const dependent of await reader.dependents(nr, MAX_ROWS)) found.set(dependent.nr, dependent);
    if (found.size > MAX_ROWS) return undefined;
  }
  const occupied = await occupiedNow(reader);
  return Promise.all(Array.from(found.values(), (node) => toTreeRow(reader, node, occupied)));
}
