// What has to be known of every verb without loading it. The build collects it from the verbs themselves (scripts/verb-facts.mjs),
// and so do the tests: it is kept nowhere by hand.

import * as stored from "virtual:verb-facts";
import type { VerbFacts } from "./verb.js";

export interface KnownVerb extends VerbFacts {
  /** What stands for the values of its fields, where that is not the name of the field. */
  readonly labels: Readonly<Record<string, string>>;
}

const known = new Map<string, KnownVerb>();

export function findFacts(name: string): KnownVerb | undefined {
  const text = Object.hasOwn(stored.facts, name) ? stored.facts[name] : undefined;
  if (text !== undefined && !known.has(name)) known.set(name, JSON.parse(text()));
  return known.get(name);
}

export function factsOf(name: string): KnownVerb {
  const found = findFacts(name);
  if (!found) throw new Error(`There is no verb ${name}.`);
  return found;
}

export const allFacts = (): KnownVerb[] => Object.keys(stored.facts).map(factsOf);

/** The verbs that have these words on the command line. */
export const factsWithWords = (words: string): KnownVerb[] =>
  Object.hasOwn(stored.names, words) ? (stored.names[words] ?? "").split(" ").map(factsOf) : [];
