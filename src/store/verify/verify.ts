// Replays the whole log, computes what every row must hold, and compares that with what is stored. The plan is read page by
// page; the replayed fields that are not blank stay in memory.

import { readyOf } from "../../model/derive/pending-rows.js";
import { type Countable, type Counts, recomputeCounts } from "../../model/derive/recompute.js";
import { contentHash } from "../../model/node/content-hash.js";
import { type Birth, BLANK, LOGGED_FIELDS, type Node, type Nr, newNode } from "../../model/node/node.js";
import { addTo } from "../../model/order/order.js";
import { isStaleScope } from "../../model/status/stale-approval.js";
import type { Database, Row } from "../database.js";
import { readPages } from "../read/pages.js";
import { DERIVED_FIELDS, NODE, toNode } from "../rows/node-rows.js";
import { numberOf } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import type { Verification, VerifyOptions } from "../verification.js";
import { compareLookups } from "../write/lookups.js";
import { compareItems, Differences, type ReplayedPlan, type ReplayedRow, replay } from "./replay.js";
import { verifyChain } from "./verify-chain.js";

export async function verifyStore(db: Database, options: VerifyOptions): Promise<Verification> {
  const differences = new Differences();
  const log = await verifyChain(db, differences, options);
  const replayed = await replay(db, differences, options.report);
  const { operations, nodes, focus, items } = replayed;
  const planRows = await compareNodes(db, differences, replayed, options.report);
  await compareEdges(db, differences, nodes);
  // They follow from the rows: of a row that is wrong itself nothing more is said.
  if (differences.list.length === 0) await compareLookups(db, (...found) => differences.compare(...found));
  const focusRows = await compareFocus(db, differences, focus);
  const itemRows = await compareItems(db, differences, items);
  return { operations, rows: planRows + focusRows + itemRows, log, differences: differences.list };
}

const NODES = `select ${NODE} from node where nr > ? order by nr limit ?`;

/** Rows after which it says how far it is. */
const TOLD_AFTER = 2_000;

async function compareNodes(
  db: Database,
  differences: Differences,
  { nodes }: ReplayedPlan,
  report: VerifyOptions["report"],
): Promise<number> {
  const expect = expectation(nodes);
  const seen = new Set<Nr>();
  for await (const row of readPages(db, NODES, [-1], (last) => [numberOf(last["nr"])])) {
    const nr = row["nr"] as Nr;
    seen.add(nr);
    if (seen.size % TOLD_AFTER === 0)
      report?.({ doing: "Comparing", done: seen.size, total: nodes.size, unit: "node" });
    const said = nodes.get(nr);
    compareRow(differences, row, said && expect(nr, said));
  }
  for (const [nr, { fields }] of nodes) {
    if (!seen.has(nr)) differences.compare(fields.id ?? String(nr), "row", null, "in the log");
  }
  return seen.size;
}

/** Computes the whole row from the replayed fields. */
export function expectation(nodes: ReadonlyMap<Nr, ReplayedRow>): (nr: Nr, said: ReplayedRow) => Node {
  const uuidOf = (nr: Nr): string => nodes.get(nr)?.fields.uuid ?? "";
  const counts = recomputeCounts(countables(nodes, uuidOf));
  return (nr, { fields, revision, at }) => {
    const node = newNode(nr, fields as Birth, at);
    const hash = node.approval === null ? "" : contentHash(node, uuidOf, sha256);
    // Field by field: one that a node does not have would make it grow, and `verify` a tenth slower.
    const { feature, shelved, pending, held, live, finished, tasksLive, tasksFinished, landedOp, awaited } = counts.get(
      nr,
    ) as Counts;
    return Object.assign(node, {
      feature,
      shelved,
      pending,
      held,
      live,
      finished,
      tasksLive,
      tasksFinished,
      landedOp,
      awaited,
      hash,
      revision,
    });
  };
}

function* countables(nodes: ReadonlyMap<Nr, ReplayedRow>, uuidOf: (nr: Nr) => string): Iterable<Countable> {
  for (const [nr, { fields }] of nodes) {
    const { id = "", tier = "task", kind = null, parent = null, inbox = false, outcome = null } = fields;
    const { awaitsPlan = null, dependsOn = BLANK.dependsOn } = fields;
    const approval = tier === "task" ? null : (fields.approval ?? null);
    // Only containers hold others back, and there are few of them.
    const hash =
      approval === null ? "" : contentHash({ ...BLANK, ...fields, tier, title: fields.title ?? "" }, uuidOf, sha256);
    const stale = isStaleScope({ tier, approval, hash });
    yield { nr, id, tier, kind, parent, dependsOn, inbox, outcome, awaitsPlan, stale };
  }
}

function compareRow(differences: Differences, row: Row, expected: Node | undefined): void {
  const stored = toNode(row);
  const compare = (field: string, left: unknown, right: unknown): void =>
    differences.compare(stored.id, field, left, right);
  if (!expected) return compare("row", "in the plan", null);
  for (const field of LOGGED_FIELDS) compare(field, stored[field], expected[field]);
  for (const field of DERIVED_FIELDS) compare(field, stored[field], expected[field]);
  compare("revision", stored.revision, expected.revision);
  compare("updatedAt", stored.updatedAt, expected.updatedAt);
  compare("ready", row["ready"], readyOf(expected));
}

/** The edge table repeats the dependencies of the nodes. */
async function compareEdges(
  db: Database,
  differences: Differences,
  nodes: ReadonlyMap<Nr, ReplayedRow>,
): Promise<void> {
  const stored = new Map<Nr, Nr[]>();
  const next = (last: Row): number[] => [numberOf(last["node"]), numberOf(last["target"])];
  for await (const row of readPages(db, EDGES, [-1, -1], next)) {
    addTo(stored, numberOf(row["node"]), numberOf(row["target"]));
  }
  for (const nr of new Set([...stored.keys(), ...nodes.keys()])) {
    const { id = `row ${nr}`, dependsOn = [] } = nodes.get(nr)?.fields ?? {};
    const wanted = dependsOn.map((edge) => edge.on).sort((a, b) => a - b);
    differences.compare(id, "edges", stored.get(nr) ?? [], wanted);
  }
}

const EDGES = "select node, target from edge where (node, target) > (?, ?) order by node, target limit ?";

async function compareFocus(db: Database, differences: Differences, focus: ReadonlyMap<string, Nr>): Promise<number> {
  const rows = await db.all("select actor, node from focus");
  const stored = new Map(rows.map((row) => [row["actor"] as string, row["node"] as Nr]));
  const actors = new Set([...stored.keys(), ...focus.keys()]);
  for (const actor of actors) {
    differences.compare(`focus of ${actor}`, "node", stored.get(actor), focus.get(actor));
  }
  return actors.size;
}
