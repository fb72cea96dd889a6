// Has a read-only agent review the change in a fresh conversation. Only serious findings send it back to the worker.

import { type AttemptReview, addUsage } from "../../graph/attempt/attempt.js";
import { enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import type { AttemptWorktree } from "../attempt/attempt-worktree.js";
import type { EngineServices } from "../engine/services.js";
import { restoreWorktree } from "./restore-worktree.js";

/** `missing`: why there was no review. */
export type ReviewOutcome = { readonly wrong: string | null } | { readonly missing: string };

const NOTHING: ReviewOutcome = { wrong: null };

export async function reviewAttempt(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  signal: AbortSignal,
): Promise<ReviewOutcome> {
  const { tip } = live.attempt;
  if (!services.policy.review || live.task.kind !== "work" || tip === null) return NOTHING;
  const reviewer = await services.reviewerFor(live.task);
  if (reviewer === null) return NOTHING;
  await enterState(services, live, { to: "reviewing" });
  const { input, base, bundle } = tree;
  const { wrong, usage, missing, findings = [] } = await reviewer.review({ ...input, base, tip, bundle, signal });
  const review: AttemptReview = {
    by: reviewer.name ?? "reviewer",
    at: services.context.now(),
    findings: findings.map((finding) => ({ ...finding, what: services.redact(finding.what) })),
    missing: missing === undefined ? null : services.redact(missing),
  };
  await enterState(services, live, {
    to: "reviewing",
    patch: { usage: addUsage(live.attempt.usage, usage), reviews: [...(live.attempt.reviews ?? []), review] },
  });
  // A review that was stopped must not let the work through.
  if (signal.aborted) throw new Error("stopped during its review");
  await restoreWorktree(tree, tip);
  if (missing !== undefined) return { missing: services.redact(missing) };
  return { wrong: wrong === null ? null : services.redact(wrong) };
}
