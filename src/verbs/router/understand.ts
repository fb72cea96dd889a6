// What a sentence asks for, from its words alone: pure, and never a guess. Whether the plan has what the sentence names is
// looked up afterwards (route.ts).

import type { VerbName } from "../../model/next-step.js";
import { ALL_PHRASES, type Phrase } from "./suggest.js";

interface Token {
  readonly typed: string;
  readonly word: string;
  /** In quotation marks: a title, never a verb. */
  readonly quoted: boolean;
}

/** A sentence may be as long as a message. What is longer is no command. */
export const MAX_SENTENCE_LENGTH = 2000;

const QUOTED = /"([^"]*)"|'([^']*)'|`([^`]*)`|“([^“”]*)”|(\S+)/gu;

export function tokenize(text: string): Token[] {
  const plain = text
    .slice(0, MAX_SENTENCE_LENGTH)
    .replaceAll("’", "'")
    .replace(/[\u2010\u2011]/gu, "-")
    .replace(PICTURES, " ");
  return [...plain.matchAll(QUOTED)].flatMap(([whole, ...parts]): Token[] => {
    const open = parts[4];
    if (open === undefined)
      return [{ typed: parts.find((part) => part !== undefined) ?? whole, word: "", quoted: true }];
    const pieces = open.split(",").filter((piece) => piece !== "");
    const typed = pieces.length > 1 && pieces.every(looksLikeId) ? pieces : [open];
    const words = typed.map(withoutSigns).filter((word) => word !== "");
    return words.map((word) => ({ typed: word, word: word.toLowerCase(), quoted: false }));
  });
}

const withoutSigns = (word: string): string => word.replace(/^[([{,;:!?…]+|(?<![)\]},;:!?.…])[)\]},;:!?.…]+$/gu, "");

/** Emoji say how something is meant, not what. */
const PICTURES = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|\u200D/gu;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Because, until: what follows says why. */
const REASON = /(?:^|\s)(?:because(?: of)?|since|until|due to|as long as)\s+(\S[\s\S]*)$/iu;

/** Says to do it, although it has a negation. */
const REMINDER = /\b(?:do not|don['’]?t)\s+forget\s+to\b/giu;

/** "Can you" asks for it to be done; "can we" asks for an opinion. */
const QUESTION = /^\W*(?:can|could|may|might|shall|should|would)\s+(?:i|we)\b/iu;

/** "Could you …?" is a request, whatever its sign. */
const REQUEST = /^\W*(?:(?:ok|okay|hey|hi|please)\W+)*(?:can|could|will|would)\s+you\b/iu;

/** It only asks about something, so it changes nothing. */
export const isOnlyAsked = (text: string): boolean =>
  QUESTION.test(text) || (/(?<![\s?!.])[\s!.]*\?[\s?!.]*$/u.test(text.replace(PICTURES, " ")) && !REQUEST.test(text));

const NEGATIONS: ReadonlySet<string> = setOf(
  "not don't dont never won't can't cannot shouldn't mustn't without avoid no",
);

/** A negation counts for a verb that follows within so many words. */
const NEGATION_REACH = 3;

/** Carries no meaning of its own beside a verb and what it acts on. */
const FILLERS: ReadonlySet<string> = setOf(
  "a an the this that my our your all any please pls plz kindly can could would you let's lets let us me i i'd " +
    "i'll we want need like to now just then so ok okay hey hi and also for of on in at with into from go " +
    "ahead right today again work planwright pw thanks plan everything some task tasks feature features " +
    "story stories node nodes initiative initiatives",
);

export const isFiller = (word: string): boolean => FILLERS.has(word.toLowerCase());

/** Points at something: never a word of a title. */
export const isPronoun = (word: string): boolean => /^(?:it|this|that|these|those|them)$/iu.test(word);

const ID = /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)+|mission|inbox|bugs|[0-9a-f]{8}(?:-?[0-9a-f])*)$/iu;

/** An id has a digit or a capital letter somewhere; `follow-up` is a word. */
export const looksLikeId = (typed: string) => ID.test(typed) && (/[0-9A-Z]/u.test(typed) || !typed.includes("-"));

