// Who serves a role: an agent that is prompted, or a program that reads the brief. To the engine both look alike.

import { randomBytes } from "node:crypto";
import type { Agent, AgentEvent, AgentSession, Effort, Ending, Usage } from "../../agents/agent.js";
import type { Brief } from "./brief.js";
import { problemsIn, schemaFor } from "./contract.js";
import { lookUpIn } from "./look-up.js";
import { promptFor } from "./prompt.js";

export interface RoleRequest {
  readonly brief: Brief;
  /** A conversation to continue, if the server keeps conversations. */
  readonly session: string | null;
  readonly timeoutMs: number;
  readonly maxCostUsd: number | null;
  readonly signal: AbortSignal;
  /** Where to keep what was said; null: nowhere. */
  readonly transcript: string | null;
  readonly onEvent: (event: AgentEvent) => void;
}

export interface RoleReply {
  readonly ending: Ending;
  readonly output?: unknown;
  readonly text: string;
  readonly usage: Usage;
  readonly durationMs: number;
  readonly session: string | null;
  readonly message?: string;
}

export interface RoleServer {
  readonly agent: string;
  readonly model: string | null;
  version(): Promise<string | undefined>;
  /** What is asked, for the record. */
  question(brief: Brief): string;
  serve(request: RoleRequest): Promise<RoleReply>;
}

export interface AgentServing {
  readonly agent: Agent;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly effort?: Effort;
  /** The same session, with what is said in it kept in a file. */
  readonly record?: (session: AgentSession, file: string) => AgentSession;
}

/** An agent in a read-only session; every call says all that has to be known, so any conversation can take over. */
export function agentServer({ agent, cwd, env, model, effort, record }: AgentServing): RoleServer {
  const mark = `=====${randomBytes(9).toString("base64url")}=====`;
  const prompts = new WeakMap<Brief, string>();
  /** Written once: it is kept as the question, and then asked. */
  const promptOf = (brief: Brief): string => {
    const prompt = prompts.get(brief) ?? promptFor(brief, mark);
    prompts.set(brief, prompt);
    return prompt;
  };
  return {
    agent: agent.name,
    model: model ?? null,
    version: () => agent.version(),
    question: promptOf,
    async serve({ brief, session: resume, timeoutMs, maxCostUsd, signal, transcript, onEvent }) {
      const started = await agent.start({
        cwd,
        access: "read",
        env,
        lookUp: lookUpIn(brief),
        ...(model === undefined ? {} : { model }),
        ...(effort === undefined ? {} : { effort }),
        ...(resume !== null && agent.capabilities.resume ? { resume } : {}),
      });
      const session = transcript !== null && record ? record(started, transcript) : started;
      try {
        const result = await session.turn({
          prompt: promptOf(brief),
          schema: schemaFor(brief),
          judge: (output) => problemsIn(brief, output),
          timeoutMs,
          signal,
          ...(maxCostUsd === null ? {} : { maxCostUsd }),
          onEvent,
        });
        return { ...result, session: session.id };
      } finally {
        await session.close();
      }
    },
  };
}

const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 };

/** A program that answers from the brief alone. */
export const programServer = (name: string, answer: (brief: Brief) => unknown): RoleServer => ({
  agent: name,
  model: null,
  version: async () => undefined,
  question: ({ role, stage, revise }) =>
    `${name} reads the spec as ${role}, stage ${stage}${revise ? ", revising" : ""}.`,
  async serve({ brief }) {
    const started = performance.now();
    const output = answer(brief);
    const durationMs = Math.round(performance.now() - started);
    return { ending: "finished", output, text: "", usage: NO_USAGE, durationMs, session: null };
  },
});
