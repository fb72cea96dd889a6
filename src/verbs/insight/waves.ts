import { isContainer, type Nr } from "../../model/node/node.js";
import { computeCriticalPath, computeWaves, orderOf } from "../../model/order/order.js";
import { isOpen, Waiting } from "../../model/order/waiting.js";
import { type Scope, scopeOf } from "../../plan/base/resolve.js";
import { USUAL_HOURS } from "../../plan/overview/held-up.js";
import { perOperation } from "../../plan/overview/standings.js";
import type { Outline, Reader } from "../../store/store.js";
import { type Context, fields, type Infer, node, ok, optional, planVerb, step, wholeNumber } from "../kit/verb.js";
import { harmless, plural } from "../kit/wording.js";

export const input = fields({
  reference: optional(node("only below this node")),
  limit: optional(wholeNumber("at most N tasks (200)", 1, Number.MAX_SAFE_INTEGER)),
});

export const verb = planVerb({
  command: { words: "waves", group: "look", positional: ["reference"] },
  summary: "Show which tasks can run together, and the longest chain",
  description:
    "A wave holds the tasks that wait only for earlier waves; what is finished is left out. The critical path is the chain of tasks that takes longest, with one hour for a task without an estimate. Below a node only its own tasks are listed, in the order that the whole plan gives them.",
  effect: "reads",
  input,
  examples: [
    { input: {}, does: "shows the waves of the whole plan" },
    { input: { reference: "FEAT-001" }, does: "shows the waves of one feature" },
  ],
  run: waves,
  text: (view, style) => {
    if (view.waves.length === 0) return style.dim("Nothing is left to run.");
    const cyclic = new Set(view.cyclic);
    const critical = new Set(view.criticalPath.tasks);
    const lines: string[] = [];
    for (const { wave, tasks, more } of view.waves) {
      lines.push(style.bold(`Wave ${wave}`) + style.dim(`  ${plural(tasks.length + more, "task")}`));
      for (const id of tasks) {
        const mark = cyclic.has(id) ? style.red("↻") : critical.has(id) ? style.yellow("●") : style.dim("·");
        const hours = style.dim(`${view.tasks[id]?.hours ?? 0} h`);
        const flag = cyclic.has(id) ? style.red("  waits for itself") : "";
        lines.push(`  ${mark} ${style.bold(id)}  ${harmless(view.tasks[id]?.title ?? "")}  ${hours}${flag}`);
      }
    }
    if (view.more > 0) lines.push(style.dim(`… ${plural(view.more, "task")} more`));
    const { tasks, more, hours } = view.criticalPath;
    if (tasks.length > 0) {
      lines.push(
        "",
        `${style.yellow("●")} ${style.bold("Critical path")}  ${hours} h`,
        `  ${tasks.join(" → ")}${more > 0 ? ` → … ${more} more` : ""}`,
      );
    }
    return lines.join("\n");
  },
  next: ({ cyclic }) => (cyclic.length > 0 ? [step("lint")] : []),
});

/** Drawings of the plan leave out the inbox, and what was dropped or archived. */
export const isDrawn = ({ outcome, archive, shelved }: Outline): boolean =>
  outcome?.kind !== "dropped" && archive === null && !shelved;

/** The nodes that are wanted, in the order in which they wait for each other, now or from the beginning. */
export async function readOrder(reader: Reader, isWanted: (node: Outline) => boolean, waits: "openFor" | "everFor") {
  const plan = new Waiting(await reader.outline());
  const node = (nr: Nr): Outline => plan.nodes.get(nr) as Outline;
  const wanted = [...plan.nodes.values()].filter((each) => isWanted(each) && hasWork(each, node)).map(({ nr }) => nr);
  const isTask = (nr: Nr): boolean => !isContainer(node(nr));
  return { node, isTask, order: orderOf(wanted, (nr) => plan[waits](nr)) };
}

/** An empty feature has nothing to land. */
const hasWork = ({ kind, feature }: Outline, node: (nr: Nr) => Outline | undefined): boolean =>
  kind !== "land" || feature === null || node(feature)?.tasksLive !== 0;

const DEFAULT_LIMIT = 200;

/** Of a branch only its own tasks are listed, in the order that the whole plan gives them. */
export function waves(context: Context, { reference, limit = DEFAULT_LIMIT }: Infer<typeof input> = {}) {
  const { store } = context;
  return store.read(async (reader) => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    const key = `waves ${scope.value.root?.nr ?? ""} ${limit}`;
    return ok(await perOperation(store, reader, key, () => wavesIn(reader, scope.value, limit)));
  });
}

/**
 * `more`: tasks that the limit left out, in these waves and in later ones. `cyclic`: tasks that wait for themselves, which are in the last
 * wave. `tasks`: those that are listed, by id.
 */
async function wavesIn(reader: Reader, scope: Scope, limit: number) {
  const { node, isTask, order } = await readOrder(reader, (each) => isOpen(each) && !each.shelved, "openFor");
  const hoursOf = (nr: Nr): number => (isTask(nr) ? (node(nr).estimateHours ?? USUAL_HOURS) : 0);
  const counts = (nr: Nr): boolean => isTask(nr) && scope.has(nr);
  const { waves, cyclic } = computeWaves(order, isTask, counts);
  const { path, hours } = computeCriticalPath(order, hoursOf, counts);
  const ids = (nrs: readonly Nr[]): string[] => nrs.map((nr) => node(nr).id);
  const chain = path.filter(isTask);
  const listed = limitWaves(waves, limit);
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
    tasks: Object.fromEntries(shown.map((nr) => [node(nr).id, { title: node(nr).title, hours: hoursOf(nr) }] as const)),
  };
}

function limitWaves(all: readonly (readonly Nr[])[], limit: number) {
  const waves = [];
  let left = limit;
  let total = 0;
  for (const [i, tasks] of all.entries()) {
    total += tasks.length;
    if (left > 0) waves.push({ wave: i + 1, tasks: tasks.slice(0, left), more: Math.max(0, tasks.length - left) });
    left = Math.max(0, left - tasks.length);
  }
  return { waves, more: Math.max(0, total - limit) };
}
