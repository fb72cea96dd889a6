// What has to be known of every verb without loading it. The build collects it from the verbs themselves (scripts/verb-facts.mjs),
// and so do the tests: it is kept nowhere by hand.

import facts from "virtual:verb-facts";
import type { VerbName } from "../../model/next-step.js";
import type { VerbFacts } from "./verb.js";

export const FACTS: readonly VerbFacts[] = facts;

const BY_NAME: ReadonlyMap<string, VerbFacts> = new Map(FACTS.map((each) => [each.name, each]));

export const findFacts = (name: string): VerbFacts | undefined => BY_NAME.get(name);

export const factsOf = (name: VerbName): VerbFacts => {
  const found = BY_NAME.get(name);
  if (!found) throw new Error(`There is no verb ${name}.`);
  return found;
};
