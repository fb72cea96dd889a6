// What the outline understands of a spec: its intent, the open questions that state their options, and what it assumes.

import type { Clarification, ClarifyingQuestion } from "../contracts/answers.js";
import { describesText, isDoneStatus, isOpenQuestion } from "../spec/cues.js";
import type { Spec, SpecStatement } from "../spec/spec.js";
import { nameOfWork } from "./capabilities.js";
import { keyHash } from "./keys.js";
import { statedOptions } from "./options.js";
import { workOf } from "./reading/read-work.js";
import { itemsOf } from "./reading/work.js";
import { firstSentence, shorten, withoutMarks } from "./wording.js";

const MOST_QUESTIONS = 50;
const MOST_ASSUMPTIONS = 20;

/** The worker decides; the answer is a decision like any other. */
const LEAVE_OPEN = { label: "Decide during the work", detail: "The worker decides, and writes down why." };
const LEAVE_OUT = { label: "Leave it out", detail: "What the question is about is not part of this plan." };

function questionOf(text: string, below: readonly string[], id: string): ClarifyingQuestion {
  const { options, chosen } = statedOptions(text, below);
  const isStated = options.length > 0;
  const labels = options.map((label) => ({ label, detail: label === chosen ? "The spec proposes it." : "" }));
  const all = options.length >= 2 ? labels : isStated ? [...labels, LEAVE_OPEN] : [LEAVE_OPEN, LEAVE_OUT];
  return {
    id,
    question: shorten(withoutMarks(text), 1_000),
    why: isStated ? "The spec leaves it open." : "The spec leaves it open and states no options.",
    options: all,
    default: chosen ?? (all[0] as { label: string }).label,
  };
}

/** "Read SCOPE.md first", "Source of truth: …": says how to read the document, not what is built. */
const READ_FIRST = /^(?:read|see|note|source of truth|refer)\b/i;

/** Above the first heading, or below the one that names the document. */
const isBeforeHeadings = ({ sections, statements }: Spec, place: number): boolean =>
  sections.filter(({ start, level }) => level > 0 && start < (statements[place]?.start ?? 0)).length < 2;

function intentOf(spec: Spec): string {
  const work = workOf(spec);
  const tells = ({ place }: { place: number }): boolean => {
    const { text = "", kind } = spec.statements[place] ?? {};
    return (
      kind !== "item" &&
      kind !== "row" &&
      !describesText(text) &&
      !READ_FIRST.test(withoutMarks(text)) &&
      !/^[^.]{1,40}:(?:\s.{0,40})?$/.test(withoutMarks(text))
    );
  };
  const isLong = ({ place }: { place: number }): boolean => (spec.statements[place]?.text.length ?? 0) > 60;
  const overviews = work.noWork.filter(({ role }) => role === "overview");
  const headed = overviews.filter(({ place }) => !isBeforeHeadings(spec, place));
  const told = [...headed, ...overviews].find(tells) ?? overviews.find(isLong) ?? overviews[0];
  const first = told ?? work.noWork.find(({ role }) => role === "motivation" || role === "goals");
  const [item] = itemsOf(work);
  // The cells of a row are no sentence.
  const asked = item?.quotes[0]?.includes(" | ") === true ? item.title : item?.quotes[0];
  const words = first === undefined ? asked : spec.statements[first.place]?.text;
  const sentence = words === undefined ? "" : firstSentence(withoutMarks(words));
  const name = work.title === undefined ? "" : nameOfWork(work);
  return shorten([name, sentence].filter((part) => part !== "").join(": ") || nameOfWork(work), 2_000);
}

/** A heading that asks, in a section of questions: what is below it belongs to it. */
const askingHeading = (spec: Spec, section: string): string | undefined => {
  const title = spec.sections.find(({ id }) => id === section)?.title ?? "";
  return /\?\s*$/.test(title) ? title : undefined;
};

