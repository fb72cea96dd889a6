// Which agent serves a role: the one that the settings name for it, the one for every role, the first that is installed,
// or the outline planner, which needs no model. A reviewer is never chosen by itself.

import type { Effort } from "../../machine/agents/agent.js";
import { OUTLINE } from "../driver/services.js";

/** In place of a name in the settings: no agent. */
export const NO_AGENT = "none";

/** Reviews the work of others on a task. It costs tokens that nobody asked for, so only the settings can name one. */
export const REVIEWER = "reviewer";

/** What the outline planner can be. It judges nothing. */
const OUTLINE_ROLES: ReadonlySet<string> = new Set(["clarifier", "author"]);

/** An agent with the model and the effort that the settings ask for. */
export interface ServingAgent {
  readonly agent: string;
  readonly model?: string;
  readonly effort?: Effort;
}

/** By role; `*` stands for every other role. */
export type RoleTable = Readonly<Record<string, ServingAgent>>;

/** `first`: the first agent that is installed. */
export function chooseAgent(role: string, roles: RoleTable, first: string | null): ServingAgent {
  const byItself = role === REVIEWER ? NO_AGENT : (first ?? OUTLINE);
  const chosen = roles[role] ?? roles["*"] ?? { agent: byItself };
  return chosen.agent === OUTLINE && !OUTLINE_ROLES.has(role) ? { agent: NO_AGENT } : chosen;
}

/** The outline planner plans because no agent was named or found. */
export const isOutlineStandIn = (asked: string | null, roles: RoleTable, first: string | null): boolean =>
  asked === null && roles["author"] === undefined && roles["*"] === undefined && first === null;
