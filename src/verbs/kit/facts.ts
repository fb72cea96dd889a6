// What has to be known of every verb without loading it. The build collects it from the verbs themselves (scripts/verb-facts.mjs),
// and so do the tests: it is kept nowhere by hand.

import facts from "virtual:verb-facts";
import type { VerbName } from "../../model/next-step.js";
import type { VerbFacts } from "./verb.js";

export interface KnownVerb extends VerbFacts {
  /** What stands for the values of its fields, where that is not the name of the field. */
  readonly labels: Readonly<Record<string, string>>;
}

export const FACTS: readonly KnownVerb[] = facts;

const BY_NAME: ReadonlyMap<string, KnownVerb> = new Map(FACTS.map((each) => [each.name, each]));

export const findFacts = (name: string): KnownVerb | undefined => BY_NAME.get(name);

export const factsOf = (name: VerbName): KnownVerb => {
  const found = BY_NAME.get(name);
  if (!found) throw new Error(`There is no verb ${name}.`);
  return found;
};
