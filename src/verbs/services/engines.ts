// What plans and what carries plans out, put together for a workspace that is open. No rule is in here.

import type { Environment } from "../../machine/process/environment.js";
import type { Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import type { PlanningServices } from "../../planning/run/services.js";
import { AgentRegistry } from "./agent-registry.js";
import { type Execution, openExecution } from "./execution.js";
import { planningServices, planningSettingsOf } from "./planning-services.js";

export interface Engines {
  readonly planning: PlanningServices;
  readonly agents: AgentRegistry;
  /** What carries a plan out; a bad setting of it is refused only here. */
  execution(): Result<Execution>;
}

export function openEngines(context: Context, env: Environment): Engines {
  const { root } = context;
  const settings = planningSettingsOf(root, env);
  const agents = new AgentRegistry({ root, env, settings });
  return {
    planning: planningServices(context, env, agents),
    agents,
    execution: () => openExecution(context, env, agents),
  };
}
