// Starts an agent's session in a worktree: as a worker, or as a reviewer that only reads.

import type { Agent, AgentSession, Effort, SessionSpec } from "../../machine/agents/agent.js";
import { makeAgentFolders } from "../../machine/sandbox/agent-folders.js";

interface StartOptions {
  readonly agent: Agent;
  readonly model?: string;
  readonly effort?: Effort;
  /** What the agent itself needs besides the attempt's environment: its keys, its proxy. */
  readonly env: Readonly<Record<string, string>>;
}

type Place = Pick<SessionSpec, "cwd" | "env" | "wrap">;

export async function startAgent(
  { agent, model, effort, env: own }: StartOptions,
  access: SessionSpec["access"],
  { cwd, env: attempt, wrap }: Place,
): Promise<AgentSession> {
  const env = { ...own, ...attempt };
  await makeAgentFolders(agent.name, env["HOME"]);
  return agent.start({
    cwd,
    access,
    env,
    ...(wrap && { wrap }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
  });
}
