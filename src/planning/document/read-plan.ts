// Reads an edited plan document back, by id and without a model: titles, bodies, checks, files, dependencies, order, and what
// the plan says of itself. What only an agent can act on is listed.

import { idKey } from "../../graph/node/ids.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { escapedProse } from "./markdown.js";
import { codeAt, unescaped, unescapedProse } from "./unescape.js";

export interface EditedPlan {
  readonly draft: PlanDraft;
  /** One line for each change that was understood: `T1 title`. */
  readonly changes: readonly string[];
  /** Ids of tasks and features whose sections are gone. */
  readonly removed: readonly string[];
}

interface Section {
  readonly level: number;
  readonly heading: string;
  readonly lines: readonly string[];
}

export function readPlan(draft: PlanDraft, document: string): EditedPlan {
  const sections = sectionsOf(document);
  const changes: string[] = [];
  const note = (what: string, isChanged: boolean): void => {
    if (isChanged) changes.push(what);
  };
  const about = readAbout(draft, sections, note);
  const { features, tasks } = readNodes(draft, sections, note);
  // A document without its tasks is no plan: nothing is removed by a section that was lost.
  const removed = tasks.length === 0 ? [] : missingIn(draft, { features, tasks });
  const gone = new Set(removed.map(idKey));
  const isOrdered = tasks.length === 0 || isSameOrder(shownOrder(draft), tasks);
  note("order", !isOrdered);
  const read = new Map(tasks.map((task) => [task.id, task]));
  const order = isOrdered
    ? draft.tasks.flatMap((task) => (gone.has(idKey(task.id)) ? [] : (read.get(task.id) ?? task)))
    : tasks;
  return {
    draft: {
      ...draft,
      ...about,
      features: draft.features
        .filter(({ id }) => !gone.has(idKey(id)))
        .map((feature) => features.find(({ id }) => id === feature.id) ?? feature),
      stories: draft.stories.filter(({ id, feature }) => !gone.has(idKey(id)) && !gone.has(idKey(feature))),
      tasks: order.map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => !gone.has(idKey(id))) })),
      decisions: draft.decisions.map((each) => ({ ...each, tasks: each.tasks.filter((id) => !gone.has(idKey(id))) })),
    },
    changes: [...changes, ...removed.map((id) => `${id} removed`)],
    removed,
  };
}

/** Lines of the edited document that the plan, written again, does not have: words that only an agent can act on. */
export function unreadLines(edited: string, written: string): string[] {
  const known = new Set(written.split("\n").map((line) => line.trim()));
  return edited
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !known.has(line) && !COMPUTED.test(line));
}

