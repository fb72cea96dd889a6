// A coding agent as a worker: one session in the worktree, a turn for the task and one for each thing that was wrong. It
// reports through a tool; one that only talks has simply ended its turn.

import type { Agent, AgentEvent, Effort, Ending, JsonSchema, Session } from "../../agents/agent.js";
import type { AttemptUsage, SplitPart } from "../../graph/attempt.js";
import type { Work, WorkEnding, WorkResult, WorkSession, WorkTurn } from "../worker.js";

export interface AgentOptions {
  readonly agent: Agent;
  readonly model?: string;
  readonly effort?: Effort;
  /** What the agent itself needs besides the attempt's environment: its keys, its proxy. */
  readonly env: Readonly<Record<string, string>>;
  readonly resume?: string;
  record(session: Session, file: string): Session;
}

const REPORT: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["outcome", "summary"],
  properties: {
    outcome: {
      enum: ["done", "cannot", "too-big"],
      description: "done: the task is finished; cannot: it cannot be done as written; too-big: it should be split",
    },
    summary: { type: "string", description: "What you did, or why not, in a few sentences" },
    class: {
      enum: ["logic", "design", "plan", "architecture"],
      description: "If it cannot be done: what is at fault; the task's design, the plan, or the architecture",
    },
    parts: {
      type: "array",
      maxItems: 20,
      description: "If it is too big: the parts, each with files of its own",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["title", "files"],
        properties: {
          title: { type: "string" },
          body: { type: "string" },
          files: { type: "array", items: { type: "string" } },
          profile: { type: "string" },
          after: { type: "array", items: { type: "integer", minimum: 0 } },
          checks: { type: "array", items: { type: "string" }, description: "Commands that prove it" },
        },
      },
    },
  },
};

interface Report {
  readonly outcome: "done" | "cannot" | "too-big";
  readonly summary: string;
  readonly class?: string;
  readonly parts?: readonly {
    readonly title: string;
    readonly body?: string;
    readonly files: readonly string[];
    readonly profile?: string;
    readonly after?: readonly number[];
    readonly checks?: readonly string[];
  }[];
}

export async function agentSession(work: Work, options: AgentOptions): Promise<WorkSession> {
  const { agent, model, effort, env, resume } = options;
  const started = await agent.start({
    cwd: work.cwd,
    access: "write",
    env: { ...env, ...work.env },
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(resume === undefined ? {} : { resume }),
  });
  const session = options.record(started, work.transcript);
  return {
    get id() {
      return session.id;
    },
    turn: (turn) => oneTurn(session, turn),
    close: () => session.close(),
  };
}

async function oneTurn(
  session: Session,
  { prompt, timeoutMs, signal, onLine, onTokens }: WorkTurn,
): Promise<WorkResult> {
  const result = await session.turn({
    prompt,
    schema: REPORT,
    timeoutMs,
    signal,
    onEvent: (event) => {
      const line = lineOf(event);
      if (line !== "") onLine(line);
      if (event.type === "usage") onTokens(event.usage.inputTokens + event.usage.outputTokens);
    },
  });
  const { inputTokens, outputTokens, costUsd } = result.usage;
  const usage: AttemptUsage = { inputTokens, outputTokens, costUsd };
  const common = { usage, said: result.text, ...(result.message === undefined ? {} : { problem: result.message }) };
  return result.ending === "finished"
    ? { ...common, ...reported(result.output as Report) }
    : { ...common, ending: ENDINGS[result.ending] };
}

/** An agent that ended its turn without a report has worked all the same: the checks say what of it counts. */
const ENDINGS: Readonly<Record<Exclude<Ending, "finished">, WorkEnding>> = {
  "no-output": "done",
  refused: "gave-up",
  "over-budget": "over-budget",
  cancelled: "cancelled",
  timeout: "timeout",
  crashed: "crashed",
  unavailable: "unavailable",
};

function reported({
  outcome,
  summary,
  class: named,
  parts = [],
}: Report): Pick<WorkResult, "ending" | "failure" | "split"> {
  if (outcome === "done") return { ending: "done" };
  if (outcome === "too-big" && parts.length > 1)
    return { ending: "split", split: { why: summary, parts: parts.map(part) } };
  return { ending: "gave-up", failure: { class: named ?? "design", reason: summary } };
}

type Drafted = NonNullable<Report["parts"]>[number];

const part = ({ title, body = "", files, profile, after = [], checks = [] }: Drafted): SplitPart => ({
  title,
  body,
  files,
  profile: profile ?? null,
  after,
  checks: checks.map((run) => ({ run })),
});

const LINE = 200;

function lineOf(event: AgentEvent): string {
  if (event.type === "text") return event.text.trim().split("\n").at(-1)?.slice(0, LINE) ?? "";
  if (event.type === "tool") return `${event.name} ${event.detail}`.trim().slice(0, LINE);
  return event.type === "notice" ? event.text.slice(0, LINE) : "";
}
