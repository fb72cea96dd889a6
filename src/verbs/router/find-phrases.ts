// Which phrases of the table a sentence has, and where.

import { factsOf } from "../kit/facts.js";
import { ALL_PHRASES, GAP, type Phrase, takesNodes } from "./phrases.js";
import { looksLikeId, type Token } from "./tokens.js";

export interface Match {
  readonly at: number;
  readonly phrase: Phrase;
  readonly indices: readonly number[];
  /** "and", "or" or "then" in front of it: a verb of its own, not a word of what the verb before it takes. */
  readonly joinedBy: string | null;
}

/** What a verb acts on is named in a few words: "put the auth flow on hold". */
const MAX_GAP = 7;

/** At each word the longest phrase that begins there. "Landing" is a verb beside an id, and a noun in "landing page". */
export function findPhrases(
  tokens: readonly Token[],
  hasIds: boolean,
): { matches: Match[]; taken: ReadonlySet<number> } {
  const matches: Match[] = [];
  const taken = new Set<number>();
  // What only accompanies another verb never takes a word from it: "the plan" in "let me see the plan" is for `status`.
  for (const isStrong of [true, false]) {
    for (let at = 0; at < tokens.length; at++) {
      const phrases = taken.has(at) ? [] : beginningLike(tokens[at]?.word ?? "");
      const alike = phrases.filter(({ strength }) => (strength === "strong") === isStrong);
      const found = longestAt(tokens, at, { phrases: alike, hasIds });
      if (!found || found.indices.some((index) => taken.has(index))) continue;
      const first = found.indices[0] ?? at;
      matches.push({ ...found, at: first, joinedBy: joining(tokens[first - 1]) });
      for (const index of found.indices) taken.add(index);
      at = found.indices.at(-1) ?? at;
    }
  }
  return { matches: matches.sort((a, b) => a.at - b.at), taken };
}

/** Every form of a word begins with the same letter, so only these are compared: eight times fewer. */
const beginningLike = (word: string): readonly Phrase[] => BY_LETTER.get(word.charAt(0)) ?? [];

const BY_LETTER = new Map<string, Phrase[]>();
for (const phrase of ALL_PHRASES) {
  const letter = phrase.words[0]?.charAt(0) ?? "";
  BY_LETTER.set(letter, [...(BY_LETTER.get(letter) ?? []), phrase]);
}

const joining = (before: Token | undefined): string | null =>
  before !== undefined && /^(?:and|or|then)$/u.test(before.word) ? before.word : null;

/** Where two verbs share a phrase, the one that takes nodes is meant beside an id: "do TASK-1 and TASK-2 overlap". */
function longestAt(
  tokens: readonly Token[],
  at: number,
  { phrases, hasIds }: { readonly phrases: readonly Phrase[]; readonly hasIds: boolean },
): Pick<Match, "phrase" | "indices"> | undefined {
  for (const phrase of phrases) {
    const indices = placesOf(tokens, at, phrase);
    if (!indices || isNoun(tokens, at, phrase, hasIds)) continue;
    const same = phrases.filter(({ words }) => words.join(" ") === phrase.words.join(" "));
    return { phrase: (hasIds && same.find(({ operation }) => takesNodes(operation))) || phrase, indices };
  }
  return undefined;
}

/** Where the words of a phrase stand. What it acts on may stand inside: "break FEAT-A down", "put the login page on hold". */
function placesOf(tokens: readonly Token[], at: number, phrase: Phrase): number[] | undefined {
  const { words } = phrase;
  const first = tokens[at]?.word ?? "";
  const passive = isParticiple(first, words[0] ?? "") ? beforeParticiple(tokens, at) : null;
  if (passive === null && !isForm(first, phrase)) return undefined;
  if (passive !== null) return words.length === 1 ? [...passive, at] : undefined;
  const gap = words.indexOf(GAP);
  if (gap < 0) {
    const object = words.length > 1 && isObject(tokens[at + 1]) ? [1] : [];
    return [0, ...object]
      .map((size) => wordsAt(tokens, at, words, { after: 1, size }))
      .find((found) => found !== undefined);
  }
  const said = words.filter((word) => word !== GAP);
  for (let size = 1; size <= MAX_GAP; size++) {
    const found = wordsAt(tokens, at, said, { after: gap, size });
    if (found) return found;
  }
  return undefined;
}

function wordsAt(
  tokens: readonly Token[],
  at: number,
  words: readonly string[],
  gap: { readonly after: number; readonly size: number },
): number[] | undefined {
  const indices = words.map((_, i) => at + i + (i >= gap.after ? gap.size : 0));
  const fits = words.every((word, i) => {
    const token = tokens[indices[i] ?? -1];
    return token !== undefined && !token.quoted && (i === 0 || token.word === word);
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

const IRREGULAR: Readonly<Record<string, string>> = {
  freeze: "frozen",
  unfreeze: "unfrozen",
  undo: "undone",
  hold: "held",
  thaw: "thawed",
};

const isParticiple = (typed: string, word: string): boolean =>
  typed === IRREGULAR[word] || [`${word}ed`, `${word}d`, `${word}${word.at(-1) ?? ""}ed`].includes(typed);

const DEMANDS = /^(?:(?:needs|has|have) to|can|must) be$/u;

/** The words of a demand: "the auth flow needs to be paused". Without one it only tells what was done. */
function beforeParticiple(tokens: readonly Token[], at: number): number[] | null {
  for (const length of [3, 2]) {
    const demand = tokens.slice(Math.max(0, at - length), at);
    if (demand.length === length && DEMANDS.test(demand.map(({ word }) => word).join(" "))) {
      return demand.map((_, i) => at - length + i);
    }
  }
  return null;
}

/** "the plan" is what is worked on; "plan" at the beginning, or after "please", is what to do. */
function isNoun(tokens: readonly Token[], at: number, phrase: Phrase, hasIds: boolean) {
  const [first = "", ...more] = phrase.words;
  const isId = ({ quoted, typed }: Token): boolean => !quoted && looksLikeId(typed);
  const hasBefore = tokens.slice(0, at).some(isId);
  if (tokens[at]?.word !== first && (!hasIds || hasBefore) && isGerund(tokens[at]?.word ?? "", first)) return true;
  // "FEAT-A and FEAT-B block FEAT-C" says how things are.
  const isReading = factsOf(phrase.operation).effect === "reads";
  if (hasBefore && !isReading && !isJoined(tokens, at) && tokens.slice(at).some(isId)) return true;
  const before = tokens[at - 1]?.word;
  return more.length === 0 && first === "plan" && before !== undefined && !POLITE.has(before);
}

/** "Approve FEAT-A and land FEAT-B": another verb, not what FEAT-A does. */
const isJoined = (tokens: readonly Token[], at: number): boolean =>
  tokens
    .slice(0, at)
    .some(({ word }, i) => beginningLike(word).some((phrase) => placesOf(tokens, i, phrase) !== undefined));

const POLITE: ReadonlySet<string> = new Set(["please", "let's", "lets", "to", "now", "and", "then", "ok", "you"]);
