// Reads an edited plan document back, by id and without a model: titles, bodies, checks, files, dependencies, order, what
// belongs to what, and what the plan says of itself. What only an agent can act on is listed.

import { idKey, MISSION } from "../../model/node/ids.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { codeAt, escaped, escapedProse, unescaped, unescapedProse } from "./markdown.js";
import { FEATURES_OF } from "./plan-document.js";

interface EditedPlan {
  readonly draft: PlanDraft;
  /** One line for each change that was understood: `T1 title`. */
  readonly changes: readonly string[];
  /** Ids of tasks and features whose sections are gone. */
  readonly removed: readonly string[];
}

export function readPlan(draft: PlanDraft, document: string): EditedPlan {
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
      initiatives: above.initiatives,
      features: draft.features
        .filter(({ id }) => !gone.has(idKey(id)))
        .map((feature) => moved(features.find(({ id }) => id === feature.id) ?? feature, above.parentOf, note)),
      stories: draft.stories.filter(({ id, feature }) => !gone.has(idKey(id)) && !gone.has(idKey(feature))),
      tasks: order.map((task) => ({ ...task, dependsOn: task.dependsOn.filter((id) => !gone.has(idKey(id))) })),
      decisions: draft.decisions.map((each) => ({ ...each, tasks: each.tasks.filter((id) => !gone.has(idKey(id))) })),
    },
    changes: [...changes, ...removed.map((id) => `${id} removed`)],
    removed,
  };
}

