// What every store has to do, whatever database is under it: only the interface is used, never SQL.

import { describe } from "vitest";
import type { Store } from "../store.js";
import { describeCommit } from "./commit.suite.js";
import { describeCycles } from "./cycles.suite.js";
import { describeDerived } from "./derived.suite.js";
import { describeFollow } from "./follow.suite.js";
import { describeItems } from "./items.suite.js";
import { describeLands } from "./lands.suite.js";
import { describeLookups } from "./lookups.suite.js";
import { describeReads } from "./reads.suite.js";

/** `open` gives a new, empty store each time; the suite closes it. */
export function describeStore(name: string, open: () => Promise<Store>): void {
  describe(`a store ${name}`, () => {
    describeReads(open);
    describeCommit(open);
    describeDerived(open);
    describeLands(open);
    describeCycles(open);
    describeItems(open);
    describeFollow(open);
    describeLookups(open);
  });
}
