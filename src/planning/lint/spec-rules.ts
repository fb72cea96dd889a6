// Whether the plan is what the spec asks for: quotes that are really there, and everything taken up.

import { append } from "../../base/append.js";
import { finding, type LintFinding } from "../contracts/findings.js";
import { type Behaviour, behavioursOf, type CapabilityMap } from "../contracts/maps.js";
import type { DraftTask } from "../contracts/plan-draft.js";
import { type Claims, type Coverage, coverage } from "../spec/coverage.js";
import { findQuote } from "../spec/quote.js";
import { canonicalRequirement } from "../spec/requirement-ids.js";
import type { Spec, SpecLine } from "../spec/spec.js";
import { type LintContext, type LintInput, type LintRule, names, quoted } from "./rules.js";

/** A quote as it should have been, if only quotation marks or dots around it are too many. */
export function mendQuote(spec: Spec, quote: string): string | undefined {
  const unquoted = quote.replace(/^["'“”„«»‘’`\s]+|(?<!["'“”„«»‘’`\s])["'“”„«»‘’`\s]+$/gu, "");
  const bare = unquoted.replace(/^[….\s]+|(?<![….\s])[….\s]+$/gu, "");
  const straight = bare.replace(/[“”„]/gu, '"').replace(/[‘’]/gu, "'");
  for (const words of [unquoted, bare, straight]) {
    if (words !== "" && words !== quote && findQuote(spec, words) !== undefined) return words;
  }
  return undefined;
}

/** What is wrong with a quote that stands at this place; nothing if the spec has it. */
export function* judgeQuote(spec: Spec, sources: readonly Spec[], where: string, quote: string): Iterable<LintFinding> {
  if (sources.some((source) => findQuote(source, quote) !== undefined)) return;
  const corrected = mendQuote(spec, quote);
  const right = corrected === undefined ? {} : { suggestion: `Quote ${quoted(corrected)}.`, fixable: true };
  yield finding("P-QUOTE", where, `${where} quotes ${quoted(quote, 100)}, which is not in the spec.`, right);
}

const quotesAreInSpec: LintRule = function* ({ spec, draft, map, earlier }) {
  if (!spec) return;
  const sources = [spec, ...(earlier?.text ? [earlier.text] : [])];
  for (const { id, quotes } of draft.tasks)
    for (const quote of new Set(quotes)) yield* judgeQuote(spec, sources, id, quote);
  for (const [where, quote] of map ? mapQuotes(map) : [])
    for (const found of judgeQuote(spec, sources, where, quote)) yield { ...found, fixable: false };
};

/** Every quote of a map, with the id of what it stands at. */
export const mapQuotes = ({ domains, leftOut }: CapabilityMap): [where: string, quote: string][] => [
  ...domains.flatMap(({ capabilities }) =>
    capabilities.flatMap((capability) =>
      [capability, ...capability.behaviours].map(({ id, quote }): [string, string] => [id, quote]),
    ),
  ),
  ...leftOut.map(({ quote }): [string, string] => ["leftOut", quote]),
];

/** What the tasks take up, by their own words; settled ones still count, by those of their behaviours too. */
export function claimsOf({ map, earlier }: Pick<LintInput, "map" | "earlier">, open: readonly DraftTask[]): Claims {
  const settled = earlier?.tasks ?? [];
  const tasks = [...open, ...settled];
  const taken = behavioursIn(earlier?.map, settled);
  const named = [...taken, ...behavioursIn(map ?? earlier?.map, open)];
  return {
    bodies: tasks.map(({ body }) => body),
    quotes: [...tasks.flatMap(({ quotes }) => quotes), ...taken.map(({ quote }) => quote)],
    requirements: [...tasks, ...named].flatMap(({ requirements }) => requirements),
    leftOut: [...(map?.leftOut ?? []), ...(earlier?.map?.leftOut ?? [])],
  };
}

function behavioursIn(map: CapabilityMap | undefined, tasks: readonly DraftTask[]): Behaviour[] {
  const named = new Set(tasks.flatMap(({ behaviours }) => behaviours));
  return map ? behavioursOf(map).filter(({ id }) => named.has(id)) : [];
}

export const coverageOf = (input: LintInput): Coverage | undefined =>
  input.spec === undefined ? undefined : coverage(input.spec, claimsOf(input, input.draft.tasks));

/** What is missing although the tasks before took it up. */
export function lost(spec: Spec, found: Coverage, input: LintInput, before: readonly DraftTask[]): Coverage {
  // They name behaviours of the map that they were made from.
  const had = coverage(spec, claimsOf({ earlier: input.earlier }, before));
  const open = new Set(had.uncovered);
  const met = new Set(had.requirements.filter(({ covered }) => covered).map(({ id }) => id));
  return {
    ...found,
    requirements: found.requirements.filter(({ id }) => met.has(id)),
    uncovered: found.uncovered.filter((statement) => !open.has(statement)),
  };
}

export function* uncoveredRequirements(spec: Spec, found: Coverage): Iterable<LintFinding> {
  for (const { id, covered } of found.requirements) {
    if (covered) continue;
    const asked = spec.statements.find(({ requirements }) => requirements.includes(id));
    const at = asked ? ` (line ${asked.line}: ${quoted(asked.text)})` : "";
    const suggestion = `Name ${id} in the task that meets it, or leave its words out on purpose.`;
    yield finding("P-REQUIREMENT", id, `The requirement ${id} of the spec is in no task${at}.`, { suggestion });
  }
}

export function* uncoveredStatements(found: Coverage, mode: LintContext["mode"]): Iterable<LintFinding> {
  const bySection = new Map<string, SpecLine[]>();
  for (const statement of found.uncovered) {
    // Requirement ids have a finding of their own.
    if (statement.requirements.length === 0) append(bySection, statement.section, statement);
  }
  for (const { id, title, percent } of found.sections) {
    const missing = bySection.get(id);
    if (!missing) continue;
    const shown = names(
      missing.map(({ line, text }) => `line ${line} ${quoted(text)}`),
      5,
    );
    const say = `Section ${id} ${quoted(title)} is covered to ${percent} %; not taken up: ${shown}.`;
    yield finding("P-COVERAGE", `section ${id}`, say, mode === "quick" ? { grade: "remark" } : {});
  }
}

/** Left out on purpose or not: whoever approves has to know that a duty is in no task. */
export function* leftOutDuties({ duties }: Coverage): Iterable<LintFinding> {
  if (duties.length === 0) return;
  const lines = duties.map(({ line }) => `line ${line}`);
  const shown = duties.map(({ line, text, reason }) => `line ${line} ${quoted(text)} (${quoted(reason)})`);
  const say = `The spec says must, shall or never in what the plan leaves out: ${names(shown, 5)}.`;
  yield finding("P-DUTY", names(lines), say);
}

const requirementIdsAreKnown: LintRule = function* ({ spec, draft }) {
  if (!spec || spec.requirements.length === 0) return;
  const known = new Set(spec.requirements.map(canonicalRequirement));
  for (const { id, requirements } of draft.tasks) {
    const unknown = requirements.filter((each) => !known.has(canonicalRequirement(each)));
    if (unknown.length === 0) continue;
    const say = `${id} names requirements that the spec does not have: ${names(unknown)}.`;
    yield finding("P-REQUIREMENT-ID", id, say);
  }
};

export const SPEC_RULES: readonly LintRule[] = [quotesAreInSpec, requirementIdsAreKnown];
