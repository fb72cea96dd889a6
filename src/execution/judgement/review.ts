// A second pair of eyes on behavioural work: an agent that may only read, in a fresh conversation. What it finds is
// judged by a table; the change goes back to the worker only for what is serious.

import { changeSet } from "../../git/change-set.js";
import { restoreFiles } from "../../git/worktree.js";
import { addUsage, touchedBy } from "../../graph/attempt/attempt.js";
import { type Live, move } from "../attempt/moves.js";
import type { Ground } from "../attempt/workspace.js";
import type { Services } from "../engine/services.js";

/** What is wrong, if anything is; or why nobody could say. */
export type Reviewed = { readonly wrong: string | null } | { readonly missing: string };

const NOTHING: Reviewed = { wrong: null };

export async function review(services: Services, live: Live, ground: Ground, signal: AbortSignal): Promise<Reviewed> {
  const { tip } = live.attempt;
  if (!services.policy.review || live.task.kind !== "work" || tip === null) return NOTHING;
  const reviewer = await services.reviewerFor(live.task);
  if (reviewer === null) return NOTHING;
  await move(services, live, { to: "reviewing" });
  const { work, base, packed } = ground;
  const { wrong, usage, missing } = await reviewer.look({ ...work, base, tip, packed, signal });
  await move(services, live, { to: "reviewing", patch: { usage: addUsage(live.attempt.usage, usage) } });
  // Work that nobody could look at to the end is not let through because somebody was in a hurry.
  if (signal.aborted) throw new Error("stopped during its review");
  await putBack(ground, tip);
  if (missing !== undefined) return { missing: services.redact(missing) };
  return { wrong: wrong === null ? null : services.redact(wrong) };
}

/** Neither checks nor a reviewer do the work: what they left must not pass for the worker's. */
async function putBack({ worktree }: Ground, tip: string): Promise<void> {
  const changed = touchedBy(await changeSet(worktree, tip));
  if (changed.length === 0) return;
  const restored = await restoreFiles(worktree, tip);
  if ("problem" in restored) throw new Error(`what a review left could not be put back: ${restored.problem}`);
}
