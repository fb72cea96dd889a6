// Draws again whenever the plan has changed, until the person has seen enough.

import type { PlanAsker } from "../kit/asking.js";

const SHORTEST_GAP_MS = 250;

/** Drawing takes at most a tenth of the time, however large the plan is and however often it changes. */
const GAP_PER_DRAWING = 9;

/** `draw`: one frame; false ends the watch. */
export async function watch(
  app: Pick<PlanAsker, "changes">,
  signal: AbortSignal,
  draw: () => Promise<boolean>,
): Promise<void> {
  let tookMs = 0;
  const gapMs = (): number => Math.max(SHORTEST_GAP_MS, GAP_PER_DRAWING * tookMs);
  for await (const _ of app.changes({ signal, gapMs })) {
    const start = performance.now();
    if (!(await draw())) return;
    tookMs = performance.now() - start;
  }
}
