// The agents of this machine: which are installed, what they can do, which roles they serve, and a test of one.

import type { Agent, Capabilities, Usage } from "../../machine/agents/agent.js";
import { step } from "../../model/next-step.js";
import { absent, ok, problems, type Result } from "../../model/result.js";
import { OUTLINE } from "../driver/services.js";
import { ROLES } from "../machine/machine.js";
import { REVIEWER } from "./choose-agent.js";

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

export interface TestInput {
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
