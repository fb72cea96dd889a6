// Whether the parts of a draft fit together: ids, what belongs to what, and what waits for what.

import { append } from "../../base/append.js";
import { idKey } from "../../model/node/ids.js";
import { describeCycle, findCycles } from "../../model/order/cycle.js";
import { isSame } from "../contracts/common.js";
import { finding, type LintFinding } from "../contracts/findings.js";
import { type DraftTask, nodesOf } from "../contracts/plan-draft.js";
import { type KnownIds, type LintContext, type LintRule, names, quoted, rewritten } from "./rules.js";

const hasTasks: LintRule = ({ draft }) =>
  draft.tasks.length > 0 ? [] : [finding("P-NO-TASKS", "plan", "The plan has no task.")];

const idsAreUnique: LintRule = ({ draft }) => {
  const uses = new Map<string, string[]>();
  for (const { id, title } of nodesOf(draft)) append(uses, idKey(id), quoted(title));
  return [...uses]
    .filter(([, titles]) => titles.length > 1)
    .map(([id, titles]) => finding("P-ID", id, `The id ${id} is used ${titles.length} times: ${names(titles, 3)}.`));
};

/** How an id that is not there should have been written, if only its case is wrong. */
export function respelled(known: KnownIds, id: string): string | undefined {
  const right = known.get(idKey(id))?.id;
  return right === id ? undefined : right;
}

/** Whether the draft has it, or the plan around it. */
const isKnown = ({ known, existing }: LintContext, id: string): boolean =>
  known.get(idKey(id))?.id === id || existing?.has(id) === true;

const parentsExist: LintRule = function* (look) {
  for (const { id, parent } of look.draft.features) {
    if (parent !== undefined) yield* judgeParent(look, id, parent, "feature");
  }
  for (const { id, feature } of look.draft.stories) yield* judgeParent(look, id, feature, "story");
  for (const { id, parent } of look.draft.tasks) yield* judgeParent(look, id, parent, "task");
};

const nodesAreInBranch: LintRule = function* ({ outside }) {
  if (!outside) return;
  const { root } = outside;
  for (const id of outside.ids) yield finding("P-OUTSIDE", id, `${id} is not below ${root}, which is planned here.`);
};

const PARENTS = {
  feature: ["initiative", "around"],
  story: ["feature", "around"],
  task: ["feature", "story", "around"],
} as const;

const HOLDERS = { feature: "an initiative", story: "a feature", task: "a feature or story" } as const;

function* judgeParent(
  look: LintContext,
  id: string,
  parent: string,
  child: keyof typeof PARENTS,
): Iterable<LintFinding> {
  const tier = look.known.get(idKey(parent))?.tier;
  const may: readonly string[] = PARENTS[child];
  if (tier === undefined) {
    const say = `${id} belongs to ${parent}, which does not exist.`;
    yield finding("P-PARENT", id, say, { suggestion: `Name ${HOLDERS[child]} of this plan.` });
  } else if (!may.includes(tier)) {
    const say = `${id} belongs to ${parent}, which is ${tier === "initiative" ? "an" : "a"} ${tier} and cannot contain it.`;
    yield finding("P-PARENT", id, say);
  } else if (tier === "around" && look.mayHold?.(parent, child) === false) {
    const say = `${id} belongs to ${parent} of the plan, which is settled or cannot contain a ${child}.`;
    yield finding("P-PARENT", id, say, { suggestion: "Name what is open and of a higher tier." });
  } else if (!isKnown(look, parent)) {
    const right = respelled(look.known, parent) as string;
    yield finding("P-PARENT", id, `${id} belongs to ${parent}, which is written ${right}.`, rewritten(right));
  }
}

const dependenciesExist: LintRule = function* (look) {
  for (const { id, dependsOn } of look.draft.tasks) {
    for (const on of new Set(dependsOn)) {
      if (isKnown(look, on)) continue;
      const right = respelled(look.known, on);
      yield right === undefined
        ? finding("P-DEPENDENCY", id, `${id} depends on ${on}, which does not exist.`)
        : finding("P-DEPENDENCY", id, `${id} depends on ${on}, which is written ${right}.`, rewritten(right));
    }
  }
};

