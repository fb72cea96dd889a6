import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Arbitration } from "../conflict/conflict.js";
import { arbitrate, type Dispute } from "./arbitrate.js";

const DISPUTE: Dispute = {
  layer: "files",
  firstState: "working",
  diffOverlap: false,
  orderFree: true,
  budgetLeft: true,
  sameBefore: 0,
};

describe("arbitration", () => {
  it.each<[string, Partial<Dispute>, Arbitration]>([
    ["one is being worked on", {}, "serialise"],
    ["the same symbol of one that is being worked on", { layer: "symbols" }, "serialise"],
    ["branches that do not merge", { layer: "merge" }, "serialise"],
    ["neither has begun", { firstState: "waiting" }, "reorder"],
    ["no order without a circle", { orderFree: false }, "freeze"],
    ["no order, and neither has begun", { orderFree: false, firstState: "waiting" }, "freeze"],
    ["branches that do not merge, and no order", { layer: "merge", orderFree: false }, "escalate"],
    ["the first is done, elsewhere", { firstState: "done" }, "none"],
    ["the first is done, and in the way", { firstState: "done", diffOverlap: true }, "serialise"],
    ["the same twice before", { sameBefore: 2 }, "serialise"],
    ["the same three times before", { sameBefore: 3 }, "escalate"],
    ["the budget is spent", { budgetLeft: false }, "escalate"],
    ["nothing is in the way any more, however often before", { firstState: "done", sameBefore: 9 }, "none"],
  ])("%s", (_, over, arbitration) => {
    expect(arbitrate({ ...DISPUTE, ...over }).arbitration).toBe(arbitration);
  });

  it("comes to a person when the same two meet again and again", () => {
    const dispute = fc.record({
      layer: fc.constantFrom("files", "symbols", "merge"),
      firstState: fc.constantFrom("working", "waiting", "done"),
      diffOverlap: fc.constant(true),
      orderFree: fc.boolean(),
      budgetLeft: fc.boolean(),
      sameBefore: fc.integer({ min: 3, max: 100 }),
    }) as fc.Arbitrary<Dispute>;
    fc.assert(
      fc.property(dispute, (each) => {
        expect(arbitrate(each).arbitration).toBe("escalate");
      }),
    );
  });

  it("always says why", () => {
    expect(arbitrate(DISPUTE).why).toBe("the first task is in progress, and the other waits until it is done");
  });
});
