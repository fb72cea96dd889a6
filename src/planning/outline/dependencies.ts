// Which task waits for which: what the spec says in words, and what its order says. The result never has a cycle, also not
// between features, since a task that waits for another feature waits until all of that has landed.

import { canonicalRequirement, requirementMentions } from "../spec/requirement-ids.js";
import { append } from "./append.js";
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
  /\b(?:depends? on|blocked by|builds on|requires?|dependencies)\s*:?\s+(?:the\s+)?["“”*]*([^"“”*.,;()\n]{2,80})/gi;

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
      const names = new Set([sameWords(item.title), ...item.section.path.slice(-2).map(sameWords)]);
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
    const found =
      this.#titles.get(name) ?? this.#titles.get(name.replace(/ (?:section|feature|task|step|phase|story)$/, ""));
    return (found ?? []).slice(0, MAX_NAMED_TASKS);
  }
}

/** The items of a section build on what its heading is about. */
function baseEdges(tasks: readonly OutlineTask[]): OutlineEdge[] {
  const base = new Map(tasks.filter(({ item }) => item.isBase === true).map((task) => [task.item.section.id, task]));
  return tasks.flatMap((from) => {
    const to = base.get(from.item.section.id);
    return to === undefined || to === from || from.item.kind === "review" ? [] : [{ from, to }];
  });
}

function sequenceEdges(tasks: readonly OutlineTask[]): OutlineEdge[] {
  const last = new Map<string, OutlineTask>();
  return tasks.flatMap((task) => {
    const list = task.item.sequence;
    if (list === undefined) return [];
    const before = last.get(list);
    last.set(list, task);
    return before === undefined ? [] : [{ from: task, to: before }];
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
      .flatMap((phase, index) => phase.flatMap((from) => lastOf(from, order[index] as OutlineTask[])));
  });
}

/** Of another feature one task is enough, since all of it must land; of the same feature all of them. */
function lastOf(from: OutlineTask, tasks: readonly OutlineTask[]): OutlineEdge[] {
  const near = tasks.filter(({ feature, id }) => feature === from.feature && id !== from.id);
  const far = new Map(tasks.filter(({ feature }) => feature !== from.feature).map((task) => [task.feature, task]));
  return [...near.slice(-MAX_WAITS), ...far.values()].map((to) => ({ from, to }));
}

const FILLER = new Set([
  "test",
  "tests",
  "unit",
  "integration",
  "write",
  "with",
  "from",
  "that",
  "every",
  "each",
  "cover",
  "covers",
  "coverage",
  "case",
  "cases",
  "suite",
  "should",
  "must",
  "have",
  "when",
  "code",
]);

const tellingWords = (text: string): string[] =>
  sameWords(text)
    .split(" ")
    .filter((word) => word.length > 3 && !FILLER.has(word));

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
  return tests.flatMap((test) => {
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
  return gates.flatMap((to) =>
    tasks
      .filter(({ item }) => item.section === to.item.section && item.section.level > 0 && item.kind !== "gate")
      .map((from): OutlineEdge => ({ from, to })),
  );
}

function reviewEdges(tasks: readonly OutlineTask[]): OutlineEdge[] {
  return tasks.flatMap((review) => {
    const { about } = review.item;
    if (about === undefined) return [];
    return lastOf(
      review,
      tasks.filter(({ item }) => item.kind !== "review" && isWithin(item.section.id, about)),
    );
  });
}

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

/** The edges without those that would close a cycle, in the order of the text. */
function withoutCycles(
  tasks: readonly OutlineTask[],
  edges: readonly OutlineEdge[],
): { kept: OutlineEdge[]; dropped: OutlineEdge[]; order: OutlineTask[] } {
  const next = new Map<OutlineTask, OutlineEdge[]>();
  for (const edge of edges) next.set(edge.from, [...(next.get(edge.from) ?? []), edge]);
  const state = new Map<OutlineTask, "open" | "closed">();
  const kept: OutlineEdge[] = [];
  const dropped: OutlineEdge[] = [];
  const order: OutlineTask[] = [];
  for (const root of tasks) {
    if (state.has(root)) continue;
    const stack: { task: OutlineTask; at: number }[] = [{ task: root, at: 0 }];
    state.set(root, "open");
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const edge = next.get(top.task)?.[top.at++];
      if (edge === undefined) {
        state.set(top.task, "closed");
        order.push(top.task);
        stack.pop();
      } else if (state.get(edge.to) === "open") dropped.push(edge);
      else {
        kept.push(edge);
        if (!state.has(edge.to)) {
          state.set(edge.to, "open");
          stack.push({ task: edge.to, at: 0 });
        }
      }
    }
  }
  return { kept, dropped, order };
}

export interface OutlineOrder {
  /** By the id of the task that waits. */
  readonly dependsOn: ReadonlyMap<string, readonly string[]>;
  /** What the spec says and cannot be: tasks that would wait for each other. */
  readonly impossible: readonly OutlineEdge[];
  /** By id: nothing stands before what it waits for in the same feature. */
  readonly place: ReadonlyMap<string, number>;
}

/** `thread`: the tasks of the steel thread, in order of their places. */
export function orderTasks(tasks: readonly OutlineTask[], thread: readonly OutlineTask[]): OutlineOrder {
  const names = new Names(tasks);
  const stated = [
    ...tasks.flatMap((from) => [...new Set(names.before(from))].map((to): OutlineEdge => ({ from, to }))),
    ...gateEdges(tasks),
  ];
  const isInside = ({ from, to }: OutlineEdge): boolean => from.feature === to.feature;
  const { kept, dropped, order } = withoutCycles(tasks, stated.filter(isInside));
  const place = new Map(order.map((task, index) => [task, index]));
  const threadEdges = thread.slice(1).map((from, index): OutlineEdge => ({ from, to: thread[index] as OutlineTask }));
  const implied = [
    ...baseEdges(tasks),
    ...tasks.flatMap((from) => names.named(from).map((to): OutlineEdge => ({ from, to }))),
    ...sequenceEdges(tasks),
    ...phaseEdges(tasks),
    ...threadEdges,
    ...testEdges(tasks),
    ...reviewEdges(tasks),
  ];
  const comesFirst = ({ from, to }: OutlineEdge): boolean => (place.get(to) ?? 0) < (place.get(from) ?? 0);
  const features = new FeatureOrder();
  const impossible = [...dropped];
  const accepted = [...kept];
  for (const edge of stated) {
    if (isInside(edge)) continue;
    if (features.allows(edge.from.feature, edge.to.feature)) accepted.push(edge);
    else impossible.push(edge);
  }
  for (const edge of implied) {
    if (isInside(edge) ? comesFirst(edge) : features.allows(edge.from.feature, edge.to.feature)) accepted.push(edge);
  }
  const dependsOn = new Map<string, Set<string>>();
  for (const { from, to } of accepted) {
    const known = dependsOn.get(from.id) ?? new Set();
    if (known.size < MAX_WAITS) dependsOn.set(from.id, known.add(to.id));
  }
  return {
    dependsOn: new Map([...dependsOn].map(([id, ids]) => [id, [...ids]])),
    impossible,
    place: new Map([...place].map(([{ id }, at]) => [id, at])),
  };
}
