// The reviewer as an agent: it may only read, in a conversation of its own, and answers with findings. The table that
// judges them is ours: its own opinion of the whole is not asked for.

import type { Agent, Effort, JsonSchema, Session } from "../agents/agent.js";
import RULES from "./prompts/reviewer.md";
import type { Look, Reviewer } from "./services.js";

export interface ReviewerOptions {
  readonly agent: Agent;
  readonly model?: string;
  readonly effort?: Effort;
  readonly env: Readonly<Record<string, string>>;
  record(session: Session, file: string): Session;
}

const REVIEW_MINUTES = 20;

const FINDINGS: JsonSchema = {
  type: "object",
  additionalProperties: false,
  required: ["findings"],
  properties: {
    findings: {
      type: "array",
      maxItems: 30,
      items: {
        type: "object",
        additionalProperties: false,
        required: ["severity", "file", "what"],
        properties: {
          severity: { enum: ["critical", "high", "medium", "low"] },
          file: { type: "string" },
          line: { type: "integer", minimum: 1 },
          what: { type: "string", description: "What is wrong, and what would be right" },
        },
      },
    },
  },
};

interface Found {
  readonly severity: "critical" | "high" | "medium" | "low";
  readonly file: string;
  readonly line?: number;
  readonly what: string;
}

/** Only these send work back: a reviewer that may stop everything for a word is soon switched off. */
const SERIOUS: ReadonlySet<string> = new Set<Found["severity"]>(["critical", "high"]);

export const agentReviewer = (options: ReviewerOptions): Reviewer => ({
  async look(look) {
    const { agent, model, effort } = options;
    const started = await agent.start({
      cwd: look.cwd,
      access: "read",
      env: { ...options.env, ...look.env },
      ...(model === undefined ? {} : { model }),
      ...(effort === undefined ? {} : { effort }),
    });
    const session = options.record(started, look.transcript.replace(/\.jsonl$/, ".review.jsonl"));
    try {
      const { ending, output, usage, message } = await session.turn({
        prompt: promptFor(look),
        schema: FINDINGS,
        timeoutMs: REVIEW_MINUTES * 60_000,
        signal: look.signal,
      });
      const { inputTokens, outputTokens, costUsd } = usage;
      const spent = { inputTokens, outputTokens, costUsd };
      // A review that did not happen proves nothing, good or bad: the checks stand, and the transcript says what happened.
      if (ending !== "finished") return { wrong: null, usage: spent, remark: message ?? ending };
      return { wrong: wordsOn((output as { findings: Found[] }).findings), usage: spent };
    } finally {
      await session.close();
    }
  },
});

const promptFor = ({ base, tip, packed }: Look): string =>
  [RULES.trim(), `The change is the commit ${tip} on top of ${base}: \`git diff ${base} ${tip}\`.`, packed.trim()].join(
    "\n\n",
  );

export function wordsOn(findings: readonly Found[]): string | null {
  const serious = findings.filter(({ severity }) => SERIOUS.has(severity));
  if (serious.length === 0) return null;
  const lines = serious.map(
    ({ severity, file, line, what }) => `- ${severity}, ${file}${line === undefined ? "" : `:${line}`}: ${what}`,
  );
  return `A reviewer looked at it and found:\n${lines.join("\n")}`;
}
