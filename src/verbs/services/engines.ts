// What plans and what carries plans out, put together for a workspace that is open. Each is loaded when it is asked for: a hand-in
// that loads nothing for planning takes 20 ms less of the processor.

import type { Environment } from "../../machine/process/environment.js";
import type { Context } from "../../plan/base/context.js";
import type { PlanningServices } from "../../planning/run/services.js";
import type { Engines } from "../kit/session.js";
import { AgentRegistry } from "./agent-registry.js";

export function openEngines(context: Context, env: Environment): Engines {
  let registry: AgentRegistry | undefined;
  const agents = (): AgentRegistry => (registry ??= new AgentRegistry(context.root, env));
  let planning: Promise<PlanningServices> | undefined;
  return {
    get agents() {
      return agents();
    },
    planning: () =>
      (planning ??= import("./planning.js").then(({ planningServices }) => planningServices(context, env, agents()))),
    execution: async () => (await import("./execution.js")).openExecution(context, env),
  };
}
