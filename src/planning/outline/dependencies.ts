// Which task waits for which: what the spec says in words, and what its order says. The result never has a cycle, also not
// between features, since a task that waits for another feature waits until all of that has landed.

import { append } from "../../base/append.js";
import { walk } from "../draft/shape.js";
import { canonicalRequirement, requirementMentions } from "../spec/requirement-ids.js";
import { labelsIn, REFERENCES } from "./criteria.js";
import { isSequenceTitle } from "./heading-roles.js";
import { labelOf, sameWords, withoutMarks } from "./wording.js";
import { isWithin, type WorkItem } from "./work.js";

export interface OutlineTask {
  readonly id: string;
  readonly feature: string;
  readonly item: WorkItem;
}

export interface OutlineEdge {
  readonly from: OutlineTask;
  readonly to: OutlineTask;
}

const MAX_WAITS = 200;
const MAX_NAMED_TASKS = 20;
/** A word that stands in more tasks than this does not tell which of them a test is about. */
const MAX_TASKS_OF_WORD = 5;

const NAMED = new RegExp(
  String.raw`\b(?:depends? on|dependent on|after|requires?|blocked by|needs|builds on|once|follows|waits? for)\s*:?\s+(${REFERENCES})`,
  "gi",
);
const TITLED =
  /\b(?:depends? on|blocked by|builds on|requires?|dependencies|after)(?:\s*:)?\s+(?:the\s+)?["“”*]*([^"“”*.,;()\s][^"“”*.,;()\n]{1,79})/gi;

class Names {
  readonly #requirements = new Map<string, OutlineTask[]>();
  readonly #labels = new Map<string, OutlineTask[]>();
  readonly #titles = new Map<string, OutlineTask[]>();

  constructor(tasks: readonly OutlineTask[]) {
    for (const task of tasks) {
      const { item } = task;
      // Reviews look at the work of others: nothing that is named waits for them.
      if (item.kind === "review") continue;
      for (const id of item.requirements) append(this.#requirements, id, task);
      if (item.label !== undefined) append(this.#labels, item.label, task);
      if (item.label !== undefined) append(this.#labels, `${item.section.id} ${item.label}`, task);
      const names = new Set([item.title, ...item.section.path.slice(-2)].map(sameWords));
      for (const title of item.section.path) {
        const label = labelOf(title)?.label;
        if (label !== undefined) append(this.#labels, label, task);
      }
      for (const name of names) if (name !== "") append(this.#titles, name, task);
    }
  }

  /** The tasks that the words of an item say come first. */
  before(task: OutlineTask): OutlineTask[] {
    return task.item.words.flatMap((words) => {
      const ids = requirementMentions(words).filter(({ role }) => role === "depends");
      const readable = withoutMarks(words);
      return [
        ...ids.flatMap(({ id }) => this.#requirements.get(id) ?? []),
        ...Array.from(readable.matchAll(NAMED), ([, names = ""]) => names).flatMap((names) =>
          this.#labelled(task, names),
        ),
        ...Array.from(readable.matchAll(TITLED), ([, title = ""]) => title).flatMap((title) => this.#titled(title)),
      ].filter((other) => other !== task);
    });
  }

  /** Tasks for requirements that an item names and does not state: "REQ-1 to REQ-3 work". */
  named({ item }: OutlineTask): OutlineTask[] {
    const own = new Set(item.requirements);
    const ids = item.words
      .flatMap((words) => requirementMentions(words))
      .filter(({ id, role }) => role === "states" && !own.has(id));
    return ids.flatMap(({ id }) => this.#requirements.get(id) ?? []).slice(0, MAX_NAMED_TASKS);
  }

  #labelled({ item }: OutlineTask, names: string): OutlineTask[] {
    return labelsIn(names).flatMap(
      (label) =>
        this.#labels.get(`${item.section.id} ${label}`) ??
        this.#labels.get(label) ??
        this.#requirements.get(canonicalRequirement(label)) ??
        [],
    );
  }

  #titled(title: string): OutlineTask[] {
    const name = sameWords(title);
    // "Depends on the login task" names "Login".
    const shorter = name.replace(/ (?:section|feature|task|step|phase|story)$/, "");
    return (this.#titles.get(name) ?? this.#titles.get(shorter) ?? []).slice(0, MAX_NAMED_TASKS);
  }
}

const edgesOf = (tasks: readonly OutlineTask[], before: (task: OutlineTask) => readonly OutlineTask[]): OutlineEdge[] =>
  tasks.flatMap((from) => before(from).map((to) => ({ from, to })));

const LAST =
  /\b(?:should|must|has to|needs to|is to) be \w+ed last\b|\b(?:(?:should|must|has to|needs to|will|is to) )?(?:come|comes|be done|be built|happen|happens|go|goes) last\b|\(last\)$|^(?:last|finally|at the end)[,:]/i;
const FIRST =
  /\b(?:should|must|has to|needs to|is to) be \w+ed first\b|\b(?:(?:should|must|has to|needs to|will|is to) )?(?:come|comes|be done|be built|happen|happens|go|goes) first\b|\(first\)$|^first(?: of all)?[,:]/i;

/** "This should come last", "First, …": before or after everything else of its section. */
function statedPlaces(tasks: readonly OutlineTask[]): OutlineEdge[] {
  const says = ({ item }: OutlineTask, pattern: RegExp): boolean =>
    item.kind === "work" && item.words.some((words) => pattern.test(withoutMarks(words)));
  const isPlain = (task: OutlineTask): boolean => !says(task, FIRST) && !says(task, LAST);
  const near = (task: OutlineTask, wanted: (other: OutlineTask) => boolean): OutlineTask[] =>
    tasks.filter(
      (other) =>
        other !== task && other.item.kind === "work" && other.item.section.id === task.item.section.id && wanted(other),
    );
  if (tasks.length > MAX_PLACED) return [];
  return edgesOf(tasks, (task) => {
    if (task.item.kind !== "work") return [];
    if (says(task, LAST)) return near(task, (other) => !says(other, LAST));
    return isPlain(task) ? near(task, (other) => says(other, FIRST)) : [];
  });
}

/** In a plan of more tasks than this nobody says where one of them comes. */
const MAX_PLACED = 500;

/** The items of a section build on what its heading is about. */
function baseEdges(tasks: readonly OutlineTask[]): OutlineEdge[] {
  const base = new Map(tasks.filter(({ item }) => item.isBase === true).map((task) => [task.item.section.id, task]));
  return edgesOf(tasks, (task) => {
    const to = base.get(task.item.section.id);
    return to === undefined || to === task || task.item.kind === "review" ? [] : [to];
  });
}

function sequenceEdges(tasks: readonly OutlineTask[]): OutlineEdge[] {
  const last = new Map<string, OutlineTask>();
  return edgesOf(tasks, (task) => {
    const list = task.item.sequence;
    const before = list === undefined ? undefined : last.get(list);
    if (list !== undefined) last.set(list, task);
    return before === undefined ? [] : [before];
  });
}

/** Sections called Phase 1, Phase 2, or standing below a heading such as Milestones: one after the other. */
function phaseEdges(tasks: readonly OutlineTask[]): OutlineEdge[] {
  const phases = new Map<string, Map<string, OutlineTask[]>>();
  for (const task of tasks) {
    const { path, id } = task.item.section;
    const depth = path.findIndex(
      (title, index) =>
        /^(?:phase|milestone|step|stage|sprint|iteration)\s+\d/i.test(withoutMarks(title)) ||
        (index > 0 && isSequenceTitle(path[index - 1] as string)),
    );
    if (depth === -1) continue;
    const parts = id.split(".");
    const parent = parts.slice(0, depth).join(".");
    const siblings = phases.get(parent) ?? new Map<string, OutlineTask[]>();
    phases.set(parent, siblings);
    append(siblings, parts.slice(0, depth + 1).join("."), task);
  }
  return [...phases.values()].flatMap((siblings) => {
    const order = [...siblings.values()];
    return order
      .slice(1)
      .flatMap((phase, index) => edgesOf(phase, (task) => lastOf(task, order[index] as OutlineTask[])));
  });
}

/** A task waits for all tasks of its own feature, and for one of any other, since all of that must land. */
function lastOf(from: OutlineTask, tasks: readonly OutlineTask[]): OutlineTask[] {
  const near = tasks.filter(({ feature, id }) => feature === from.feature && id !== from.id);
  const far = new Map(tasks.filter(({ feature }) => feature !== from.feature).map((task) => [task.feature, task]));
  return [...near.slice(-MAX_WAITS), ...far.values()];
}

const FILLER =
  /^(?:tests?|unit|integration|write|with|from|that|every|each|covers?|coverage|cases?|suite|should|must|have|when|code)$/;

const tellingWords = (text: string): string[] =>
  sameWords(text)
    .split(" ")
    .filter((word) => word.length > 3 && !FILLER.test(word));

/** Tests wait for what they test: tasks of the same words, else of the same section, else everything. */
function testEdges(tasks: readonly OutlineTask[]): OutlineEdge[] {
  const tests = tasks.filter(({ item }) => item.kind === "test");
  if (tests.length === 0) return [];
  const work = tasks.filter(({ item }) => item.kind === "work");
  const byWord = new Map<string, OutlineTask[]>();
  for (const task of work) {
    const words = new Set(tellingWords(`${task.item.section.path.at(-1) ?? ""} ${task.item.title}`));
    for (const word of words) append(byWord, word, task);
  }
  const bySection = new Map<string, OutlineTask[]>();
  for (const task of work) append(bySection, task.item.section.id, task);
  return edgesOf(tests, (test) => {
    const tested = tellingWords(test.item.title)
      .map((word) => byWord.get(word) ?? [])
      .filter(({ length }) => length <= MAX_TASKS_OF_WORD)
      .flat();
    const around = bySection.get(test.item.section.id) ?? [];
    return lastOf(test, tested.length > 0 ? [...new Set(tested)] : around.length > 0 ? around : work);
  });
}

/** What stands in the same section as something that a person has to bring waits for it. */
function gateEdges(tasks: readonly OutlineTask[]): OutlineEdge[] {
  const gates = tasks.filter(({ item }) => item.kind === "gate");
  const waits = ({ item }: OutlineTask): boolean => item.kind !== "gate" && item.section.level > 0;
  return edgesOf(tasks.filter(waits), ({ item: { section } }) => gates.filter(({ item }) => item.section === section));
}

const reviewEdges = (tasks: readonly OutlineTask[]): OutlineEdge[] =>
  edgesOf(tasks, (review) => {
    const { about } = review.item;
    const isLookedAt = ({ item }: OutlineTask): boolean =>
      about !== undefined && item.kind !== "review" && isWithin(item.section.id, about);
    return about === undefined ? [] : lastOf(review, tasks.filter(isLookedAt));
  });

/** Edges of one feature to another, as long as no two features wait for each other. */
class FeatureOrder {
  readonly #waits = new Map<string, Set<string>>();

  allows(from: string, to: string): boolean {
    const waits = this.#waits.get(from) ?? new Set();
    if (waits.has(to)) return true;
    if (this.#reaches(to, from)) return false;
    this.#waits.set(from, waits.add(to));
    return true;
  }

  #reaches(from: string, goal: string): boolean {
    const seen = new Set([from]);
    for (const feature of seen) {
      if (feature === goal) return true;
      for (const next of this.#waits.get(feature) ?? []) seen.add(next);
    }
    return false;
  }
}

/** `thread`: the tasks of the steel thread, in order of their places. */
export function orderTasks(tasks: readonly OutlineTask[], thread: readonly OutlineTask[]) {
  const names = new Names(tasks);
  const named = edgesOf(tasks, (task) => [...new Set(names.before(task))]);
  const stated = [...named, ...statedPlaces(tasks), ...gateEdges(tasks)];
  const isInside = ({ from, to }: OutlineEdge): boolean => from.feature === to.feature;
  const numbers = new Map(tasks.map((task, nr) => [task, nr]));
  const waits = tasks.map((): number[] => []);
  for (const { from, to } of stated.filter(isInside))
    waits[numbers.get(from) as number]?.push(numbers.get(to) as number);
  // Depth first: what closes a circle stands after what waits for it.
  const place = new Map(walk(tasks.keys(), waits).map((nr, at) => [tasks[nr] as OutlineTask, at]));
  const threadEdges = thread.slice(1).map((from, index): OutlineEdge => ({ from, to: thread[index] as OutlineTask }));
  const implied = [
    ...baseEdges(tasks),
    ...edgesOf(tasks, (task) => names.named(task)),
    ...sequenceEdges(tasks),
    ...phaseEdges(tasks),
    ...threadEdges,
    ...testEdges(tasks),
    ...reviewEdges(tasks),
  ];
  const comesFirst = ({ from, to }: OutlineEdge): boolean => (place.get(to) ?? 0) < (place.get(from) ?? 0);
  const features = new FeatureOrder();
  const isPossible = (edge: OutlineEdge): boolean =>
    isInside(edge) ? comesFirst(edge) : features.allows(edge.from.feature, edge.to.feature);
  const impossible = new Set(stated.filter((edge) => !isPossible(edge)));
  const accepted = [...stated.filter((edge) => !impossible.has(edge)), ...implied.filter(isPossible)];
  const dependsOn = new Map<string, Set<string>>();
  for (const { from, to } of accepted) {
    const known = dependsOn.get(from.id) ?? new Set();
    if (known.size < MAX_WAITS) dependsOn.set(from.id, known.add(to.id));
  }
  return {
    /** By the id of the task that waits. */
    dependsOn: new Map([...dependsOn].map(([id, ids]) => [id, [...ids]])),
    /** What the spec says and cannot be: tasks that would wait for each other. */
    impossible: [...impossible],
    /** By id: nothing stands before what it waits for in the same feature. */
    place: new Map([...place].map(([{ id }, at]) => [id, at])),
  };
}
