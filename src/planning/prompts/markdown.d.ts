// Prompts are Markdown files; the build and the tests read them as text.

declare module "*.md" {
  const text: string;
  export default text;
}
