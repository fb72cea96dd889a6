// What an index of texts holds of a node, and what is asked of it. It knows any three characters in a row (trigrams), and finds at
// least every node that fits: whoever asks compares again.

import { type Searched, wordsOf } from "./words.js";

/** As texts are compared: as written and, where that differs, as `wordsOf` sees it. */
export function searchedText({ id, title, body }: Searched): string {
  const written = fold(`${id} ${title}\n${body}`);
  const composed = fold(`${title}\n${body}`.normalize("NFKC"));
  return written.endsWith(composed) ? written : `${written}\n${composed}`;
}

const fold = (text: string): string => text.toLowerCase().replaceAll("\0", " ");

const GRAM = 3;
/** More make the search no narrower, and slower. */
const MOST_GRAMS = 24;

/** How many trigrams a text has. */
export const gramCount = (text: string): number => {
  let characters = 0;
  for (const _ of text) characters++;
  return Math.max(0, characters - GRAM + 1);
};

function gramsOf(text: string): string[] {
  const characters = Array.from(fold(text));
  const grams = new Set<string>();
  for (let i = 0; i + GRAM <= characters.length && grams.size < MOST_GRAMS; i++) {
    grams.add(characters.slice(i, i + GRAM).join(""));
  }
  return [...grams];
}

/** Each list is one way to fit: all of these trigrams. Null: it is too short for an index, so every node has to be looked at. */
export type SoughtGrams = readonly (readonly string[])[] | null;

/** Texts that have the phrase in them. */
export function gramsOfPhrase(phrase: string): SoughtGrams {
  const grams = gramsOf(phrase);
  return grams.length === 0 ? null : [grams];
}

/** Texts that `relevanceOf` gives a score for: all words are in them, or the phrase is. */
export function gramsOfSearch(search: string): SoughtGrams {
  const phrase = gramsOf(search.trim());
  const words = [...new Set(wordsOf(search).flatMap(gramsOf))].slice(0, MOST_GRAMS);
  if (phrase.length === 0) return null;
  if (wordsOf(search).length === 0) return [phrase];
  return words.length === 0 ? null : [words, phrase];
}

/** Texts that have each of these in them. */
export function gramsOfAll(parts: readonly string[]): SoughtGrams {
  const grams = [...new Set(parts.flatMap(gramsOf))].slice(0, MOST_GRAMS);
  return grams.length === 0 ? null : [grams];
}
