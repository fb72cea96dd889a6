// The input of every operation that plans with agents, and how a run reports to its caller.

import * as z from "zod/mini";
import { LINT_LEVELS } from "../../planning/contracts/findings.js";
import type { Hooks } from "../../planning/run/services.js";
import { choice, filled, flag, number, optional, wholeNumber } from "./schema.js";
import type { Session } from "./session.js";

export const RUN_OPTIONS = {
  serve: optional(choice(["host"], "let the agent that asks serve every role itself, step by step")),
  agent: optional(filled("let this agent serve every role; outline needs no model", "NAME")),
  model: optional(filled("the model, instead of the configured one", "MODEL")),
  effort: optional(
    choice(["low", "medium", "high", "fast", "hard"], "how hard the agents think; fast is low, hard is high"),
  ),
  clean: optional(flag("without lessons from earlier work")),
  level: optional(choice(LINT_LEVELS, "how strict the lint is (normal)")),
  timeoutMinutes: optional(number("how long one role call may take (30)", 0.001, 100_000)),
  maxCost: optional(number("ask no more roles once the run has cost this", 0, 1_000_000, "USD")),
  maxTokens: optional(wholeNumber("ask no more roles once the run has used this many tokens", 1, 1e12)),
  defaults: optional(flag("take the default of every question instead of asking")),
};

/** One of them serves the roles. */
export const oneServer = z.refine<{ readonly serve?: unknown; readonly agent?: unknown }>(
  ({ serve, agent }) => serve === undefined || agent === undefined,
  { path: ["serve"], message: "cannot be used with agent" },
);

export const planningHooks = (session: Session): Hooks => ({
  signal: session.signal,
  onProgress: (progress) => session.emit({ kind: "planning", progress }),
  ...(session.ask && { ask: session.ask }),
});
