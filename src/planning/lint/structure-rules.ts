// Whether the parts of a draft fit together: ids, what belongs to what, and what waits for what.

import { idKey } from "../../model/node/ids.js";
import { describeCycle, findCycles } from "../../model/order/cycle.js";
import type { LintFinding } from "../contracts/findings.js";
import { type DraftTask, nodesOf } from "../contracts/plan-draft.js";
import { finding, type LintContext, type LintRule, names, quoted } from "./rules.js";

const hasTasks: LintRule = ({ draft }) =>
  draft.tasks.length > 0
    ? []
    : [finding("P-NO-TASKS", "plan", "The plan has no task.", "Add the tasks that carry out the spec.")];

const idsAreUnique: LintRule = ({ draft }) => {
  const uses = new Map<string, string[]>();
  for (const { id, title } of nodesOf(draft)) {
    const titles = uses.get(idKey(id));
    if (titles) titles.push(title);
    else uses.set(idKey(id), [title]);
  }
  return [...uses]
    .filter(([, titles]) => titles.length > 1)
    .map(([id, titles]) => {
      const shown = names(
        titles.map((title) => quoted(title)),
        3,
      );
      return finding("P-ID", id, `The id ${id} is used ${titles.length} times: ${shown}.`, "Give each its own id.");
    });
};

/** How an id that is not there should have been written, if only its case is wrong. */
export function respelled(look: Pick<LintContext, "shape" | "around">, id: string): string | undefined {
  const nr = look.shape.numbers.get(idKey(id));
  const known = nr === undefined || nr >= namedNodes(look) ? look.around.get(idKey(id)) : look.shape.ids[nr];
  return known === id ? undefined : known;
}

/** Numbers from here on stand for containers that the draft does not have. */
const namedNodes = ({ shape: { draft } }: Pick<LintContext, "shape">): number =>
  draft.tasks.length + draft.stories.length + draft.features.length + draft.initiatives.length;

/** Whether the draft has it, or the plan around it. */
function isKnown(look: LintContext, id: string): boolean {
  const nr = look.shape.numbers.get(idKey(id));
  const inDraft = nr !== undefined && nr < namedNodes(look) && look.shape.ids[nr] === id;
  return inDraft || look.existing?.has(id) === true;
}

type Tier = "task" | "story" | "feature" | "initiative" | "around";

function tierOf({ shape, around }: LintContext, id: string): Tier | undefined {
  const nr = shape.numbers.get(idKey(id));
  const { tasks, stories, features, initiatives } = shape.draft;
  const counts = { task: tasks, story: stories, feature: features, initiative: initiatives } as const;
  let first = nr ?? Infinity;
  for (const tier of ["task", "story", "feature", "initiative"] as const) {
    if (first < counts[tier].length) return tier;
    first -= counts[tier].length;
  }
  return around.has(idKey(id)) ? "around" : undefined;
}

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
  for (const id of outside.ids)
    yield finding("P-OUTSIDE", id, `${id} is not below ${root}, which is planned here.`, `Put it below ${root}.`);
};

const PARENTS = {
  feature: ["initiative", "around"],
  story: ["feature", "around"],
  task: ["feature", "story", "around"],
} as const satisfies Record<string, readonly Tier[]>;

const HOLDERS = { feature: "an initiative", story: "a feature", task: "a feature or story" } as const;

function* judgeParent(
  look: LintContext,
  id: string,
  parent: string,
  child: keyof typeof PARENTS,
): Iterable<LintFinding> {
  const tier = tierOf(look, parent);
  const may: readonly Tier[] = PARENTS[child];
  if (tier === undefined) {
    const say = `${id} belongs to ${parent}, which does not exist.`;
    yield finding("P-PARENT", id, say, `Name ${HOLDERS[child]} of this plan.`);
  } else if (!may.includes(tier)) {
    const say = `${id} belongs to ${parent}, which is ${tier === "initiative" ? "an" : "a"} ${tier} and cannot contain it.`;
    yield finding(
      "P-PARENT",
      id,
      say,
      "Features belong to initiatives, stories to features, tasks to either of these.",
    );
  } else if (tier === "around" && look.mayHold?.(parent, child) === false) {
    const say = `${id} belongs to ${parent} of the plan, which is settled or cannot contain a ${child}.`;
    yield finding("P-PARENT", id, say, "Name what is open and of a higher tier.");
  } else if (!isKnown(look, parent)) {
    const right = respelled(look, parent) as string;
    yield finding("P-PARENT", id, `${id} belongs to ${parent}, which is written ${right}.`, `Write ${right}.`, {
      fixable: true,
    });
  }
}

