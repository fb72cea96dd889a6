// The contract of agents over the real ones: `npm run test:agents`.

import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/agents/*.agents.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Each file is one agent; two at a time leave their model and their own processes room to run.
    maxWorkers: 2,
  },
});
