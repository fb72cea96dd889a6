// While a role is served, somebody else may end the run, or take it over: the call is stopped then, because nobody
// waits for its answer any more.

import type { Context } from "../../actions/context.js";
import { type Driver, readRun } from "./runs.js";

const LOOK_MS = 500;

/** `stop` when the run is no longer this driver's. The result ends the watch. */
export function watchRun({ store }: Context, key: string, driver: Driver, stop: () => void): () => void {
  let [seen, isLooking]: [number | undefined, boolean] = [undefined, false];
  const look = async (): Promise<void> => {
    const version = await store.version();
    if (version === seen) return;
    seen = version;
    const run = await store.read((reader) => readRun(reader, key));
    if (run.ok && run.value.fields.driver?.by !== driver.by) stop();
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    // A store that cannot be read for a moment is no reason to stop: the next step finds out.
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
