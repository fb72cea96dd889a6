import { defineConfig } from "vitest/config";

/** Prompts are Markdown files that the program reads as text. */
const markdownAsText = {
  name: "markdown-as-text",
  transform: (code: string, id: string) =>
    id.endsWith(".md") ? { code: `export default ${JSON.stringify(code)}`, map: null } : undefined,
};

/** Real processes and repositories, and thousands of random or hostile cases: too slow to run after every edit. */
const THOROUGH = [
  ...["agents", "checks", "execution", "git", "process"].map((folder) => `src/${folder}/**/*.test.ts`),
  "src/{actions,store}/**/*.property.test.ts",
  "src/store/{crash,random-plans}.test.ts",
  "src/planning/hostile*.test.ts",
];

export const shared = { plugins: [markdownAsText], define: { PLANWRIGHT_VERSION: JSON.stringify("0.0.0-test") } };

export default defineConfig({
  test: {
    projects: [
      {
        ...shared,
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/architecture.test.ts"],
          exclude: THOROUGH,
          testTimeout: 30_000,
          // Left to itself it would leave one of two cores idle.
          maxWorkers: 2,
        },
      },
      {
        ...shared,
        test: { name: "thorough", include: THOROUGH, testTimeout: 30_000, maxWorkers: 2 },
      },
      {
        ...shared,
        test: {
          name: "e2e",
          include: ["test/**/*.e2e.test.ts"],
          globalSetup: "test/build.setup.ts",
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: ["src/graph/**"],
      exclude: ["**/*.test.ts"],
      thresholds: { "src/graph/**": { 100: true } },
      reporter: ["text-summary", "text"],
      skipFull: true,
    },
  },
});