const FOCUS: Readonly<Record<string, string>> = { feature: "--feature", story: "--story" };
const POINTING: ReadonlySet<string> = new Set(["this", "current", "active"]);

export type Sentence = ReturnType<typeof understand>;

/**
 * `asked`: the operations that the sentence asks for, each once, in the order of the words; `negated`: those that it says not to do.
 * `ids`: words that look like ids: `FEAT-A`, `JIRA-1234`, `MISSION`, the beginning of a UUID. `focus`: what it points at: "it", "this
 * feature". `rest`: the other words as they were typed, from the first that carries a meaning to the last; they may name a node. `tail`:
 * everything after the first verb, unless something that carries a meaning stands before it. `verb`: the words that stand for the first
 * operation, as the table has them: "continue" for thaw. `isQuestion`: it only asks whether something may be done. `reason`: what
 * follows "because".
 */
export function understand(text: string) {
  const said = text.slice(0, MAX_SENTENCE_LENGTH).replace(REMINDER, " ");
  const because = REASON.exec(said);
  const tokens = tokenize(because ? said.slice(0, because.index) : said);
  const ids = tokens.filter(({ quoted, typed }) => !quoted && looksLikeId(typed)).map(({ typed }) => typed);
  const { matches, taken } = findPhrases(tokens, ids.length > 0);
  const isNegated = ({ at }: Match): boolean =>
    tokens.slice(Math.max(0, at - NEGATION_REACH), at).some(({ word }, i, near) => {
      const index = at - near.length + i;
      return NEGATIONS.has(word) && !taken.has(index);
    });
  const wanted = matches.filter((match) => !isNegated(match));
  const left = tokens.filter((_, i) => !taken.has(i));
  const focus = pointedAt(left);
  const others = left.filter(({ typed }) => !ids.includes(typed));
  const cut = cutOff(tokens, taken);
  const counts = (token: Token): boolean => token === cut || isMeaningful(focus)(token);
  const [first, last] = [others.findIndex(counts), others.findLastIndex(counts)];
  const rest = first < 0 ? [] : others.slice(first, last + 1).map(({ typed }) => typed);
  return {
    asked: once(wanted),
    negated: once(matches.filter(isNegated)),
    ids,
    focus,
    rest,
    tail: tailOf(tokens, matches[0]),
    verb: wanted[0]?.phrase.words.join(" ") ?? "",
    isQuestion: isOnlyAsked(said),
    reason: because?.[1]?.trim() ?? null,
  };
}

const PREPOSITIONS: ReadonlySet<string> = setOf("for of on in at with into from to and");

/** A preposition between a verb and the end belongs to that verb: "log in" has nothing to do with the log. */
function cutOff(tokens: readonly Token[], taken: ReadonlySet<number>): Token | undefined {
  const at = tokens.findLastIndex(({ word }) => !POLITE_END.has(word));
  const token = tokens[at];
  const isCut = token && !token.quoted && PREPOSITIONS.has(token.word) && !taken.has(at) && taken.has(at - 1);
  return isCut ? token : undefined;
}

function tailOf(tokens: readonly Token[], first: Match | undefined): string[] {
  if (!first || tokens.slice(0, first.at).some(isMeaningful(null))) return [];
  const after = tokens.filter((_, i) => i > first.at && !first.indices.includes(i));
  const last = after.findLastIndex(({ word }) => !POLITE_END.has(word));
  return after.slice(0, last + 1).map(({ typed }) => typed);
}

const POLITE_END: ReadonlySet<string> = setOf("please pls plz thanks now");

const once = (matches: readonly Match[]): VerbName[] => [...new Set(matches.map(({ phrase }) => phrase.operation))];

const isMeaningful =
  (focus: string | null) =>
  ({ word, quoted }: Token): boolean =>
    quoted || !(FILLERS.has(word) || (focus !== null && (word === "it" || word === "one" || POINTING.has(word))));

