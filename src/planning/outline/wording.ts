// How the words of a spec become titles and bodies: without marks, on one line where a line is asked for, and cut
// only at the end of a word.

import { collapse, isAnswered, remembered, withoutControls } from "../spec/cues.js";
import { sentencesIn } from "../spec/list-marks.js";
import { requirementMentions } from "../spec/requirement-ids.js";

/** Titles and names come from the start of a text; more is never looked at. */
const MAX_READ = 4_000;

/** Signs that turn the direction of what follows: a title must not change how the rest of a list is read. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/** For texts of several lines. */
export const printable = (text: string): string => withoutControls(text.replaceAll(/\r\n?/g, "\n"));

const cutCleanly = (text: string, max: number): string => text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");

const MARK_SIGNS = "<>*_~";
const MARK_STANDINS = "\uE001\uE002\uE003\uE004\uE005";

/** What a reader of the page would see, on one line; empty if that is nothing. */
export const withoutMarks = remembered((text) => {
  const seen = cutCleanly(text, MAX_READ)
    // Nothing in code is a mark: `<name>` is no tag, and `/auth/*` keeps its star.
    .replaceAll(/`[^`\n]+`|\$[^$\n]{1,200}\$/g, (code) =>
      code.replaceAll(/[<>*_~]/g, (sign) => MARK_STANDINS[MARK_SIGNS.indexOf(sign)] ?? sign),
    )
    .replaceAll(/!?\[([^\][]{0,300})\]\([^()\s]{0,500}(?:\s"[^"]{0,200}")?\)/g, "$1")
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,300}>/g, " ")
    .replaceAll(/\\([\\`*_{}[\]()#+\-.!|~>])/g, "$1")
    .replaceAll(/(?<!\/)\*{1,3}|~~|`+|(?<![\p{L}\p{N}_])_{1,3}|_{1,3}(?![\p{L}\p{N}_])/gu, "")
    .replaceAll(TURNS, "");
  const words = collapse(
    seen.replaceAll(/[\uE001-\uE005]/g, (sign) => MARK_SIGNS[MARK_STANDINS.indexOf(sign)] ?? sign),
  );
  return /[^\p{C}\p{Z}]/u.test(words) ? words : "";
});

/** At most so many characters, cut after a word, with a sign that there is more. */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = cutCleanly(text, max - 1);
  const space = room.lastIndexOf(" ");
  return `${(space > max / 2 ? room.slice(0, space) : room).replace(/(?<![\s,;:(–—-])[\s,;:(–—-]+$/, "")}…`;
}

const NUMBERING = /^(?:§\s*)?(?:\d{1,3}(?:\.\d{1,3})*[.)]?|[IVX]{1,5}\.|[A-Z]\.)\s+(?=\S)/;

/** For titles of tasks: marks are kept, since code keeps its case. */
export const withoutNumbering = (title: string): string => title.trim().replace(NUMBERING, "") || title;

export const headingName = (title: string): string => {
  const name = withoutMarks(title);
  return (
    name
      .replace(NUMBERING, "")
      .replace(SIGNS, "")
      .replace(/(?<!\s)\s*:$/, "")
      .replace(/(?<!\s)\s*\((?:mandatory|optional|required|include if [^()]*)\)$/i, "") || name
  );
};

const LABEL =
  /^\s*(?:[[(]\s*)?((?:[A-Z]{1,8}-?\d{1,6}(?:\.\d{1,4})*)|(?:(?:[Tt]ask|TASK|[Ss]tep|STEP|[Pp]hase|PHASE|[Mm]ilestone|(?:[Uu]ser )?[Ss]tory|[Ii]tem|[Rr]equirement)\s+#?\d{1,4}(?:\.\d{1,4})*))\s*(?:[\])]\s*[:.–—-]?|[:.)–—]|-\s)\s*/;

/** `T3`, `Step 2`: what an item calls itself, apart from requirement ids. */
export function labelOf(text: string): { label: string; rest: string } | undefined {
  const words = withoutMarks(text.slice(0, 300));
  const match = /^\s*`/.test(text) ? null : LABEL.exec(words);
  const label = match?.[1];
  if (match === null || label === undefined) return undefined;
  return { label: label.toLowerCase().replaceAll(/[\s#]+/g, " "), rest: words.slice(match[0].length) };
}

const STORY =
  /^as (?:an?|the) [^,]{1,80}?,? (?:i|we) (?:(?:want|need|would like|should be able|am able|can|must|should|wish)(?: to(?: be able to)?)? )?(.+?)(?:,? so that\b.*|,? in order to\b.*)?$/i;
const ASIDE =
  /(?<!\s)\s*[([](?:depends? on|requires?|needs(?! clarification)|after|blocked by|see)\b[^)\]]{0,200}[)\]]/gi;
const TRAILING_WAIT =
  /(?:[,;.]\s+|(?<![,;.\s])\s+)(?:(?:depends on|blocked by)\s.{0,100}|(?:after|requires|needs)\s+(?:(?:steps?|tasks?|phase)\s+\d[\w.]*|[A-Z]{1,8}-?\d[\w.]*)(?:\s*(?:,|and)\s*[A-Z]{0,8}-?\d[\w.]*)*)$/i;
const CHECK_TAIL = /(?:[,;.(]\s*|(?<![\s,;.(])\s*)\b(?:check|verify|acceptance|verified by)\s*:.*$/i;

const capital = (text: string): string => {
  const first = text[0] as string;
  return /^[a-z]+(?=[\s,;:.)!?/-]|$)/.test(text) ? first.toUpperCase() + text.slice(1) : text;
};

const OWN_ID =
  /^[\s[(]*(?!(?:[A-Z]+-)?(?:SHA|AES|RSA|MD|UTF|ISO|IEEE|RFC|BCP|PEP|HTTP|CRC|IPV|WIN|MP|H|X)[-_]?\d)[A-Z]{1,8}(?:-[A-Z]{2,8})?[-_]?(?:(?:0\d{1,5}|\d{3,5})\s+|\d{1,5}(?:\.\d{1,4}){0,3}[a-z]?[\s\])]*(?:[:.–—]|\s-)\s+)(?=\S)/;
/** `[P] [US1]` before the words of a task. */
const TAGS = /^(?:\[[A-Z][\w?-]{0,10}\]\s*){1,4}(?=\S)/;

/** `🚧 Add a limit` shows how far it is, not what it is. */
const SIGNS = /^(?:\p{Extended_Pictographic}\uFE0F?\s*)+(?=[\p{L}\p{N}])/u;
/** The name of a scenario is its title; its steps are in the body. */
const SCENARIO = /^(?:Scenario(?: Outline| Template)?|Example):\s+(\S.*?)(?<!\s)\s+(?:Given|When)\s.*$/s;

/** Ids at the start say nothing that the task does not hold already. */
function withoutLeadingId(text: string): string {
  const own = OWN_ID.exec(text)?.[0];
  if (own !== undefined && own.length < text.length) return text.slice(own.length);
  const first = requirementMentions(text.slice(0, 60))[0];
  if (first === undefined || !/^[\s[(]*$/.test(text.slice(0, first.start))) return text;
  const rest = text.slice(first.end).replace(/^[\s\])]*[:.–—-]*\s*(?:\((?:must|should|could|may|p\d)\)\s*:?\s*)?/i, "");
  return rest === "" ? text : rest;
}

export const firstSentence = (text: string): string => {
  const [first] = sentencesIn(text.slice(0, MAX_READ));
  return first === undefined ? text : text.slice(first.start, first.end).trim();
};

const SYSTEM_SHALL =
  /^(?:the )?(?:system|app|application|service|tool|software|platform|product|solution) (?:shall|must|should|will) (?:be able to )?(not )?(?=[a-z])/i;
const USERS_CAN =
  /^((?:the |an? |all )?(?:[a-z-]+ ){0,2}(?:users?|admins?|administrators?|customers?|clients?|members?|visitors?|guests?|players?|operators?|managers?|employees?|developers?|owners?|editors?|authors?|moderators?|reviewers?|buyers?|sellers?|students?|teachers?|people|anyone|everyone)(?: of the [a-z]+)?) (?:can|may|(?:must|should|shall|will|needs? to|ha(?:s|ve) to) be able to|(?:is|are) able to) (?!not\b|only\b|be\b)(?:also |then )?(?=[a-z])/i;

/** What a sentence asks for, as an order: "Users can log in" → "Let users log in". */
function asOrder(words: string): string {
  const [start, who] = USERS_CAN.exec(words) ?? [];
  if (start === undefined || who === undefined)
    return words.replace(SYSTEM_SHALL, (_, not: string | undefined) => (not === undefined ? "" : "Do not "));
  const name = /^[A-Z](?:[a-z]|\s)/.test(who) ? who.charAt(0).toLowerCase() + who.slice(1) : who;
  const isOne = !/s$|^(?:the|an?|all|people|anyone|everyone)\b/i.test(name);
  const article = isOne ? (/^[aeio]/i.test(name) ? "an " : "a ") : "";
  return `Let ${article}${name} ${words.slice(start.length)}`;
}

const PRIORITY =
  /(?<!\s)\s*[([](?:priority:?\s*)?(?:p\d|must|should|could|mandatory|optional|required)(?:[ -]have)?[)\]]\s*$/i;
const ASKS = /^(?:please|(?:could|would|can) (?:somebody|someone|anybody|anyone|you)(?: please)?) (?=[a-z])/i;
const OPTIONAL =
  /^(?:TODO|FIXME|ACTION(?: ITEM)?|(?:user )?story)\s*[:-]\s*|^[[(](?:optional|must|should|could|p\d|todo)[\])]\s*:?\s*/i;

/** As long as a title is still read at a glance, and the most that one may have. */
const TITLE_AT_A_GLANCE = 140;
const MAX_TITLE = 200;

/** "**Stop early.** Once …", "**Stop early**: once …": several words that name what follows. */
const BOLD_LEAD = /^(?:\*\*|__)([^*_\n]{5,80}?)(?:[.:]\s?(?:\*\*|__)|(?:\*\*|__)\s?[.:–—])\s+\S/;

/** A title from the words of an item: its name, if it begins with one; else its first sentence, whole; only one that is far too long ends at
 *  a clause. */
export function taskTitle(text: string, max = MAX_TITLE): string {
  const lead = BOLD_LEAD.exec(text.trimStart())?.[1];
  if (lead !== undefined && /\S\s+\S/.test(lead) && !/\d$/.test(lead)) return titleFrom(lead, max, (words) => words);
  return titleFrom(text, max, isAnswered(text) ? (words) => words : firstSentence);
}

/** A title from all of a heading. */
export const headingTitle = (text: string): string => titleFrom(text, MAX_TITLE, (words) => words);

function titleFrom(text: string, max: number, part: (words: string) => string): string {
  // A list that is laid out in columns: "Index   |[get] /products".
  const bare = withoutMarks(text)
    .replace(SIGNS, "")
    .replace(SCENARIO, "$1")
    .replaceAll(/(?<!\s)\s+\|\s*/g, " ");
  let words = withoutLeadingId(bare).replace(TAGS, "").replace(OPTIONAL, "").replace(PRIORITY, "");
  if (ASKS.test(words)) words = words.replace(ASKS, "").replace(/\?$/, "");
  words = labelOf(words)?.rest || words;
  words = words.replaceAll(ASIDE, "").replace(CHECK_TAIL, "").replace(TRAILING_WAIT, "").trim() || words;
  words = STORY.exec(words.replace(/^(as .{1,80}?,? i) never want to /i, "$1 want to never "))?.[1] ?? words;
  words = asOrder(words);
  // Code keeps its case.
  const isCode = /^[\s*_]*`/.test(text);
  const clean = (title: string): string => {
    const trimmed = title.replace(/(?<![\s.;:,。；：，、])[\s.;:,。；：，、]+$/, "") || title;
    return isCode ? trimmed : capital(trimmed);
  };
  const sentence = part(words);
  if (sentence.length <= Math.min(TITLE_AT_A_GLANCE, max)) return clean(sentence);
  const name = /^[^:–—]{3,60}(?=:\s|\s[–—]\s)/.exec(sentence)?.[0];
  if (name !== undefined && name.split(" ").length <= 8) return clean(name);
  if (sentence.length <= max) return clean(sentence);
  const clause =
    /^.{20,}(?=(?:;|:| – | — |, (?:so|which|and|but|because|with|using|when|if|where)\b| so that\b| in order to\b))/.exec(
      sentence.slice(0, Math.min(TITLE_AT_A_GLANCE, max)),
    )?.[0];
  return clause === undefined ? shorten(clean(sentence), max) : clean(clause);
}

/** "User will provide sample files" asks for: Provide sample files. */
export function gateTitle(text: string): string {
  const words = withoutMarks(text);
  const [, who, what] =
    /^(.{1,60}?)\s+(?:will|to|shall|must|should|is going to|has to|needs? to)\s+(?:first\s+)?(.+)$/i.exec(words) ?? [];
  const isVague = who === undefined || /^(?:the )?(?:users?|clients?|customers?|we|you)$/i.test(who);
  return what === undefined ? taskTitle(words) : taskTitle(isVague ? what : `${who}: ${what}`);
}

const NO_TITLE =
  /^(?:id|#|no|nr|key|ref|priority|prio|status|state|owner|assignee|estimate|points|release|version|effort|sprint|moscow)$/;

/** Columns that say what the thing of the first column is to do. */
const DESCRIBES =
  /^(?:description|purpose|details?|what(?: it does)?|behaviou?r|summary|action|definition|explanation)$/;
const SAYS_LITTLE = /^(?:n\/?a|none|yes|no|tbd|-|–|—|✓|✅|❌|[$€£]?\d[\d.,]*\s*\S{0,6})$/i;

/** The title of a row: its first cell that is more than an id, with the next one if that alone says little. */
export function rowTitle(cells: readonly string[], columns: readonly string[] = []): string {
  const named = cells.filter(
    (cell, index) => !NO_TITLE.test(sameWords(columns[index] ?? "")) && !/^#?\d*\.?$/.test(cell.trim()),
  );
  const words = (named.length > 0 ? named : cells).map(withoutMarks).filter((cell) => cell !== "");
  const telling = words.filter((cell) => cell.length > 12 || requirementMentions(cell)[0]?.id.length !== cell.length);
  const [first = words.join(" "), ...others] = telling;
  const described = withoutMarks(cells[columns.findIndex((column) => DESCRIBES.test(sameWords(column)))] ?? "");
  const second = described !== "" && described !== first ? described : others.find((cell) => !SAYS_LITTLE.test(cell));
  const isTold = (described !== "" || cells.length === 2) && (second?.length ?? 0) > 8;
  const isShort = first.length < (isTold ? 40 : 20);
  return taskTitle(isShort && second !== undefined && second !== first ? `${first}: ${second}` : first);
}

/** `User flow` and `user-flow` are the same words. */
export const sameWords = (text: string): string =>
  withoutMarks(text)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
