// The real agents under test, one by one: `npm run test:agents`.

import { defineConfig } from "vitest/config";
import { shared } from "../vitest.config.js";

export default defineConfig({
  ...shared,
  test: {
    include: ["test/agents/*.agents.test.ts"],
    globalSetup: "test/build.setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each file is one agent; two at a time leave their model and their own processes room to run.
    maxWorkers: 2,
  },
});
