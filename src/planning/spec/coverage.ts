// How much of a spec the quotes of a plan take up, and what is missing.

import { append } from "../../base/append.js";
import { collapse, isDuty, plainWords } from "./cues.js";
import { findQuote, statementsQuoted } from "./quote.js";
import { canonicalRequirement } from "./requirement-ids.js";
import { countUpTo, type Range, type Spec, type SpecLine } from "./spec.js";

export interface Claims {
  /** Words of the spec that tasks quote. */
  readonly quotes: Iterable<string>;
  /** What tasks say: an example of the spec that stands there whole is in the task. */
  readonly bodies?: Iterable<string>;
  /** Requirement ids that tasks and behaviours name. */
  readonly requirements: Iterable<string>;
  /** Words of the spec that the plan leaves out on purpose, and why. */
  readonly leftOut: Iterable<{ readonly quote: string; readonly reason: string }>;
}

export type Coverage = Readonly<ReturnType<typeof coverage>>;

/** A line counts as planned only if a task carries its words. Fenced blocks count like lines. */
export function coverage(spec: Spec, claims: Claims) {
  const places = new Places(spec);
  const quotedHeadings = new Set<string>();
  const planned = new Set(
    [...new Set(claims.quotes)].flatMap((quote) => places.quoted(quote, quotedHeadings)).concat(places.shown(claims)),
  );
  const leftOut = leftOutPlaces(places, claims, planned, quotedHeadings);
  const isCovered = (place: number): boolean => planned.has(place) || leftOut.has(place);
  const uncovered = places.lines.filter((_, place) => !isCovered(place));
  const met = new Set(Array.from(claims.requirements, canonicalRequirement));
  const ofHeading = headingRequirements(spec);
  for (const id of quotedHeadings) for (const requirement of ofHeading.get(id) ?? []) met.add(requirement);
  const placesOf = new Map<string, number[]>();
  for (const [place, { section, requirements }] of places.lines.entries()) {
    append(placesOf, section, place);
    if (isCovered(place)) for (const id of [...requirements, ...(ofHeading.get(section) ?? [])]) met.add(id);
  }
  return {
    ...shares(places.lines.length, planned.size, uncovered.length),
    reasons: countReasons(leftOut.values()),
    /** `covered`: planned or left out. */
    sections: spec.sections.map(({ id, title }) => {
      const own = placesOf.get(id) ?? [];
      const covered = own.filter(isCovered).length;
      return { id, title, statements: own.length, covered, percent: percent(covered, own.length) };
    }),
    requirements: spec.requirements.map((id) => ({ id, covered: met.has(id) })),
    uncovered,
    /** What is left out although its words are a duty, and is in no task's text. */
    duties: [...leftOut].flatMap(([place, reason]) => {
      const { text, line } = places.lines[place] as SpecLine;
      return reason !== DONE && isDuty(text) && !places.isSaid(claims, text) ? [{ line, text, reason }] : [];
    }),
  };
}

const headingRequirements = ({ sections }: Spec): ReadonlyMap<string, readonly string[]> =>
  new Map(sections.map(({ id, requirements }) => [id, requirements]));

/** The statements of a spec, then its fenced blocks, by number. */
class Places {
  readonly lines: readonly (SpecLine & Range)[];
  readonly #spec: Spec;

  constructor(spec: Spec) {
    this.#spec = spec;
    this.lines = [...spec.statements, ...spec.fences.filter(({ text }) => text !== "")];
  }

  isDone(place: number): boolean {
    return this.#spec.statements[place]?.done === true;
  }

  /** What a quote covers: all that are exactly its words, or what its first occurrence overlaps. */
  quoted(quote: string, quotedHeadings: Set<string>): readonly number[] {
    const { statements } = this.#spec;
    const fences = this.#fences(({ text }) => text === collapse(quote));
    const whole = [...statementsQuoted(this.#spec, quote), ...fences];
    const found = whole.length > 0 ? undefined : findQuote(this.#spec, quote);
    if (found === undefined) return whole;
    quotedHeadings.add(found.section);
    const overlapped = this.#fences(({ start, end }) => start < found.end && end > found.start);
    for (let place = countUpTo(statements, found.start, ({ end }) => end); ; place++) {
      if ((statements[place]?.start ?? found.end) >= found.end) return overlapped;
      overlapped.push(place);
    }
  }

  /** Fenced blocks that stand whole in what a task says. */
  shown({ bodies = [] }: Claims): number[] {
    const texts = Array.from(bodies, collapse);
    return this.#fences(({ text }) => texts.some((body) => body.includes(text)));
  }

  /** "Holds for every task: …" is in the text of each. */
  isSaid({ bodies = [] }: Claims, text: string): boolean {
    const words = plainWords(text).slice(0, 200);
    return Array.from(bodies).some((body) => body.includes(words));
  }

  #fences(fits: (fence: SpecLine & Range) => boolean): number[] {
    const first = this.#spec.statements.length;
    return this.lines.slice(first).flatMap((fence, at) => (fits(fence) ? [first + at] : []));
  }
}

const DONE = "The spec says that it is done.";

/** By its place: the reason why each line is left out that no task carries. */
function leftOutPlaces(places: Places, claims: Claims, planned: ReadonlySet<number>, quotedHeadings: Set<string>) {
  const reasons = new Map<number, string>();
  const leaveOut = (place: number, reason: string): void => {
    if (!planned.has(place) && !reasons.has(place)) reasons.set(place, reason);
  };
  for (const { quote, reason } of claims.leftOut)
    for (const place of places.quoted(quote, quotedHeadings)) leaveOut(place, reason);
  for (const place of places.lines.keys()) if (places.isDone(place)) leaveOut(place, DONE);
  return reasons;
}

const percent = (part: number, all: number): number => (all === 0 ? 100 : Math.floor((part / all) * 100));

/** In percent of all statements, together 100. `planned` is never rounded up and `notUnderstood` never down: nothing looks better
 *  than it is. */
function shares(all: number, planned: number, notUnderstood: number) {
  const unclear = all === 0 ? 0 : Math.ceil((notUnderstood / all) * 100);
  const isAll = planned + notUnderstood === all;
  const taken = isAll ? 100 - unclear : Math.min(percent(planned, all), 100 - unclear);
  return { planned: taken, leftOut: 100 - unclear - taken, notUnderstood: unclear };
}

/** The most frequent first. */
function countReasons(reasons: Iterable<string>) {
  const counted = new Map<string, number>();
  for (const reason of reasons) counted.set(reason, (counted.get(reason) ?? 0) + 1);
  return Array.from(counted, ([reason, statements]) => ({ reason, statements })).sort(
    (a, b) => b.statements - a.statements,
  );
}