/** The questions of a spec, with the items below each. */
function openQuestions(spec: Spec): { text: string; below: string[] }[] {
  const { noWork, openWork } = workOf(spec);
  const asking = noWork.filter(({ role }) => role === "questions").map(({ place }) => place);
  const open = [...asking, ...openWork].sort((a, b) => a - b);
  const found = new Map<string, { text: string; below: string[] }>();
  const asked = new Set(open);
  for (const place of open) {
    const { text, parent, section, kind, cells, columns } = spec.statements[place] as SpecStatement;
    const heading = askingHeading(spec, section);
    const key = heading === undefined ? String(outermost(spec, place, asked)) : section;
    const known = found.get(key);
    // The options of a question, and what is said about it, are part of it.
    if (known !== undefined) {
      if (kind === "item" && String(parent) === key) known.below.push(text);
    } else if (heading !== undefined) found.set(key, { text: heading, below: kind === "item" ? [text] : [] });
    else if (key !== String(place)) continue;
    else if (cells !== undefined) found.set(key, { text: questionCell(cells, columns), below: [] });
    else if (isAsked(spec, place)) found.set(key, { text, below: [] });
  }
  return [...found.values()];
}

/** The question that a statement is below. */
function outermost({ statements }: Spec, place: number, asked: ReadonlySet<number>): number {
  let top = place;
  for (let parent = statements[place]?.parent; parent !== undefined && asked.has(parent); ) {
    top = parent;
    parent = statements[parent]?.parent;
  }
  return top;
}

const questionCell = (cells: readonly string[], columns: readonly string[] = []): string => {
  const at = columns.findIndex((column) => /question|issue|topic|decision/i.test(column));
  return cells[at] ?? cells.find((cell) => cell.includes("?")) ?? cells.join(": ");
};

/** In a section of questions, prose around the list is no question unless it asks. */
function isAsked(spec: Spec, place: number): boolean {
  const { text, kind } = spec.statements[place] as SpecStatement;
  if (text.endsWith(":")) return false;
  return kind === "item" || kind === "row" || isOpenQuestion(text);
}

export function outlineClarification(spec: Spec): Clarification {
  const { noWork } = workOf(spec);
  const assumptions: Clarification["assumptions"] = noWork
    .filter(({ role }) => role === "assumptions")
    .map(({ place }) => ({
      text: shorten(withoutMarks(spec.statements[place]?.text as string), 500),
      because: "The spec says so.",
    }));
  const questions = new Map<string, ClarifyingQuestion>();
  for (const { text, below } of openQuestions(spec)) {
    const id = `Q-${keyHash(text)}`;
    if (withoutMarks(text) !== "" && !questions.has(id)) questions.set(id, questionOf(text, below, id));
  }
  const kept = [...questions.values()].slice(0, MOST_QUESTIONS);
  const more = [...questions.values()].slice(MOST_QUESTIONS).map(({ question }) => question);
  const all = [...statusAssumption(spec), ...languageAssumption(spec), ...assumptions].filter(
    ({ text }) => text !== "",
  );
  const rest = [...all.slice(MOST_ASSUMPTIONS).map(({ text }) => text), ...more.map((text) => shorten(text, 500))];
  return {
    intent: intentOf(spec),
    ambiguities: rest.slice(0, 20),
    questions: kept,
    assumptions: all.slice(0, MOST_ASSUMPTIONS),
  };
}

/** The cues for what is no work are English words. */
function languageAssumption({ text }: Spec): Clarification["assumptions"] {
  const sample = text.slice(0, 20_000);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters < 200 || latin >= letters / 2) return [];
  const because = "The outline planner knows English headings only. Read the plan with care, or plan with a model.";
  return [{ text: "Every section asks for work, unless its marks say otherwise.", because }];
}

/** A document that calls itself finished is planned all the same: whoever asked for a plan should know. */
function statusAssumption(spec: Spec): Clarification["assumptions"] {
  const status = spec.status ?? statedStatus(spec);
  if (status === undefined || !isDoneStatus(status)) return [];
  const text = `The work is still to do, although the document says "${shorten(withoutMarks(status), 60)}".`;
  return [{ text, because: "Its head names that status; the plan treats nothing as done because of it." }];
}

/** "**Status:** Shipped", among the first lines. */
const statedStatus = ({ statements }: Spec): string | undefined =>
  statements
    .slice(0, 8)
    .map(({ text }) => /^status:\s*(.{1,60})$/i.exec(withoutMarks(text))?.[1])
    .find((status) => status !== undefined);
