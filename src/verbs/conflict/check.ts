import { type Clash, clashesAmong } from "../../model/conflict/conflict.js";
import { ok, problems, type Result, refused } from "../../model/result.js";
import { resolveAll } from "../../plan/base/resolve.js";
import { IN_FLIGHT } from "../../plan/base/surroundings.js";
import type { Reader } from "../../store/store.js";
import {
  type Context,
  fields,
  type Node,
  nodes,
  optional,
  planVerb,
  plural,
  type Style,
  spoken,
  step,
} from "../kit/verb.js";
import { placesIn } from "./list.js";

export const input = fields({ references: optional(nodes("a task, or a node that stands for its open tasks")) });

export const verb = planVerb({
  command: { words: "conflicts check", group: "decide", positional: ["references"] },
  summary: "Check tasks for overlaps without changing anything",
  description:
    "Compares the tasks that you name with everything that is ready or in progress. Without a name, compares all of those with each other.",
  effect: "reads",
  phrases: spoken(
    "conflict check, conflicts check, check for conflicts, check … for conflicts, check … for overlaps, " +
      "conflicts in, conflicts with, overlaps in, overlaps with, conflict, collide, overlap, clash, in conflict, " +
      "overlapping, conflicting, colliding, clashing",
  ),
  emptyWords: "would will could each other with between",
  input,
  examples: [
    { input: {}, does: "checks everything that is ready or in progress" },
    { input: { references: ["FEAT-001"] }, does: "checks the open tasks of a feature" },
  ],
  run: async (session, { references = [] }) => {
    const checked = await checkConflicts(session, references);
    if (!checked.ok || checked.value.found.length === 0) return checked;
    const message = `${plural(checked.value.found.length, "overlap")}: these tasks cannot run at the same time.`;
    return problems("problems", message, { details: { ...checked.value } });
  },
  text: ({ checked, unknown }, style) => [
    `${style.green("✓")} ${plural(checked.length, "task")}: no conflicts.`,
    ...withoutFootprint(unknown, style),
  ],
  problems: ({ found, unknown }: CheckedConflicts, style) => [
    ...found.map(
      (clash) =>
        `${style.yellow("!")} ${style.bold(clash.second)} and ${style.bold(clash.first)}${clash.inFlight ? " (in progress)" : ""}  ${style.dim(`${clash.layer}:`)} ${placesIn(clash)}`,
    ),
    ...withoutFootprint(unknown, style),
  ],
});

const withoutFootprint = (ids: readonly string[], style: Style): string[] =>
  ids.length === 0 ? [] : [style.dim(`Not checked, because they name no files: ${ids.join(", ")}`)];

type CheckedConflicts = ReturnType<typeof toChecked>;

export function checkConflicts(context: Context, references: readonly string[]): Promise<Result<CheckedConflicts>> {
  return context.store.read(async (reader) => {
    const inFlight = await reader.claimed({ limit: IN_FLIGHT });
    const ready = await reader.claimable({ limit: MAX_READY_TASKS });
    if (references.length === 0) {
      const all = [...inFlight, ...ready];
      return ok(toChecked(all, clashesAmong(all)));
    }
    const named = await resolveAll(reader, references, context);
    if (!named.ok) return named;
    const tasks = await tasksIn(reader, named.value);
    if (tasks.length > MAX_TASKS_COMPARED) return tooMany(tasks.length);
    const isNamed = new Set(tasks.map(({ nr }) => nr));
    const others = [...inFlight, ...ready].filter(({ nr }) => !isNamed.has(nr));
    const found: Clash[] = [];
    for (const clash of clashesAmong([...others, ...tasks])) {
      const asked = isNamed.has(clash.first.nr) || isNamed.has(clash.second.nr);
      if (asked && !(await areOrdered(reader, clash))) found.push(clash);
    }
    return ok(toChecked(tasks, found));
  });
}

/** More than one screen; those in flight are all looked at. */
const MAX_READY_TASKS = 200;

function tooMany(count: number): Result<never> {
  const message = `${count} open tasks are too many to compare. Name a story or at most ${MAX_TASKS_COMPARED} tasks.`;
  return refused("too-many", message, { details: { count, most: MAX_TASKS_COMPARED }, next: [step("lint")] });
}

/** A container stands for the open tasks in it. */
async function tasksIn(reader: Reader, nodes: readonly Node[]): Promise<Node[]> {
  const found = new Map<number, Node>();
  for (const node of nodes) {
    const below = node.tier === "task" ? [node] : await reader.descendants(node.nr);
    for (const task of below) if (task.tier === "task" && task.outcome === null) found.set(task.nr, task);
  }
  return [...found.values()];
}

/** One waits for the other already, directly or not. */
async function areOrdered(reader: Reader, { first, second }: Clash): Promise<boolean> {
  const after = await reader.path([second.nr], [first.nr]);
  return after !== undefined || (await reader.path([first.nr], [second.nr])) !== undefined;
}

const toChecked = (tasks: readonly Node[], clashes: readonly Clash[]) => ({
  checked: tasks.map(({ id }) => id),
  found: clashes.map(({ layer, first, second, files, symbols }) => ({
    layer,
    first: first.id,
    second: second.id,
    files,
    symbols,
    /** The one that goes first is in progress. */
    inFlight: first.claim !== null,
  })),
  /** Tasks that name no files, so nothing is known about them. */
  unknown: tasks
    .filter(({ kind, files, symbols }) => kind === "work" && files.length === 0 && symbols.length === 0)
    .map(({ id }) => id),
});

/** Every two are compared, so twice as many take four times as long. */
const MAX_TASKS_COMPARED = 1_000;
