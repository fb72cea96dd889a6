// Makes one work item from a statement and what belongs to it, from several statements that are one thing, or from the
// paragraphs of a section.

import { isOrder, plainWords, priorityOf, statedPriority } from "../spec/cues.js";
import { statedRequirements } from "../spec/requirement-ids.js";
import type { Section, Spec, SpecStatement } from "../spec/spec.js";
import { labelledChecks, toolCommands } from "./commands.js";
import { isSequenceTitle, saysLittle } from "./heading-roles.js";
import { rowCriteria, rowPriority } from "./table-roles.js";
import {
  gateTitle,
  headingName,
  headingTitle,
  labelOf,
  printable,
  rowTitle,
  taskTitle,
  withoutMarks,
  withoutNumbering,
} from "./wording.js";
import { Keys, quoteOf, type WorkItem } from "./work.js";

const WRITES_TESTS =
  /^(?:(?:write|add|create|extend|implement)\s+)(?:(?:more|some|unit|integration|e2e|end-to-end|regression|smoke|load|automated|new|missing|the|an?|property|snapshot|contract|system|api|ui|and)\s+){0,4}(?:tests|test suite|test cases|test coverage|(?<=\b(?:unit|integration|e2e|end-to-end|regression|smoke|an?) )test(?! case))\b/i;
const NAMES_TESTS =
  /^(?:[\w/-]+\s+){0,3}(?:tests|testing|test suite|test cases|test coverage)(?=\s*(?:$|[:(,.–—-]|(?:for|of|that|to|on|with|cover\w*)\b))|^(?:unit|integration|e2e|end-to-end|regression|smoke|load|acceptance|contract|property|snapshot|system|stress) test\b/i;
/** A list that is done from first to last. */
export const IN_ORDER =
  /\b(?:in (?:this|that|the following|the given) order|in order|these steps|following steps|step by step)\b/i;

const DOES =
  /^(?:it\s+)?(?:add|print|create|return|show|read|write|list|delete|remove|send|start|stop|run|update|set|get|load|save|open|close|check|validate|parse|export|import|render|convert|generate|handle|compute|display|accept|count|search|find|fetch|install|connect|open|sort|filter|merge|copy|move|rename|store|record|report)(?:s|es)\b|\b(?:must|shall|MUST|SHALL)\b/i;

/** Whether a paragraph above a list says itself what is to be done: "Adds one to the counter." */
export const saysWhatIsDone = (text: string): boolean => !text.endsWith(":") && DOES.test(withoutMarks(text));

export const isAboutTests = (title: string): boolean =>
  WRITES_TESTS.test(title) || (NAMES_TESTS.test(title) && (!isOrder(title) || /^tests?\b/i.test(title)));

/** Whether a statement has requirement ids that its heading does not have. */
export const hasOwnRequirements = (statement: SpecStatement, section: Section): boolean =>
  ownRequirements(statement, section).length > 0;

const ownRequirements = (statement: SpecStatement, section: Section): readonly string[] =>
  statement.requirements === section.requirements ? [] : statement.requirements;

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
  return isOrdered || endsWithRemoval(spec, statement) ? list : undefined;
}

/** "3. Move the callers, 4. Remove the old API": what takes something away comes after what replaces it. */
function endsWithRemoval({ statements }: Spec, { section, parent, lead, number }: SpecStatement): boolean {
  if (number === undefined) return false;
  const list = statements.filter(
    (each) => each.section === section && each.parent === parent && each.lead === lead && each.number !== undefined,
  );
  const last = list.at(-1)?.text ?? "";
  return list.length > 2 && list.every(({ text }) => isOrder(text)) && REMOVES.test(plainWords(last));
}

const REMOVES = /^(?:remove|delete|drop|retire|switch|turn|deploy|release|publish|announce|roll out)\b/i;

const subItemLine = (item: SpecStatement, below: number): string => {
  const mark = item.kind === "item" ? `${"  ".repeat(Math.max(0, item.depth - below - 1))}- ` : "";
  return `${mark}${printable(item.text)}${item.done && item.checkbox ? " (done)" : ""}`;
};

function rowLines({ cells = [], columns = [] }: SpecStatement): string {
  return cells
    .map((cell, index) => (columns[index] ? `${withoutMarks(columns[index])}: ${printable(cell)}` : printable(cell)))
    .join("\n");
}

