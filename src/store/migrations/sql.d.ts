// Migrations are SQL files; the build and vitest give their text.

declare module "*.sql" {
  const text: string;
  export default text;
}
