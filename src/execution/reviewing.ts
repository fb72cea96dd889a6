// A second pair of eyes on behavioural work: an agent that may only read, in a fresh conversation. What it finds is
// judged by a table; the change goes back to the worker only for what is serious.

import { addUsage } from "../graph/attempt.js";
import type { Ground } from "./ground.js";
import { type Live, move } from "./moves.js";
import type { Services } from "./services.js";

/** What is wrong, or null. */
export async function review(
  services: Services,
  live: Live,
  ground: Ground,
  signal: AbortSignal,
): Promise<string | null> {
  if (!services.policy.review || live.task.kind !== "work" || live.attempt.tip === null) return null;
  const reviewer = await services.reviewerFor(live.task);
  if (reviewer === null) return null;
  await move(services, live, { to: "reviewing" });
  const { work, base, packed } = ground;
  const { wrong, usage } = await reviewer.look({ ...work, base, tip: live.attempt.tip, packed, signal });
  await move(services, live, { to: "reviewing", patch: { usage: addUsage(live.attempt.usage, usage) } });
  return wrong;
}
