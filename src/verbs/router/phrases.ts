// The table of the router: which words ask for which verb. It is derived from what the verbs say of themselves.

import type { VerbName } from "../../model/next-step.js";
import { allFacts, factsOf } from "../kit/facts.js";
import { allSpellings } from "../kit/spell.js";
import type { VerbFacts } from "../kit/verb.js";
import { CONTRACTED } from "./tokens.js";

/**
 * `weak`: it only accompanies another verb, as "show" does in "show conflicts", and counts where the sentence has no other.
 * `if-frozen`: weak, and it counts only for a frozen node: people also continue with other things.
 */
export type PhraseStrength = "strong" | "weak" | "if-frozen";

export interface Phrase {
  /** "…" stands for what it acts on: "put … on hold". */
  readonly words: readonly string[];
  readonly operation: VerbName;
  readonly strength: PhraseStrength;
}

export const GAP = "…";

/** The name of a command wins over the same word as a phrase: `restore` restores, although it may also mean undo. */
const commandNamed = (phrase: string) =>
  allSpellings().find(({ words, hidden }) => !hidden && words === phrase)?.operation;

export const ALL_PHRASES: readonly Phrase[] = allFacts()
  .flatMap(({ name, phrases = [], weakPhrases = [], frozenPhrases = [] }) => {
    const withStrength = (strength: PhraseStrength, all: readonly string[]): Phrase[] =>
      all.map((phrase) => {
        const named = strength === "strong" ? commandNamed(phrase) : undefined;
        return { words: phrase.replace(CONTRACTED, "$1 is").split(" "), operation: named ?? name, strength };
      });
    return [
      ...withStrength("strong", phrases),
      ...withStrength("weak", weakPhrases),
      ...withStrength("if-frozen", frozenPhrases),
    ];
  })
  .sort((a, b) => lengthOf(b) - lengthOf(a));

/** Words that were said count for more than a gap. */
function lengthOf({ words }: Phrase): number {
  return 2 * words.length - (words.includes(GAP) ? 3 : 0);
}

/** Words that add nothing beside this verb: "grab" and "for me" in "grab the next one for me". */
export const emptyWordsOf = (operation: VerbName): ReadonlySet<string> =>
  new Set(factsOf(operation).emptyWords?.split(" ") ?? []);

export const takesNodes = (operation: VerbName): boolean => (factsOf(operation).command.positional ?? []).length > 0;

const knownBy = ({ phrases = [], weakPhrases = [] }: VerbFacts): readonly string[] =>
  [...phrases, ...weakPhrases].slice(0, 1);

export const verbOf = (operation: VerbName): string => knownBy(factsOf(operation))[0] ?? operation;

export const KNOWN_VERBS: readonly string[] = allFacts().flatMap(knownBy);

/** The operations that a single word may stand for, the likeliest first. */
export function operationsFor(word: string): readonly VerbName[] {
  const hinted = allFacts()
    .filter(({ hints }) => hints?.includes(word))
    .map(({ name }) => name);
  if (hinted.length > 0) return hinted;
  const whole = ALL_PHRASES.find(({ words }) => words.length === 1 && words[0] === word);
  if (whole) return [whole.operation];
  const begun = ALL_PHRASES.filter(
    ({ words, strength }) => words[0] === word && strength !== "if-frozen" && !words.includes(GAP),
  ).map(({ operation }) => operation);
  return [...new Set(begun)].slice(0, 2);
}
