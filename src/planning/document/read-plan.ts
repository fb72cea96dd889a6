// Reads an edited plan document back, by id and without a model: titles, bodies, checks, files, dependencies, order, what
// belongs to what, and what the plan says of itself. What only an agent can act on is listed.

import { idKey, MISSION } from "../../model/node/ids.js";
import { spaced } from "../../model/words.js";
import { defined, isSame } from "../contracts/common.js";
import { type DraftFeature, type DraftTask, type PlanDraft, tasksByFeature } from "../contracts/plan-draft.js";
import {
  type DocumentSection,
  type NoteChange,
  readProse,
  readTitleAndBody,
  sectionsBelow,
  sectionsOf,
  sectionText,
} from "./document-sections.js";
import { escaped, unescaped, unescapedProse } from "./markdown.js";
import { FEATURES_OF, taskSection } from "./plan-document.js";
import { readTask } from "./read-facts.js";

/** `changes`: one line for each that was understood, such as `T1 title`; `removed`: ids whose sections are gone. */
export function readPlan(draft: PlanDraft, document: string) {
  const sections = sectionsOf(document);
  const changes: string[] = [];
  const note = (what: string, isChanged: boolean): void => {
    if (isChanged) changes.push(what);
  };
  const about = readAbout(draft, sections, note);
  const above = readInitiatives(draft, sections, note);
  const { features, tasks } = readNodes(draft, sections, note);
  // A document without its tasks is no plan: nothing is removed by a section that was lost.
  const removed = [...above.removed, ...(tasks.length === 0 ? [] : missingIn(draft, { features, tasks }))];
  const gone = new Set(removed.map(idKey));
  // The document shows tasks feature by feature.
  const added = tasks.filter(isNew(draft.tasks));
  const old = tasks.filter((task) => !added.includes(task));
  const isOrdered = tasks.length === 0 || isSameOrder([...tasksByFeature(draft).values()].flat(), old);
  note("order", !isOrdered);
  const read = new Map(tasks.map((task) => [task.id, task]));
  const order = isOrdered
    ? [...draft.tasks.flatMap((task) => (gone.has(idKey(task.id)) ? [] : (read.get(task.id) ?? task))), ...added]
    : tasks;
  return {
    draft: {
      ...draft,
      ...about,
      initiatives: above.initiatives,
      features: [...draft.features, ...features.filter(isNew(draft.features))]
        .filter(({ id }) => !gone.has(idKey(id)))
        .map((feature) =>
          moved(features.find(({ id }) => id === feature.id) ?? feature, above.parentOf(feature), note),
        ),
      stories: draft.stories.filter(({ id, feature }) => !gone.has(idKey(id)) && !gone.has(idKey(feature))),
      tasks: order.map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => !gone.has(idKey(id))) })),
      decisions: draft.decisions.map((each) => ({ ...each, tasks: each.tasks.filter((id) => !gone.has(idKey(id))) })),
    },
    changes: [...changes, ...removed.map((id) => `${id} removed`)],
    removed,
  };
}

const isNew = (known: readonly { readonly id: string }[]) => {
  const ids = new Set(known.map(({ id }) => idKey(id)));
  return ({ id }: { readonly id: string }): boolean => !ids.has(idKey(id));
};

function moved(feature: DraftFeature, parent: string | undefined, note: NoteChange): DraftFeature {
  note(`${feature.id} parent`, parent !== feature.parent);
  const { parent: _, ...rest } = feature;
  return parent === feature.parent ? feature : { ...rest, ...defined({ parent }) };
}

/** Lines of the edited document that the plan, written again, does not have: words that only an agent can act on. */
export function unreadLines(edited: string, written: string): string[] {
  const known = new Set(written.split("\n").map(plainLine));
  return edited
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !known.has(plainLine(line)) && !COMPUTED.test(line));
}

/** However it is spaced, and with or without the marks that make it literal. */
const plainLine = (line: string): string => spaced(unescaped(line));

