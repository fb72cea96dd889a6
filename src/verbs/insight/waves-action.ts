// Computes which tasks may run together, which come after them, and how long the longest chain takes.

import { isContainer, type Nr } from "../../model/node/node.js";
import { computeCriticalPath, computeWaves, orderOf } from "../../model/order/order.js";
import { isOpen, Waiting } from "../../model/order/waiting.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { perOperation } from "../../plan/overview/per-operation.js";
import { type Scope, scopeOf } from "../../plan/scope.js";
import type { Outline, Reader } from "../../store/store.js";
import { USUAL_HOURS } from "../look/held-up.js";

export interface Wave<Task = string> {
  readonly wave: number;
  readonly tasks: readonly Task[];
  /** Tasks of this wave that the limit left out. */
  readonly more: number;
}

export interface WavesInput {
  /** Only below this node. */
  readonly reference?: string;
  /** So many tasks at most. */
  readonly limit?: number;
}

export interface WavesView {
  readonly waves: readonly Wave[];
  /** Tasks that the limit left out, in these waves and in later ones. */
  readonly more: number;
  readonly criticalPath: { readonly tasks: readonly string[]; readonly more: number; readonly hours: number };
  /** Tasks that wait for themselves; they are in the last wave. */
  readonly cyclic: readonly string[];
  /** The tasks that are listed, by id. */
  readonly tasks: Readonly<Record<string, { readonly title: string; readonly hours: number }>>;
}

/** An empty feature has nothing to land. */
export const hasWork = ({ kind, feature }: Outline, node: (nr: Nr) => Outline | undefined): boolean =>
  kind !== "land" || feature === null || node(feature)?.tasksLive !== 0;

const USUAL_LIMIT = 200;

/** Of a branch only its own tasks are listed, in the order that the whole plan gives them. */
export function waves(
  context: Context,
  { reference, limit = USUAL_LIMIT }: WavesInput = {},
): Promise<Result<WavesView>> {
  const { store } = context;
  return store.read(async (reader) => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    const key = `waves ${scope.value.root?.nr ?? ""} ${limit}`;
    return ok(await perOperation(store, reader, key, () => wavesIn(reader, scope.value, limit)));
  });
}

async function wavesIn(reader: Reader, scope: Scope, limit: number): Promise<WavesView> {
  const plan = new Waiting(await reader.outline());
  const node = (nr: Nr): Outline => plan.nodes.get(nr) as Outline;
  const open = [...plan.nodes.values()].filter((n) => isOpen(n) && !n.shelved && hasWork(n, node)).map((n) => n.nr);
  const order = orderOf(open, (nr) => plan.openFor(nr));
  const isTask = (nr: Nr): boolean => !isContainer(node(nr));
  const hoursOf = (nr: Nr): number => (isTask(nr) ? (node(nr).estimateHours ?? USUAL_HOURS) : 0);
  const counts = (nr: Nr): boolean => isTask(nr) && scope.has(nr);
  const { waves, cyclic } = computeWaves(order, isTask, counts);
  const { path, hours } = computeCriticalPath(order, hoursOf, counts);
  const ids = (nrs: readonly Nr[]): string[] => nrs.map((nr) => node(nr).id);
  const chain = path.filter(isTask);
  const listed = limited(waves, limit);
  const shown = [...listed.waves.flatMap(({ tasks }) => tasks), ...chain.slice(0, limit)];
  return {
    waves: listed.waves.map((wave) => ({ ...wave, tasks: ids(wave.tasks) })),
    more: listed.more,
    criticalPath: {
      tasks: ids(chain.slice(0, limit)),
      more: Math.max(0, chain.length - limit),
      hours: Math.round(hours * 100) / 100,
    },
    cyclic: ids(cyclic),
    tasks: Object.fromEntries(shown.map((nr) => [node(nr).id, { title: node(nr).title, hours: hoursOf(nr) }])),
  };
}

/** The first tasks; a wave of which none is left is left out. */
function limited(all: readonly (readonly Nr[])[], limit: number): { waves: Wave<Nr>[]; more: number } {
  const waves: Wave<Nr>[] = [];
  let left = limit;
  let total = 0;
  for (const [i, tasks] of all.entries()) {
    total += tasks.length;
    if (left > 0) waves.push({ wave: i + 1, tasks: tasks.slice(0, left), more: Math.max(0, tasks.length - left) });
    left = Math.max(0, left - tasks.length);
  }
  return { waves, more: Math.max(0, total - limit) };
}
