// What a person reads about an outline plan before approving it: overview, goals, decisions, risks, rollback.

import { firstOf } from "../../model/words.js";
import type { CapabilityMap } from "../contracts/maps.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { countOf } from "../draft/headline.js";
import type { Spec, SpecStatement } from "../spec/spec.js";
import { nameOfWork, sectionTexts } from "./capabilities.js";
import type { OutlineEdge } from "./dependencies.js";
import { type SectionRole, saysLittle } from "./heading-roles.js";
import type { OutlineWork } from "./read-work.js";
import { cellOf } from "./table-roles.js";
import { headingName, printable, shorten, taskTitle, withoutMarks } from "./wording.js";
import { isWithin } from "./work.js";

type About = Omit<PlanDraft, "features" | "stories" | "tasks">;

const MAX_REMARKS = 50;

const ROLLBACK = "Each feature lands as one merge: revert those merges, the last one first.";

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[`${title}:`, ...lines.map((line) => `- ${line}`)].join("\n")];

function doneInSpec({ statements }: Spec): string[] {
  const done = statements
    .filter((statement) => statement.done && statement.checkbox)
    .map(({ text }) => taskTitle(text));
  return done.length <= 30 ? done : [...done.slice(0, 30), `and ${done.length - 30} more`];
}

export interface OutlineParts {
  readonly features: readonly { readonly title: string }[];
  readonly tasks: number;
  /** Titles of the tasks of the steel thread, in order. */
  readonly thread: readonly string[];
  readonly impossible: readonly OutlineEdge[];
  readonly stack: string | undefined;
}

/** What no word of the spec says: whoever approves the plan should know. */
const inferred = (hasThread: boolean): string =>
  `Inferred by the outline planner, not stated in the spec: the hours of each task${hasThread ? ", and the order of the tasks that are built first" : ""}.`;

function overviewOf(spec: Spec, work: OutlineWork, made: OutlineParts): string {
  const names = made.features.map(({ title }) => title);
  const shown = firstOf(names, 12);
  const parts = [
    ...sectionTexts(spec, work, ["overview", "motivation"], { count: 6, length: 800 }),
    `${countOf(made.tasks, "task")} in ${countOf(names.length, "feature")}, from the outline of the spec: ${shown}.`,
    ...(made.stack === undefined ? [] : [`Stack: ${withoutMarks(made.stack)}.`]),
    ...(made.thread.length < 2 ? [] : [`Built first, from end to end: ${made.thread.join(" → ")}.`]),
    inferred(made.thread.length > 1),
    ...list("Design", sectionTexts(spec, work, "design", { count: 6, length: 300 })),
    ...list("Holds for every task", sectionTexts(spec, work, "constraints", { count: 10, length: 300 })),
    ...list("Already done, as the spec says", doneInSpec(spec)),
    ...list(
      "The spec has tasks wait for each other; these waits are left out",
      made.impossible.slice(0, 10).map(({ from, to }) => `${from.item.title} after ${to.item.title}`),
    ),
  ];
  return shorten(parts.join("\n\n"), 10_000);
}

/** A row with its columns, `Risk: mitigation`, `risk -> mitigation`, `risk. Mitigation: …`. */
function riskOf(remark: Remark): { risk: string; mitigation: string } {
  const cell = (names: RegExp): string =>
    remark.row === undefined ? "" : withoutMarks(cellOf(remark.row, names) ?? "");
  const risk = cell(/\b(?:risks?|threats?|challenges?|issues?|problems?|description)\b/);
  if (risk !== "") return { risk, mitigation: cell(/\b(?:mitigations?|solutions?|responses?|actions?|plan)\b/) };
  const text = shorten(remark.title === undefined ? remark.text : `${remark.title}: ${remark.text}`, 1_000);
  const split =
    /^(.+?)(?:[.;,(]?(?<!\s)\s*\bmitigat(?:ion|ed by|e)s?\b\s*(?::\s*)?|(?<!\s)\s*(?:→|->|=>)\s*)(\S.*?)\)?$/i.exec(
      text,
    );
  return split === null ? { risk: text, mitigation: "" } : { risk: split[1] as string, mitigation: split[2] as string };
}

