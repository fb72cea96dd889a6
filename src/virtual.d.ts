declare module "virtual:verb-facts" {
  import type { KnownVerb } from "./verbs/kit/facts.js";

  const facts: readonly KnownVerb[];
  export default facts;
}
