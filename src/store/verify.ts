// Replays the whole log from nothing and compares, field by field, with what is stored; then recomputes
// every derived column and compares that too.

import { type Change, fieldsOf } from "../graph/change.js";
import { BLANK, type Derived, type Node, type NodeFields, type Nr } from "../graph/node.js";
import { recompute } from "../graph/recompute.js";
import type { Database, Row } from "./database.js";
import { toChange } from "./log-rows.js";
import { toNode } from "./node-rows.js";
import { readyOf } from "./sheet.js";
import type { Verification } from "./store.js";

type Difference = Verification["differences"][number];

const PAGE = 5_000;
/** Enough to see what is wrong. */
const DIFFERENCES_SHOWN = 100;

class Comparison {
  readonly differences: Difference[] = [];
  rows = 0;

  compare(row: string, stored: object | undefined, replayed: object | undefined): void {
    this.rows++;
    const left = (stored ?? {}) as Record<string, unknown>;
    const right = (replayed ?? {}) as Record<string, unknown>;
    for (const field in left) this.field(row, field, left[field], right[field]);
    for (const field in right) if (!(field in left)) this.field(row, field, undefined, right[field]);
  }

  field(row: string, field: string, stored: unknown, replayed: unknown): void {
    if (stored === replayed || this.differences.length >= DIFFERENCES_SHOWN) return;
    if (JSON.stringify(stored ?? null) === JSON.stringify(replayed ?? null)) return;
    if (canonical(stored) === canonical(replayed)) return;
    this.differences.push({ row, field, stored: stored ?? null, replayed: replayed ?? null });
  }
}

/** Independent of the order of keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, v: unknown) =>
    v !== null && typeof v === "object" && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );

export async function verify(db: Database): Promise<Verification> {
  const { operations, nodes, focus, revisions } = await replay(db);
  const comparison = new Comparison();
  const stored = new Map<Nr, Node>();
  for await (const row of pages(db, "select * from node where nr > ? order by nr limit ?", "nr")) {
    const node = toNode(row);
    stored.set(node.nr, node);
    comparison.compare(node.id, fieldsOf(node), nodes.get(node.nr));
    comparison.field(node.id, "revision", node.revision, revisions.get(node.nr));
    comparison.field(node.id, "ready", row["ready"], readyOf(node));
  }
  for (const [nr, fields] of nodes) if (!stored.has(nr)) comparison.compare(fields.id, undefined, fields);
  compareDerived(comparison, stored);
  await compareFocus(db, comparison, focus);
  await compareEdges(db, comparison, stored);
  return { operations, rows: comparison.rows, differences: comparison.differences };
}

function compareDerived(comparison: Comparison, stored: ReadonlyMap<Nr, Node>): void {
  const derived = recompute(stored.values());
  for (const [nr, fresh] of derived) {
    const node = stored.get(nr) as Node;
    for (const field of DERIVED_FIELDS) comparison.field(node.id, field, node[field], fresh[field]);
  }
}

const DERIVED_FIELDS: readonly (keyof Derived)[] = [
  "feature",
  "shelved",
  "hash",
  "pending",
  "live",
  "finished",
  "tasksLive",
  "tasksFinished",
  "landedOp",
  "awaited",
];

async function compareFocus(db: Database, comparison: Comparison, focus: ReadonlyMap<string, object>): Promise<void> {
  const rows = await db.all("select actor, node from focus");
  const stored = new Map(rows.map((row) => [row["actor"] as string, { node: row["node"] }]));
  for (const actor of new Set([...stored.keys(), ...focus.keys()])) {
    comparison.compare(`focus of ${actor}`, stored.get(actor), focus.get(actor));
  }
}

async function compareEdges(db: Database, comparison: Comparison, stored: ReadonlyMap<Nr, Node>): Promise<void> {
  const edges = new Map<Nr, Nr[]>();
  for (const row of await db.all("select node, target from edge order by node, target")) {
    const known = edges.get(row["node"] as Nr);
    if (known) known.push(row["target"] as Nr);
    else edges.set(row["node"] as Nr, [row["target"] as Nr]);
  }
  for (const node of stored.values()) {
    const wanted = node.dependsOn.map((edge) => edge.on).sort((a, b) => a - b);
    comparison.field(node.id, "edges", edges.get(node.nr) ?? [], wanted);
  }
}

interface Replayed {
  readonly operations: number;
  readonly nodes: Map<Nr, NodeFields>;
  readonly focus: Map<string, object>;
  readonly revisions: Map<Nr, number>;
}

async function replay(db: Database): Promise<Replayed> {
  const nodes = new Map<Nr, NodeFields>();
  const focus = new Map<string, object>();
  const revisions = new Map<Nr, number>();
  const step = (change: Change): void => {
    if (change.entity === "focus") {
      if (change.after === null) focus.delete(change.key);
      else focus.set(change.key, change.after);
      return;
    }
    const { key, after } = change;
    if (after === null) nodes.delete(key);
    else nodes.set(key, { ...(change.before === null ? BLANK : nodes.get(key)), ...after } as NodeFields);
    if (after === null) revisions.delete(key);
    else revisions.set(key, change.before === null ? 1 : (revisions.get(key) ?? 0) + 1);
  };
  let operations = 0;
  for await (const row of pages(db, "select op from operation where op > ? order by op limit ?", "op")) {
    operations++;
    for (const change of await db.all("select * from change where op = ? order by seq", row["op"] as number)) {
      step(toChange(change));
    }
  }
  return { operations, nodes, focus, revisions };
}

async function* pages(db: Database, sql: string, cursor: string): AsyncIterable<Row> {
  let after = 0;
  for (;;) {
    const page = await db.all(sql, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last[cursor] as number;
  }
}
