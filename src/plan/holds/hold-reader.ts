// Gathers what `holds` decides from. One for each look at the plan.

import type { Node } from "../../model/node/node.js";
import { type Asker, dependsOnAsker, type Hold, type HoldFacts, holds } from "../../model/status/holds.js";
import type { Surroundings } from "../../model/status/status.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { gatherSurroundings } from "../base/surroundings.js";
import type { EngineFactsReader } from "./engine-facts.js";

const ENGINES: ReadonlySet<Asker> = new Set<Asker>(["named-run", "run", "daemon"]);

export class HoldReader {
  readonly #context: Context;
  #engine: EngineFactsReader | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  /** `around`, if it was read already. */
  async holds(reader: Reader, task: Node, asker: Asker, around?: Surroundings): Promise<Hold[]> {
    return holds(task, await this.facts(reader, task, asker, around), asker);
  }

  async facts(reader: Reader, task: Node, asker: Asker, known?: Surroundings): Promise<HoldFacts> {
    const around = known ?? (await gatherSurroundings(reader, task));
    if (!ENGINES.has(asker) || !dependsOnAsker(task, around)) return { around };
    // Loaded when an engine is asked about: your own `next` and `start` need none of it.
    this.#engine ??= new (await import("./engine-facts.js")).EngineFactsReader(this.#context);
    return { around, engine: await this.#engine.of(reader, task) };
  }
}
