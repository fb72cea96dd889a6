// An agent as reviewer: it may only read, and answers with findings. Their severity decides, not the agent's own verdict.

import * as z from "zod/mini";
import { messageOf } from "../../base/errors.js";
import type { Ending, JsonSchema, TurnResult } from "../../machine/agents/agent.js";
import { diffText } from "../../machine/git/change-set.js";
import {
  type AttemptReview,
  type AttemptUsage,
  addUsage,
  NO_USAGE,
  type ReviewFinding,
} from "../../model/attempt/attempt.js";
import RULES from "../prompts/reviewer.md";
import type {
  ReviewAnswer,
  Reviewer,
  ReviewInput,
  WorkerInput,
  WorkResult,
  WorkSession,
  WorkTurn,
} from "../services.js";
import { type AgentOptions, startAgent } from "./agent.js";

type ReviewerOptions = Omit<AgentOptions, "windowTokens">;

const REVIEW_MINUTES = 20;
/** Characters of the diff in the prompt; the files have the rest. */
const DIFF_CHARACTERS = 100_000;

const finding = z.strictObject({
  severity: z.enum(["critical", "high", "medium", "low"]),
  file: z.string(),
  line: z.exactOptional(z.int().check(z.minimum(1))),
  what: z.string().check(z.describe("What is wrong, and what would be right")),
});

const answerOfReviewer = z.strictObject({ findings: z.array(finding).check(z.maxLength(30)) });

const FINDINGS: JsonSchema = z.toJSONSchema(answerOfReviewer);

const SERIOUS: ReadonlySet<string> = new Set<ReviewFinding["severity"]>(["critical", "high"]);

/** Endings that are worth a second review. */
const WORTH_ANOTHER: ReadonlySet<Ending> = new Set<Ending>(["crashed", "no-output", "refused"]);

export const agentReviewer = (options: ReviewerOptions): Reviewer => ({
  name: options.agent.name,
  async review(look) {
    let usage = NO_USAGE;
    const reviewOnce = async (): Promise<TurnResult> => {
      const result = await reviewTurn(options, look);
      const { inputTokens, outputTokens, costUsd } = result.usage;
      usage = addUsage(usage, { inputTokens, outputTokens, costUsd });
      return result;
    };
    try {
      const first = await reviewOnce();
      const { ending, output, message } = WORTH_ANOTHER.has(first.ending) ? await reviewOnce() : first;
      if (ending !== "finished") return missingReview(message ?? ending, usage);
      const { findings } = answerOfReviewer.parse(output);
      return { wrong: describeFindings(findings), findings, usage };
    } catch (error) {
      return missingReview(messageOf(error), usage);
    }
  },
});

/** Stands for an agent that the settings name and that cannot review. */
export const missingReviewer = (name: string, why: string): Reviewer => ({
  name,
  review: async () => missingReview(why, NO_USAGE),
});

/** Without a review a person has to decide, because the settings ask for one. */
const missingReview = (why: string, usage: AttemptUsage): ReviewAnswer => ({ wrong: null, usage, missing: why });

async function reviewTurn(options: ReviewerOptions, look: ReviewInput): Promise<TurnResult> {
  const started = await startAgent(options, "read", look);
  const session = options.record(started, look.transcript.replace(/\.jsonl$/, ".review.jsonl"));
  try {
    return await session.turn({
      prompt: await promptFor(look),
      schema: FINDINGS,
      timeoutMs: Math.min(REVIEW_MINUTES * 60_000, look.timeoutMs),
      signal: look.signal,
    });
  } finally {
    await session.close();
  }
}

/** Includes the diff, because a read-only agent cannot run a command to see it. */
async function promptFor({ cwd, base, tip, bundle, commits }: ReviewInput): Promise<string> {
  const { text, whole } = commits ? await diffOfAll(cwd, commits) : await diffText(cwd, base, tip, DIFF_CHARACTERS);
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  return [
    RULES.trim(),
    bundle.trim(),
    `# The change\n\n${fence}diff\n${text.trimEnd()}\n${fence}`,
    ...(whole
      ? []
      : [`Only the first ${DIFF_CHARACTERS} characters are shown; the files in this folder are as they are after it.`]),
  ].join("\n\n");
}

/** What several tasks changed, and nothing that others did in between. */
async function diffOfAll(cwd: string, commits: readonly string[]): ReturnType<typeof diffText> {
  let text = "";
  for (const commit of commits) text += (await diffText(cwd, `${commit}^`, commit, DIFF_CHARACTERS)).text;
  return { text: text.slice(0, DIFF_CHARACTERS), whole: text.length <= DIFF_CHARACTERS };
}

/** The longest run of backticks: the fence of the block must be longer. */
const longestRun = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length));

function describeFindings(findings: readonly ReviewFinding[]): string | null {
  const serious = findings.filter(({ severity }) => SERIOUS.has(severity));
  if (serious.length === 0) return null;
  const placeOf = ({ file, line }: ReviewFinding): string => (line === undefined ? file : `${file}:${line}`);
  const lines = serious.map((finding) => `- ${finding.severity}, ${placeOf(finding)}: ${finding.what}`);
  return `A reviewer looked at it and found:\n${lines.join("\n")}`;
}

export const reviewRecord = (
  { name = "reviewer" }: Reviewer,
  { usage, missing, findings = [] }: ReviewAnswer,
  at: number,
  redact: (text: string) => string,
): AttemptReview => ({
  by: name,
  at,
  findings: findings.map((finding) => ({ ...finding, what: redact(finding.what) })),
  missing: missing === undefined ? null : redact(missing),
  usage,
});

interface ReviewOptions {
  /** The commits of the tasks that it looks at, oldest first. */
  readonly commits: readonly string[];
  readonly now: () => number;
  readonly redact: (text: string) => string;
}

export const reviewSession = (work: WorkerInput, reviewer: Reviewer, options: ReviewOptions): WorkSession => ({
  id: null,
  turn: (turn) => oneReview(work, reviewer, options, turn),
  close: async () => undefined,
});

async function oneReview(
  work: WorkerInput,
  reviewer: Reviewer,
  { commits, now, redact }: ReviewOptions,
  { prompt, timeoutMs, signal, onActivity }: WorkTurn,
): Promise<WorkResult> {
  onActivity();
  const look = { ...work, base: "HEAD", tip: "HEAD", bundle: prompt, commits, timeoutMs, signal };
  const answer = await reviewer.review(look);
  const { wrong, usage, missing } = answer;
  const review = reviewRecord(reviewer, answer, now(), redact);
  const common = { usage, review, said: `${review.findings.length} findings` };
  if (signal.aborted) return { ...common, ending: "cancelled" };
  if (missing !== undefined) return { ...common, ending: "unavailable", problem: redact(missing) };
  if (wrong === null) return { ...common, ending: "done" };
  return { ...common, ending: "gave-up", failure: { class: "design", reason: redact(wrong) } };
}
