// Gives each task the words of the spec that it says it fulfils, so that its worker reads them, and so that only what a task's own text
// holds counts as planned.

import { behavioursOf, type CapabilityMap } from "../contracts/maps.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { findQuote } from "../spec/quote.js";
import { canonicalRequirement } from "../spec/requirement-ids.js";
import type { Spec } from "../spec/spec.js";

/** As many as the contract of a task takes, and as long. */
const MAX_QUOTES = 50;
const MAX_LENGTH = 2_000;

/** The lines that state its requirements, and the quotes of its behaviours. */
export function withSources(draft: PlanDraft, map: CapabilityMap | null, spec: Spec): PlanDraft {
  const behaviours = new Map((map ? behavioursOf(map) : []).map(({ id, quote }) => [id, quote]));
  const stated = statedLines(spec);
  const tasks = draft.tasks.map((task): DraftTask => {
    const quotes = [...task.quotes];
    const sources = [
      ...task.requirements.flatMap((id) => stated.get(canonicalRequirement(id)) ?? []),
      ...task.behaviours.flatMap((id) => behaviours.get(id) ?? []),
    ];
    for (const quote of sources) if (quotes.length < MAX_QUOTES && !holds(spec, quotes, quote)) quotes.push(quote);
    return quotes.length === task.quotes.length ? task : { ...task, quotes };
  });
  return { ...draft, tasks };
}

/** One of the quotes is the same place of the spec. */
function holds(spec: Spec, quotes: readonly string[], quote: string): boolean {
  if (quotes.includes(quote)) return true;
  const wanted = findQuote(spec, quote);
  return quotes.some((each) => {
    const found = findQuote(spec, each);
    return wanted !== undefined && found !== undefined && found.start <= wanted.start && found.end >= wanted.end;
  });
}

/** Lines by the requirement that they state themselves: what stands in a heading says nothing about each line below it. */
function statedLines({ statements, sections }: Spec): ReadonlyMap<string, readonly string[]> {
  const inherited = new Map(sections.map(({ id, requirements }) => [id, requirements]));
  const lines = new Map<string, string[]>();
  for (const { text, requirements, section, done } of statements) {
    if (done || requirements === inherited.get(section)) continue;
    for (const id of requirements)
      lines.set(canonicalRequirement(id), [...(lines.get(canonicalRequirement(id)) ?? []), text.slice(0, MAX_LENGTH)]);
  }
  return lines;
}
