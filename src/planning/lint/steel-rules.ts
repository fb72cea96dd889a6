// Whether the steel thread, the thinnest path from end to end, is there, hangs together, and comes early.

import { type Shape, walk } from "../draft/shape.js";
import type { LintRule } from "./context.js";
import { finding, names } from "./rules.js";

const steelOf = ({ draft }: Shape): number[] => draft.tasks.flatMap(({ steelThread }, nr) => (steelThread ? [nr] : []));

export const steelThreadIsThere: LintRule = ({ map, mode, shape, draft }) => {
  const thread = map?.flows.find(({ steelThread }) => steelThread);
  if (!thread || mode === "quick" || draft.tasks.length === 0) return [];
  const steel = steelOf(shape);
  if (steel.length === 0) {
    const say = `No task belongs to the steel thread ${thread.id}.`;
    return [finding("P-STEEL", thread.id, say, "Mark the tasks of that flow with steelThread.")];
  }
  const done = new Set(steel.flatMap((nr) => draft.tasks[nr]?.behaviours ?? []));
  const missing = thread.steps.filter((step) => !done.has(step));
  if (missing.length === 0) return [];
  const say = `The steel thread ${thread.id} has steps that none of its tasks does: ${names(missing)}.`;
  return [finding("P-STEEL", thread.id, say, "Mark the tasks that do these steps with steelThread.")];
};

export const steelThreadHangsTogether: LintRule = ({ shape }) => {
  const steel = steelOf(shape);
  const parts = partsOf(shape, steel);
  if (parts.length < 2) return [];
  const named = parts.map((part) =>
    names(
      part.map((nr) => shape.ids[nr] as string),
      5,
    ),
  );
  const say = `The steel thread is in ${parts.length} pieces that do not wait for one another: ${names(
    named.map((ids) => `(${ids})`),
    5,
  )}.`;
  return [
    finding(
      "P-STEEL-APART",
      names(steel.map((nr) => shape.ids[nr] as string)),
      say,
      "Let each step depend on the one before.",
    ),
  ];
};

/** Groups of tasks that wait for one another, over whatever is in between. What stands between two of them, or is one
 *  of them, joins all that it touches. */
function partsOf(shape: Shape, steel: readonly number[]): number[][] {
  const all = shape.ids.map((_, nr) => nr);
  const sorted = walk(all, shape.waits);
  const waits = (nr: number): readonly number[] => shape.waits[nr] as readonly number[];
  const after = new Set(steel);
  for (const nr of sorted) if (waits(nr).some((other) => after.has(other))) after.add(nr);
  const before = new Set(steel);
  for (const nr of sorted.reverse()) if (before.has(nr)) for (const other of waits(nr)) before.add(other);
  const leader = [...all];
  const lead = (nr: number): number => {
    let at = nr;
    while (leader[at] !== at) {
      leader[at] = leader[leader[at] as number] as number;
      at = leader[at] as number;
    }
    return at;
  };
  for (const nr of before) for (const other of waits(nr)) if (after.has(other)) leader[lead(nr)] = lead(other);
  const parts = new Map<number, number[]>();
  for (const nr of steel) {
    const part = parts.get(lead(nr));
    if (part) part.push(nr);
    else parts.set(lead(nr), [nr]);
  }
  return [...parts.values()];
}

/** Later than half of the waves and one more. Its own length is not held against it: only what comes before and
 *  in between makes it late. */
export const steelThreadIsEarly: LintRule = ({ sequence }) => {
  const { waves, steelThread, cyclic } = sequence;
  if (steelThread.length === 0 || cyclic.length > 0) return [];
  const steel = new Set(steelThread);
  const isOwn = (wave: readonly string[]): boolean => wave.some((id) => steel.has(id));
  const last = waves.findLastIndex(isOwn) + 1;
  const own = waves.filter(isOwn).length;
  const limit = Math.floor(waves.length / 2) + 1;
  if (last - own + 1 <= limit) return [];
  const say = `The steel thread ends in wave ${last} of ${waves.length}, behind other work.`;
  return [finding("P-STEEL-LATE", names(steelThread), say, "Let its tasks wait only for what they need.")];
};
