// "R-7 depends on R-2.": a sentence that only says which item waits for which is no task. It belongs to the item that waits.

import { canonicalRequirement } from "../../spec/requirement-ids.js";
import { printable, withoutMarks } from "../wording.js";
import type { SpecIndex } from "./spec-index.js";
import { quoteOf, type WorkItem } from "./work.js";

/** What a spec calls one of its items: `step 2`, `R-7`, `#3`. */
const REFERENCE = String.raw`(?:(?:tasks?|steps?|phases?|milestones?|stories|story|items?)\s+#?\d{1,4}(?:\.\d{1,4})*|[A-Za-z]{1,8}-?\d{1,6}(?:\.\d{1,4})*|#?\d{1,4})`;
/** Several of them: `R-1, R-2 and R-3`. */
export const REFERENCES = String.raw`${REFERENCE}(?:\s*(?:,|and|&|\+)\s*(?:and\s+)?${REFERENCE}){0,20}`;

const DONE = String.raw`(?:must |should |can |will |has to |have to )?(?:only )?(?:be )?(?:is |are )?(?:done |built |started |come |comes |finished |implemented )?(?:only )?`;
const WAITS = new RegExp(
  String.raw`^(${REFERENCES})\s+(?:also )?(?:depends? (?:up)?on|requires?|needs|builds? on|waits? for|follows?|(?:is |are )?blocked by|${DONE}after)\s+(${REFERENCES})[.;]?$`,
  "i",
);
const COMES_FIRST = new RegExp(
  String.raw`^(${REFERENCES})\s+(?:blocks?|is (?:a prerequisite|needed|required) (?:for|of|by)|${DONE}before)\s+(${REFERENCES})[.;]?$`,
  "i",
);

/** `steps 1 and 2` names step 1 and step 2. */
export function labelsIn(references: string): string[] {
  let noun = "step";
  return references
    .toLowerCase()
    .split(/\s*(?:,|\band\b|&|\+)\s*/)
    .filter((part) => part !== "")
    .map((part) => {
      const match = /^(task|step|phase|milestone|stor(?:y|ies)|item)s?\s+#?([\d.]+)$/.exec(part);
      if (match !== null) noun = (match[1] as string).replace("stories", "story");
      if (match !== null) return `${noun} ${match[2]}`;
      return /^#?\d/.test(part) ? `${noun} ${part.replace("#", "")}` : part;
    });
}

/** Who waits for whom, if a statement says that and nothing else. */
function relationIn(text: string): { readonly waiting: string; readonly first: string } | undefined {
  const words = withoutMarks(text);
  const [, waiting, first] = WAITS.exec(words) ?? [];
  if (waiting !== undefined && first !== undefined) return { waiting, first };
  const [, before, after] = COMES_FIRST.exec(words) ?? [];
  return before === undefined || after === undefined ? undefined : { waiting: after, first: before };
}

/** Whether a statement is a relation of items that the spec describes elsewhere. */
export function isRelation({ spec }: SpecIndex, place: number): boolean {
  const { text = "", kind } = spec.statements[place] ?? {};
  const named = relationIn(text)?.waiting;
  if (named === undefined || kind === "row") return false;
  const ids = labelsIn(named).map(canonicalRequirement);
  const isStated = (id: string): boolean =>
    spec.sections.some(({ requirements }) => requirements.includes(id)) ||
    spec.statements.some(
      ({ requirements, text: other }, at) => at !== place && requirements.includes(id) && !relationIn(other),
    );
  return kind !== "item" || ids.every(isStated);
}

/** Gives each relation to the items that wait; returns the places of those that name no item of the plan. */
export function giveRelations(index: SpecIndex, items: readonly WorkItem[], places: readonly number[]): number[] {
  const open = items.filter(({ kind }) => kind !== "review");
  return places.filter((place) => {
    const { text } = index.statement(place);
    const { waiting, first } = relationIn(text) as { waiting: string; first: string };
    const named = labelsIn(waiting);
    const ids = new Set(named.map(canonicalRequirement));
    const found = open.filter(
      ({ requirements, label }) => requirements.some((id) => ids.has(id)) || named.includes(label ?? ""),
    );
    for (const item of found) {
      item.quotes.push(quoteOf(text));
      item.body.push(printable(text));
      item.words.push(`Depends on ${first}`);
    }
    return found.length === 0;
  });
}
