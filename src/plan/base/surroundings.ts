// What the neighbours of a node contribute to its status, overlaps with work in progress included.

import { type Occupied, occupiedBy, overlapsOf } from "../../model/conflict/conflict.js";
import type { Node } from "../../model/node/node.js";
import { isClaimable, type Surroundings } from "../../model/status/status.js";
import type { Link, Reader } from "../../store/store.js";

/** More than any number of workers has in progress at once. */
export const IN_FLIGHT = 1_000;

/** What was read already. */
interface KnownFacts {
  readonly links?: readonly Link[];
  readonly occupied?: readonly Occupied[];
  /** Also whether a person whom the plan knows signed the approval, which takes 0.1 ms. Whatever begins it asks that again. */
  readonly checksApproval?: boolean;
}

/** Includes overlaps, which the store does not keep. */
export async function gatherSurroundings(reader: Reader, node: Node, known: KnownFacts = {}): Promise<Surroundings> {
  const around = await reader.surroundings(node, known.links);
  // What waits for something else is compared when that is over: other work will be in progress then.
  if (!isClaimable(node)) return around;
  const overlaps = overlapsOf(node, known.occupied ?? (await occupiedNow(reader)));
  const isDoubted = known.checksApproval === true && (await reader.people.doubt(node)) !== null;
  return overlaps.length === 0 && !isDoubted ? around : { ...around, overlaps, isDoubted };
}

export const occupiedNow = async (reader: Reader): Promise<Occupied[]> => occupiedBy(await reader.inFlight(IN_FLIGHT));