export function aboutOf(spec: Spec, map: CapabilityMap, work: OutlineWork, made: OutlineParts): About {
  const decisions = remarksOf(spec, work, "decisions", true).slice(0, MAX_REMARKS);
  const rollback = sectionTexts(spec, work, "rollback", { count: 20, length: 240 });
  return {
    title: nameOfWork(work),
    overview: printable(overviewOf(spec, work, made)),
    goals: map.goals,
    nonGoals: map.nonGoals,
    decisions: decisions.map(({ title, text }, index) => ({
      id: `D${String(index + 1).padStart(2, "0")}`,
      title: taskTitle(title === undefined || saysLittle(title) ? text : title),
      choice: text,
      because: "",
      alternatives: [],
      tasks: [],
    })),
    risks: remarksOf(spec, work, "risks").slice(0, MAX_REMARKS).map(riskOf),
    initiatives: [],
    rollback: rollback.length === 0 ? ROLLBACK : rollback.join("\n"),
  };
}

interface Remark {
  /** The heading, where several paragraphs are one thing. */
  readonly title?: string;
  readonly text: string;
  readonly row?: SpecStatement;
}

const isListed = ({ kind }: SpecStatement): boolean => kind === "item" || kind === "row";

function topOf(statements: readonly SpecStatement[], place: number): number {
  let top = place;
  for (let parent = statements[top]?.parent; parent !== undefined; parent = statements[top]?.parent) top = parent;
  return top;
}

/** An item and a row are things of their own; other statements belong to the item or the heading that they are below.
 *  `whole`: headings below or beside one of the role are one thing each, whatever is below them. */
function remarksOf(spec: Spec, work: OutlineWork, role: SectionRole, whole = false): Remark[] {
  const places = work.noWork.filter((entry) => entry.role === role).map(({ place }) => place);
  const statements = places.map((place) => spec.statements[place] as SpecStatement);
  const sections = new Set(statements.map(({ section }) => section));
  const listed = new Set(statements.filter(isListed).map(({ section }) => section));
  const isPart = (id: string): boolean => {
    const isBeside = (other: string): boolean => id.includes(".") && other.startsWith(id.replace(/(?<!\d)\d+$/, ""));
    return [...sections].some((other) => other !== id && (isWithin(id, other) || isBeside(other)));
  };
  const keyOf = (statement: SpecStatement, place: number): string => {
    const { section, parent, block } = statement;
    if (whole && isPart(section)) return `section ${section}`;
    if (parent !== undefined || isListed(statement)) return `item ${topOf(spec.statements, place)}`;
    return listed.has(section) ? `paragraph ${block ?? place}` : `section ${section}`;
  };
  const groups: { key: string; statements: SpecStatement[] }[] = [];
  for (const [at, statement] of statements.entries()) {
    const key = keyOf(statement, places[at] as number);
    const last = groups.at(-1);
    if (last?.key === key) last.statements.push(statement);
    else groups.push({ key, statements: [statement] });
  }
  return groups.flatMap((group) => remarkFrom(spec, group.key, group.statements));
}

function remarkFrom(spec: Spec, key: string, statements: readonly SpecStatement[]): Remark[] {
  const [first] = statements as [SpecStatement];
  const texts = statements.map(({ text }) => withoutMarks(text)).filter((text) => text !== "" && !text.endsWith(":"));
  if (texts.length === 0) return [];
  const title = headingName(spec.sections.find(({ id }) => id === first.section)?.title ?? "");
  const text = shorten(texts.join(" "), 2_000);
  if (first.cells !== undefined && statements.length === 1) return [{ text, row: first }];
  return [key.startsWith("section") && title !== "" ? { title, text } : { text }];
}
