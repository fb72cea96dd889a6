// What a person reads about an outline plan before approving it: overview, goals, decisions, risks, rollback.

import type { CapabilityMap } from "../contracts/maps.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import type { Spec, SpecStatement } from "../spec/spec.js";
import { nameOfWork, sectionTexts } from "./capabilities.js";
import type { OutlineEdge } from "./dependencies.js";
import { type SectionRole, saysLittle } from "./heading-roles.js";
import { headingName, printable, sameWords, shorten, taskTitle, withoutMarks } from "./wording.js";
import { isWithin, type OutlineWork } from "./work.js";

type About = Omit<PlanDraft, "features" | "stories" | "tasks">;

const MAX_REMARKS = 50;

const ROLLBACK = "Each feature lands as one merge: revert those merges, the last one first.";

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[`${title}:`, ...lines.map((line) => `- ${line}`)].join("\n")];

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

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
  const shown =
    names.length <= 12 ? names.join(", ") : `${names.slice(0, 12).join(", ")} and ${names.length - 12} more`;
  const parts = [
    ...sectionTexts(spec, work, ["overview", "motivation"], { count: 6, length: 800 }),
    `${count(made.tasks, "task")} in ${count(names.length, "feature")}, from the outline of the spec: ${shown}.`,
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

const cellOf = ({ cells }: Remark, names: RegExp): string =>
  [...(cells ?? [])].find(([column]) => names.test(column))?.[1] ?? "";

/** A row with its columns, `Risk: mitigation`, `risk -> mitigation`, `risk. Mitigation: …`. */
function riskOf(remark: Remark): { risk: string; mitigation: string } {
  const risk = cellOf(remark, /\b(?:risks?|threats?|challenges?|issues?|problems?|description)\b/);
  if (risk !== "")
    return { risk, mitigation: cellOf(remark, /\b(?:mitigations?|solutions?|responses?|actions?|plan)\b/) };
  const text = shorten(remark.title === undefined ? remark.text : `${remark.title}: ${remark.text}`, 1_000);
  const split = /^(.+?)(?:[.;,(]?\s*\bmitigat(?:ion|ed by|e)s?\b\s*:?\s*|\s*(?:→|->|=>)\s*)(.+?)\)?$/i.exec(text);
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
  /** By the name of its column. */
  readonly cells?: ReadonlyMap<string, string>;
}

interface Group {
  readonly key: string;
  readonly places: number[];
}

/** An item and a row are things of their own; other statements belong to the item or the heading that they are below. */
function groupsOf({ statements }: Spec, places: readonly number[]): Group[] {
  const groups: Group[] = [];
  const listed = new Set(
    places.filter((place) => isListed(statements[place])).map((place) => statements[place]?.section),
  );
  for (const place of places) {
    const { parent, section, block, kind } = statements[place] as SpecStatement;
    const top = kind === "item" || kind === "row" ? topOf(statements, place) : undefined;
    const own = listed.has(section) ? `paragraph ${block ?? place}` : `section ${section}`;
    const key = top === undefined && parent === undefined ? own : `item ${top ?? topOf(statements, place)}`;
    const last = groups.at(-1);
    if (last?.key === key) last.places.push(place);
    else groups.push({ key, places: [place] });
  }
  return groups;
}

const isListed = (statement: SpecStatement | undefined): boolean =>
  statement !== undefined && (statement.kind === "item" || statement.kind === "row");

function topOf(statements: readonly SpecStatement[], place: number): number {
  let top = place;
  for (let parent = statements[top]?.parent; parent !== undefined; parent = statements[top]?.parent) top = parent;
  return top;
}

/** `whole`: headings below one of the role are one thing each, whatever is below them. */
function remarksOf(spec: Spec, work: OutlineWork, role: SectionRole, whole = false): Remark[] {
  const places = work.noWork.filter((entry) => entry.role === role).map(({ place }) => place);
  const sections = new Set(places.map((place) => spec.statements[place]?.section ?? ""));
  const isBelow = (id: string): boolean =>
    [...sections].some((other) => other !== id && isWithin(id, other)) || hasSiblings(id);
  const hasSiblings = (id: string): boolean => {
    const parent = id.replace(/\.\d+$/, "");
    return id.includes(".") && [...sections].some((other) => other !== id && other.startsWith(`${parent}.`));
  };
  const groups = groupsOf(spec, places);
  const joined: Group[] = [];
  for (const group of groups) {
    const section = spec.statements[group.places[0] as number]?.section ?? "";
    const key = whole && isBelow(section) ? `section ${section}` : group.key;
    const last = joined.at(-1);
    if (last?.key === key) last.places.push(...group.places);
    else joined.push({ key, places: [...group.places] });
  }
  return joined.flatMap(({ key, places: together }) => remarkFrom(spec, key, together));
}

function remarkFrom(spec: Spec, key: string, places: readonly number[]): Remark[] {
  const statements = places.map((place) => spec.statements[place] as SpecStatement);
  const [first] = statements as [SpecStatement];
  const texts = statements.map(({ text }) => withoutMarks(text)).filter((text) => text !== "" && !text.endsWith(":"));
  if (texts.length === 0) return [];
  const title = headingName(spec.sections.find(({ id }) => id === first.section)?.title ?? "");
  const text = shorten(texts.join(" "), 2_000);
  if (first.cells !== undefined && statements.length === 1) {
    const cells = first.cells.map((cell, at): [string, string] => [
      sameWords(first.columns?.[at] ?? ""),
      withoutMarks(cell),
    ]);
    return [{ text, cells: new Map(cells) }];
  }
  return [key.startsWith("section") && title !== "" ? { title, text } : { text }];
}
