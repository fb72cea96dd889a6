// Acceptance criteria: those of one item are part of it, those of several are for a reviewer to look at. A command in
// them is a check of that item or of that review, and of nothing else.
//
// Also relations: "R-7 depends on R-2." is no task, but belongs to the item that waits.

import { append } from "../../base/append.js";
import { canonicalRequirement, requirementMentions } from "../spec/requirement-ids.js";
import type { Fence, Section } from "../spec/spec.js";
import { type DraftCheck, fenceChecks, startsWithTool, toolCommands } from "./commands.js";
import type { SectionRole } from "./heading-roles.js";
import { criteriaLines, type ItemMaker } from "./item.js";
import type { SpecIndex } from "./spec-index.js";
import { printable, taskTitle, withoutMarks } from "./wording.js";
import { isWithin, quoteOf, type WorkItem } from "./work.js";

const MAX_PLACES = 30;

export interface Criteria {
  readonly section: Section;
  /** The section whose items they are about; "" is the whole spec. */
  readonly about: string;
  readonly places: readonly number[];
  readonly checks: readonly DraftCheck[];
}

/** Criteria of several headings about the same thing are looked at together. */
export function together(all: readonly Criteria[]): Criteria[] {
  const joined = new Map<string, Criteria>();
  for (const criteria of all) {
    const known = joined.get(criteria.about);
    const places = [...(known?.places ?? []), ...criteria.places];
    const checks = [...(known?.checks ?? []), ...criteria.checks];
    joined.set(criteria.about, { ...(known ?? criteria), places, checks });
  }
  return [...joined.values()];
}

export class CriteriaBook {
  readonly #index: SpecIndex;
  readonly #make: ItemMaker;
  readonly #items: readonly WorkItem[];

  constructor(index: SpecIndex, make: ItemMaker, items: readonly WorkItem[]) {
    this.#index = index;
    this.#make = make;
    this.#items = items;
  }

  /** Gives each item its own; what is about several comes back as reviews. */
  give(criteria: Criteria): WorkItem[] {
    const isLead = (place: number): boolean =>
      criteria.places.some((other) => this.#index.statement(other).lead === place);
    const leads = criteria.places.filter(isLead).map((place) => this.#index.statement(place).text);
    const places = criteria.places.filter((place) => !isLead(place));
    const within = this.#items.filter((item) => isWithin(item.section.id, criteria.about));
    // Criteria below a heading without work are about the whole.
    const items = within.length > 0 ? within : this.#items;
    const reviews = this.#giveOut({ ...criteria, places }, items);
    // "Acceptance criteria:" belongs to what carries the criteria.
    (reviews[0] ?? items[0])?.quotes.push(...leads.map(quoteOf));
    return reviews;
  }

  #giveOut(criteria: Criteria, items: readonly WorkItem[]): WorkItem[] {
    const [only] = items as [WorkItem];
    if (items.length === 1 && criteria.places.length <= MAX_PLACES / 2) {
      this.#giveTo(only, criteria.places);
      only.checks.push(...criteria.checks);
      return [];
    }
    const named = new Map<WorkItem, number[]>();
    const rest: number[] = [];
    for (const place of criteria.places) {
      const item = this.#namedBy(place, items);
      if (item === undefined) rest.push(place);
      else append(named, item, place);
    }
    for (const [item, places] of named) this.#giveTo(item, places);
    return this.#reviews(criteria, rest);
  }

  /** The one item whose id a criterion names: "US-101: the list is empty at first". */
  #namedBy(place: number, items: readonly WorkItem[]): WorkItem | undefined {
    const ids = requirementMentions(this.#index.statement(place).text, this.#index.spec.idPrefixes).map(({ id }) => id);
    const found =
      ids.length === 0 ? [] : items.filter(({ requirements }) => requirements.some((id) => ids.includes(id)));
    return found.length === 1 ? found[0] : undefined;
  }

  #giveTo(item: WorkItem, places: readonly number[]): void {
    const texts = places.map((place) => this.#index.statement(place).text);
    item.quotes.push(...texts.map(quoteOf));
    item.body.push(...criteriaLines(texts));
    item.checks.push(...texts.flatMap(toolCommands));
    item.parts += Math.ceil(places.length / 3);
  }

  #reviews({ section, about, checks }: Criteria, open: readonly number[]): WorkItem[] {
    const of = this.#index.section(about);
    const isWhole =
      of === undefined || this.#index.isPreamble(of) || !this.#items.some((item) => isWithin(item.section.id, about));
    const name = isWhole ? "the whole" : this.#index.nameOf(of);
    const title = taskTitle(`Review ${name} against its acceptance criteria`);
    const reviews: WorkItem[] = [];
    for (let from = 0; from < open.length; from += MAX_PLACES) {
      const chunk = open.slice(from, from + MAX_PLACES).map((place) => this.#index.statement(place));
      const review = this.#make.fromProse(section, chunk, { titled: false, kind: "review" });
      const body = chunk.map(({ text }) => `- ${printable(text)}`).join("\n");
      const own = [...review.checks, ...chunk.flatMap(({ text }) => toolCommands(text)), ...checks];
      const number =
        open.length <= MAX_PLACES ? "" : ` (${from / MAX_PLACES + 1} of ${Math.ceil(open.length / MAX_PLACES)})`;
      const rest = { body: [body], checks: own, words: [], about: isWhole ? "" : about };
      reviews.push({ ...review, title: `${title}${number}`, ...rest });
    }
    return reviews;
  }
}

const MAX_CODE_LENGTH = 3_000;

/** Work is never cut: half a script does something else. */
const codeBlock = ({ language, code, isWork }: Fence): string => {
  const shown = isWork ? code : printable(code).slice(0, MAX_CODE_LENGTH);
  const words = isWork && language !== "run" ? `${language} run` : language;
  return `\`\`\`\`${words}\n${shown}\n\`\`\`\``;
};

/** A fence belongs to the statement before it. Returns those that are in no body, each with what it is. */
export function giveFences(
  fences: readonly Fence[],
  role: SectionRole,
  owner: ReadonlyMap<number, WorkItem>,
  last: WorkItem | undefined,
): LeftFence[] {
  return fences.flatMap((fence) => {
    const own = owner.get(fence.after ?? -1);
    const item = own ?? (role === "work" || role === "testing" ? last : undefined);
    if (item === undefined || (role === "testing" && !fence.inItem && !fence.isWork)) return [{ fence, role }];
    const commands = item.kind === "gate" ? [] : fenceChecks(fence);
    const checks = commands.filter(({ run }) => startsWithTool(run));
    item.checks.push(...checks);
    item.examples.push(...commands.filter((command) => !checks.includes(command)));
    if (checks.length > 0 && checks.length === commands.length) return [{ fence, role: "testing" as const }];
    item.body.push(codeBlock(fence));
    return [];
  });
}

/** A fenced block of the spec that no task shows. */
export interface LeftFence {
  readonly fence: Fence;
  readonly role: SectionRole;
}

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
    .split(/(?<!\s)\s*(?:,|\band\b|&|\+)\s*/)
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
