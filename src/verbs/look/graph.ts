import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { type LaidOut, layOut } from "../../model/order/layout.js";
import { computeCriticalPath, computeWaves, type Order } from "../../model/order/order.js";
import { isOpen } from "../../model/order/waiting.js";
import { isFinished, progressOf, unmetState } from "../../model/status/rollup.js";
import { type DependencyState, deriveStatus } from "../../model/status/status.js";
import { scopeOf } from "../../plan/base/resolve.js";
import { gatherSurroundings, occupiedNow } from "../../plan/base/surroundings.js";
import { USUAL_HOURS } from "../../plan/overview/held-up.js";
import { perOperation } from "../../plan/overview/standings.js";
import type { Outline, Reader } from "../../store/store.js";
import { isDrawn, readOrder } from "../insight/waves.js";
import { type Context, fields, type Infer, node, ok, optional, planVerb, wholeNumber } from "../kit/verb.js";

export const input = fields({
  reference: optional(node("only below this node")),
  limit: optional(wholeNumber("at most N tasks (1,000)", 1, 1_000_000)),
});

export const verb = planVerb({
  command: { words: "graph", hidden: true, group: "look", positional: ["reference"] },
  summary: "Lay the plan out: waves as columns, features as lanes",
  description:
    "Where each task stands in a drawing of the plan, who waits for whom, and which tasks are on the longest path of what is left.",
  effect: "reads",
  input,
  examples: [{ input: { reference: "FEAT-001" }, does: "lays out the tasks of one feature" }],
  run: graph,
});

const DEFAULT_LIMIT = 1_000;

export function graph(context: Context, { reference, limit = DEFAULT_LIMIT }: Infer<typeof input> = {}) {
  const { store } = context;
  return store.read(async (reader) => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    const key = `graph ${scope.value.root?.nr ?? ""} ${limit}`;
    return ok(await perOperation(store, reader, key, () => draw(reader, (nr) => scope.value.has(nr), limit)));
  });
}

/**
 * `lanes`: from top to bottom; each is a feature, or null for what is outside of features. `edges`: `from` has to be finished before `to`;
 * of a landing only the last tasks of its feature are drawn. `more`: tasks that the limit left out.
 */
async function draw(reader: Reader, has: (nr: Nr) => boolean, limit: number) {
  const { node, isTask, order } = await readOrder(reader, isDrawn, "everFor");
  const { waves } = computeWaves(order, isTask, (nr) => isTask(nr) && has(nr));
  const tasks = new Set(waves.flat().slice(0, limit));
  const columns = waves.map((wave) => wave.filter((nr) => tasks.has(nr))).filter((wave) => wave.length > 0);
  const edges = edgesOf(tasks, node);
  const places = layOut({ columns, laneOf: (nr) => node(nr).feature, edges });
  const critical = criticalIn(order, node);
  const occupied = await occupiedNow(reader);
  const nodes = [];
  for (const nr of tasks) {
    const task = (await reader.node(nr)) as Node;
    const { status, reason } = deriveStatus(task, await gatherSurroundings(reader, task, { occupied }));
    nodes.push({
      id: task.id,
      title: task.title,
      kind: task.kind,
      status,
      reason,
      lane: task.feature === null ? null : node(task.feature).id,
      hours: task.estimateHours ?? USUAL_HOURS,
      critical: critical.has(nr),
      ...(places.get(nr) as LaidOut),
    });
  }
  return {
    lanes: lanesOf(nodes, [...tasks].map(node), node),
    columns: columns.length,
    nodes,
    edges: edges.map(([from, to]) => {
      const target = node(from);
      const state: DependencyState = isFinished(target) ? "met" : unmetState(target);
      return { from: target.id, to: node(to).id, state };
    }),
    more: waves.flat().length - tasks.size,
  };
}

function edgesOf(tasks: ReadonlySet<Nr>, node: (nr: Nr) => Outline): (readonly [Nr, Nr])[] {
  const edges: (readonly [Nr, Nr])[] = [];
  const awaited = new Set<Nr>();
  for (const nr of tasks) {
    for (const { on } of node(nr).dependsOn) {
      if (!tasks.has(on)) continue;
      edges.push([on, nr]);
      if (node(on).feature === node(nr).feature) awaited.add(on);
    }
  }
  const lands = new Map([...tasks].filter((nr) => node(nr).kind === "land").map((nr) => [node(nr).feature, nr]));
  for (const nr of tasks) {
    const land = node(nr).kind === "land" || awaited.has(nr) ? undefined : lands.get(node(nr).feature);
    if (land !== undefined) edges.push([nr, land]);
  }
  return edges;
}

function criticalIn(order: Order<Nr>, node: (nr: Nr) => Outline): ReadonlySet<Nr> {
  const hours = (nr: Nr): number =>
    isContainer(node(nr)) || !isOpen(node(nr)) ? 0 : (node(nr).estimateHours ?? USUAL_HOURS);
  const { path } = computeCriticalPath(order, hours, (nr) => isOpen(node(nr)) && !isContainer(node(nr)));
  return new Set(path.filter((nr) => hours(nr) > 0));
}

type LaneRow = Pick<LaidOut, "row"> & { readonly lane: string | null };

function lanesOf(nodes: readonly LaneRow[], tasks: readonly Outline[], node: (nr: Nr) => Outline) {
  const rows = new Map<string | null, number>();
  for (const { lane, row } of nodes) rows.set(lane, Math.max(rows.get(lane) ?? 0, row + 1));
  const features = [...new Set(tasks.map(({ feature }) => feature))].sort((a, b) => (a ?? 0) - (b ?? 0));
  return features.map((nr) => {
    const feature = nr === null ? null : node(nr);
    const id = feature?.id ?? null;
    return { id, title: feature?.title ?? "", rows: rows.get(id) ?? 0, progress: feature && progressOf(feature) };
  });
}
