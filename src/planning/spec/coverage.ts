// How much of a spec the quotes of a plan take up, and what is missing.

import { append } from "../../base/append.js";
import { findQuote, statementsQuoted } from "./quote.js";
import { canonicalRequirement } from "./requirement-ids.js";
import { countUpTo, type Spec } from "./spec.js";

export interface Claims {
  /** Words of the spec that tasks or behaviours quote. */
  readonly quotes: Iterable<string>;
  /** Requirement ids that they name. */
  readonly requirements: Iterable<string>;
  /** Words of the spec that the plan leaves out on purpose, and why. */
  readonly leftOut: Iterable<{ readonly quote: string; readonly reason: string }>;
}

export type Coverage = Readonly<ReturnType<typeof coverage>>;

/** A statement counts as planned only if a task carries its words. */
export function coverage(spec: Spec, claims: Claims) {
  const named = new Set(Array.from(claims.requirements, canonicalRequirement));
  const quotedHeadings = new Set<string>();
  const planned = plannedPlaces(spec, claims, named, quotedHeadings);
  const leftOut = leftOutPlaces(spec, claims, planned, quotedHeadings);
  const isCovered = (place: number): boolean => planned.has(place) || leftOut.has(place);
  const uncovered = spec.statements.filter((_, place) => !isCovered(place));
  const met = new Set(named);
  const ofHeading = headingRequirements(spec);
  for (const id of quotedHeadings) for (const requirement of ofHeading.get(id) ?? []) met.add(requirement);
  const placesOf = new Map<string, number[]>();
  for (const [place, { section, requirements }] of spec.statements.entries()) {
    append(placesOf, section, place);
    if (isCovered(place)) for (const id of [...requirements, ...(ofHeading.get(section) ?? [])]) met.add(id);
  }
  return {
    ...shares(spec.statements.length, planned.size, uncovered.length),
    reasons: countReasons(leftOut.values()),
    /** `covered`: planned or left out. */
    sections: spec.sections.map(({ id, title }) => {
      const places = placesOf.get(id) ?? [];
      const covered = places.filter(isCovered).length;
      return { id, title, statements: places.length, covered, percent: percent(covered, places.length) };
    }),
    requirements: spec.requirements.map((id) => ({ id, covered: met.has(id) })),
    uncovered,
  };
}

const headingRequirements = ({ sections }: Spec): ReadonlyMap<string, readonly string[]> =>
  new Map(sections.map(({ id, requirements }) => [id, requirements]));

/** The places of the statements that a quote covers: all that are exactly its words, or what its first occurrence overlaps. */
function quotedPlaces(spec: Spec, quote: string, quotedHeadings: Set<string>): readonly number[] {
  const whole = statementsQuoted(spec, quote);
  const found = whole.length > 0 ? undefined : findQuote(spec, quote);
  if (found === undefined) return whole;
  quotedHeadings.add(found.section);
  const places: number[] = [];
  let place = countUpTo(spec.statements, found.start, ({ end }) => end);
  for (; (spec.statements[place]?.start ?? found.end) < found.end; place++) places.push(place);
  return places;
}

function plannedPlaces(spec: Spec, claims: Claims, named: ReadonlySet<string>, quotedHeadings: Set<string>) {
  const planned = new Set<number>();
  for (const quote of new Set(claims.quotes))
    for (const place of quotedPlaces(spec, quote, quotedHeadings)) planned.add(place);
  const ofHeading = headingRequirements(spec);
  for (const [place, { done, requirements, section }] of spec.statements.entries()) {
    // The id of a heading is named by every task below it: it says nothing about this statement.
    const isOwn = requirements !== ofHeading.get(section);
    if (!done && isOwn && requirements.some((id) => named.has(id))) planned.add(place);
  }
  return planned;
}

const DONE = "The spec says that it is done.";

/** By its place: the reason why each statement is left out that no task carries. */
function leftOutPlaces(spec: Spec, claims: Claims, planned: ReadonlySet<number>, quotedHeadings: Set<string>) {
  const reasons = new Map<number, string>();
  const leaveOut = (place: number, reason: string): void => {
    if (!planned.has(place) && !reasons.has(place)) reasons.set(place, reason);
  };
  for (const { quote, reason } of claims.leftOut)
    for (const place of quotedPlaces(spec, quote, quotedHeadings)) leaveOut(place, reason);
  for (const [place, { done }] of spec.statements.entries()) if (done) leaveOut(place, DONE);
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