const dependenciesExist: LintRule = function* (look) {
  for (const { id, dependsOn } of look.draft.tasks) {
    for (const on of new Set(dependsOn)) {
      if (isKnown(look, on)) continue;
      const right = respelled(look, on);
      if (right === undefined) {
        const say = `${id} depends on ${on}, which does not exist.`;
        yield finding("P-DEPENDENCY", id, say, "Name a node of the plan, or take the dependency out.");
      } else {
        const say = `${id} depends on ${on}, which is written ${right}.`;
        yield finding("P-DEPENDENCY", id, say, `Write ${right}.`, { fixable: true });
      }
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
      yield finding("P-KINSHIP", id, `${id} depends on ${what}.`, "Take the dependency out.", { fixable: true });
    }
  }
};

/** With more than these the plan has to be written again. */
const CYCLES_LISTED = 100;

const nothingWaitsForItself: LintRule = function* ({ shape }) {
  let listed = 0;
  const numbers = shape.ids.map((_, nr) => nr);
  for (const cycle of findCycles(numbers, (nr) => shape.waits[nr] as readonly number[])) {
    if (listed++ >= CYCLES_LISTED) return;
    const ids = cycle.map((nr) => shape.ids[nr] as string);
    const say = `There is a cycle of waiting: ${describeCycle(ids)}.`;
    const landing = cycle.some((nr) => nr >= shape.tasks);
    const how = landing
      ? "Work of another feature counts once that feature has landed: move tasks, or take a dependency out."
      : "Take one of these dependencies out.";
    yield finding("P-CYCLE", ids[0] as string, say, how);
  }
};

const containersHaveTasks: LintRule = function* ({ draft, shape, around }) {
  const full = new Set<number>();
  for (const [nr, { parent }] of draft.tasks.entries()) {
    full.add(shape.groups[nr] as number);
    full.add(shape.numbers.get(idKey(parent)) as number);
  }
  const containers = [...draft.stories, ...draft.features];
  for (const [at, { id, title }] of containers.entries()) {
    // One that the plan has already may hold tasks that the draft does not show.
    if (full.has(draft.tasks.length + at) || around.has(idKey(id))) continue;
    yield finding("P-EMPTY", id, `${id} ${quoted(title)} has no task.`, "Give it tasks, or remove it.");
  }
  const held = new Set(draft.features.flatMap(({ parent }) => (parent === undefined ? [] : [idKey(parent)])));
  for (const { id, title } of draft.initiatives) {
    if (held.has(idKey(id)) || around.has(idKey(id))) continue;
    yield finding("P-EMPTY", id, `${id} ${quoted(title)} has no feature.`, "Give it features, or remove it.");
  }
};

const nothingIsNamedTwice: LintRule = function* ({ draft }) {
  for (const task of draft.tasks) {
    const { dependsOn, files, checks, quotes } = task;
    // Most have one of each.
    if (Math.max(dependsOn.length, files.length, checks.length, quotes.length) < 2) continue;
    for (const [what, list] of listsOf(task)) {
      const twice = repeated(list);
      if (twice.length === 0) continue;
      const say = `${task.id} names ${what} twice: ${names(twice, 5)}.`;
      yield finding("P-REPEAT", task.id, say, "Name each once.", { fixable: true });
    }
  }
};

const listsOf = (task: DraftTask): (readonly [what: string, keys: readonly string[]])[] => [
  ["dependencies", task.dependsOn],
  ["files", task.files.map(({ path }) => path)],
  [
    "checks",
    task.checks.length < 2 ? [] : task.checks.map(({ run }, at) => (isSameCheck(task, at) ? run : `${run} (${at})`)),
  ],
  ["quotes", task.quotes],
];

/** Two checks are one only if they agree in everything. */
function isSameCheck({ checks }: DraftTask, at: number): boolean {
  const own = JSON.stringify(checks[at]);
  return checks.some((check, other) => other !== at && JSON.stringify(check) === own);
}

function repeated(list: readonly string[]): string[] {
  if (new Set(list).size === list.length) return [];
  return [...new Set(list.filter((item, at) => list.indexOf(item) !== at))];
}

const decisionsNameTasks: LintRule = function* (look) {
  for (const { id, tasks } of look.draft.decisions) {
    const unknown = tasks.filter((task) => tierOf(look, task) === undefined);
    if (unknown.length === 0) continue;
    yield finding(
      "P-DECISION",
      id,
      `The decision ${id} names ${names(unknown)}, which the plan does not have.`,
      "Name tasks of this plan.",
    );
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
