// A coding agent as a worker: one session in the worktree, a turn for the task and one for each thing that was wrong. It
// reports through a tool; one that only talks has simply ended its turn.

import type { Agent, AgentSession, Effort, Ending, TurnResult } from "../../machine/agents/agent.js";
import type { AttemptUsage } from "../../model/attempt/attempt.js";
import type { WorkEnding, WorkerInput, WorkResult, WorkSession, WorkTurn } from "../attempt/worker.js";
import { reportLines } from "./agent-lines.js";
import { type AgentReport, REPORT, readReport } from "./agent-report.js";
import { startAgent } from "./start-agent.js";

export interface AgentOptions {
  readonly agent: Agent;
  readonly model?: string;
  readonly effort?: Effort;
  /** What the agent itself needs besides the attempt's environment: its keys, its proxy. */
  readonly env: Readonly<Record<string, string>>;
  /** How much it can hold at once. */
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
  const usage: AttemptUsage = { inputTokens, outputTokens, costUsd };
  const common = { usage, said: text, ...(message === undefined ? {} : { problem: message }) };
  if (ending === "finished") return { ...common, ...readReport(output as AgentReport) };
  // The process was the agent's own: whatever code it ended with says nothing about the task.
  return { ...common, ending: ENDINGS[ending], ...(ending === "crashed" && { exit: null }) };
}

/** An agent that ended its turn without a report has worked all the same: the checks say what of it counts. */
const ENDINGS: Readonly<Record<Exclude<Ending, "finished">, WorkEnding>> = {
  "no-output": "done",
  refused: "refused",
  "over-budget": "over-budget",
  cancelled: "cancelled",
  timeout: "timeout",
  crashed: "crashed",
  unavailable: "unavailable",
};
