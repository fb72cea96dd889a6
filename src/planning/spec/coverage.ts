// How much of a spec a plan takes up: per section, per requirement id, and what is missing.

import { findQuote, statementsQuoted } from "./quote.js";
import { canonicalRequirement } from "./requirement-ids.js";
import type { Coverage, Spec } from "./spec.js";

export interface Claims {
  /** Words of the spec that tasks or behaviours quote. */
  readonly quotes: Iterable<string>;
  /** Requirement ids that they name. */
  readonly requirements: Iterable<string>;
  /** Words of the spec that the plan leaves out on purpose: they count as covered. */
  readonly leftOut: Iterable<string>;
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

const percent = (covered: number, all: number): number => (all === 0 ? 100 : Math.floor((covered / all) * 100));

/** What is ticked as done in the spec counts as covered: nothing is left to do for it. */
function coveredStatements(spec: Spec, claims: Claims, named: ReadonlySet<string>, headings: Set<string>): Set<number> {
  const covered = new Set<number>();
  for (const quote of new Set([...claims.quotes, ...claims.leftOut])) markQuoted(spec, quote, covered, headings);
  for (const [place, { done, requirements }] of spec.statements.entries()) {
    if (done || requirements.some((id) => named.has(id))) covered.add(place);
  }
  return covered;
}

export function coverage(spec: Spec, claims: Claims): Coverage {
  const named = new Set(Array.from(claims.requirements, canonicalRequirement));
  const headings = new Set<string>();
  const covered = coveredStatements(spec, claims, named, headings);
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
    if (!covered.has(place)) continue;
    count.covered += 1;
    for (const id of [...requirements, ...(ofHeading.get(section) ?? [])]) met.add(id);
  }
  return {
    percent: percent(covered.size, spec.statements.length),
    sections: spec.sections.map(({ id, title }) => {
      const count = counts.get(id) as { statements: number; covered: number };
      return { id, title, ...count, percent: percent(count.covered, count.statements) };
    }),
    requirements: spec.requirements.map((id) => ({ id, covered: met.has(id) })),
    uncovered: spec.statements.filter((_, place) => !covered.has(place)),
  };
}
