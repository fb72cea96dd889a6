// What holds a task back, as an engine asks.

import { HoldReader } from "../../actions/holds/hold-reader.js";
import type { NoWorker } from "../../graph/attempt/choose-worker.js";
import type { Services, Worker } from "./services.js";

/** For one tick: with the limits and the workers that this engine was given. */
export const engineHolds = ({ context, policy, workerFor }: Services): HoldReader =>
  new HoldReader({
    ...context,
    engineLimits: async () => policy,
    noWorkerFor: async (task) => {
      const worker = await workerFor(task);
      return isWorker(worker) ? null : worker;
    },
  });

export const isWorker = (worker: Worker | NoWorker): worker is Worker => "begin" in worker;
