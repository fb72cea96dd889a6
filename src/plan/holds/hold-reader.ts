// Gathers what `holds` decides from. One for each look at the plan.

import { type Occupied, occupiedBy, overlapsOf } from "../../model/conflict/conflict.js";
import type { Node } from "../../model/node/node.js";
import { type Asker, dependsOnAsker, type Hold, type HoldFacts, holds } from "../../model/status/holds.js";
import { isClaimable, type Surroundings } from "../../model/status/status.js";
import type { Link, Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";
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

/** More than any number of workers has in progress at once. */
export const IN_FLIGHT = 1_000;

/** What was read already. */
interface Known {
  readonly links?: readonly Link[];
  readonly occupied?: readonly Occupied[];
  /** Also whether a person whom the plan knows signed the approval, which takes 0.1 ms. Whatever begins it asks that again. */
  readonly checksApproval?: boolean;
}

/** With overlaps, which the store does not keep. */
export async function gatherSurroundings(reader: Reader, node: Node, known: Known = {}): Promise<Surroundings> {
  const around = await reader.surroundings(node, known.links);
  // What waits for something else is compared when that is over: other work will be in progress then.
  if (!isClaimable(node)) return around;
  const overlaps = overlapsOf(node, known.occupied ?? (await occupiedNow(reader)));
  const isDoubted = known.checksApproval === true && (await reader.people.doubt(node)) !== null;
  return overlaps.length === 0 && !isDoubted ? around : { ...around, overlaps, isDoubted };
}

export const occupiedNow = async (reader: Reader): Promise<Occupied[]> => occupiedBy(await reader.inFlight(IN_FLIGHT));
