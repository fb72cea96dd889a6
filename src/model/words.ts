// Texts as words: in any script, without case, endings of the plural and words that say nothing (a script without spaces gives its
// pairs of characters); how well a text matches, and how many tokens it has.

const STOP = new Set(
  `a an and any are as at be been before but by can could do does for from get had has have how if in into is it its
  just let may more most must need needs no nor not of off on once one only or other our out over own shall should
  so some such than that the their them then there these they this those to too under until up use used uses using
  was we were what when where which while who why will with would you your`.split(/\s+/),
);

const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]`;
/** Made when it is first needed: that takes 0.3 ms, and most commands look for no words. */
let word: RegExp | undefined;
const wordPattern = (): RegExp =>
  (word ??= new RegExp(String.raw`(${UNSPACED}+)|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}])+`, "gu"));

/** `parseConfig` is two words, and so is `HTTPServer`. */
const separate = (text: string): string =>
  text.replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");

const singular = (word: string): string => (/^.{3,}[^su]s$/u.test(word) ? word.slice(0, -1) : word);

const pairs = (run: string): string[] => {
  const characters = Array.from(run);
  return characters.length === 1 ? characters : characters.slice(1).map((c, i) => `${characters[i] as string}${c}`);
};

/** In the order of the text, each as often as it occurs. */
export function wordsOf(text: string): string[] {
  const found: string[] = [];
  for (const [matched, unspaced] of separate(text.normalize("NFKC")).matchAll(wordPattern())) {
    if (unspaced !== undefined) found.push(...pairs(unspaced));
    else if (matched.length > 1 && !STOP.has(matched.toLowerCase())) found.push(singular(matched.toLowerCase()));
  }
  return found;
}

/** The words that occur most often, and of those the first ones. */
export function keywordsOf(text: string, most: number): string[] {
  const counts = new Map<string, number>();
  for (const word of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([word]) => word);
}

export interface Searched {
  /** Its name; a search for it finds it first. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
}

const EXACT = 1_000;
const IN_TITLE = 10;
const PHRASE_IN_TITLE = 50;
const PHRASE_IN_BODY = 5;

/** 0 if a word of the search is nowhere in it. A word in the title counts ten times a word in the body. */
export function relevanceOf(search: string, { id, title, body }: Searched): number {
  const phrase = search.trim().toLowerCase();
  if (id.toLowerCase() === phrase) return EXACT;
  const inTitle = new Set(wordsOf(title));
  const inBody = new Set(wordsOf(body));
  let score = 0;
  for (const word of new Set(wordsOf(search))) {
    const found = (inTitle.has(word) ? IN_TITLE : 0) + (inBody.has(word) ? 1 : 0);
    if (found === 0) return phraseScore(phrase, title, body);
    score += found;
  }
  return score + phraseScore(phrase, title, body);
}

const phraseScore = (phrase: string, title: string, body: string): number => {
  if (phrase === "") return 0;
  if (title.toLowerCase().includes(phrase)) return PHRASE_IN_TITLE;
  return body.toLowerCase().includes(phrase) ? PHRASE_IN_BODY : 0;
};
const LATIN_END = 0x0250;
/** Symbols and punctuation outside Latin, such as dashes and arrows, are one each. */
const ALPHABETS_END = 0x2000;

export const QUARTERS = 4;

/** In quarters of a token, so that the parts of a text add up to the whole. */
export function tokenQuarters(text: string, start = 0, end: number = text.length): number {
  let quarters = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < LATIN_END) quarters += 1;
    else if (code < ALPHABETS_END) quarters += 2;
    // Half of a pair: the two together are one character, and rare enough to be two tokens.
    else quarters += QUARTERS;
  }
  return quarters;
}

export const estimateTokens = (text: string): number => Math.ceil(tokenQuarters(text) / QUARTERS);

/** `a, b and c`, or the first few and how many more there are. */
export function listWords(items: readonly string[], most = Number.POSITIVE_INFINITY, total = items.length): string {
  const shown = items.slice(0, most);
  if (total > shown.length) return `${shown.join(", ")} and ${total - shown.length} more`;
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} and ${items.at(-1) as string}`;
}

/** The first of a list, and how many more there are. */
export const firstOf = (words: readonly string[], shown: number): string =>
  words.length <= shown ? words.join(", ") : `${words.slice(0, shown).join(", ")} and ${words.length - shown} more`;

/** With one space between words. */
export const spaced = (text: string): string => text.trim().replace(/\s+/g, " ");

/** The same kind of value for each of these keys. */
export const valueForEach = <K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> =>
  Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>;

/** "a task", "an initiative". */
export const withArticle = (noun: string): string => `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
