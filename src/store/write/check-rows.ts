// Checks whether an operation adds a violation. Rows are checked before they are written, so that the answer is a sentence
// and not a constraint error; what concerns the plan as a whole is checked after writing. Only what the operation touched is
// checked: a plan that already has violations, for example after an import, stays usable.

import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import {
  ancestorsOf,
  checkDone,
  checkEdges,
  checkFacts,
  checkLandKept,
  checkParent,
  type Lookup,
  type Violation,
  violation,
} from "../../model/operation/invariants.js";
import { breaks, ok, type Result, refused } from "../../model/result.js";
import { landsWork } from "../../model/rules/land.js";
import { isUnconfirmed } from "../../model/status/stale-approval.js";
import { readTravellingSeal } from "../people/statement.js";
import { OPEN_LAND } from "../rows/node-rows.js";
import { numberOf, textOrNull } from "../rows/values.js";
import type { Stamped } from "../store.js";
import { findNewCycle } from "./check-cycles.js";
import type { WritableRows } from "./writable-rows.js";

/** For rows that change nothing around them. */
export const checkRowsAlone = (rows: WritableRows, intent: Stamped): Result<void> =>
  orBroken(localViolations(rows, intent));

/** Checks each row and its surroundings, and loads those for the steps that follow. */
export async function checkRows(rows: WritableRows, intent: Stamped): Promise<Result<void>> {
  // What came signed from another clone was looked at before.
  const approving = rows.changed.find(
    ({ patch: { approval } }) =>
      approval && !isUnconfirmed({ approval }) && readTravellingSeal(approval.seal ?? "") === undefined,
  );
  if (approving && !isPerson(intent.actor)) {
    return refused("needs-person", `Only a person can approve; ${intent.actor} is not one.`, {
      next: [step("approve", { references: [approving.node.id] })],
    });
  }
  // First: tiers keep containment free of cycles, and every walk upwards relies on that.
  const misplaced = await misplacedRows(rows);
  if (misplaced.length > 0) return broken(misplaced);
  for (const row of rows.changed) {
    const found = rows.loadAroundRow(row);
    if (found) await found;
  }
  const local = localViolations(rows, intent);
  if (local.length > 0) return broken(local);
  return orBroken([...(await newKinship(rows)), ...(await secondLands(rows))]);
}

/** Checks the plan as it would be: the rows are written but not committed. */
export async function checkPlan(rows: WritableRows): Promise<Result<void>> {
  const missing = [...(await stillReferenced(rows)), ...(await landsSettledTooEarly(rows))];
  return orBroken(missing.length > 0 ? missing : await findNewCycle(rows));
}

const orBroken = (violations: readonly Violation[]): Result<void> =>
  violations.length === 0 ? ok(undefined) : broken(violations);

const broken = (violations: readonly Violation[]): Result<never> =>
  breaks("invariant", `${violations[0]?.message ?? ""} Nothing was changed.`, {
    next: [step("lint")],
    details: { violations },
  });

async function misplacedRows(rows: WritableRows): Promise<Violation[]> {
  for (const { node, was, patch, removed } of rows.changed) {
    if (removed || (was !== null && !("parent" in patch))) continue;
    if (node.parent !== null && !rows.loaded(node.parent)) await rows.find(node.parent);
    const violations = checkParent(node, lookupIn(rows));
    if (violations.length > 0) return violations;
  }
  return [];
}

const lookupIn =
  (rows: WritableRows): Lookup =>
  (nr) => {
    const row = rows.loaded(nr);
    return row && !row.removed ? row.node : undefined;
  };

/** A moved node must not get below something that depends on it, or on something in it. */
async function newKinship(rows: WritableRows): Promise<Violation[]> {
  const lookup = lookupIn(rows);
  const found: Violation[] = [];
  for (const { node, was, patch, removed } of rows.changed) {
    if (removed || was === null || !("parent" in patch)) continue;
    for (const above of ancestorsOf(node, lookup)) {
      await rows.loadAround(above);
      const carried = above.dependsOn.filter(({ on }) => on === node.nr || isInside(on, node, lookup));
      found.push(...checkEdges({ ...above, dependsOn: carried }, lookup));
    }
  }
  return found;
}

