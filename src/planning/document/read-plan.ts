// Reads an edited plan document back, by id and without a model: titles, bodies, checks, files, dependencies, order, what
// belongs to what, and what the plan says of itself. What only an agent can act on is listed.

import { idKey, MISSION } from "../../model/node/ids.js";
import { spaced } from "../../model/words.js";
import { defined, isSame } from "../contracts/common.js";
import { type DraftFeature, type DraftTask, type PlanDraft, tasksByFeature } from "../contracts/plan-draft.js";
import { codeAt, escaped, escapedProse, markdownLines, unescaped, unescapedProse } from "./markdown.js";
import { FEATURES_OF } from "./plan-document.js";

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
  const isOrdered = tasks.length === 0 || isSameOrder([...tasksByFeature(draft).values()].flat(), tasks);
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

/** Words that were not edited stay as they are, byte for byte. */
const readProse = (text: string, before: string): string =>
  text === escapedProse(before) ? before : unescapedProse(text);

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
    if (feature && section.level === 3) read.features.push(readWords(feature, title, sectionText(section), note));
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
  const words = readWords(task, title, text.replace(NO_FACTS, "").trim(), note);
  const after = facts.find((fact) => fact.startsWith("After: "));
  const dependsOn =
    after === undefined
      ? []
      : unescaped(after.slice(7))
          .split(",")
          .map((id) => id.trim());
  const checks = facts.flatMap((fact) => readCheck(task, fact));
  const files = facts.flatMap((fact) => readFile(task, fact));
  note(`${task.id} dependencies`, !isSame(dependsOn, task.dependsOn));
  note(`${task.id} checks`, !isSame(checks, task.checks));
  note(`${task.id} files`, !isSame(files, task.files));
  return { ...words, dependsOn: dependsOn.filter((id) => id !== ""), checks, files };
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
  const isOld = before !== undefined && spaced(before.purpose) === purpose;
  return [{ ...before, path: path.code, action, purpose: isOld ? before.purpose : purpose }];
}

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

type NoteChange = (what: string, isChanged: boolean) => void;

/** `T1 A title`: the id, and the title. */
function nameInHeading(heading: string): { readonly id: string; readonly title: string } {
  const [id = "", ...words] = unescaped(heading).split(" ");
  return { id, title: words.join(" ").trim() };
}

/** A node with the title and the body that the document has now. */
function readWords<T extends { readonly id: string; readonly title: string; readonly body: string }>(
  node: T,
  title: string,
  text: string,
  note: NoteChange,
): T {
  const isRenamed = title !== "" && title !== spaced(node.title);
  const body = readProse(text, node.body);
  note(`${node.id} title`, isRenamed);
  note(`${node.id} body`, body !== node.body);
  return { ...node, title: isRenamed ? title : node.title, body };
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
    read.push(readWords(initiative, title, sectionText({ lines }), note));
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

interface DocumentSection {
  readonly level: number;
  readonly heading: string;
  readonly lines: readonly string[];
}

function sectionsOf(document: string): DocumentSection[] {
  const sections: { level: number; heading: string; lines: string[] }[] = [];
  for (const { line, isCode } of markdownLines(document.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"))) {
    const [, marks = "", heading = ""] = isCode ? [] : (/^(#{1,6})\s+(.*)$/.exec(line) ?? []);
    if (marks === "") sections.at(-1)?.lines.push(line);
    else sections.push({ level: marks.length, heading: heading.trim(), lines: [] });
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
