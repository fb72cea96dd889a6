// Claude Code: one process for each prompt, by its documented flags alone. The user's own settings, hooks and
// servers stay out of it; the folder and the access are ours to say.

import { randomUUID } from "node:crypto";
import type { SessionSpec } from "./agent.js";
import { type ClaudeEnd, ClaudeReader } from "./claude-events.js";
import type { Conversation, Reply, TurnRequest } from "./conversation.js";
import { joinId, splitId } from "./conversation.js";
import { flagWith } from "./known.js";
import { countedSince, type Reading, type Tokens } from "./ledger.js";
import { SUBMIT_SERVER } from "./mcp.js";
import { describeExit, type Launch, OneShotProcess } from "./one-shot.js";
import { DOOR_TOKEN, OUR_TOOLS } from "./submit.js";

const TOOLS = OUR_TOOLS.map((tool) => `mcp__${SUBMIT_SERVER}__${tool}`);

export interface ClaudeCall {
  readonly spec: SessionSpec;
  readonly sessionId: string;
  readonly resume: boolean;
  readonly submitAt?: string;
  readonly maxCostUsd?: number;
}

export function claudeArguments({ spec, sessionId, resume, submitAt, maxCostUsd }: ClaudeCall): string[] {
  const headers = { Authorization: `Bearer \${${DOOR_TOKEN}}` };
  const servers = submitAt === undefined ? {} : { [SUBMIT_SERVER]: { type: "http", url: submitAt, headers } };
  const access =
    spec.access === "read"
      ? ["--tools", "Read,Grep,Glob", "--permission-mode", "dontAsk", "--allowedTools", TOOLS.join(",")]
      : [
          "--tools",
          "Read,Grep,Glob,Edit,Write,Bash",
          "--permission-mode",
          "acceptEdits",
          "--allowedTools",
          ["Bash", ...TOOLS].join(","),
        ];
  return [
    "-p",
    ...flagWith("--output-format", "stream-json"),
    "--verbose",
    "--include-partial-messages",
    ...flagWith("--setting-sources", ""),
    "--strict-mcp-config",
    ...flagWith("--mcp-config", JSON.stringify({ mcpServers: servers })),
    ...access,
    ...flagWith("--model", spec.model),
    ...flagWith("--effort", spec.effort),
    ...flagWith("--max-budget-usd", maxCostUsd?.toString()),
    ...flagWith(resume ? "--resume" : "--session-id", sessionId),
  ];
}

const readingOf = (tokens: Tokens, model: string | undefined): Reading => ({
  tokens,
  ...(model !== undefined && { model }),
});

export class ClaudeConversation implements Conversation {
  readonly doors = "each-prompt";
  readonly #launch: Launch;
  readonly #spec: SessionSpec;
  readonly #process: OneShotProcess;
  #sessionId: string;
  /** Whether the agent has confirmed the session: only then can it be resumed, and only before can it be named. */
  #exists: boolean;
  #costSoFar: number;

  constructor(launch: Launch, spec: SessionSpec) {
    this.#launch = launch;
    this.#spec = spec;
    this.#process = new OneShotProcess(spec);
    const { agentsId, note } = splitId(spec.resume ?? "");
    this.#exists = spec.resume !== undefined;
    this.#sessionId = this.#exists ? agentsId : randomUUID();
    this.#costSoFar = Number(note) || 0;
  }

  get id(): string | null {
    return this.#exists ? joinId(this.#sessionId, this.#costSoFar === 0 ? "" : String(this.#costSoFar)) : null;
  }

  async prompt(ask: TurnRequest): Promise<Reply> {
    if (!this.#exists) this.#sessionId = randomUUID();
    const reader = new ClaudeReader();
    let end: ClaudeEnd | undefined;
    let model = this.#spec.model;
    const exit = await this.#process.run(
      {
        ...this.#launch,
        title: "Claude Code",
        args: [...this.#arguments(ask), ...this.#launch.args],
        // Otherwise the model has to search for our tool before it can see its schema.
        env: { ENABLE_TOOL_SEARCH: "false" },
        onLine: (line) => {
          const read = reader.read(line);
          if (read.sessionId === this.#sessionId) this.#exists = true;
          model = read.model ?? model;
          end = read.end ?? end;
          for (const event of read.events) ask.onEvent(event);
        },
      },
      ask,
    );
    const known = reader.spent.input > 0 ? readingOf(reader.spent, model) : undefined;
    const reading = end === undefined ? known : this.#reading(end, model);
    const rest = reading === undefined ? {} : { reading };
    if (exit.cancelled) return { ending: "cancelled", ...rest };
    if (exit.notStarted !== undefined) return { ending: "unavailable", message: describeExit("Claude Code", exit) };
    // The exit code says nothing: it is 0 after an interrupt. The result line does.
    if (end === undefined) return { ending: "crashed", message: describeExit("Claude Code", exit), ...rest };
    if (end.lost) [this.#exists, this.#costSoFar] = [false, 0];
    const lost = end.lost && { lost: end.lost };
    return { ending: end.ending, ...rest, ...lost, ...(end.message !== undefined && { message: end.message }) };
  }

  async close(): Promise<void> {
    await this.#process.end();
  }

  #arguments(ask: TurnRequest): string[] {
    return claudeArguments({
      spec: this.#spec,
      sessionId: this.#sessionId,
      resume: this.#exists,
      ...(ask.door !== undefined && { submitAt: ask.door.address }),
      ...(ask.maxCostUsd !== undefined && { maxCostUsd: ask.maxCostUsd }),
    });
  }

  #reading({ tokens, totalCostUsd }: ClaudeEnd, model: string | undefined): Reading {
    const costUsd = totalCostUsd === undefined ? undefined : countedSince(this.#costSoFar, totalCostUsd);
    this.#costSoFar = totalCostUsd ?? this.#costSoFar;
    return { ...readingOf(tokens, model), ...(costUsd !== undefined && { costUsd }) };
  }
}
