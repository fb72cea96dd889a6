// The dependencies, children and landing of a node: what its status depends on beside its own facts.

import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { landingHolds } from "../../model/status/landing.js";
import {
  CODE,
  codeOp,
  isFinished,
  isMet,
  type LandingView,
  OPEN_FOR_PARENT,
  unmetState,
  waits,
} from "../../model/status/rollup.js";
import { isStaleScope } from "../../model/status/stale-approval.js";
import { ALONE, type Surroundings } from "../../model/status/status.js";
import type { Database } from "../database.js";
import { NODE, NODE_BY_NR, OPEN_LAND, toNode } from "../rows/node-rows.js";
import { numberOrNull, textOf } from "../rows/values.js";
import type { Link } from "../store.js";
import { HOLDERS } from "./for-person.js";
import { featureTasks, readLanding } from "./landing.js";

/** A status names at most so many causes, and reads no more of the plan. */
const CAUSES_READ = 20;

const CODE_IN = `
  select max(settled_op) as op from node where parent = ? and kind = '${CODE.kind}' and outcome = 'done'`;

/** When a target's code was finished and when its feature last landed. Read only if that decides. */
async function landingOf(db: Database, target: Node): Promise<LandingView> {
  const inside = target.tier === CODE.tier ? await db.get(CODE_IN, target.nr) : undefined;
  const feature =
    target.feature === null ? undefined : await db.get("select landed_op from node where nr = ?", target.feature);
  return {
    feature: target.feature,
    codeOp: numberOrNull(inside?.["op"] ?? null) ?? codeOp(target),
    landedOp: numberOrNull(feature?.["landed_op"] ?? null),
  };
}

const linkTo = (target: Node, state: Link["state"]): Link => ({ id: target.id, node: target, target, state });

async function linkToFinished(db: Database, from: Node, target: Node): Promise<Link> {
  if (from.feature === target.feature) return linkTo(target, "met");
  if (isMet(from, { ...target, ...(await landingOf(db, target)) })) return linkTo(target, "met");
  const land = await openLand(db, target.feature as Nr);
  return { id: land?.id ?? target.id, node: land ?? target, target, state: "pending" };
}

const openLand = async (db: Database, feature: Nr): Promise<Node | undefined> => {
  const row = await db.get(`select ${NODE} from node where ${OPEN_LAND} order by nr limit 1`, feature);
  return row && toNode(row);
};

export async function listDependencies(db: Database, node: Node, limit: number): Promise<Link[]> {
  const stated = await listStated(db, node, limit);
  return node.kind === "land" ? [...stated, ...(await listTasksToLand(db, node, limit))] : stated;
}

async function listStated(db: Database, node: Node, limit: number): Promise<Link[]> {
  const links: Link[] = [];
  for (const edge of node.dependsOn.slice(0, limit)) {
    const row = await db.get(NODE_BY_NR, edge.on);
    if (!row) continue;
    const target = toNode(row);
    links.push(isFinished(target) ? await linkToFinished(db, node, target) : linkTo(target, unmetState(target)));
  }
  return links;
}

const NOTHING_ABOVE: Awaited<ReturnType<typeof listInherited>> = { links: [], stale: [] };

/** What the containers around it depend on, and which of them were changed after their approval; nearest first. */
async function listInherited(db: Database, node: Node) {
  const links: Link[] = [];
  const stale: string[] = [];
  for (let at = node.parent; at !== null; ) {
    const row = await db.get(NODE_BY_NR, at);
    if (!row) break;
    const container = toNode(row);
    if (container.pending > 0) links.push(...(await listStated(db, container, Number.MAX_SAFE_INTEGER)));
    if (isStaleScope(container)) stale.push(container.id);
    at = container.parent;
  }
  return { links, stale };
}

async function listTasksToLand(db: Database, { feature }: Node, limit: number): Promise<Link[]> {
  if (feature === null) return [];
  const open = await db.all(featureTasks("is null", limit), feature);
  const left = limit - open.length;
  const finished = left > 0 ? await db.all(featureTasks("in ('done', 'waived')", left), feature) : [];
  return [...open, ...finished].map(toNode).map((task) => linkTo(task, isFinished(task) ? "met" : unmetState(task)));
}

