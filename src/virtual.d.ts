declare module "virtual:verb-facts" {
  const facts: Readonly<Record<string, { readonly words: readonly string[]; readonly facts: string }>>;
  export default facts;
}
