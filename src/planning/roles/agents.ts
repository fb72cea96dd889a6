// The agents of this machine: which are installed, what they can do, and which serves a role. That is the one that the settings
// name for it, the one for every role, the first that is installed, or the outline planner, which needs no model. A reviewer is
// never chosen by itself.

import type { Agent, Capabilities, Effort, Usage } from "../../machine/agents/agent.js";
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

/** An agent with the model and the effort that the settings ask for. */
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

export interface AgentView {
  readonly name: string;
  readonly title: string;
  readonly installed: boolean;
  readonly version: string | null;
  readonly capabilities: Capabilities;
  readonly confinement: { readonly read: string; readonly write: string };
  /** Roles and profiles that it serves now. */
  readonly serves: readonly string[];
  readonly install: string;
}

export interface AgentList {
  readonly agents: readonly AgentView[];
  /** Which agent serves each role. */
  readonly roles: Readonly<Record<string, string>>;
}

export interface AgentTest {
  readonly name: string;
  readonly ending: string;
  readonly works: boolean;
  readonly message: string | null;
  readonly usage: Usage;
  readonly durationMs: number;
}

/** An agent with what people have to know about it. */
interface DescribedAgent extends Agent {
  readonly known: { readonly title: string; readonly install: string; readonly confinement: AgentView["confinement"] };
  readonly env: Readonly<Record<string, string>>;
  find(): string | undefined;
}

/** The agents that are known by name or by the settings. */
export interface AgentCatalogue {
  readonly names: readonly string[];
  readonly profiles: Readonly<Record<string, { readonly agent: string }>>;
  open(name: string): DescribedAgent | undefined;
  serving(role: string): { readonly agent: string };
}

export async function listAgents(catalogue: AgentCatalogue): Promise<AgentList> {
  const roles: Record<string, string> = {};
  for (const role of [...ROLES, "worker", REVIEWER]) roles[role] = catalogue.serving(role).agent;
  const agents: AgentView[] = [];
  for (const name of catalogue.names) {
    const agent = catalogue.open(name);
    if (!agent) continue;
    const installed = agent.find() !== undefined;
    const { title, confinement, install } = agent.known;
    const version = installed ? ((await agent.version()) ?? null) : null;
    const profiles = Object.entries(catalogue.profiles).filter(([, serving]) => serving.agent === name);
    const serves = [
      ...Object.keys(roles).filter((role) => roles[role] === name),
      ...profiles.map(([profile]) => `profile ${profile}`),
    ];
    agents.push({ name, title, installed, version, capabilities: agent.capabilities, confinement, serves, install });
  }
  return { agents, roles };
}

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

const SUM = {
  type: "object",
  properties: { answer: { type: "integer" } },
  required: ["answer"],
  additionalProperties: false,
};

interface TestInput {
  readonly name: string;
  /** A folder to start it in. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Asks the agent one tiny question. */
export async function testAgent(
  catalogue: AgentCatalogue,
  { name, cwd, timeoutMs, signal }: TestInput,
): Promise<Result<AgentTest>> {
  // A program that is part of this one needs no connection.
  if (name === OUTLINE)
    return ok({ name, ending: "finished", works: true, message: null, usage: NO_USAGE, durationMs: 0 });
  const agent = catalogue.open(name);
  if (!agent) return absent("not-found", `There is no agent "${name.slice(0, 40)}".`, { next: [step("agents.list")] });
  const session = await agent.start({ cwd, access: "read", env: agent.env });
  try {
    const { ending, output, usage, durationMs, message } = await session.turn({
      prompt: "This is a test of the connection. Read nothing. Hand in the sum of 19 and 23 as `answer`.",
      schema: SUM,
      timeoutMs,
      signal,
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
