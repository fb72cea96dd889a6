// The words for verbs, derived from `phrases` and `hints` of each: for the router, which acts on a sentence, and for "did you mean".

import type { VerbName } from "../../model/next-step.js";
import { FACTS, factsOf } from "../kit/facts.js";
import { SPELLINGS } from "../kit/spell.js";

export interface Phrase {
  readonly words: readonly string[];
  readonly operation: VerbName;
}

/** The name of a command wins over the same word as a phrase: `restore` restores, although it may also mean undo. */
const commandNamed = (phrase: string): VerbName | undefined =>
  SPELLINGS.find(({ words, hidden }) => !hidden && words === phrase)?.operation;

/** The longest first. */
export const ALL_PHRASES: readonly Phrase[] = FACTS.flatMap(({ name, phrases = [] }) =>
  phrases.map((phrase) => ({ words: phrase.split(" "), operation: commandNamed(phrase) ?? name })),
).sort((a, b) => b.words.length - a.words.length);

/** The verb by which people know an operation: the first phrase that is given for it. */
export const verbOf = (operation: VerbName): string => factsOf(operation).phrases?.[0] ?? operation;

/** The verbs that the router knows, listed when it did not understand you. */
export const KNOWN_VERBS: readonly string[] = FACTS.flatMap(({ phrases = [] }) => phrases.slice(0, 1));

/** The operations that a single word may stand for, the likeliest first. */
export function operationsFor(word: string): readonly VerbName[] {
  const hinted = FACTS.filter(({ hints }) => hints?.includes(word)).map(({ name }) => name);
  if (hinted.length > 0) return hinted;
  const whole = ALL_PHRASES.find(({ words }) => words.length === 1 && words[0] === word);
  if (whole) return [whole.operation];
  const begun = ALL_PHRASES.filter(({ words }) => words[0] === word).map(({ operation }) => operation);
  return [...new Set(begun)].slice(0, 2);
}