function moved(
  feature: PlanDraft["features"][number],
  parentOf: ReadInitiatives["parentOf"],
  note: NoteChange,
): PlanDraft["features"][number] {
  const parent = parentOf(feature);
  note(`${feature.id} parent`, parent !== feature.parent);
  const { parent: _, ...rest } = feature;
  return parent === feature.parent ? feature : { ...rest, ...(parent === undefined ? {} : { parent }) };
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
const plainLine = (line: string): string => unescaped(line).replace(/\s+/g, " ").trim();

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

function readAbout(draft: PlanDraft, sections: readonly DocumentSection[], note: NoteChange): Partial<PlanDraft> {
  const find = (title: string): DocumentSection | undefined =>
    sections.find(({ level, heading }) => level === 2 && heading.toLowerCase() === title);
  const changed: { -readonly [K in keyof PlanDraft]?: PlanDraft[K] } = {};
  const title = sections.find(({ level }) => level === 1);
  if (title && unescaped(title.heading) !== draft.title && title.heading !== "") {
    changed.title = unescaped(title.heading);
    note("title", true);
  }
  for (const key of ["overview", "rollback"] as const) {
    const section = find(key);
    if (!section || sectionText(section) === escapedProse(draft[key]) || draft[key] === "") continue;
    changed[key] = unescapedProse(sectionText(section));
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

function readNodes(
  draft: PlanDraft,
  sections: readonly DocumentSection[],
  note: NoteChange,
): { features: PlanDraft["features"]; tasks: DraftTask[] } {
  const features = new Map(draft.features.map((feature) => [idKey(feature.id), feature]));
  const tasks = new Map(draft.tasks.map((task) => [idKey(task.id), task]));
  const stories = new Map(draft.stories.map(({ id, feature }) => [idKey(id), feature]));
  const read: { features: PlanDraft["features"]; tasks: DraftTask[] } = { features: [], tasks: [] };
  let holder: string | undefined;
  for (const section of sectionsBelow(sections, "Tasks")) {
    const { id, title } = nameInHeading(section.heading);
    const [feature, task] = [features.get(idKey(id)), tasks.get(idKey(id))];
    if (section.level === 3) holder = feature?.id ?? id;
    if (feature && section.level === 3) read.features.push(readContainer(feature, title, section, note));
    if (!task || section.level !== 4) continue;
    tasks.delete(idKey(id));
    const isThere = holder === undefined || idKey(stories.get(idKey(task.parent)) ?? task.parent) === idKey(holder);
    const moved = isThere || holder === undefined ? task : { ...task, parent: holder };
    note(`${id} parent`, !isThere);
    read.tasks.push(readTask(moved, title, section, note));
  }
  return read;
}

/** What the program writes about a task, one line each. */
const FACT =
  /^- (?:(?:Story|After|Behaviours|Requirements|Symbols|Check|Its size): |(?:create|modify|extend) `|(?:gate|review|steel thread)\b|(?:.*, )?[\d.]+ h$)/;

/** The list of facts is the last one with a fact in it. What was written after it is for an agent. */
function splitFacts({ lines }: DocumentSection): { readonly body: string; readonly facts: readonly string[] } {
  const last = lines.findLastIndex((line) => FACT.test(line));
  if (last < 0) return { body: sectionText({ lines }), facts: [] };
  let [from, to] = [last, last + 1];
  while (from > 0 && (lines[from - 1] ?? "").startsWith("- ")) from--;
  while ((lines[to] ?? "").startsWith("- ")) to++;
  return {
    body: sectionText({ lines: lines.slice(0, from) }),
    facts: lines.slice(from, to).map((line) => line.slice(2).trim()),
  };
}

const NO_FACTS = "Nothing more is said about it.";

function readTask(task: DraftTask, title: string, section: DocumentSection, note: NoteChange): DraftTask {
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
  note(`${task.id} title`, isOtherTitle(title, task.title));
  note(`${task.id} body`, body !== task.body);
  note(`${task.id} dependencies`, !isSame(dependsOn, task.dependsOn));
  note(`${task.id} checks`, !isSame(checks, task.checks));
  note(`${task.id} files`, !isSame(files, task.files));
  return {
    ...task,
    title: isOtherTitle(title, task.title) ? title : task.title,
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

/** Called for each thing that may have changed. */
type NoteChange = (what: string, isChanged: boolean) => void;

/** `T1 A title`: the id, and the title. */
function nameInHeading(heading: string): { readonly id: string; readonly title: string } {
  const [id = "", ...words] = unescaped(heading).split(" ");
  return { id, title: words.join(" ").trim() };
}

const isOtherTitle = (title: string, before: string): boolean =>
  title !== "" && title !== before.replace(/\s+/g, " ").trim();

function readContainer<T extends { readonly id: string; readonly title: string; readonly body: string }>(
  node: T,
  title: string,
  section: DocumentSection,
  note: NoteChange,
): T {
  const text = sectionText(section);
  const body = text === escapedProse(node.body) ? node.body : unescapedProse(text);
  note(`${node.id} title`, isOtherTitle(title, node.title));
  note(`${node.id} body`, body !== node.body);
  return { ...node, title: isOtherTitle(title, node.title) ? title : node.title, body };
}

interface ReadInitiatives {
  readonly initiatives: PlanDraft["initiatives"];
  /** Initiatives whose sections are gone. */
  readonly removed: readonly string[];
  /** The parent that each feature has now. */
  readonly parentOf: (feature: PlanDraft["features"][number]) => string | undefined;
}

function readInitiatives(draft: PlanDraft, sections: readonly DocumentSection[], note: NoteChange): ReadInitiatives {
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
    read.push(readContainer(initiative, title, { ...section, lines }, note));
  }
  // A document without its initiatives says nothing about them.
  if (read.length === 0) return { initiatives: draft.initiatives, removed: [], parentOf: ({ parent }) => parent };
  const own = new Set(draft.initiatives.map(({ id }) => idKey(id)));
  return {
    initiatives: read,
    removed: [...known.values()].map(({ id }) => id),
    parentOf: ({ id, parent }) =>
      homes.get(idKey(id)) ?? (parent !== undefined && own.has(idKey(parent)) ? MISSION : parent),
  };
}

interface DocumentSection {
  readonly level: number;
  readonly heading: string;
  readonly lines: readonly string[];
}

function sectionsOf(document: string): DocumentSection[] {
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

/** What stands below one heading of the second level, up to the next. */
function sectionsBelow(sections: readonly DocumentSection[], title: string): readonly DocumentSection[] {
  const start = sections.findIndex(({ level, heading }) => level === 2 && heading === title);
  if (start < 0) return [];
  const end = sections.findIndex(({ level }, at) => at > start && level <= 2);
  return sections.slice(start + 1, end < 0 ? undefined : end);
}

const sectionText = ({ lines }: Pick<DocumentSection, "lines">): string =>
  lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
