// The agents of this machine: which are there, what they can do, whom they serve, and a proof by one tiny turn.

import type { Agent, Capabilities, Usage } from "../agents/agent.js";
import { absent, ok, type Result } from "../graph/result.js";
import { OUTLINE } from "./driver/services.js";
import { ROLES } from "./machine/machine.js";

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

export interface AgentProof {
  readonly name: string;
  readonly ending: string;
  readonly works: boolean;
  readonly message: string | null;
  readonly usage: Usage;
  readonly durationMs: number;
}

/** An agent with what people have to know about it. */
interface Described extends Agent {
  readonly known: { readonly title: string; readonly install: string; readonly confinement: AgentView["confinement"] };
  readonly env: Readonly<Record<string, string>>;
  find(): Promise<string | undefined>;
}

interface Roster {
  readonly settings: {
    readonly agents: Readonly<Record<string, unknown>>;
    readonly profiles: Readonly<Record<string, { readonly agent: string }>>;
  };
  open(name: string): Described | undefined;
  serving(role: string): Promise<{ readonly agent: string }>;
}

export interface Office {
  /** All that are known by name or by the configuration, and who serves each role. */
  list(): Promise<{ readonly agents: readonly AgentView[]; readonly roles: Readonly<Record<string, string>> }>;
  test(name: string, timeoutMs: number, signal: AbortSignal): Promise<Result<AgentProof>>;
}

const NOTHING: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

const PROOF = {
  type: "object",
  properties: { answer: { type: "integer" } },
  required: ["answer"],
  additionalProperties: false,
};

interface Place {
  readonly roster: Roster;
  readonly root: string;
  /** Names of agents that need no configuration. */
  readonly known: readonly string[];
}

export function listAgents({ roster, root, known }: Place): Office {
  const rolesOf = async (): Promise<Record<string, string>> => {
    const roles: Record<string, string> = {};
    for (const role of [...ROLES, "worker", "reviewer"]) roles[role] = (await roster.serving(role)).agent;
    return roles;
  };
  return {
    async list() {
      const roles = await rolesOf();
      const agents: AgentView[] = [];
      for (const name of new Set([...known, ...Object.keys(roster.settings.agents)])) {
        const agent = roster.open(name);
        if (!agent) continue;
        const installed = (await agent.find()) !== undefined;
        const profiles = Object.entries(roster.settings.profiles).filter(([, { agent: serving }]) => serving === name);
        agents.push({
          name,
          title: agent.known.title,
          installed,
          version: installed ? ((await agent.version()) ?? null) : null,
          capabilities: agent.capabilities,
          confinement: agent.known.confinement,
          serves: [
            ...Object.entries(roles)
              .filter(([, serving]) => serving === name)
              .map(([role]) => role),
            ...profiles.map(([profile]) => `profile ${profile}`),
          ],
          install: agent.known.install,
        });
      }
      return { agents, roles };
    },
    async test(name, timeoutMs, signal) {
      // A program that is part of this one needs no connection.
      if (name === OUTLINE)
        return ok({ name, ending: "finished", works: true, message: null, usage: NOTHING, durationMs: 0 });
      const agent = roster.open(name);
      if (!agent)
        return absent("not-found", `There is no agent "${name.slice(0, 40)}".`, {
          hint: "`planwright agents` lists those that are known.",
        });
      const session = await agent.start({ cwd: root, access: "read", env: agent.env });
      try {
        const { ending, output, usage, durationMs, message } = await session.turn({
          prompt: "This is a test of the connection. Read nothing. Hand in the sum of 19 and 23 as `answer`.",
          schema: PROOF,
          timeoutMs,
          signal,
        });
        const works = ending === "finished" && (output as { answer?: unknown } | undefined)?.answer === 42;
        return ok({ name, ending, works, message: message ?? null, usage, durationMs });
      } finally {
        await session.close();
      }
    },
  };
}
