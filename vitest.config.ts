import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { verbFacts } from "./scripts/verb-facts.mjs";
import { cleanEnvironment } from "./test/clean-environment.js";
import { longestFirst } from "./test/longest-first.js";
import { SLOWEST } from "./test/slowest.js";

cleanEnvironment();
// Times in text are local.
process.env["TZ"] = "UTC";

/** Prompts are Markdown files and migrations SQL files that the program reads as text. */
const filesAsText = {
  name: "files-as-text",
  transform: (code: string, id: string) =>
    /\.(md|sql)$/.test(id) ? { code: `export default ${JSON.stringify(code)}`, map: null } : undefined,
};

/** Thousands of random or hostile cases in memory: too slow to run after every edit. */
const RANDOM = [
  "src/{plan,verbs,store}/**/*.property.test.ts",
  "src/store/**/random-plans.test.ts",
  "src/planning/hostile*.test.ts",
];

/** Real processes and repositories: too slow to run after every edit. */
const THOROUGH = [
  "src/machine/**/*.test.ts",
  "src/engine/**/*.test.ts",
  "src/exchange/sync/*.test.ts",
  "src/store/**/crash.test.ts",
  "src/doors/http/**/*.test.ts",
  "src/verbs/two-workspaces.test.ts",
  "src/verbs/{hook,hosts}/**/*.test.ts",
];

export const shared = {
  plugins: [filesAsText, verbFacts],
  define: { PLANWRIGHT_VERSION: JSON.stringify("0.0.0-test") },
};

/** A busy machine is no failure, so whatever a test waits for may take almost as long as the test. */
const patient = { testTimeout: 120_000, expect: { poll: { timeout: 100_000 } } };
/** The files have nothing in common but what they import, and that is read once for each worker. */
const together = { ...patient, isolate: false };

/**
 * Node 20 forks to start a process, which takes time for each megabyte that a worker holds: 1 ms with 20 MB, 16 ms with 300 MB.
 * So workers that start thousands of processes collect garbage often. Their tests take 40 % less processor time for it.
 */
const lean = { execArgv: ["--max-semi-space-size=1", "--heap-growing-percent=15"] };

/** The second lists the tests that were skipped, with the reasons. */
export const REPORTERS = ["default", resolve(import.meta.dirname, "scripts/skipped-tests.mjs")];

export default defineConfig({
  test: {
    reporters: REPORTERS,
    sequence: { sequencer: longestFirst(SLOWEST) },
    projects: [
      {
        ...shared,
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "board/**/*.test.ts",
            "test/architecture.test.ts",
            "test/printed-commands.test.ts",
          ],
          exclude: [...RANDOM, ...THOROUGH],
          // Left to itself it would leave one of two cores idle.
          maxWorkers: 2,
          ...together,
        },
      },
      { ...shared, test: { name: "random", include: RANDOM, maxWorkers: 2, sequence: { groupOrder: 1 }, ...together } },
      {
        ...shared,
        test: {
          name: "thorough",
          include: THOROUGH,
          // They wait for processes now and then.
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
          ...together,
          ...lean,
        },
      },
      {
        ...shared,
        test: {
          name: "red-team",
          include: ["test/red-team/**/*.test.ts"],
          exclude: ["test/red-team/**/*.e2e.test.ts"],
          maxWorkers: 3,
          sequence: { groupOrder: 2 },
          ...together,
          ...lean,
        },
      },
      {
        ...shared,
        test: {
          name: "e2e",
          include: ["test/**/*.e2e.test.ts"],
          globalSetup: "test/build.setup.ts",
          setupFiles: "test/sandbox-use.setup.ts",
          hookTimeout: 120_000,
          maxWorkers: 3,
          sequence: { groupOrder: 3 },
          ...patient,
          ...lean,
        },
      },
      {
        ...shared,
        test: {
          name: "browser",
          include: ["test/browser/**/*.browser.test.ts"],
          globalSetup: "test/browser/build.setup.ts",
          hookTimeout: 180_000,
          maxWorkers: 2,
          sequence: { groupOrder: 4 },
          ...patient,
        },
      },
    ],
    coverage: {
      provider: "v8",
      include: ["src/model/**"],
      exclude: ["**/*.test.ts"],
      thresholds: { "src/model/**": { 100: true } },
      reporter: ["text-summary", "text"],
      skipFull: true,
    },
  },
});