/** "it", "this one", "the active task": the focus. "this feature": the feature around it. */
function pointedAt(tokens: readonly Token[]): string | null {
  for (const [i, { word }] of tokens.entries()) {
    if (word === "it") return "--active";
    if (!POINTING.has(word)) continue;
    const after = tokens[i + 1]?.word ?? "";
    if (after === "one" || after === "task" || after === "node") return "--active";
    const around = FOCUS[after];
    if (around !== undefined) return around;
  }
  return null;
}

interface Match {
  readonly at: number;
  readonly phrase: Phrase;
  readonly indices: readonly number[];
}

/** At each word the longest phrase that begins there. "Landing" is a verb beside an id, and a noun in "landing page". */
function findPhrases(tokens: readonly Token[], hasIds: boolean): { matches: Match[]; taken: ReadonlySet<number> } {
  const matches: Match[] = [];
  const taken = new Set<number>();
  for (let at = 0; at < tokens.length; at++) {
    const found = longestAt(tokens, at);
    if (!found || isNoun(tokens, at, found.phrase, hasIds)) continue;
    matches.push({ at, ...found });
    for (const index of found.indices) taken.add(index);
    at = found.indices.at(-1) ?? at;
  }
  return { matches, taken };
}

function longestAt(tokens: readonly Token[], at: number): Omit<Match, "at"> | undefined {
  for (const phrase of ALL_PHRASES) {
    const indices = [0, 1].map((gap) => wordsAt(tokens, at, phrase, gap)).find((found) => found !== undefined);
    if (indices) return { phrase, indices };
  }
  return undefined;
}

/** Where the words of a phrase stand. What it acts on may stand inside: "break FEAT-A down", "wrap it up". */
function wordsAt(tokens: readonly Token[], at: number, phrase: Phrase, gap: number): number[] | undefined {
  const { words } = phrase;
  if (gap > 0 && (words.length === 1 || !isObject(tokens[at + 1]))) return undefined;
  const indices = words.map((_, i) => (i === 0 ? at : at + i + gap));
  const fits = words.every((word, i) => {
    const token = tokens[indices[i] ?? -1];
    return token !== undefined && !token.quoted && (i === 0 ? isForm(token.word, phrase) : token.word === word);
  });
  return fits ? indices : undefined;
}

const isObject = (token: Token | undefined): boolean =>
  token !== undefined && (token.quoted || token.word === "it" || looksLikeId(token.typed));

/** The word itself, or with -ing; of what is listed also the plural. "Merged" tells what was done, and "blocks" what something does. */
function isForm(typed: string, { words: [word = ""], operation }: Phrase): boolean {
  const plain = typed.replace("-", "");
  return plain === word || (operation.startsWith("conflicts.") && plain === `${word}s`) || isGerund(plain, word);
}

const isGerund = (typed: string, word: string): boolean =>
  [word, word.slice(0, -1), `${word}${word.at(-1) ?? ""}`].some((stem) => typed === `${stem}ing`);

/** "the plan" is what is worked on; "plan" at the beginning, or after "please", is what to do. */
function isNoun(tokens: readonly Token[], at: number, { words: [first = "", ...more] }: Phrase, hasIds: boolean) {
  const isId = ({ quoted, typed }: Token): boolean => !quoted && looksLikeId(typed);
  const hasBefore = tokens.slice(0, at).some(isId);
  if ((!hasIds || hasBefore) && isGerund(tokens[at]?.word ?? "", first)) return true;
  // "FEAT-A and FEAT-B block FEAT-C" says how things are.
  if (hasBefore && !isJoined(tokens, at) && tokens.slice(at).some(isId)) return true;
  const before = tokens[at - 1]?.word;
  return more.length === 0 && first === "plan" && before !== undefined && !POLITE.has(before);
}

/** "Approve FEAT-A and land FEAT-B": another verb, not what FEAT-A does. */
const isJoined = (tokens: readonly Token[], at: number): boolean =>
  ALL_PHRASES.some((phrase) => tokens.slice(0, at).some((_, i) => wordsAt(tokens, i, phrase, 0) !== undefined));

const POLITE: ReadonlySet<string> = new Set(["please", "let's", "lets", "to", "now", "and", "then", "ok", "you"]);
