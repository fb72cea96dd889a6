// The worker of a review task: a reviewer that may only read. It gets what several tasks changed as one difference, and answers
// with findings. Serious ones reject the review.

import type { AttemptReview } from "../../model/attempt/attempt.js";
import type { WorkerInput, WorkResult, WorkSession, WorkTurn } from "../attempt/worker.js";
import type { Reviewer } from "../services.js";

export interface ReviewOptions {
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
  const found = await reviewer.review(look);
  const { wrong, usage, missing, findings = [] } = found;
  const review: AttemptReview = {
    by: reviewer.name ?? "reviewer",
    at: now(),
    findings: findings.map((finding) => ({ ...finding, what: redact(finding.what) })),
    missing: missing === undefined ? null : redact(missing),
    usage,
  };
  const common = { usage, review, said: `${findings.length} findings` };
  if (signal.aborted) return { ...common, ending: "cancelled" };
  if (missing !== undefined) return { ...common, ending: "unavailable", problem: redact(missing) };
  if (wrong === null) return { ...common, ending: "done" };
  return { ...common, ending: "gave-up", failure: { class: "design", reason: redact(wrong) } };
}
