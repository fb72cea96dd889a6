// The real agents under test, one by one: `npm run test:agents`.

import { basename } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { shared } from "../vitest.config.js";

/** What takes long comes first, so that nothing long is left when all else is done. */
const SLOWEST_FIRST = ["opencode", "qwen", "gemini", "copilot", "claude", "codex"];
const LONGEST_FIRST = ["planning", "agents", "working", "stop"];

const rank = ({ moduleId }) => {
  const [agent, what] = basename(moduleId).split(".");
  return LONGEST_FIRST.indexOf(what) * SLOWEST_FIRST.length + SLOWEST_FIRST.indexOf(agent);
};

class LongestFirst extends BaseSequencer {
  async sort(files) {
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  ...shared,
  test: {
    include: ["test/agents/*.agents.test.ts"],
    globalSetup: "test/build.setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: { sequencer: LongestFirst },
    // An agent that is tested waits for time limits, for its own patience and for the program around it.
    maxWorkers: 4,
    // The files have nothing in common but what they import, and that is read once for each worker.
    isolate: false,
  },
});
