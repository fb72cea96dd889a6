// What holds a task back, as an engine asks, and who would work on it.

import { HoldReader } from "../../actions/holds/hold-reader.js";
import type { NoWorker } from "../../graph/attempt/choose-worker.js";
import type { Node } from "../../graph/node/node.js";
import { type Asker, type Hold, holds, noWorkerHold, type Stop } from "../../graph/status/holds.js";
import type { EngineServices, Worker } from "./services.js";

export type HoldsFound =
  | { readonly held: readonly []; readonly worker: Worker }
  | { readonly held: readonly [Hold, ...Hold[]]; readonly stop: Stop | null };

/** For one tick: what is the same for many tasks is read once. */
export class EngineHolds {
  readonly #services: EngineServices;
  readonly #reader: HoldReader;

  constructor(services: EngineServices) {
    this.#services = services;
    const { context, policy } = services;
    this.#reader = new HoldReader({ ...context, engineLimits: async () => policy, noWorkerFor: async () => null });
  }

  async look(task: Node, asker: Asker): Promise<HoldsFound> {
    const facts = await this.#services.context.store.read((reader) => this.#reader.facts(reader, task, asker));
    const [first, ...more] = holds(task, facts, asker);
    if (first) return { held: [first, ...more], stop: facts.engine?.stop ?? null };
    // Agents are looked for last, and outside of the read: it takes a while.
    const worker = await this.#services.workerFor(task);
    return isWorker(worker) ? { held: [], worker } : { held: [noWorkerHold(worker)], stop: null };
  }
}

const isWorker = (worker: Worker | NoWorker): worker is Worker => "begin" in worker;
