// What an agent hands in at the end of a turn of work: that it is done, that it cannot be done, or that it should be split.

import type { JsonSchema } from "../../machine/agents/agent.js";
import type { SplitPart } from "../../model/attempt/attempt.js";
import type { WorkResult } from "../attempt/worker.js";

export const REPORT: JsonSchema = {
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
      description: "If it is too big: two parts or more, each with files of its own",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["title", "files"],
        properties: {
          title: { type: "string" },
          body: { type: "string" },
          files: { type: "array", items: { type: "string" } },
          profile: { type: "string" },
          after: {
            type: "array",
            items: { type: "integer", minimum: 0 },
            description: "Positions in this list, from 0, of the parts that have to be done before it",
          },
          checks: { type: "array", items: { type: "string" }, description: "Commands that prove it" },
        },
      },
    },
  },
};

interface Part {
  readonly title: string;
  readonly body?: string;
  readonly files: readonly string[];
  readonly profile?: string;
  readonly after?: readonly number[];
  readonly checks?: readonly string[];
}

/** What fits the schema. */
export interface AgentReport {
  readonly outcome: "done" | "cannot" | "too-big";
  readonly summary: string;
  readonly class?: string;
  readonly parts?: readonly Part[];
}

/** One part is the task itself: an agent that calls it too big has to name the parts. */
export function readReport(report: AgentReport): Pick<WorkResult, "ending" | "failure" | "split"> {
  const { outcome, summary, class: named = "design", parts = [] } = report;
  if (outcome === "done") return { ending: "done" };
  if (outcome === "too-big" && parts.length > 1) {
    return { ending: "split", split: { why: summary, parts: parts.map(splitPart) } };
  }
  return { ending: "gave-up", failure: { class: named, reason: summary } };
}

const splitPart = ({ title, body = "", files, profile, after = [], checks = [] }: Part): SplitPart => ({
  title,
  body,
  files,
  profile: profile ?? null,
  after,
  checks: checks.map((run) => ({ run })),
});
