// What holds a task back, as an engine asks, and who would work on it.

import type { NoWorker } from "../../model/attempt/choose-worker.js";
import { type Occupied, overlapsOf } from "../../model/conflict/conflict.js";
import type { Node } from "../../model/node/node.js";
import { type Asker, type Hold, holds, noWorkerHold, type Stop } from "../../model/status/holds.js";
import { ALONE } from "../../model/status/status.js";
import { gatherSurroundings, HoldReader, occupiedNow } from "../../plan/holds/hold-reader.js";
import type { EngineServices, Worker } from "../services.js";

export type HoldsFound =
  | { readonly held: readonly []; readonly worker: Worker }
  | { readonly held: readonly [Hold, ...Hold[]]; readonly stop: Stop | null };

/** For one tick: what is the same for many tasks is read once. */
export class EngineHolds {
  readonly #services: EngineServices;
  readonly #reader: HoldReader;
  #occupied: readonly Occupied[] | undefined;
  #looks = 0;

  constructor(services: EngineServices) {
    this.#services = services;
    const { context, policy } = services;
    this.#reader = new HoldReader({ ...context, engineLimits: async () => policy, noWorkerFor: async () => null });
  }

  /** How many tasks were looked at closely. */
  get looks(): number {
    return this.#looks;
  }

  /** Something was claimed: what is in progress has to be read again. */
  claimed(): void {
    this.#occupied = undefined;
  }

  /**
   * Whether a ready task overlaps with work in progress. Many ready tasks may name one file, so this reads nothing about
   * the task.
   */
  async overlap(task: Node): Promise<readonly Hold[]> {
    const overlaps = overlapsOf(task, await this.#inProgress());
    return overlaps.length === 0 ? [] : holds(task, { around: { ...ALONE, overlaps } }, "self");
  }

  async look(task: Node, asker: Asker): Promise<HoldsFound> {
    this.#looks++;
    const occupied = await this.#inProgress();
    const facts = await this.#services.context.store.read(async (reader) =>
      this.#reader.facts(reader, task, asker, await gatherSurroundings(reader, task, { occupied })),
    );
    const [first, ...more] = holds(task, facts, asker);
    if (first) return { held: [first, ...more], stop: facts.engine?.stop ?? null };
    // Agents are looked for last, and outside of the read: it takes a while.
    const worker = await this.#services.workerFor(task);
    return isWorker(worker) ? { held: [], worker } : { held: [noWorkerHold(worker)], stop: null };
  }

  async #inProgress(): Promise<readonly Occupied[]> {
    this.#occupied ??= await this.#services.context.store.read(occupiedNow);
    return this.#occupied;
  }
}

const isWorker = (worker: Worker | NoWorker): worker is Worker => "begin" in worker;
