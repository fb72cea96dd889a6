// The real agents under test, one by one: `npm run test:agents`.

import { defineConfig } from "vitest/config";
import { longestFirst } from "../test/longest-first.js";
import { REPORTERS, shared } from "../vitest.config.js";

const SLOWEST_FIRST = ["opencode", "qwen", "gemini", "copilot", "claude", "codex"];
const LONGEST_FIRST = [".planning", "", ".working", ".hand-in", ".stop"];

export default defineConfig({
  ...shared,
  test: {
    reporters: REPORTERS,
    include: ["test/agents/*.agents.test.ts"],
    globalSetup: "test/build.setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000,
    sequence: {
      sequencer: longestFirst(LONGEST_FIRST.flatMap((what) => SLOWEST_FIRST.map((agent) => `${agent}${what}`))),
    },
    // An agent that is tested waits for time limits, for its own patience and for the program around it.
    maxWorkers: 4,
    // The files have nothing in common but what they import, and that is read once for each worker.
    isolate: false,
  },
});