/** Tables and headings that the program writes itself: the same facts stand elsewhere. */
const COMPUTED = /^(\||<!--|#{1,6}\s|Approved by |Waits for approval)/;

function sectionsOf(document: string): Section[] {
  const sections: { level: number; heading: string; lines: string[] }[] = [];
  let fence: string | undefined;
  for (const line of document
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n")) {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined) fence = line.trim() === fence ? undefined : fence;
    else fence = mark;
    const heading = fence === undefined ? /^(#{1,6})\s+(.*)$/.exec(line) : null;
    if (heading)
      sections.push({ level: (heading[1] as string).length, heading: (heading[2] as string).trim(), lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections;
}

const textOf = ({ lines }: Pick<Section, "lines">): string =>
  lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

type Note = (what: string, isChanged: boolean) => void;

function readAbout(draft: PlanDraft, sections: readonly Section[], note: Note): Partial<PlanDraft> {
  const find = (title: string): Section | undefined =>
    sections.find(({ level, heading }) => level === 2 && heading.toLowerCase() === title);
  const changed: { -readonly [K in keyof PlanDraft]?: PlanDraft[K] } = {};
  const title = sections.find(({ level }) => level === 1);
  if (title && unescaped(title.heading) !== draft.title && title.heading !== "") {
    changed.title = unescaped(title.heading);
    note("title", true);
  }
  for (const key of ["overview", "rollback"] as const) {
    const section = find(key);
    if (!section || textOf(section) === escapedProse(draft[key]) || draft[key] === "") continue;
    changed[key] = unescapedProse(textOf(section));
    note(key, true);
  }
  for (const [key, name] of [
    ["goals", "goals"],
    ["nonGoals", "non-goals"],
  ] as const) {
    const section = find(name);
    if (!section || draft[key].length === 0) continue;
    const items = section.lines.flatMap((line) => /^- (.+)$/.exec(line)?.[1] ?? []).map(unescaped);
    if (JSON.stringify(items) === JSON.stringify(draft[key].map((each) => each.replace(/\s+/g, " ").trim()))) continue;
    changed[key] = items;
    note(name, true);
  }
  return changed;
}

/** `T1 A title`: the id, and the title. */
function nameOf(heading: string): { readonly id: string; readonly title: string } {
  const [id = "", ...words] = unescaped(heading).split(" ");
  return { id, title: words.join(" ").trim() };
}

function readNodes(
  draft: PlanDraft,
  sections: readonly Section[],
  note: Note,
): { features: PlanDraft["features"]; tasks: DraftTask[] } {
  const features = new Map(draft.features.map((feature) => [idKey(feature.id), feature]));
  const tasks = new Map(draft.tasks.map((task) => [idKey(task.id), task]));
  const stories = new Map(draft.stories.map(({ id, feature }) => [idKey(id), feature]));
  const read: { features: PlanDraft["features"]; tasks: DraftTask[] } = { features: [], tasks: [] };
  const start = sections.findIndex(({ level, heading }) => level === 2 && heading === "Tasks");
  const end = sections.findIndex(({ level }, at) => at > start && level <= 2);
  let holder: string | undefined;
  for (const section of start < 0 ? [] : sections.slice(start + 1, end < 0 ? undefined : end)) {
    const { id, title } = nameOf(section.heading);
    const [feature, task] = [features.get(idKey(id)), tasks.get(idKey(id))];
    if (section.level === 3) holder = feature?.id ?? id;
    if (feature && section.level === 3) read.features.push(readFeature(feature, title, section, note));
    if (!task || section.level !== 4) continue;
    tasks.delete(idKey(id));
    const isThere = holder === undefined || idKey(stories.get(idKey(task.parent)) ?? task.parent) === idKey(holder);
    const moved = isThere || holder === undefined ? task : { ...task, parent: holder };
    note(`${id} parent`, !isThere);
    read.tasks.push(readTask(moved, title, section, note));
  }
  return read;
}

function readFeature(
  feature: PlanDraft["features"][number],
  title: string,
  section: Section,
  note: Note,
): PlanDraft["features"][number] {
  const text = textOf(section);
  const body = text === escapedProse(feature.body) ? feature.body : unescapedProse(text);
  note(`${feature.id} title`, isOther(title, feature.title));
  note(`${feature.id} body`, body !== feature.body);
  return { ...feature, title: title === "" ? feature.title : title, body };
}

const isOther = (title: string, before: string): boolean =>
  title !== "" && title !== before.replace(/\s+/g, " ").trim();

/** What the program writes about a task, one line each. */
const FACT =
  /^- (?:(?:Story|After|Behaviours|Requirements|Symbols|Check|Its size): |(?:create|modify|extend) `|(?:gate|review|steel thread)\b|(?:.*, )?[\d.]+ h$)/;

/** The list of facts is the last one with a fact in it. What was written after it is for an agent. */
function splitFacts({ lines }: Section): { readonly body: string; readonly facts: readonly string[] } {
  const last = lines.findLastIndex((line) => FACT.test(line));
  if (last < 0) return { body: textOf({ lines }), facts: [] };
  let [from, to] = [last, last + 1];
  while (from > 0 && (lines[from - 1] ?? "").startsWith("- ")) from--;
  while ((lines[to] ?? "").startsWith("- ")) to++;
  return {
    body: textOf({ lines: lines.slice(0, from) }),
    facts: lines.slice(from, to).map((line) => line.slice(2).trim()),
  };
}

const NO_FACTS = "Nothing more is said about it.";

function readTask(task: DraftTask, title: string, section: Section, note: Note): DraftTask {
  const { body: text, facts } = splitFacts(section);
  const said = text.replace(NO_FACTS, "").trim();
  const body = said === escapedProse(task.body) ? task.body : unescapedProse(said);
  const after = facts.find((fact) => fact.startsWith("After: "));
  const dependsOn =
    after === undefined
      ? []
      : unescaped(after.slice(7))
          .split(",")
          .map((id) => id.trim());
  const checks = facts.flatMap((fact) => readCheck(task, fact));
  const files = facts.flatMap((fact) => readFile(task, fact));
  const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  note(`${task.id} title`, isOther(title, task.title));
  note(`${task.id} body`, body !== task.body);
  note(`${task.id} dependencies`, !isSame(dependsOn, task.dependsOn));
  note(`${task.id} checks`, !isSame(checks, task.checks));
  note(`${task.id} files`, !isSame(files, task.files));
  return {
    ...task,
    title: isOther(title, task.title) ? title : task.title,
    body,
    dependsOn: dependsOn.filter((id) => id !== ""),
    checks,
    files,
  };
}

/** `Check: CODE in CODE, expects CODE`. What the document does not show of a check stays as it was. */
function readCheck(task: DraftTask, fact: string): DraftTask["checks"] {
  const command = fact.startsWith("Check: ") ? codeAt(fact.slice(7)) : undefined;
  if (!command) return [];
  const folder = command.rest.startsWith(" in ") ? codeAt(command.rest.slice(4)) : undefined;
  const rest = folder ? folder.rest : command.rest;
  const wanted = rest.startsWith(", expects ") ? codeAt(rest.slice(10)) : undefined;
  const before = task.checks.find(({ run }) => run === command.code);
  return [
    {
      ...(before ?? { run: command.code }),
      ...(folder && { cwd: folder.code }),
      ...(wanted && { expect: wanted.code }),
    },
  ];
}

const ACTIONS = ["create", "modify", "extend"] as const;

/** `create CODE: purpose`. */
function readFile(task: DraftTask, fact: string): DraftTask["files"] {
  const action = ACTIONS.find((each) => fact.startsWith(`${each} \``));
  const path = action && codeAt(fact.slice(action.length + 1));
  if (!action || !path) return [];
  const before = task.files.find((file) => file.path === path.code);
  const purpose = path.rest.startsWith(": ") ? unescaped(path.rest.slice(2)) : "";
  const isSame = before !== undefined && before.purpose.replace(/\s+/g, " ").trim() === purpose;
  return [{ ...before, path: path.code, action, purpose: isSame ? before.purpose : purpose }];
}

function missingIn(draft: PlanDraft, read: Pick<PlanDraft, "features" | "tasks">): string[] {
  const there = new Set([...read.features, ...read.tasks].map(({ id }) => idKey(id)));
  // A feature about which nothing is said has no section.
  const holders = new Set([...draft.tasks.map(({ parent }) => parent), ...draft.stories.map(({ feature }) => feature)]);
  const shown = draft.features.filter(({ id, body }) => holders.has(id) || body.trim() !== "");
  return [...shown, ...draft.tasks].filter(({ id }) => !there.has(idKey(id))).map(({ id }) => id);
}

/** Tasks in the order of the document: feature by feature. */
function shownOrder({ features, stories, tasks }: PlanDraft): DraftTask[] {
  const featureOf = new Map(stories.map(({ id, feature }) => [id, feature]));
  const places = new Map(features.map(({ id }, at) => [id, at]));
  const place = ({ parent }: DraftTask): number => places.get(featureOf.get(parent) ?? parent) ?? features.length;
  const others = [...new Set(tasks.map(({ parent }) => featureOf.get(parent) ?? parent))];
  const within = ({ parent }: DraftTask): number => others.indexOf(featureOf.get(parent) ?? parent);
  return tasks.toSorted((a, b) => place(a) - place(b) || within(a) - within(b));
}

const isSameOrder = (before: readonly DraftTask[], now: readonly DraftTask[]): boolean => {
  const ids = new Set(now.map(({ id }) => id));
  const kept = before.filter(({ id }) => ids.has(id)).map(({ id }) => id);
  return kept.join(" ") === now.map(({ id }) => id).join(" ");
};
