// How well a text answers a search: pure, so that every kind of thing in the plan is ranked alike.

import { wordsOf } from "./words.js";

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
