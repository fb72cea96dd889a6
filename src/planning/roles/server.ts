// Who serves a role: an agent that is prompted, a program that reads the brief (outline-server.ts), or a host that asks for the
// question and hands the answer in. To a run all look alike.

import { randomBytes } from "node:crypto";
import type { Agent, AgentSession, Effort, Turn, TurnResult } from "../../machine/agents/agent.js";
import { defined } from "../contracts/common.js";
import { HOST } from "./agents.js";
import { type Brief, lookUpIn } from "./brief.js";
import { judgeReply, schemaFor } from "./contract.js";
import { isWholePrompt, promptFor, promptOfChanges } from "./prompt.js";

export interface RoleRequest extends Required<Pick<Turn, "timeoutMs" | "signal" | "onEvent">> {
  readonly brief: Brief;
  /** The folder that an agent reads in. A program reads the brief alone. */
  readonly folder: string;
  /** A conversation to continue, if the server keeps conversations, and the prompts that it has had. */
  readonly session: string | null;
  readonly told: readonly string[];
  readonly maxCostUsd: number | null;
  /** Where to keep what was said; null: nowhere. */
  readonly transcript: string | null;
}

export interface RoleReply extends TurnResult {
  readonly session: string | null;
  /** What was wrong with each submission that was refused during the turn. */
  readonly refused?: readonly (readonly string[])[];
  /** Files that the agent wrote into the folder where it may only read. */
  readonly wrote?: readonly string[];
  /** The conversation was lost, and this was asked in a new one. */
  readonly askedAgain?: string;
}

export interface RoleServer {
  readonly agent: string;
  readonly model: string | null;
  version(): Promise<string | undefined>;
  /** What is asked, for the record. `told`: the prompts of the conversation that is continued; none of a new one. */
  question(brief: Brief, told: readonly string[]): string;
  /** Without it nobody is started: a host reads the question and hands the answer in. */
  serve?(request: RoleRequest): Promise<RoleReply>;
}

export type ServingServer = RoleServer & Required<Pick<RoleServer, "serve">>;

export const isServing = (server: RoleServer): server is ServingServer => server.serve !== undefined;

interface AgentServing {
  readonly agent: Agent;
  readonly env: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly effort?: Effort;
  /** The same session, with what is said in it kept in a file. */
  readonly record?: (session: AgentSession, file: string) => AgentSession;
}

/** An agent in a read-only session. A conversation that goes on gets only what is new; a new one gets all that has to be known. */
export function agentServer({ agent, env, model, effort, record }: AgentServing): ServingServer {
  const mark = newMark();
  const promptOf = (brief: Brief, told: readonly string[]): string =>
    told.length > 0 && agent.capabilities.resume ? promptOfChanges(brief, mark, told) : promptFor(brief, mark);
  return {
    agent: agent.name,
    model: model ?? null,
    version: () => agent.version(),
    question: promptOf,
    async serve({ brief, folder, session: resume, told, timeoutMs, maxCostUsd, signal, transcript, onEvent }) {
      const started = await agent.start({
        cwd: folder,
        access: "read",
        env,
        lookUp: lookUpIn(brief),
        ...defined({ model, effort }),
        ...(resume !== null && agent.capabilities.resume ? { resume } : {}),
      });
      const session = transcript !== null && record ? record(started, transcript) : started;
      const prompt = promptOf(brief, told);
      const refused: (readonly string[])[] = [];
      let askedAgain: string | undefined;
      const judge = (output: unknown): readonly string[] => {
        const judged = judgeReply(brief, output);
        if (judged.ok) return [];
        refused.push(judged.problems);
        return judged.problems;
      };
      const whole = (): string => (askedAgain = isWholePrompt(prompt) ? prompt : promptFor(brief, mark));
      try {
        const result = await session.turn({
          prompt,
          whole,
          schema: schemaFor(brief),
          judge,
          timeoutMs,
          signal,
          ...(maxCostUsd === null ? {} : { maxCostUsd }),
          onEvent,
        });
        return { ...result, session: session.id, refused, ...defined({ askedAgain }) };
      } finally {
        await session.close();
      }
    },
  };
}

const newMark = (): string => `=====${randomBytes(9).toString("base64url")}=====`;

/** The coding agent that asks for the plan spawns a subagent with the question, and that one hands in. */
export function hostServer(): RoleServer {
  const mark = newMark();
  return {
    agent: HOST,
    model: null,
    version: async () => undefined,
    question: (brief, told) => (told.length > 0 ? promptOfChanges(brief, mark, told) : promptFor(brief, mark)),
  };
}

const PASSING =
  /\b(429|500|502|503|504|529)\b|\b(overloaded|rate.?limit\w*|too many requests|service unavailable|fetch failed|network error|socket hang up|ECONN\w+|ETIMEDOUT|EAI_AGAIN|EPIPE|ENETUNREACH|ENETDOWN|EHOSTUNREACH)\b/i;

/** Trouble that goes away by itself: a host that is overloaded, a network that fails, a process that died. Such a call is made again before
 *  a person is asked. */
export const isTransient = ({ ending, message = "" }: Pick<RoleReply, "ending" | "message">): boolean =>
  ending === "crashed" || ((ending === "refused" || ending === "unavailable") && PASSING.test(message));

/** How long to wait before each further try: a second, four, sixteen. */
export const retryDelays = (retries: number): number[] =>
  Array.from({ length: retries }, (_, at) => 1_000 * 4 ** Math.min(at, 4));