const CRITERION =
  /^(?:acceptance(?: criteria| criterion| test)?|done when|definition of done|AC[-\s]?\d[\w.]*|verified (?:by|when)|expected(?: result)?|success criteria)\b|^given\b.{3,}\bthen\b/i;

/** What says when an item is done: its commands are checks, its words are in the body. */
export const criteriaLines = (texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [["Done when:", ...texts.map((text) => `- ${printable(text)}`)].join("\n")];

const requirementsIn = (section: Section, statements: readonly SpecStatement[]): string[] =>
  [...new Set([...statements.flatMap(({ requirements }) => requirements), ...section.requirements])].slice(0, 20);

/** "Should have", "P1 features": what a heading says about everything below it. */
function headingPriority({ path }: Section): number | undefined {
  for (const title of path.toReversed()) {
    const words = /^\W*(must|should|could)[ -]haves?\b/i.exec(withoutNumbering(title))?.[1];
    const stated = words === undefined ? statedPriority(title) : priorityOf(words);
    if (stated !== undefined) return stated;
  }
  return undefined;
}

const MAX_LEAD_LENGTH = 60;
const MAX_NAMES_LENGTH = 100;

/** "Support the following formats:" says little by itself: what is below it is named, as far as it fits. */
function leadTitle(statement: SpecStatement, inside: readonly SpecStatement[]): string {
  const title = taskTitle(statement.text);
  const isLead = /:[*_\s]*$/.test(statement.text) && title.length <= MAX_LEAD_LENGTH;
  const names = inside
    .filter(({ kind, depth, done }) => kind === "item" && depth === statement.depth + 1 && !done)
    .map(({ text }) =>
      withoutMarks(text)
        .replace(/(?:(?<!\s)\s*[([:–—]|(?<!\s)\s+-\s).*$/s, "")
        .replace(/(?<![.;,])[.;,]+$/, ""),
    );
  if (!isLead || names.length < 2 || names.some((name) => name === "" || name.split(" ").length > 6)) return title;
  const fits = (_: string, at: number): boolean => names.slice(0, at + 1).join(", ").length <= MAX_NAMES_LENGTH;
  const shown = names.filter(fits);
  const more = names.length - shown.length;
  return `${title.replace(/\bthe following\b/, "these")}: ${shown.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

/** What every item has; its words may say how to check it. */
export const itemOf = (
  section: Section,
  words: string[],
  own: Pick<WorkItem, "key" | "title" | "body"> & Partial<WorkItem>,
): WorkItem => ({
  kind: "work",
  section,
  quotes: words.map(quoteOf),
  requirements: [],
  words,
  checks: words.flatMap(labelledChecks),
  examples: [],
  parts: 0,
  ...own,
});

/** Another sentence about the same thing. */
export function extendItem(item: WorkItem, { text }: SpecStatement): void {
  item.body.splice(0, 1, [item.body[0], printable(text)].filter((part) => part !== undefined).join(" "));
  item.quotes.push(quoteOf(text));
  item.words.push(text);
  item.checks.push(...labelledChecks(text));
}

/** Sentences of one paragraph are one paragraph again. */
export function paragraphsOf(statements: readonly SpecStatement[], read: (text: string) => string): string[] {
  const blocks: { block: number | undefined; text: string }[] = [];
  for (const { block, text } of statements) {
    const last = blocks.at(-1);
    if (last !== undefined && block !== undefined && last.block === block) last.text += ` ${read(text)}`;
    else blocks.push({ block, text: read(text) });
  }
  return blocks.map(({ text }) => text);
}

/** Makes the items of a spec, each with a key of its own. */
export class ItemMaker {
  readonly #spec: Spec;
  readonly #keys = new Keys();

  constructor(spec: Spec) {
    this.#spec = spec;
  }

  /** `inside` are the statements below it, in order. */
  fromStatement(section: Section, statement: SpecStatement, inside: readonly SpecStatement[]): WorkItem {
    const own = ownRequirements(statement, section);
    const open = inside.filter(({ done }) => !done);
    const title =
      statement.cells === undefined ? leadTitle(statement, inside) : rowTitle(statement.cells, statement.columns);
    const stated = labelOf(statement.text)?.label;
    const words = [statement.text, ...open.map(({ text }) => text)];
    const isBelowCriterion = (parent: number | undefined): boolean =>
      parent !== undefined && CRITERION.test(withoutMarks(this.#spec.statements[parent]?.text ?? ""));
    const criteria = open.filter(({ text, parent }) => CRITERION.test(withoutMarks(text)) || isBelowCriterion(parent));
    const details = inside.filter((each) => !criteria.includes(each));
    const lines = details.map((item) => subItemLine(item, statement.depth)).join("\n");
    const body = statement.cells === undefined ? printable(statement.text) : rowLines(statement);
    const isAsked = [...criteria.map(({ text }) => text), rowCriteria(statement) ?? ""];
    return itemOf(section, words, {
      key: this.#key(own, section, statement.text),
      kind: isAboutTests(title) ? "test" : "work",
      title: title || headingName(section.title) || "Untitled",
      requirements: requirementsIn(section, [statement, ...open]),
      body: [body, ...(lines === "" ? [] : [lines]), ...criteriaLines(criteria.map(({ text }) => text))],
      checks: [...words.flatMap(labelledChecks), ...isAsked.flatMap(toolCommands)],
      priority:
        rowPriority(statement) ?? statedPriority(statement.cells?.[0] ?? statement.text) ?? headingPriority(section),
      // "After step 2" means the second of a numbered list too.
      label: stated ?? (statement.number === undefined ? undefined : `step ${statement.number}`),
      sequence: sequenceOf(this.#spec, statement, section, stated),
      parts: open.filter(({ kind }) => kind === "item").length,
    });
  }

  /** Several statements that are one thing: the fields of a record, what the whole must be like. */
  fromList(section: Section, title: string, statements: readonly SpecStatement[], isQuality: boolean): WorkItem {
    const words = statements.map(({ text }) => text);
    const lines = statements.map((each) =>
      each.cells === undefined ? subItemLine(each, -1) : `- ${rowLines(each).replaceAll("\n", "; ")}`,
    );
    const stated = statements.flatMap(({ text }) => statedPriority(text) ?? []);
    return itemOf(section, words, {
      key: this.#keys.forWords([...section.path, "list"], title),
      title: taskTitle(title) || "Untitled",
      requirements: requirementsIn(section, statements),
      body: [lines.join("\n")],
      priority: stated.length === statements.length ? Math.min(...stated) : undefined,
      isQuality,
      parts: Math.ceil(statements.length / 3),
    });
  }

  /** Something that a person has to bring. */
  gate(section: Section, statement: SpecStatement, inside: readonly SpecStatement[]): WorkItem {
    const words = [statement.text, ...inside.map(({ text }) => text)];
    return itemOf(section, words, {
      key: this.#keys.forWords([...section.path, "gate"], statement.text),
      kind: "gate",
      title: gateTitle(statement.text),
      requirements: requirementsIn(section, [statement]),
      body: words.map(printable),
      checks: [],
    });
  }

  /** A section that is prose, or a heading alone, is one item: `titled` by its heading, else by its first words. */
  fromProse(
    section: Section,
    paragraphs: readonly SpecStatement[],
    { titled, kind = "work", isBase = false }: { titled: boolean; kind?: WorkItem["kind"]; isBase?: boolean },
  ): WorkItem {
    const [first] = paragraphs;
    // "Requirements" says nothing about the paragraph below it.
    const isGeneric = first !== undefined && saysLittle(section.title);
    const heading = section.level > 0 && titled && !isGeneric ? headingName(section.title) : "";
    const title =
      heading === ""
        ? taskTitle(first?.text ?? section.title)
        : headingTitle(withoutNumbering(section.title)) || heading;
    const own = titled ? statedRequirements(section.title, this.#spec.idPrefixes) : [];
    const words = paragraphs.length === 0 ? [section.title] : paragraphs.map(({ text }) => text);
    return itemOf(section, words, {
      key: this.#key(own, section, titled ? "" : (first?.text ?? "")),
      kind: kind === "work" && isAboutTests(title) ? "test" : kind,
      title: title || "Untitled",
      requirements: requirementsIn(section, paragraphs),
      body: paragraphs.length === 0 ? words.map(printable) : paragraphsOf(paragraphs, printable),
      words: titled ? [section.title, ...words] : words,
      priority: statedPriority(section.title),
      label: titled ? labelOf(section.title)?.label : undefined,
      isBase,
      parts: Math.max(0, paragraphs.length - 1),
    });
  }

  #key([id]: readonly string[], { path }: Section, words: string): string {
    return id === undefined ? this.#keys.forWords(path, words) : this.#keys.forRequirement(id, path, words);
  }
}
