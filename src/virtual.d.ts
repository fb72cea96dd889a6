declare module "virtual:verb-facts" {
  /** The names of the verbs that have these words, with spaces between them. */
  export const names: Readonly<Record<string, string>>;
  /** The facts of each verb as JSON. */
  export const facts: Readonly<Record<string, () => string>>;
}