/** The dependencies of a task on itself and on what contains it, as they are written. */
export function kinOf({ shape }: Pick<LintContext, "shape">, nr: number): string[] {
  const task = shape.draft.tasks[nr] as DraftTask;
  const group = shape.ids[shape.groups[nr] as number] as string;
  const { stories, tasks, features } = shape.draft;
  const aim = features[(shape.groups[nr] as number) - tasks.length - stories.length]?.parent ?? group;
  const around = new Set([task.id, task.parent, group, aim].map(idKey));
  return task.dependsOn.filter((on) => around.has(idKey(on)));
}

const nothingDependsOnKin: LintRule = function* (look) {
  for (const [nr, { id }] of look.draft.tasks.entries()) {
    for (const on of new Set(kinOf(look, nr))) {
      const what = idKey(on) === idKey(id) ? "itself" : `${on}, which contains it`;
      yield finding("P-KINSHIP", id, `${id} depends on ${what}.`, { fixable: true });
    }
  }
};

/** With more than these the plan has to be written again. */
const MAX_CYCLES = 100;

const nothingWaitsForItself: LintRule = function* ({ shape }) {
  let listed = 0;
  const numbers = shape.ids.map((_, nr) => nr);
  for (const cycle of findCycles(numbers, (nr) => shape.waits[nr] as readonly number[])) {
    if (listed++ >= MAX_CYCLES) return;
    const ids = cycle.map((nr) => shape.ids[nr] as string);
    const say = `There is a cycle of waiting: ${describeCycle(ids)}.`;
    const suggestion =
      "Work of another feature counts once that feature has landed: move tasks, or take a dependency out.";
    const overLandings = cycle.some((nr) => nr >= shape.tasks);
    yield finding("P-CYCLE", ids[0] as string, say, overLandings ? { suggestion } : {});
  }
};

const containersHaveTasks: LintRule = function* ({ draft, shape, existing = new Set() }) {
  // One that the plan has already may hold what the draft does not show.
  const around = new Set(Array.from(existing, idKey));
  const full = new Set<number>();
  for (const [nr, { parent }] of draft.tasks.entries()) {
    full.add(shape.groups[nr] as number);
    full.add(shape.numbers.get(idKey(parent)) as number);
  }
  const containers = [...draft.stories, ...draft.features];
  for (const [at, { id, title }] of containers.entries()) {
    if (full.has(draft.tasks.length + at) || around.has(idKey(id))) continue;
    yield finding("P-EMPTY", id, `${id} ${quoted(title)} has no task.`);
  }
  const held = new Set(draft.features.flatMap(({ parent }) => (parent === undefined ? [] : [idKey(parent)])));
  for (const { id, title } of draft.initiatives) {
    if (held.has(idKey(id)) || around.has(idKey(id))) continue;
    yield finding("P-EMPTY", id, `${id} ${quoted(title)} has no feature.`);
  }
};

const repeated = (list: readonly string[]): string[] => [
  ...new Set(list.filter((item, at) => list.indexOf(item) !== at)),
];

const nothingIsNamedTwice: LintRule = function* ({ draft }) {
  for (const { id, dependsOn, files, checks, quotes } of draft.tasks) {
    // Two checks are one only if they agree in everything.
    const alike = checks.filter((check, at) => checks.findIndex((other) => isSame(other, check)) < at);
    const found = [
      ["dependencies", repeated(dependsOn)],
      ["files", repeated(files.map(({ path }) => path))],
      ["checks", [...new Set(alike.map(({ run }) => run))]],
      ["quotes", repeated(quotes)],
    ] as const;
    for (const [what, twice] of found) {
      if (twice.length === 0) continue;
      const say = `${id} names ${what} twice: ${names(twice, 5)}.`;
      yield finding("P-REPEAT", id, say, { fixable: true });
    }
  }
};

const decisionsNameTasks: LintRule = function* ({ draft, known }) {
  for (const { id, tasks } of draft.decisions) {
    const unknown = tasks.filter((task) => !known.has(idKey(task)));
    if (unknown.length === 0) continue;
    yield finding("P-DECISION", id, `The decision ${id} names ${names(unknown)}, which the plan does not have.`);
  }
};

export const STRUCTURE_RULES: readonly LintRule[] = [
  hasTasks,
  idsAreUnique,
  parentsExist,
  nodesAreInBranch,
  dependenciesExist,
  nothingDependsOnKin,
  nothingWaitsForItself,
  containersHaveTasks,
  nothingIsNamedTwice,
  decisionsNameTasks,
];
