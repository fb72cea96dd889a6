// Why a ready task is not begun now: its level, a pause after failures, or a budget that is spent.

import { type Stop, Stops } from "../../actions/claim/engine-stops.js";
import { readLevels } from "../../actions/level/level.js";
import type { Node } from "../../graph/node/node.js";
import type { Reader } from "../../store/store.js";
import { attemptsOf } from "../attempt/history.js";
import type { Services } from "./services.js";

export type HeldBack = Stop;

/** For one tick. */
export class Eligibility {
  readonly #services: Services;
  readonly #obeysLevels: boolean;
  readonly #stops: Stops;

  constructor(services: Services, obeysLevels: boolean) {
    this.#services = services;
    this.#obeysLevels = obeysLevels;
    this.#stops = new Stops(services.policy, services.context.now());
  }

  /** Null if it may begin. */
  holdsBack(task: Node): Promise<HeldBack | null> {
    return this.#services.context.store.read(async (reader) => {
      if (task.feature === null)
        return { reason: "it is in no feature, so its work has no branch to go to", until: null };
      if (this.#obeysLevels && (await readLevels(reader))(task.feature) === "off") {
        return { reason: "the level is off", until: null };
      }
      return (await this.#waits(reader, task)) ?? this.#stops.of(reader, task.feature);
    });
  }

  async #waits(reader: Reader, { nr }: Node): Promise<HeldBack | null> {
    const [last] = await attemptsOf(reader, nr, 1);
    const until = last?.fields.failure?.notBefore ?? 0;
    if (until <= this.#services.context.now()) return null;
    return { reason: `it is tried again at ${new Date(until).toISOString()}`, until };
  }
}
