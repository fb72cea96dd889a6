// How much of a spec a plan takes up: per section, per requirement id, and what is missing.

import { findQuote, statementsQuoted } from "./quote.js";
import { canonicalRequirement } from "./requirement-ids.js";
import type { Coverage, Spec } from "./spec.js";

export interface Claims {
  /** Words of the spec that tasks or behaviours quote. */
  readonly quotes: Iterable<string>;
  /** Requirement ids that they name. */
  readonly requirements: Iterable<string>;
  /** Words of the spec that the plan leaves out on purpose, and why. */
  readonly leftOut: Iterable<{ readonly quote: string; readonly reason: string }>;
}

/** The place of the first statement that ends after the offset. */
function firstEndingAfter({ statements }: Spec, offset: number): number {
  let low = 0;
  let high = statements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((statements[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A statement is covered by a quote that is the whole of it, or whose first occurrence overlaps it. */
function markQuoted(spec: Spec, quote: string, covered: Set<number>, headings: Set<string>): void {
  const whole = statementsQuoted(spec, quote);
  for (const place of whole) covered.add(place);
  const found = whole.length > 0 ? undefined : findQuote(spec, quote);
  if (found === undefined) return;
  headings.add(found.section);
  let place = firstEndingAfter(spec, found.start);
  for (; (spec.statements[place]?.start ?? found.end) < found.end; place++) covered.add(place);
}

const percent = (part: number, all: number): number => (all === 0 ? 100 : Math.floor((part / all) * 100));

const DONE = "The spec says that it is done.";

/** By its place: the reason why each statement is left out that no task carries. */
function leftOutPlaces(
  spec: Spec,
  claims: Claims,
  planned: ReadonlySet<number>,
  headings: Set<string>,
): Map<number, string> {
  const places = new Map<number, string>();
  for (const { quote, reason } of claims.leftOut) {
    const found = new Set<number>();
    markQuoted(spec, quote, found, headings);
    for (const place of found) if (!planned.has(place) && !places.has(place)) places.set(place, reason);
  }
  for (const [place, { done }] of spec.statements.entries()) {
    if (done && !planned.has(place) && !places.has(place)) places.set(place, DONE);
  }
  return places;
}

function plannedPlaces(spec: Spec, claims: Claims, named: ReadonlySet<string>, headings: Set<string>): Set<number> {
  const planned = new Set<number>();
  for (const quote of new Set(claims.quotes)) markQuoted(spec, quote, planned, headings);
  const ofHeading = new Map(spec.sections.map(({ id, requirements }) => [id, requirements]));
  for (const [place, { done, requirements, section }] of spec.statements.entries()) {
    // The id of a heading is named by every task below it: it says nothing about this statement.
    const isOwn = requirements !== ofHeading.get(section);
    if (!done && isOwn && requirements.some((id) => named.has(id))) planned.add(place);
  }
  return planned;
}

/** `planned` is never rounded up and `notUnderstood` never down: nothing looks better than it is. */
function shares(
  all: number,
  planned: number,
  notUnderstood: number,
): Pick<Coverage, "planned" | "leftOut" | "notUnderstood"> {
  const unclear = all === 0 ? 0 : Math.ceil((notUnderstood / all) * 100);
  const isAll = planned + notUnderstood === all;
  const taken = isAll ? 100 - unclear : Math.min(percent(planned, all), 100 - unclear);
  return { planned: taken, leftOut: 100 - unclear - taken, notUnderstood: unclear };
}

function reasonsOf(leftOut: ReadonlyMap<number, string>): Coverage["reasons"] {
  const counted = new Map<string, number>();
  for (const reason of leftOut.values()) counted.set(reason, (counted.get(reason) ?? 0) + 1);
  return [...counted]
    .map(([reason, statements]) => ({ reason, statements }))
    .sort((a, b) => b.statements - a.statements);
}

/** Per section and per requirement id, what is planned or left out. */
function details(
  spec: Spec,
  isCovered: (place: number) => boolean,
  named: ReadonlySet<string>,
  headings: ReadonlySet<string>,
): Pick<Coverage, "sections" | "requirements"> {
  const counts = new Map(spec.sections.map(({ id }) => [id, { statements: 0, covered: 0 }]));
  const ofHeading = new Map(spec.sections.map(({ id, requirements }) => [id, requirements]));
  const met = new Set(named);
  for (const { id, requirements } of spec.sections) {
    if (headings.has(id)) for (const requirement of requirements) met.add(requirement);
  }
  for (const [place, { section, requirements }] of spec.statements.entries()) {
    const count = counts.get(section);
    if (count === undefined) continue;
    count.statements += 1;
    if (!isCovered(place)) continue;
    count.covered += 1;
    for (const id of [...requirements, ...(ofHeading.get(section) ?? [])]) met.add(id);
  }
  return {
    sections: spec.sections.map(({ id, title }) => {
      const count = counts.get(id) as { statements: number; covered: number };
      return { id, title, ...count, percent: percent(count.covered, count.statements) };
    }),
    requirements: spec.requirements.map((id) => ({ id, covered: met.has(id) })),
  };
}

export function coverage(spec: Spec, claims: Claims): Coverage {
  const named = new Set(Array.from(claims.requirements, canonicalRequirement));
  const headings = new Set<string>();
  const planned = plannedPlaces(spec, claims, named, headings);
  const leftOut = leftOutPlaces(spec, claims, planned, headings);
  const isCovered = (place: number): boolean => planned.has(place) || leftOut.has(place);
  const uncovered = spec.statements.filter((_, place) => !isCovered(place));
  const all = spec.statements.length;
  const counts = { statements: all, planned: planned.size, leftOut: leftOut.size, notUnderstood: uncovered.length };
  return {
    ...shares(all, counts.planned, counts.notUnderstood),
    counts,
    reasons: reasonsOf(leftOut),
    ...details(spec, isCovered, named, headings),
    uncovered,
  };
}
