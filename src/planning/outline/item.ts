// Makes one work item from a statement and what belongs to it, or from the paragraphs of a section.

import { statedRequirements } from "../spec/requirement-ids.js";
import type { Section, Spec, SpecStatement } from "../spec/spec.js";
import { labelledChecks } from "./commands.js";
import type { Keys } from "./keys.js";
import { isSequenceTitle } from "./section-roles.js";
import { headingName, labelOf, printable, rowTitle, taskTitle, withoutMarks, withoutNumbering } from "./wording.js";
import { quoteOf, type WorkItem } from "./work.js";

const ABOUT_TESTS =
  /^(?:(?:write|add|create|extend|implement)\s+)?(?:[\w/-]+\s+){0,3}(?:tests?|test suite|test cases|test coverage)\b/i;
const IN_ORDER =
  /\b(?:in (?:this|that|the following|the given) order|in order|these steps|following steps|step by step)\b/i;

const DOES =
  /^(?:it\s+)?(?:add|print|create|return|show|read|write|list|delete|remove|send|start|stop|run|update|set|get|load|save|open|close|check|validate|parse|export|import|render|convert|generate|handle|compute|display|accept|count|search|find|fetch|install|connect|open|sort|filter|merge|copy|move|rename|store|record|report)(?:s|es)\b|\b(?:must|shall|MUST|SHALL)\b/i;

/** Whether a paragraph above a list says itself what is to be done: "Adds one to the counter." */
export const saysWhatIsDone = (text: string): boolean => !text.endsWith(":") && DOES.test(withoutMarks(text));

export const isAboutTests = (title: string): boolean => ABOUT_TESTS.test(title);

const ownRequirements = (statement: SpecStatement, section: Section): readonly string[] =>
  statement.requirements === section.requirements ? [] : statement.requirements;

/** Whether a statement has requirement ids that its heading does not have. */
export const hasOwnRequirements = (statement: SpecStatement, section: Section): boolean =>
  ownRequirements(statement, section).length > 0;

function keyFor(keys: Keys, own: readonly string[], section: Section, words: string): string {
  const [id] = own;
  return id === undefined ? keys.forWords(section.path, words) : keys.forRequirement(id, section.path, words);
}

/** The list that an item is a step of, if its list has an order. */
function sequenceOf(
  spec: Spec,
  statement: SpecStatement,
  section: Section,
  label: string | undefined,
): string | undefined {
  if (statement.kind !== "item") return undefined;
  const lead = statement.lead === undefined ? undefined : spec.statements[statement.lead]?.text;
  const isStep = label !== undefined && /^(?:step|phase|milestone) /.test(label);
  const isOrdered = isStep || isSequenceTitle(section.title) || (lead !== undefined && IN_ORDER.test(lead));
  const list = `${section.id}/${statement.parent ?? ""}/${statement.lead ?? ""}`;
  return isOrdered ? list : undefined;
}

const subItemLine = (item: SpecStatement, below: number): string => {
  const mark = item.kind === "item" ? `${"  ".repeat(Math.max(0, item.depth - below - 1))}- ` : "";
  return `${mark}${printable(item.text)}${item.done && item.checkbox ? " (done)" : ""}`;
};

function rowLines({ cells = [], columns = [] }: SpecStatement): string {
  return cells
    .map((cell, index) => (columns[index] ? `${withoutMarks(columns[index])}: ${printable(cell)}` : printable(cell)))
    .join("\n");
}

/** `inside` are the statements below it, in order. */
export function statementItem(
  spec: Spec,
  keys: Keys,
  section: Section,
  statement: SpecStatement,
  inside: readonly SpecStatement[],
): WorkItem {
  const own = ownRequirements(statement, section);
  const open = inside.filter(({ done }) => !done);
  const title = statement.cells === undefined ? taskTitle(statement.text) : rowTitle(statement.cells);
  const stated = labelOf(statement.text)?.label;
  const sequence = sequenceOf(spec, statement, section, stated);
  // "After step 2" means the second of a numbered list too.
  const label = stated ?? (statement.number === undefined ? undefined : `step ${statement.number}`);
  const words = [statement.text, ...open.map(({ text }) => text)];
  const lines = inside.map((item) => subItemLine(item, statement.depth)).join("\n");
  const body = statement.cells === undefined ? printable(statement.text) : rowLines(statement);
  return {
    key: keyFor(keys, own, section, statement.text),
    kind: isAboutTests(title) ? "test" : "work",
    title: title || headingName(section.title) || "Untitled",
    section,
    quotes: words.map(quoteOf),
    requirements: [
      ...new Set([
        ...statement.requirements,
        ...section.requirements,
        ...open.flatMap(({ requirements }) => requirements),
      ]),
    ].slice(0, 20),
    body: lines === "" ? [body] : [body, lines],
    words,
    checks: words.flatMap(labelledChecks),
    examples: [],
    ...(label === undefined ? {} : { label }),
    ...(sequence === undefined ? {} : { sequence }),
    parts: open.filter(({ kind }) => kind === "item").length,
  };
}

/** A section that is prose, or a heading alone, is one item. `titled` by its heading, else by its first words. */
export function proseItem(
  keys: Keys,
  section: Section,
  paragraphs: readonly SpecStatement[],
  options: { titled: boolean; kind: WorkItem["kind"]; isBase?: boolean },
): WorkItem {
  const [first] = paragraphs;
  const heading = section.level > 0 && options.titled ? headingName(section.title) : "";
  const title =
    heading === "" ? taskTitle(first?.text ?? section.title) : taskTitle(withoutNumbering(section.title)) || heading;
  const own = options.titled ? statedRequirements(section.title) : [];
  const words = paragraphs.length === 0 ? [section.title] : paragraphs.map(({ text }) => text);
  const label = options.titled ? labelOf(section.title)?.label : undefined;
  return {
    key: keyFor(keys, own, section, options.titled ? "" : (first?.text ?? "")),
    kind: options.kind === "work" && isAboutTests(title) ? "test" : options.kind,
    title: title || "Untitled",
    section,
    quotes: words.map(quoteOf),
    requirements: [
      ...new Set([...section.requirements, ...paragraphs.flatMap(({ requirements }) => requirements)]),
    ].slice(0, 20),
    body: words.map(printable),
    words: options.titled ? [section.title, ...words] : words,
    checks: words.flatMap(labelledChecks),
    examples: [],
    ...(label === undefined ? {} : { label }),
    ...(options.isBase === true ? { isBase: true } : {}),
    parts: Math.max(0, paragraphs.length - 1),
  };
}
