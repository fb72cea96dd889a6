// A coding agent as a worker: one session in the worktree, a turn for the task and one for each thing that was wrong. It
// reports through a tool; one that only talks has simply ended its turn.

import * as z from "zod/mini";
import type {
  Agent,
  AgentEvent,
  AgentSession,
  Effort,
  JsonSchema,
  SessionSpec,
  TurnResult,
} from "../../machine/agents/agent.js";
import { LineCutter } from "../../machine/process/lines.js";
import { bringSignIn } from "../../machine/sandbox/sign-in.js";
import type { SplitPart } from "../../model/attempt/attempt.js";
import type { WorkerInput, WorkResult, WorkSession, WorkTurn } from "../services.js";

export interface AgentOptions {
  readonly agent: Agent;
  readonly model?: string;
  readonly effort?: Effort;
  /** What the agent itself needs besides the attempt's environment: its keys, its proxy. */
  readonly env: Readonly<Record<string, string>>;
  readonly windowTokens: number;
  record(session: AgentSession, file: string): AgentSession;
}

export async function agentSession(work: WorkerInput, options: AgentOptions): Promise<WorkSession> {
  const started = await startAgent(options, "write", work);
  const session = options.record(started, work.transcript);
  return {
    get id() {
      return session.id;
    },
    windowTokens: options.windowTokens,
    turn: (turn) => oneTurn(session, turn),
    close: () => session.close(),
  };
}

async function oneTurn(session: AgentSession, turn: WorkTurn): Promise<WorkResult> {
  const { prompt, timeoutMs, signal, maxCostUsd } = turn;
  const telling = reportLines((line) => turn.onLine(line));
  let tokens = 0;
  const result = await session.turn({
    prompt,
    schema: REPORT,
    timeoutMs,
    signal,
    ...(maxCostUsd === null ? {} : { maxCostUsd }),
    onEvent: (event) => {
      turn.onActivity();
      telling.add(event);
      if (event.type === "spent") turn.onTokens(tokens + event.tokens);
      if (event.type !== "usage") return;
      // Each prompt of a turn is counted for itself: one that was reminded has taken two.
      tokens += event.usage.inputTokens + event.usage.outputTokens;
      turn.onTokens(tokens);
    },
  });
  telling.end();
  return resultOf(result);
}

function resultOf({ ending, text, output, message, usage: used }: TurnResult): WorkResult {
  const { inputTokens, outputTokens, costUsd } = used;
  const usage = { inputTokens, outputTokens, costUsd };
  const common = { usage, said: text, ...(message === undefined ? {} : { problem: message }) };
  if (ending === "finished") return { ...common, ...readReport(report.parse(output)) };
  // The process was the agent's own: whatever code it ended with says nothing about the task.
  if (ending === "crashed") return { ...common, ending, exit: null };
  // An agent that ended its turn without a report has worked all the same: the checks say what of it counts.
  return { ...common, ending: ending === "no-output" ? "done" : ending };
}

export function reportLines(tell: (line: string) => void) {
  const text = new LineCutter();
  const pass = (lines: readonly string[]): void => {
    for (const line of lines) if (line.trim() !== "") tell(line.trim());
  };
  return {
    add: (event: AgentEvent): void => {
      if (event.type === "text") return pass(text.cut(event.text));
      const line = lineOf(event);
      if (line === "") return;
      pass(text.rest());
      tell(line);
    },
    /** Tells what is still held back. */
    end: () => pass(text.rest()),
  };
}

/** Thoughts are a sign of life and nothing to show. */
function lineOf(event: AgentEvent): string {
  if (event.type === "tool" && event.state !== "done") {
    return `${event.name}${event.state === "failed" ? " failed:" : ""} ${event.detail}`.replace(/\s+/g, " ").trim();
  }
  if (event.type === "permission" && !event.granted) return `not permitted: ${event.what}`;
  return event.type === "notice" ? event.text.trim() : "";
}

const part = z.strictObject({
  title: z.string(),
  body: z.optional(z.string()),
  files: z.array(z.string()),
  profile: z.optional(z.string()),
  after: z.optional(
    z
      .array(z.int().check(z.minimum(0)))
      .check(z.describe("Positions in this list, from 0, of the parts that have to be done before it")),
  ),
  checks: z.optional(z.array(z.string()).check(z.describe("Commands that prove it"))),
});

const report = z.strictObject({
  outcome: z
    .enum(["done", "cannot", "too-big"])
    .check(z.describe("done: the task is finished; cannot: it cannot be done as written; too-big: it should be split")),
  summary: z.string().check(z.describe("What you did, or why not, in a few sentences")),
  class: z.optional(
    z
      .enum(["logic", "design", "plan", "architecture"])
      .check(z.describe("If it cannot be done: what is at fault; the task's design, the plan, or the architecture")),
  ),
  parts: z.optional(
    z.array(part).check(z.maxLength(20), z.describe("If it is too big: two parts or more, each with files of its own")),
  ),
});

export type AgentReport = z.infer<typeof report>;

export const REPORT: JsonSchema = z.toJSONSchema(report);

/** An agent that calls a task too big has to name two parts or more: one part is the task itself. */
export function readReport(given: AgentReport): Pick<WorkResult, "ending" | "failure" | "split"> {
  const { outcome, summary, class: named = "design", parts = [] } = given;
  if (outcome === "done") return { ending: "done" };
  if (outcome === "too-big" && parts.length > 1) {
    return { ending: "split", split: { why: summary, parts: parts.map(splitPart) } };
  }
  return { ending: "gave-up", failure: { class: named, reason: summary } };
}

const splitPart = ({ title, body = "", files, profile, after = [], checks = [] }: z.infer<typeof part>): SplitPart => ({
  title,
  body,
  files,
  profile: profile ?? null,
  after,
  checks: checks.map((run) => ({ run })),
});

/** In a sandbox it has a home folder of its own, with its login and nothing else of yours. */
export async function startAgent(
  { agent, model, effort, env: own }: Omit<AgentOptions, "windowTokens" | "record">,
  access: SessionSpec["access"],
  { cwd, env: attempt, wrap, home }: Pick<WorkerInput, "cwd" | "env" | "wrap" | "home">,
): Promise<AgentSession> {
  const env = { ...own, ...attempt };
  const login = home === null ? undefined : bringSignIn(agent.name, env, home);
  const session = await agent.start({
    cwd,
    access,
    env,
    wrap,
    confined: home !== null,
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
  });
  return {
    get id() {
      return session.id;
    },
    turn: (turn) => session.turn(turn),
    close: async () => {
      await session.close();
      login?.takeBack();
    },
  };
}
