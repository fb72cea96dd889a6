// A second pair of eyes on behavioural work: an agent that may only read, in a fresh conversation. What it finds is
// judged by a table; the change goes back to the worker only for what is serious.

import { changeSet } from "../../git/change-set.js";
import { restoreFiles } from "../../git/worktree.js";
import { addUsage, touchedBy } from "../../graph/attempt/attempt.js";
import { enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import type { AttemptWorktree } from "../attempt/attempt-worktree.js";
import type { EngineServices } from "../engine/services.js";

/** What is wrong, if anything is; or why nobody could say. */
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
  const { wrong, usage, missing } = await reviewer.review({ ...input, base, tip, bundle, signal });
  await enterState(services, live, { to: "reviewing", patch: { usage: addUsage(live.attempt.usage, usage) } });
  // Work that nobody could look at to the end is not let through because somebody was in a hurry.
  if (signal.aborted) throw new Error("stopped during its review");
  await putBack(tree, tip);
  if (missing !== undefined) return { missing: services.redact(missing) };
  return { wrong: wrong === null ? null : services.redact(wrong) };
}

/** Neither checks nor a reviewer do the work: what they left must not pass for the worker's. */
async function putBack({ worktree }: AttemptWorktree, tip: string): Promise<void> {
  const changed = touchedBy(await changeSet(worktree, tip));
  if (changed.length === 0) return;
  const restored = await restoreFiles(worktree, tip);
  if ("problem" in restored) throw new Error(`what a review left could not be put back: ${restored.problem}`);
}
