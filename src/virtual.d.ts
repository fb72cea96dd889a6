declare module "virtual:verb-facts" {
  import type { VerbFacts } from "./verbs/kit/verb.js";

  const facts: readonly VerbFacts[];
  export default facts;
}
