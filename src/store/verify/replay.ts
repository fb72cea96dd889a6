// Replays the log from its first operation to its last.

import { BLANK, type NodeFields, type Nr } from "../../model/node/node.js";
import type { Database, Row, Value } from "../database.js";
import { numberOf, textOf } from "../rows/values.js";
import type { Differences } from "./differences.js";
import { type ReplayedItems, replayItem } from "./verify-items.js";

export interface ReplayedRow {
  /** Without the values that a new node starts with. */
  readonly fields: Partial<NodeFields>;
  revision: number;
  /** When the last operation touched it. */
  at: number;
}

export interface Replayed {
  readonly operations: number;
  readonly nodes: Map<Nr, ReplayedRow>;
  readonly focus: Map<string, Nr>;
  readonly items: ReplayedItems;
}

const PAGE = 5_000;

const CHANGES = `
  select change.nr, change.op, entity, key, before, after, operation.at from change
    join operation on operation.op = change.op
  where change.nr > ? order by change.nr limit ?`;

/** The "before" of each change must be what the earlier changes made of the row. */
export async function replay(db: Database, differences: Differences): Promise<Replayed> {
  const nodes = new Map<Nr, ReplayedRow>();
  const focus = new Map<string, Nr>();
  const items: ReplayedItems = new Map();
  for await (const row of changes(db)) {
    if (row["entity"] === "focus") replayFocus(focus, row, differences);
    else if (row["entity"] === "node") replayNode(nodes, row, differences);
    else replayItem(items, row, differences);
  }
  const { operations } = (await db.get("select count(*) as operations from operation")) as { operations: number };
  return { operations, nodes, focus, items };
}

async function* changes(db: Database): AsyncIterable<Row> {
  let after = -1;
  for (;;) {
    const page = await db.all(CHANGES, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = numberOf(last["nr"]);
  }
}

const image = (text: Value | undefined): unknown => (text === null ? null : JSON.parse(textOf(text)));

function replayFocus(focus: Map<string, Nr>, row: Row, differences: Differences): void {
  const actor = textOf(row["key"]);
  const before = image(row["before"]) as { node: Nr } | null;
  differences.compare(`operation ${row["op"]}`, `before: focus of ${actor}`, before?.node, focus.get(actor));
  const after = image(row["after"]) as { node: Nr } | null;
  if (after === null) focus.delete(actor);
  else focus.set(actor, after.node);
}

function replayNode(nodes: Map<Nr, ReplayedRow>, row: Row, differences: Differences): void {
  const nr = Number(row["key"]);
  const known = nodes.get(nr);
  const before = image(row["before"]) as Partial<NodeFields> | null;
  const after = image(row["after"]) as Partial<NodeFields> | null;
  const at = numberOf(row["at"]);
  const name = `operation ${row["op"]}`;
  if ((before === null) !== (known === undefined))
    differences.compare(name, `before: row ${nr}`, before, known?.fields);
  for (const field in before) {
    const key = field as keyof NodeFields;
    const was = known && (key in known.fields ? known.fields : (BLANK as Partial<NodeFields>))[key];
    differences.compare(name, `before: ${field}`, before[key], was);
  }
  if (after === null) nodes.delete(nr);
  else if (known) {
    Object.assign(known.fields, after);
    known.revision++;
    known.at = at;
  } else nodes.set(nr, { fields: after, revision: 1, at });
}
