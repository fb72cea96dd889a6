// Has a read-only agent review the change in a fresh conversation, if the settings name a reviewer. Only serious findings send it
// back to the worker. One rule for every worker: `run`, the daemon, `work` and `complete` come through here.

import { isPerson } from "../../model/actor.js";
import { type AttemptReview, addUsage } from "../../model/attempt/attempt.js";
import { enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import { bundleTextOf } from "../attempt/task-bundle.js";
import type { EngineServices, Reviewer } from "../services.js";
import type { AttemptWorktree } from "../worktree/attempt-worktree.js";
import { restoreWorktree } from "../worktree/restore-worktree.js";

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
  const reviewer = tip === null ? null : await reviewerOf(services, live);
  if (tip === null || reviewer === null) return NOTHING;
  await enterState(services, live, { to: "reviewing" });
  const bundle = await bundleTextOf(services, live);
  const timeoutMs = services.policy.attemptMinutes * 60_000;
  const look = { ...tree.input, base: tree.base, tip, bundle, timeoutMs, signal };
  const { wrong, usage, missing, findings = [] } = await reviewer.review(look);
  const review: AttemptReview = {
    by: reviewer.name ?? "reviewer",
    at: services.context.now(),
    findings: findings.map((finding) => ({ ...finding, what: services.redact(finding.what) })),
    missing: missing === undefined ? null : services.redact(missing),
    usage,
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

/** No agent reviews the work of a person. */
async function reviewerOf(services: EngineServices, { task, attempt }: LiveAttempt): Promise<Reviewer | null> {
  if (!services.policy.review || task.kind !== "work" || isPerson(attempt.by)) return null;
  return services.reviewerFor(task);
}
