// The agents of this machine: which are installed, what they can do, and which serves a role. That is the one that the settings
// name for it, the one for every role, the first that is installed, or the outline planner, which needs no model. A reviewer is
// never chosen by itself.

import type { Effort, TurnResult, Usage } from "../../machine/agents/agent.js";
import type { OpenedAgent } from "../../machine/agents/open-agent.js";
import { step } from "../../model/next-step.js";
import { absent, ok, problems, type Result } from "../../model/result.js";
import { ROLES } from "../machine/machine.js";

/** The planner that needs no model: it reads the structure of a spec. */
export const OUTLINE = "outline";

/** In place of an agent: the conversation that asks serves every role itself, and hands the answers in. */
export const HOST = "host";

/** In place of a name in the settings: no agent. */
export const NO_AGENT = "none";

/** Reviews the work of others on a task. It costs tokens that nobody asked for, so only the settings can name one. */
export const REVIEWER = "reviewer";

/** What the outline planner can be. It judges nothing. */
const OUTLINE_ROLES: ReadonlySet<string> = new Set(["clarifier", "author"]);

interface ServingAgent {
  readonly agent: string;
  readonly model?: string;
  readonly effort?: Effort;
}

/** By role; `*` stands for every other role. */
type RoleTable = Readonly<Record<string, ServingAgent>>;

/** `first`: the first agent that is installed. */
export function chooseAgent(role: string, roles: RoleTable, first: string | null): ServingAgent {
  const byItself = role === REVIEWER ? NO_AGENT : (first ?? OUTLINE);
  const chosen = roles[role] ?? roles["*"] ?? { agent: byItself };
  return chosen.agent === OUTLINE && !OUTLINE_ROLES.has(role) ? { agent: NO_AGENT } : chosen;
}

/** The outline planner plans because no agent was named or found. */
export const isOutlineStandIn = (asked: string | null, roles: RoleTable, first: string | null): boolean =>
  asked === null && roles["author"] === undefined && roles["*"] === undefined && first === null;

export interface AgentCatalogue {
  readonly names: readonly string[];
  readonly profiles: Readonly<Record<string, { readonly agent: string }>>;
  open(name: string): OpenedAgent | undefined;
  serving(role: string): { readonly agent: string };
}

export async function listAgents(catalogue: AgentCatalogue) {
  const roles: Record<string, string> = {};
  for (const role of [...ROLES, "worker", REVIEWER]) roles[role] = catalogue.serving(role).agent;
  const agents = [];
  for (const name of catalogue.names) {
    const agent = catalogue.open(name);
    if (agent) agents.push(await viewOf(name, agent, roles, catalogue.profiles));
  }
  return { agents, roles };
}

export type AgentView = Awaited<ReturnType<typeof viewOf>>;

async function viewOf(
  name: string,
  agent: OpenedAgent,
  roles: Readonly<Record<string, string>>,
  profiles: AgentCatalogue["profiles"],
) {
  const { title, confinement, install } = agent.known;
  const installed = agent.find() !== undefined;
  const version = installed ? ((await agent.version()) ?? null) : null;
  const serves = [
    ...Object.keys(roles).filter((role) => roles[role] === name),
    ...Object.keys(profiles).flatMap((profile) => (profiles[profile]?.agent === name ? [`profile ${profile}`] : [])),
  ];
  return { name, title, installed, version, capabilities: agent.capabilities, confinement, serves, install };
}

/** What a program that is part of this one uses. */
export const FREE_OF_CHARGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

const SUM = {
  type: "object",
  properties: { answer: { type: "integer" } },
  required: ["answer"],
  additionalProperties: false,
};

export interface AgentTest extends Pick<TurnResult, "ending" | "usage" | "durationMs"> {
  readonly name: string;
  readonly works: boolean;
  readonly message: string | null;
}

/** Asks the agent one tiny question. `cwd`: a folder to start it in. */
export async function testAgent(
  catalogue: AgentCatalogue,
  { name, cwd, ...limits }: { name: string; cwd: string; timeoutMs: number; signal: AbortSignal },
): Promise<Result<AgentTest>> {
  // A program that is part of this one needs no connection.
  if (name === OUTLINE)
    return ok({ name, ending: "finished", works: true, message: null, usage: FREE_OF_CHARGE, durationMs: 0 });
  const agent = catalogue.open(name);
  if (!agent) return absent("not-found", `There is no agent "${name.slice(0, 40)}".`, { next: [step("agents.list")] });
  const session = await agent.start({ cwd, access: "read", env: agent.env });
  try {
    const { ending, output, usage, durationMs, message } = await session.turn({
      prompt: "This is a test of the connection. Read nothing. Hand in the sum of 19 and 23 as `answer`.",
      schema: SUM,
      ...limits,
    });
    const works = ending === "finished" && (output as { answer?: unknown } | undefined)?.answer === 42;
    const test = { name, ending, works, message: message ?? null, usage, durationMs };
    if (works) return ok(test);
    const why = ending === "finished" ? "it gave a wrong answer" : (message ?? ending);
    return problems("agent-failed", `${name} does not work: ${why.replace(/\.$/, "")}.`, {
      details: test,
      next: [step("agents.list")],
    });
  } finally {
    await session.close();
  }
}
