// A draft as a graph of waiting, by numbers: tasks, stories, features, then initiatives. It waits as the plan itself
// would: a container for what is in it, and a task for the landing of another feature whose work it builds on.

import { append } from "../../base/append.js";
import { idKey } from "../../model/node/ids.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";

export type Shape = ReturnType<typeof shapeOf>;

export const taskOf = (shape: Shape, nr: number): DraftTask => shape.draft.tasks[nr] as DraftTask;

export function shapeOf(draft: PlanDraft) {
  /** By number: tasks first, and last the containers that the draft names without having them. */
  const ids = [...draft.tasks, ...draft.stories, ...draft.features, ...draft.initiatives].map(({ id }) => id);
  const tasks = draft.tasks.length;
  const features = tasks + draft.stories.length;
  const initiatives = features + draft.features.length;
  const known = ids.length;
  /** By the id in lower case; of several with one id, the first. */
  const numbers = new Map<string, number>();
  for (const [nr, id] of ids.entries()) if (!numbers.has(idKey(id))) numbers.set(idKey(id), nr);
  /** A container; one that the draft does not have gets a number all the same. */
  const container = (id: string): number => {
    const nr = numbers.get(idKey(id));
    if (nr !== undefined && nr >= tasks) return nr;
    ids.push(id);
    if (nr === undefined) numbers.set(idKey(id), ids.length - 1);
    return ids.length - 1;
  };
  const parents = draft.tasks.map(({ parent }) => container(parent));
  const above = new Map<number, number>();
  for (const [at, { feature }] of draft.stories.entries()) above.set(tasks + at, container(feature));
  const isStory = (nr: number): boolean => above.has(nr) && nr < features;
  const isInitiative = (nr: number): boolean => nr >= initiatives && nr < known;
  /** The initiative of each feature that is in one of this draft. */
  const aims = new Map<number, number>();
  for (const [at, { parent }] of draft.features.entries()) {
    const nr = parent === undefined ? undefined : numbers.get(idKey(parent));
    if (nr !== undefined && isInitiative(nr)) aims.set(features + at, nr);
  }
  /** The feature of each task, or what the task names in place of one. */
  const groups = parents.map((parent) => {
    const top = above.get(parent) ?? parent;
    return isStory(top) ? parent : top;
  });
  /** Whether a task that waits for the other also waits for the landing of the other's feature. */
  const mustLand = (task: number, other: number): boolean => {
    const feature = groups[other] as number;
    const isFeature = feature >= features && feature < initiatives;
    return feature !== groups[task] && isFeature && draft.tasks[other]?.kind === "work";
  };
  const members = membersOf(draft, parents, above, aims, isStory);
  const waits = ids.map((_, nr): readonly number[] => members.get(nr) ?? []);
  for (const [nr, task] of draft.tasks.entries()) {
    if (task.dependsOn.length === 0) continue;
    const on = task.dependsOn.map((id) => numbers.get(idKey(id))).filter((other) => other !== undefined);
    const kin = new Set([nr, parents[nr], groups[nr], aims.get(groups[nr] as number)]);
    const others = on.filter((other) => !kin.has(other));
    const lands = others
      .filter((other) => other < tasks && mustLand(nr, other))
      .map((other) => groups[other] as number);
    // A story of another feature counts once that feature has landed.
    const stories = others.filter((other) => isStory(other) && above.get(other) !== groups[nr]);
    waits[nr] = [...new Set([...others, ...lands, ...stories.map((story) => above.get(story) as number)])];
  }
  const steel = new Set(draft.tasks.flatMap(({ steelThread }, nr) => (steelThread ? [groups[nr] as number] : [])));
  const outer = ids.map((_, nr) => nr).filter((nr) => nr >= tasks && !isStory(nr) && !isInitiative(nr));
  /** Features and unknown containers, those with the steel thread first. */
  const tops = [...outer.filter((nr) => steel.has(nr)), ...outer.filter((nr) => !steel.has(nr))];
  return { draft, ids, tasks, waits, numbers, groups, tops, mustLand };
}

function membersOf(
  draft: PlanDraft,
  parents: readonly number[],
  above: ReadonlyMap<number, number>,
  aims: ReadonlyMap<number, number>,
  isStory: (nr: number) => boolean,
): Map<number, number[]> {
  const members = new Map<number, number[]>();
  for (const steel of [true, false]) {
    for (const [nr, task] of draft.tasks.entries())
      if (task.steelThread === steel) append(members, parents[nr] as number, nr);
  }
  // A story inside a story has no place; lint says so.
  for (const [story, feature] of above) if (!isStory(feature)) append(members, feature, story);
  for (const [feature, initiative] of aims) append(members, initiative, feature);
  return members;
}

/** Depth first from the roots, each after everything that it waits for; without recursion. */
export function walk(roots: Iterable<number>, waits: readonly (readonly number[])[]): number[] {
  const seen = new Uint8Array(waits.length);
  const sorted: number[] = [];
  for (const root of roots) {
    if (seen[root]) continue;
    seen[root] = 1;
    const stack: { readonly nr: number; next: number }[] = [{ nr: root, next: 0 }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const other = waits[top.nr]?.[top.next++];
      if (other === undefined) {
        sorted.push(top.nr);
        stack.pop();
      } else if (!seen[other]) {
        seen[other] = 1;
        stack.push({ nr: other, next: 0 });
      }
    }
  }
  return sorted;
}
