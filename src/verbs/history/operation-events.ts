// An operation for a client that watches the plan: what happened, in a sentence, and which nodes and items it touched.

import type { Actor } from "../../model/actor.js";
import type { Change } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import type { Reader } from "../../store/store.js";
import { changedRows, reachesFar } from "../look/changed-rows.js";
import type { TreeRow } from "../look/tree-row.js";

export interface OperationEvent {
  readonly op: number;
  readonly at: number;
  readonly actor: Actor;
  readonly verb: string;
  readonly sentence: string;
  /** By id, those that are gone too. */
  readonly nodes: readonly string[];
  /** By key: attempts, questions, runs, records and the like. */
  readonly items: readonly string[];
  /** False: it touched more than are listed. */
  readonly all: boolean;
  /** Nodes were added, removed or moved: a client that shows a part of the tree reads it again. */
  readonly moved: boolean;
  /** The rows of the tree that changed, as they are now. Left out if there are many, if others may have changed too, or if they were not asked for. */
  readonly rows?: readonly TreeRow[];
}

/** A client that shows more than this at once reads it again. */
const MOST_LISTED = 200;

export async function toOperationEvent(
  reader: Reader,
  operation: LoggedOperation,
  withRows = false,
): Promise<OperationEvent> {
  const { op, at, actor, verb, sentence } = operation;
  const changes = await reader.changes(op, MOST_LISTED + 1);
  const nodes: string[] = [];
  const items: string[] = [];
  for (const change of changes.slice(0, MOST_LISTED)) {
    if (change.entity === "node") nodes.push(await idOf(reader, change));
    else if (change.entity !== "focus") items.push(change.key);
  }
  const all = changes.length <= MOST_LISTED;
  const rows = withRows && all && !reachesFar(changes) ? await changedRows(reader, nodes) : undefined;
  const event = { op, at, actor, verb, sentence, nodes, items, all, moved: !all || changes.some(isMove) };
  return rows ? { ...event, rows } : event;
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
