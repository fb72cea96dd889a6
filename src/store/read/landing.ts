// What decides whether a feature may land: `landingHolds` (graph) judges it. A few statements over indexes, however large the plan is.

import type { PlanningRun } from "../../model/item/planning-run.js";
import type { Node, Nr } from "../../model/node/node.js";
import { isUnfinished, type LandingFacts, type RunPlace, worksIn } from "../../model/status/landing.js";
import type { Database, Fragments } from "../database.js";
import { NODE, OPEN_LAND, toNode } from "../rows/node-rows.js";
import { numberOrNull, textOf, textOrNull } from "../rows/values.js";

/** Worded like the index, so that SQLite uses it. */
export const featureTasks = (outcome: string, limit: number): string => `
  select ${NODE} from node where feature = ? and tier = 'task' and kind <> 'land' and outcome ${outcome}
  order by outcome, nr limit ${limit}`;

/** Worded like its index too. */
const unplanned = (limit: number): string => `
  select ${NODE} from node where feature = ? and tier = 'story' and outcome is null
    and (live = 0 or awaits_plan is not null) order by nr limit ${limit}`;

const DONE = `
  select 1 as found from node where feature = ? and tier = 'task' and kind <> 'land' and outcome = 'done' limit 1`;

/** `limit`: how many of what is open are named. */
export async function readLanding(db: Database, feature: Node, limit: number): Promise<LandingFacts> {
  const hasLand = (await db.get(`select 1 from node where ${OPEN_LAND} limit 1`, feature.nr)) !== undefined;
  const hasOpenTasks = feature.tasksFinished < feature.tasksLive;
  const tasks = hasOpenTasks ? await db.all(featureTasks("is null", limit), feature.nr) : [];
  const stories = isUnfinished(feature) ? await db.all(unplanned(limit), feature.nr) : [];
  const unfinished = [...tasks, ...stories].map(toNode);
  const hasDone = unfinished.length === 0 && (await db.get(DONE, feature.nr)) !== undefined;
  const runs = (await planningRuns(db)).filter((run) => worksIn(run, run.at, feature.nr)).map(({ key }) => key);
  return { feature, hasLand, unfinished, hasDone, runs };
}

interface OpenRun extends RunPlace {
  readonly key: string;
  /** The feature around its node. */
  readonly at: Nr | null;
}

const openRuns = ({ jsonNumber, jsonText }: Fragments): string => `
  select key, state, ${jsonNumber("fields", "node")} as node, ${jsonText("fields", "features")} as features from item
  where entity = 'run' and state in ('running', 'waiting', 'ready', 'halted')`;

async function planningRuns(db: Database): Promise<OpenRun[]> {
  const runs: OpenRun[] = [];
  for (const row of await db.all(openRuns(db.sql))) {
    const node = numberOrNull(row["node"]);
    const place = node === null ? undefined : await db.get("select feature from node where nr = ?", node);
    const features = textOrNull(row["features"]);
    runs.push({
      key: textOf(row["key"]),
      status: row["state"] as PlanningRun["status"],
      node,
      at: numberOrNull(place?.["feature"] ?? null),
      ...(features === null ? {} : { features: JSON.parse(features) as Nr[] }),
    });
  }
  return runs.sort((a, b) => (a.key < b.key ? -1 : 1));
}

/** The open planning runs in each feature that has one. */
export async function readPlanning(db: Database): Promise<ReadonlyMap<Nr, readonly string[]>> {
  const found = new Map<Nr, string[]>();
  for (const run of await planningRuns(db)) {
    const features = new Set([...(run.features ?? []), ...(run.at === null ? [] : [run.at])]);
    for (const feature of features) {
      if (worksIn(run, run.at, feature)) found.set(feature, [...(found.get(feature) ?? []), run.key]);
    }
  }
  return found;
}
