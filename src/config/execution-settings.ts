// The settings of execution: how many work at once, where, with what, and how far they may go. Only commands that
// run work read them.

import * as z from "zod/mini";
import { between, byDefault, objectOf, oneOf, someText, texts, trueOrFalse, wholeBetween } from "./settings.js";
import { settingsPart } from "./trust.js";

/** Test files of the common ecosystems. A pattern without a slash matches in every folder. */
export const TEST_FILES: readonly string[] =
  `*.test.* *.spec.* *_test.* *_spec.* test_*.py *Test.java *Tests.java *Test.kt *Tests.cs
   **/__tests__/** **/__snapshots__/** **/test/** **/tests/** **/spec/** **/e2e/**`.split(/\s+/);

const cost = () => byDefault(z.nullable(between(0, 1e12)), null);
const tokens = () => byDefault(z.nullable(wholeBetween(0, 1e12)), null);

const EXECUTION = objectOf({
  /** Attempts at once in one program. */
  workers: byDefault(wholeBetween(1, 16), 2),
  /** Where worktrees are kept, relative to the workspace. Null: in the user's state folder. */
  worktrees: byDefault(z.nullable(someText()), null),
  /** Ignored paths that a worktree gets from the main checkout and keeps from one attempt to the next. */
  carry: byDefault(texts(), ["node_modules"]),
  /** `copy` (on write, where the file system can) or `link`. */
  carryBy: byDefault(oneOf("copy", "link"), "copy"),
  /** Commands that make a fresh worktree usable; run again when the files that they read have changed. */
  setup: byDefault(texts(), []),
  /** Names of environment variables that workers and checks may see in addition to the common ones. */
  env: byDefault(texts(), []),
  ports: byDefault(objectOf({ from: wholeBetween(1024, 65_000), each: wholeBetween(1, 1000) }), {
    from: 21_000,
    each: 20,
  }),
  /** How often a worker may fix what was wrong before the attempt counts as rejected. */
  fixes: byDefault(wholeBetween(0, 100), 2),
  /** Whether checks run without the change, too: never, to show what they prove, or to leave weak proofs to you. */
  proof: byDefault(oneOf("off", "note", "require"), "note"),
  /** What follows from changed files outside of the task's footprint. */
  footprint: byDefault(oneOf("note", "ask", "refuse"), "ask"),
  /** Patterns of test files. */
  testFiles: byDefault(texts(), [...TEST_FILES]),
  /** Patterns of more files that only you may let a worker change outside of its footprint, new ones too. */
  protectedFiles: byDefault(texts(), []),
  /** The largest change that is taken. */
  changeLimit: byDefault(objectOf({ files: wholeBetween(1, 1_000_000), megabytes: between(0.001, 100_000) }), {
    files: 2000,
    megabytes: 50,
  }),
  /** What a failed check does to those after it. */
  onFailedCheck: byDefault(oneOf("continue", "stop"), "continue"),
  /** Whether the reviewer looks at work, if the settings name one: no agent is it by itself. */
  review: byDefault(trueOrFalse(), true),
  /** Keep workers and checks in a sandbox: where there is one, never, or start nothing without it. */
  sandbox: byDefault(oneOf("auto", "off", "require"), "auto"),
  /** What of the network is there in the sandbox. Agents with a model elsewhere need all of it. */
  network: byDefault(
    z.pipe(
      oneOf("all", "loopback", "none", "allow", "deny"),
      // The old words for it.
      z.transform((word) => (word === "allow" ? "all" : word === "deny" ? "none" : word)),
    ),
    "all",
  ),
  /** Ports of this machine that `network: loopback` lets in: of a model, or a database, that runs here. */
  loopback: byDefault(z.readonly(z.array(wholeBetween(1, 65_535), { error: "must be a list of ports" })), []),
  /** Files and folders outside of the worktree that may be read in the sandbox, besides the system and what is on the PATH. */
  readable: byDefault(texts(), []),
  /** The same, to write. */
  writable: byDefault(texts(), []),
  attemptMinutes: byDefault(between(0.001, 100_000), 60),
  attemptTokens: tokens(),
  attemptCostUsd: cost(),
  featureCostUsd: cost(),
  featureTokens: tokens(),
  dayCostUsd: cost(),
  dayTokens: tokens(),
  /** A worker that prints nothing for so long is ended. */
  stallMinutes: byDefault(between(0.001, 100_000), 15),
  /** How long to wait before a transient failure is tried again; it doubles each time. */
  backoffSeconds: byDefault(between(0, 86_400), 5),
  transientRetries: byDefault(wholeBetween(0, 100), 3),
  /** How often a task whose work fails its checks is tried again by an agent. Commands of a task are never run again. */
  logicRetries: byDefault(wholeBetween(0, 100), 1),
  /** So many failures of a feature within so many minutes stop its work for a while. */
  storm: byDefault(
    objectOf({ failures: wholeBetween(1, 1000), minutes: between(0.001, 100_000), pauseMinutes: between(0, 100_000) }),
    { failures: 3, minutes: 10, pauseMinutes: 30 },
  ),
  /** How long unmerged work is kept after its attempt ended. */
  keepDays: byDefault(between(0, 100_000), 30),
  /** How often the daemon looks when nothing wakes it. */
  tickSeconds: byDefault(between(0.01, 86_400), 30),
});

export const { parse: parseExecutionSettings, load: loadExecutionSettings } = settingsPart("execution", EXECUTION);

// The settings of cleaning up: how long what work leaves behind is kept. They need your trust, because a shorter time removes
// evidence.

const GC = objectOf({
  /** How long transcripts of agents are kept after the last line. */
  transcriptDays: byDefault(between(0, 100_000), 90),
  /** How long everything else is kept: bundles of finished tasks, replaced plans, backups of upgrades, refs, temporary files. */
  leftoverDays: byDefault(between(0, 100_000), 90),
  /** Pack loose objects of the repository when there are as many as git's own limit, or never. */
  repository: byDefault(oneOf("auto", "off"), "auto"),
});

export const { parse: parseGcSettings, load: loadGcSettings } = settingsPart("gc", GC);