/** `links`, if the caller has read the dependencies already; of no use if there are more. */
export async function readSurroundings(db: Database, node: Node, links?: readonly Link[]): Promise<Surroundings> {
  if (isContainer(node)) return around(db, node);
  if (node.kind === "land") return aroundLand(db, node);
  if (!waits(node)) return ALONE;
  const known = links && links.length >= node.dependsOn.length ? links : undefined;
  const own = known ?? (await listStated(db, node, Number.MAX_SAFE_INTEGER));
  const above = node.held ? await listInherited(db, node) : NOTHING_ABOVE;
  const all = [...own, ...above.links];
  const unmet = all.filter((link) => link.state !== "met");
  // Waiting only because of a conflict is a reason of its own.
  const conflicts = unmet.filter((link) => link.state === "pending" && isConflict(node, link.target.nr));
  const rest = conflicts.length === 0 ? unmet : unmet.filter((link) => !conflicts.includes(link));
  return {
    ...ALONE,
    dependencies: rest.slice(0, CAUSES_READ).map(({ id, state }) => ({ id, state })),
    staleAbove: above.stale,
    conflicts: conflicts.slice(0, CAUSES_READ).map(({ id }) => id),
  };
}

const isConflict = ({ dependsOn }: Node, on: Nr): boolean =>
  dependsOn.some((edge) => edge.on === on && edge.origin === "conflict");

async function aroundLand(db: Database, land: Node): Promise<Surroundings> {
  const stated = await listStated(db, land, land.pending === 0 ? 0 : Number.MAX_SAFE_INTEGER);
  const inherited = land.held ? await listInherited(db, land) : NOTHING_ABOVE;
  const unmet = [...stated, ...inherited.links].filter((link) => link.state !== "met");
  const row = land.feature === null ? undefined : await db.get(NODE_BY_NR, land.feature);
  const feature = row && toNode(row);
  const holds = feature ? landingHolds(await readLanding(db, feature, CAUSES_READ)) : [];
  // Before there is a task in the feature, the land task waits like any other; afterwards its own approval no longer counts.
  const waitsFor = holds.filter(({ kind }) => kind === "open" || feature?.tasksLive === 0);
  return {
    ...ALONE,
    dependencies: [
      ...unmet.map(({ id, state }) => ({ id, state })),
      ...waitsFor.map(({ id, rejected }) => ({ id, state: rejected ? ("rejected" as const) : ("pending" as const) })),
    ],
    staleAbove: inherited.stale,
    landing: holds.filter(({ kind }) => kind !== "open"),
  };
}

const OPEN_CHILDREN = `select id from node where parent = ? and ${OPEN_FOR_PARENT} order by nr limit ${CAUSES_READ}`;

/** Few tasks are in flight, so it is cheaper to climb from them than to search below the container. */
const BEGUN = `
  with recursive above (nr) as (
    select node.nr from node where node.lease_until is not null
    union
    select node.parent from node join above on node.nr = above.nr where node.parent is not null
  )
  select 1 as found from above where nr = ? limit 1`;

const STARTABLE_IN: Readonly<Partial<Record<Node["tier"], string>>> = {
  story: "select 1 as found from node where parent = ? and ready is not null limit 1",
  feature: "select 1 as found from node where feature = ? and ready is not null limit 1",
};

const STARTABLE_ABOVE = `${HOLDERS}
  select 1 as found from below
  where exists (select 1 from node where feature = below.nr and ready is not null)
    or exists (select 1 from node where parent = below.nr and ready is not null) limit 1`;

async function around(db: Database, container: Node): Promise<Surroundings> {
  const open = await db.all(OPEN_CHILDREN, container.nr);
  const begun = container.finished > 0 ? { found: 1 } : await db.get(BEGUN, container.nr);
  const startable = await db.get(STARTABLE_IN[container.tier] ?? STARTABLE_ABOVE, container.nr);
  return {
    ...ALONE,
    openChildren: open.map((row) => textOf(row["id"])),
    begun: begun !== undefined,
    startable: startable !== undefined,
  };
}