/** The document with other ids where it names nodes: in their headings and in lists of ids. Other words stay as they are. */
export function renameIds(document: string, names: Readonly<Record<string, string>>): string {
  const known = new Map(Object.entries(names).map(([id, name]) => [idKey(id), name]));
  const right = (id: string): string => escaped(known.get(idKey(unescaped(id))) ?? unescaped(id));
  if (known.size === 0) return document;
  return document
    .replace(/^(#{3,4} )(\S+)/gm, (_, marks: string, id: string) => `${marks}${right(id)}`)
    .replace(
      /^(- (?:After|Features): )(.+)$/gm,
      (_, label: string, ids: string) => label + ids.split(", ").map(right).join(", "),
    );
}

/** Lines that say how the plan stands: the program writes them. */
const COMPUTED = /^(<!--|Approved by |Waits for approval)/;

function readAbout(draft: PlanDraft, sections: readonly DocumentSection[], note: NoteChange) {
  const find = (title: string): DocumentSection | undefined =>
    sections.find(({ level, heading }) => level === 2 && heading.toLowerCase() === title);
  const prose = (title: string, before: string): string => {
    const section = find(title);
    return section && before !== "" ? readProse(sectionText(section), before) : before;
  };
  const items = (title: string, before: string[]): string[] => {
    const section = find(title);
    if (!section || before.length === 0) return before;
    const read = section.lines.flatMap((line) => /^- (.+)$/.exec(line)?.[1] ?? []).map(unescaped);
    return isSame(read, before.map(spaced)) ? before : read;
  };
  const heading = sections.find(({ level }) => level === 1)?.heading ?? "";
  const about = {
    title: heading === "" ? draft.title : unescaped(heading),
    overview: prose("overview", draft.overview),
    rollback: prose("rollback", draft.rollback),
    goals: items("goals", draft.goals),
    nonGoals: items("non-goals", draft.nonGoals),
  };
  for (const key of ["title", "overview", "rollback", "goals", "nonGoals"] as const)
    note(key === "nonGoals" ? "non-goals" : key, about[key] !== draft[key]);
  return about;
}

/** Features and tasks as the document has them, with those that a person added. */
function readNodes(
  draft: PlanDraft,
  sections: readonly DocumentSection[],
  note: NoteChange,
): { features: PlanDraft["features"]; tasks: DraftTask[] } {
  const features = new Map(draft.features.map((feature) => [idKey(feature.id), feature]));
  const tasks = new Map(draft.tasks.map((task) => [idKey(task.id), task]));
  const stories = new Map(draft.stories.map((story) => [idKey(story.id), story]));
  const holders = new Set(draft.tasks.map(({ parent }) => idKey(parent)));
  const taken = new Set([...features.keys(), ...tasks.keys(), ...stories.keys()]);
  const read: { features: PlanDraft["features"]; tasks: DraftTask[] } = { features: [], tasks: [] };
  let holder: string | undefined;
  for (const section of sectionsBelow(sections, "Tasks")) {
    const { id, title } = nameInHeading(section.heading);
    if (section.level === 3) {
      const known = features.get(idKey(id));
      const feature = known ?? (holders.has(idKey(id)) ? undefined : newFeature(section.heading, taken));
      holder = feature?.id ?? id;
      if (feature) note(`${feature.id} added`, known === undefined);
      if (feature)
        read.features.push(
          known ? readTitleAndBody(known, title, sectionText(section), note) : withText(feature, section),
        );
    }
    if (section.level !== 4) continue;
    const known = tasks.get(idKey(id));
    const parent = holder ?? draft.features[0]?.id;
    if (known === undefined && (parent === undefined || taken.has(idKey(id)))) continue;
    tasks.delete(idKey(id));
    const story = known && stories.get(idKey(known.parent));
    const isThere = !known || holder === undefined || idKey(story?.feature ?? known.parent) === idKey(holder);
    const task = known ?? newTask(section.heading, parent ?? "", taken);
    const moved = isThere || holder === undefined ? task : { ...task, parent: holder };
    note(`${task.id} parent`, !isThere);
    note(`${task.id} added`, known === undefined);
    const isAsWritten =
      known !== undefined &&
      isThere &&
      title === spaced(known.title) &&
      sectionText(section) === textOf(known, story?.title);
    read.tasks.push(
      isAsWritten ? known : readTask(moved, known ? title : task.title, section, known ? note : () => {}),
    );
  }
  return read;
}

/** What the document says under the heading of a task that nobody edited. */
const textOf = (task: DraftTask, story: string | undefined): string => {
  const [, ...lines] = taskSection(task, story).split("\n");
  return sectionText({ lines });
};

/** `T9 Print a report`, or a title alone: then the program gives an id that is free. */
function newNode(heading: string, taken: Set<string>, letter: string): { id: string; title: string } {
  const { id, title } = nameInHeading(heading);
  const isNamed = /^[A-Za-z]{1,8}[-.]?\d[\w.-]{0,40}$/.test(id) && title !== "";
  let nr = 1;
  while (taken.has(idKey(`${letter}${nr}`))) nr++;
  const made = isNamed ? { id, title } : { id: `${letter}${nr}`, title: unescaped(heading) };
  taken.add(idKey(made.id));
  return made;
}

const newFeature = (heading: string, taken: Set<string>): DraftFeature | undefined =>
  nameInHeading(heading).title === "" ? undefined : { ...newNode(heading, taken, "NF"), body: "" };

const withText = (feature: DraftFeature, section: DocumentSection): DraftFeature => ({
  ...feature,
  body: unescapedProse(sectionText(section)),
});

const newTask = (heading: string, parent: string, taken: Set<string>): DraftTask => ({
  ...newNode(heading, taken, "N"),
  parent,
  kind: "work",
  body: "",
  behaviours: [],
  requirements: [],
  quotes: [],
  dependsOn: [],
  files: [],
  symbols: [],
  checks: [],
  steelThread: false,
});

function missingIn(draft: PlanDraft, read: Pick<PlanDraft, "features" | "tasks">): string[] {
  const there = new Set([...read.features, ...read.tasks].map(({ id }) => idKey(id)));
  // A feature about which nothing is said has no section.
  const holders = new Set([...draft.tasks.map(({ parent }) => parent), ...draft.stories.map(({ feature }) => feature)]);
  const shown = draft.features.filter(({ id, body }) => holders.has(id) || body.trim() !== "");
  return [...shown, ...draft.tasks].filter(({ id }) => !there.has(idKey(id))).map(({ id }) => id);
}

/** Whether what is left of them stands as it did before. */
export function isSameOrder(
  before: readonly { readonly id: string }[],
  now: readonly { readonly id: string }[],
): boolean {
  const ids = now.map(({ id }) => id);
  const stays = new Set(ids);
  const kept = before.map(({ id }) => id).filter((id) => stays.has(id));
  return isSame(kept, ids);
}

/** `T1 A title`: the id, and the title. */
function nameInHeading(heading: string): { readonly id: string; readonly title: string } {
  const [id = "", ...words] = unescaped(heading).split(" ");
  return { id, title: words.join(" ").trim() };
}

/** `parentOf`: where each feature belongs now. */
function readInitiatives(draft: PlanDraft, sections: readonly DocumentSection[], note: NoteChange) {
  const known = new Map(draft.initiatives.map((initiative) => [idKey(initiative.id), initiative]));
  const read: PlanDraft["initiatives"] = [];
  const homes = new Map<string, string>();
  for (const section of sectionsBelow(sections, "Initiatives")) {
    const { id, title } = nameInHeading(section.heading);
    const initiative = known.get(idKey(id));
    if (!initiative || section.level !== 3) continue;
    known.delete(idKey(id));
    const at = section.lines.findLastIndex((line) => line.startsWith(FEATURES_OF));
    const listed = at < 0 ? "" : unescaped((section.lines[at] as string).slice(FEATURES_OF.length));
    for (const feature of listed.split(",")) homes.set(idKey(feature.trim()), initiative.id);
    const lines = at < 0 ? section.lines : section.lines.slice(0, at);
    read.push(readTitleAndBody(initiative, title, sectionText({ lines }), note));
  }
  // A document without its initiatives says nothing about them.
  const isSilent = read.length === 0;
  const own = new Set(draft.initiatives.map(({ id }) => idKey(id)));
  return {
    initiatives: isSilent ? draft.initiatives : read,
    removed: isSilent ? [] : [...known.values()].map(({ id }) => id),
    parentOf: ({ id, parent }: DraftFeature): string | undefined =>
      homes.get(idKey(id)) ?? (!isSilent && parent !== undefined && own.has(idKey(parent)) ? MISSION : parent),
  };
}
