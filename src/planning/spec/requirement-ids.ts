// Requirement ids in a text: REQ-3, REQ-AUTH-3, FR-1, NFR-2.1, R1.2, "Requirement 4"; bare, bracketed, bold, or as the start
// of an item. Never inside a word, a path or code. A spec may number its items in its own way (U01, US-101, AC-1):
// letters that begin two items with different numbers are ids in that spec.

import { remembered } from "./cues.js";

const NUMBER = String.raw`\d{1,6}(?:\.\d{1,4}){0,3}`;

/** `own`: the letters of this spec's own ids, with bars between them. */
const patternFor = remembered((own) => {
  const others = own === "" ? "" : String.raw`|(?:${own})[-_]?${NUMBER}[a-z]?`;
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}_./\\#@$-])(?:(?:REQ|Req|req|N?FR)(?:-[A-Z]{2,12}){0,2}-?${NUMBER}|R\d{1,4}(?:\.\d{1,4}){0,3}|[Rr]equirement\s#?${NUMBER}${others})(?![\p{L}\p{N}_]|[-.][\p{L}\p{N}])`,
    "gu",
  );
});

const LEADING_ID =
  /^[\s[(*_`"|]*([A-Z]{1,8}(?:-[A-Z]{2,8})?)[-_]?(\d{1,5}(?:\.\d{1,4}){0,3})[a-z]?(?=(?<=[A-Z]-?0\d+|\d{3}|[A-Z]-\d+(?:\.\d+)*)\s|[\])*_`"]*(?:\s*[:|–—]|[.)][*_]*\s|\s+-\s|(?<=[\])*_`"])\s|\s*$))/;
/** Priorities, versions and the names of standards look like ids and are none. */
const NO_IDS =
  /^(?:P|Q|V|H|RFC|PEP|ISO|CVE|SHA|UTF|IPV|HTTP|OAUTH|PR|GH|REQ|N?FR|AES|GPT|TLS|SSL|ES|MD|CRC|USB|HMAC|COVID|WCAG)$/;

/** The letters of ids that this spec gives its items, by the starts of its items, cells and headings. */
export function learnPrefixes(starts: Iterable<string>): string[] {
  const numbers = new Map<string, Set<string>>();
  for (const start of starts) {
    const [, prefix = "", number = ""] = LEADING_ID.exec(start) ?? [];
    if (prefix === "" || NO_IDS.test(prefix)) continue;
    numbers.set(prefix, (numbers.get(prefix) ?? new Set()).add(number));
  }
  return [...numbers]
    .filter(([, found]) => found.size > 1)
    .map(([prefix]) => prefix)
    .sort((a, b) => b.length - a.length);
}

const CODE_SPAN = /`[^`]*`/g;
const LONG_ID = /^`(?:REQ|N?FR)-[A-Z0-9.-]*\d`$/;

/** Words after which an id names what must come first. */
const DEPENDENCY =
  /(?:\bdepend(?:s|ent|ing)? (?:up)?on|\brequires?|\bneeds?|\bafter|\bblocked by|\bbuilds? (?:up)?on|\bfollows|\bonce|\bwaits? (?:for|on)|\bprerequisites?|\bdependenc(?:y|ies))\s*(?::\s*)?[[(*_`"]*$/i;
/** Words after which an id is only named in passing. */
const MENTION =
  /(?:\bsee(?: also)?|\bper|\bbefore|\bblocks|\blike|\bcf\.?|\brelated to|\brefers? to|\bsame as|\bfrom|\bin|\bof|\bto|\bwith|\bby)\s*(?::\s*)?[[(*_`"]*$/i;
const AND = /^[\s\])*_`"]*(?:,|;|\/|&|\+|\band\b|\bor\b)[\s[(*_`"]*(?:and\b\s*)?$/i;
const LEADING = /^[\s[(*_`>"|]*$/;

export interface RequirementMention {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** `leads`: the text starts with it, so that this is where it is stated; `states`: it stands anywhere else. */
  readonly role: "leads" | "states" | "depends" | "names";
}

/** The same id is always written the same way: `req-3` is REQ-3, `requirement #4` is Requirement 4. */
export function canonicalRequirement(id: string): string {
  const bare = id.replace(/^[\s[(*_`]+|(?<![\s\])*_`:.])[\s\])*_`:.]+$/g, "");
  const numbered = /^requirement\s*(?:#\s*)?([\d.]+)$/i.exec(bare);
  return numbered === null ? bare.toUpperCase() : `Requirement ${numbered[1]}`;
}

const BOLD_LINES = /(?<![\p{L}\p{N}])__|__(?![\p{L}\p{N}])/gu;

/** The text without code and without bold marks that look like a part of a word; nothing moves. */
function readableIn(text: string): string {
  const words = text.includes("__") ? text.replace(BOLD_LINES, "  ") : text;
  if (!words.includes("`")) return words;
  return words.replace(CODE_SPAN, (span) => (LONG_ID.test(span) ? span : "\u0001".repeat(span.length)));
}

/** `prefixes`: the letters of this spec's own ids. */
export function requirementMentions(text: string, prefixes: readonly string[] = []): RequirementMention[] {
  const found: RequirementMention[] = [];
  const readable = readableIn(text);
  for (const match of readable.matchAll(patternFor(prefixes.join("|")))) {
    const last = found.at(-1);
    const before = readable.slice(Math.max(last?.end ?? 0, match.index - 40), match.index);
    const goesOn = last !== undefined && AND.test(before);
    const role = goesOn
      ? last.role
      : LEADING.test(readable.slice(Math.max(0, match.index - 10), match.index)) && match.index < 10
        ? "leads"
        : DEPENDENCY.test(before)
          ? "depends"
          : MENTION.test(before)
            ? "names"
            : "states";
    found.push({ id: canonicalRequirement(match[0]), start: match.index, end: match.index + match[0].length, role });
  }
  return found;
}

const distinct = (
  mentions: readonly RequirementMention[],
  ...roles: readonly RequirementMention["role"][]
): string[] => [...new Set(mentions.filter(({ role }) => roles.includes(role)).map(({ id }) => id))];

export const statedRequirements = (text: string, prefixes: readonly string[] = []): string[] =>
  distinct(requirementMentions(text, prefixes), "leads", "states");

/** Those that the text starts with. */
export const leadingRequirements = (text: string, prefixes: readonly string[] = []): string[] =>
  distinct(requirementMentions(text, prefixes), "leads");
