// The settings of planning and of agents: which agent serves which role, and how far a run may go. Only commands that
// plan read them, so no other command pays for it.

import * as z from "zod/mini";
import type { Environment } from "../machine/process/environment.js";
import type { SettingsFile } from "./settings.js";
import { between, byDefault, objectOf, oneOf, readSettings, recordOf, someText, texts } from "./settings.js";
import { readTrust } from "./trust.js";

/** `fast` and `hard` are other words for low and high. */
const effort = () =>
  z.exactOptional(
    z.pipe(
      oneOf("low", "medium", "high", "fast", "hard"),
      z.transform((word) => (word === "fast" ? "low" : word === "hard" ? "high" : word)),
    ),
  );
const price = () => between(0, 100_000);

/** Who serves a role or a profile. */
const SERVING = objectOf({ agent: someText(), model: z.exactOptional(someText()), effort: effort() });

const AGENT = objectOf({
  /** Left out for an agent that is known by name. */
  command: z.exactOptional(someText()),
  args: z.exactOptional(texts()),
  /** A command that does a task in its worktree, without any protocol: a worker of your own. */
  shell: z.exactOptional(someText()),
  /** Names of environment variables that it may see in addition to its own. */
  env: z.exactOptional(texts()),
  model: z.exactOptional(someText()),
  effort: effort(),
  /** Dollars for a million tokens, by the beginning of the model's name. */
  prices: z.exactOptional(recordOf(objectOf({ input: price(), output: price(), cached: price() }))),
});

/** Top-level keys of the file. */
const TOP = z.readonly(
  z.object({
    agents: byDefault(recordOf(AGENT), {}),
    roles: byDefault(recordOf(SERVING), {}),
    profiles: byDefault(recordOf(SERVING), {}),
  }),
);

const PLANNING = objectOf({
  /** How long one role call may take. */
  roleTimeoutMinutes: byDefault(between(0.001, 100_000), 30),
  /** How many tokens of a spec an agent is given at once. */
  windowTokens: byDefault(between(500, 10_000_000), 60_000),
  /** How long a question waits before its recommended answer is taken; 0: for ever. */
  answerHours: byDefault(between(0, 100_000), 0),
  maxCostUsd: byDefault(z.nullable(between(0, 1_000_000)), null),
  maxTokens: byDefault(z.nullable(between(1, 1e12)), null),
  revisions: byDefault(between(0, 100), 5),
  overviews: byDefault(between(0, 100), 3),
  /** How often a call that failed for the moment is made again before you are asked. */
  retries: byDefault(between(0, 10), 3),
});

export type Serving = z.output<typeof SERVING>;
export type PlanningSettings = z.output<typeof TOP> & z.output<typeof PLANNING>;

export const loadPlanningSettings = (root: string, env: Environment): PlanningSettings =>
  parsePlanningSettings(readTrust(root, env).settings);

export const parsePlanningSettings = (file: SettingsFile): PlanningSettings =>
  Object.freeze({ ...readSettings(TOP, file, ""), ...readSettings(PLANNING, file["planning"] ?? {}, "planning") });
