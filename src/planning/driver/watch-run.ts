// While an agent serves a role, somebody else may end the run or take it over. The call is stopped then: nobody waits for
// its answer any more.

import type { Context } from "../../plan/base/context.js";
import { watchChanges } from "../../plan/history/watch-changes.js";
import { type Driver, readRun } from "./runs.js";

const GAP_MS = 500;

/** Calls `stop` when the run is no longer this driver's. The result ends the watch. */
export function watchRun(context: Context, key: string, driver: Driver, stop: () => void): () => void {
  const ending = new AbortController();
  void watchUntil(context, key, driver, ending.signal).then((isLost) => {
    if (isLost) stop();
  });
  return () => ending.abort();
}

async function watchUntil({ store }: Context, key: string, driver: Driver, signal: AbortSignal): Promise<boolean> {
  const isLost = (): Promise<boolean> =>
    store
      .read((reader) => readRun(reader, key))
      // A store that cannot be read for a moment is no reason to stop: the next step finds out.
      .then(
        (run) => run.ok && run.value.fields.driver?.by !== driver.by,
        () => false,
      );
  const seen = await store.read((reader) => reader.lastOperation()).catch(() => 0);
  if (await isLost()) return true;
  for await (const _ of watchChanges(store, seen, { signal, gapMs: () => GAP_MS })) if (await isLost()) return true;
  return false;
}