function isInside(nr: Nr, container: Node, lookup: Lookup): boolean {
  const target = lookup(nr);
  return target !== undefined && ancestorsOf(target, lookup).some((above) => above.nr === container.nr);
}

function localViolations(rows: WritableRows, { undoes, redoes }: Stamped): Violation[] {
  const lookup = lookupIn(rows);
  // Undoing "done" on a node that was dropped before drops it again.
  const isReplay = undoes !== undefined || redoes !== undefined;
  const found: Violation[] = [];
  for (const { node, was, patch, removed } of rows.changed) {
    if (removed) continue;
    if (was === null ? node.dependsOn.length > 0 : "dependsOn" in patch || "parent" in patch) {
      found.push(...checkEdges(node, lookup));
    }
    found.push(...checkFacts(node));
    if (was !== null) found.push(...checkLandKept(was, node));
    if (was !== null && !isReplay) found.push(...checkDone(was, patch));
  }
  return found;
}

const CHILD = "select id from node where parent = ? order by nr limit 1";
const DEPENDENT = "select id from edge join node on node.nr = edge.node where edge.target = ? order by nr limit 1";

/** A row may be deleted only if it has no children and no dependents. */
async function stillReferenced(rows: WritableRows): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const { node, removed } of rows.changed) {
    if (!removed) continue;
    const child = textOrNull((await rows.db.get(CHILD, node.nr))?.["id"] ?? null);
    if (child !== null) found.push(violation("I-PARENT", child, `${child} is still in ${node.id}.`));
    const dependent = textOrNull((await rows.db.get(DEPENDENT, node.nr))?.["id"] ?? null);
    if (dependent !== null) {
      found.push(violation("I-DANGLING", dependent, `${dependent} still depends on ${node.id}.`));
    }
  }
  return found;
}

const isOpenLand = (node: Node | null): node is Node => node !== null && node.kind === "land" && node.outcome === null;

const OPEN_LANDS = `select nr from node where ${OPEN_LAND}`;

/** Land tasks that were added or opened again beside an open one. */
async function secondLands(rows: WritableRows): Promise<Violation[]> {
  const open = new Map<Nr | null, Node>();
  for (const { node, was, removed } of rows.changed) {
    if (removed || !isOpenLand(node) || isOpenLand(was)) continue;
    const other = open.get(node.parent) ?? (await openLandOf(rows, node.parent as Nr));
    if (other && other.nr !== node.nr) {
      return [violation("I-LAND", node.id, `${node.id} cannot be open: ${other.id} is the feature's open land task.`)];
    }
    open.set(node.parent, node);
  }
  return [];
}

/** The stored one that is open after this operation, too. */
export async function openLandOf(rows: WritableRows, feature: Nr): Promise<Node | undefined> {
  for (const row of await rows.db.all(OPEN_LANDS, feature)) {
    const { node, removed } = await rows.get(numberOf(row["nr"]));
    if (!removed && isOpenLand(node)) return node;
  }
  return undefined;
}

/** A feature that landed has nothing unfinished in it at all; a land task without work to land may also go. */
const isWhole = ({ tasksFinished, tasksLive, live, finished, awaitsPlan }: Node, hasLanded: boolean): boolean =>
  tasksFinished === tasksLive && (!hasLanded || (live === finished && awaitsPlan === null));

/** Land tasks that were settled while something in their feature is still open. */
async function landsSettledTooEarly(rows: WritableRows): Promise<Violation[]> {
  for (const { node, was, removed } of rows.changed) {
    if (!isOpenLand(was) || (!removed && isOpenLand(node))) continue;
    const feature = rows.loaded(was.parent);
    if (!feature || feature.removed || !landsWork(feature.node)) continue;
    if (isWhole(feature.node, !removed && node.outcome?.kind === "done")) continue;
    if (await rows.db.get(OPEN_LANDS, feature.node.nr)) continue;
    const message = `${node.id} stays open as long as something in ${feature.node.id} is.`;
    return [violation("I-LAND", node.id, message)];
  }
  return [];
}
