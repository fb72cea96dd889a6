// The words of a text in any script, for comparing texts: without case, endings of the plural and words that say
// nothing. A script without spaces gives its pairs of characters.

const STOP = new Set(
  `a an and any are as at be been before but by can could do does for from get had has have how if in into is it its
  just let may more most must need needs no nor not of off on once one only or other our out over own shall should
  so some such than that the their them then there these they this those to too under until up use used uses using
  was we were what when where which while who why will with would you your`.split(/\s+/),
);

const UNSPACED = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]`;
const WORD = new RegExp(String.raw`(${UNSPACED}+)|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}])+`, "gu");

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
  for (const [word, unspaced] of separate(text.normalize("NFKC")).matchAll(WORD)) {
    if (unspaced !== undefined) found.push(...pairs(unspaced));
    else if (word.length > 1 && !STOP.has(word.toLowerCase())) found.push(singular(word.toLowerCase()));
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
