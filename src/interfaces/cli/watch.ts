// Draws again whenever the plan has changed, until the person has seen enough.

import type { Context } from "../../actions/context.js";
import { watchChanges } from "../../actions/history/watch-changes.js";

const SHORTEST_GAP_MS = 250;

/** Drawing takes at most a tenth of the time, however large the plan is and however often it changes. */
const GAP_PER_DRAWING = 9;

/** `draw`: one frame; false ends the watch. */
export async function watch({ store }: Pick<Context, "store">, draw: () => Promise<boolean>): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  let tookMs = 0;
  const timed = async (): Promise<boolean> => {
    const start = performance.now();
    const goesOn = await draw();
    tookMs = performance.now() - start;
    return goesOn;
  };
  const gapMs = (): number => Math.max(SHORTEST_GAP_MS, GAP_PER_DRAWING * tookMs);
  try {
    const seen = await store.read((reader) => reader.lastOperation());
    if (!(await timed())) return;
    for await (const _ of watchChanges(store, seen, { signal: ending.signal, gapMs })) if (!(await timed())) return;
  } finally {
    process.off("SIGINT", end);
    process.off("SIGTERM", end);
  }
}
