import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FAILURE_CLASSES, type FailureClass } from "../node/node.js";
import { actionFor, type FailureCounters } from "./failure.js";

const SETTINGS = { transientRetries: 3, logicRetries: 1, backoffSeconds: 5 };
const FRESH: FailureCounters = {
  transientRetries: 0,
  logicRetries: 0,
  replansLeft: 2,
  arbitrations: 0,
  attemptsLeft: null,
};

describe("what is done about a failure", () => {
  it.each<[FailureClass, Partial<FailureCounters>, object]>([
    ["transient", {}, { kind: "retry", afterMs: 5_000 }],
    ["transient", { transientRetries: 2 }, { kind: "retry", afterMs: 20_000 }],
    ["transient", { transientRetries: 3 }, { kind: "park" }],
    ["logic", {}, { kind: "retry-with-failure" }],
    ["logic", { logicRetries: 1 }, { kind: "park" }],
    ["design", {}, { kind: "replan", tier: "story" }],
    ["design", { replansLeft: 0 }, { kind: "park" }],
    ["plan", {}, { kind: "replan", tier: "feature" }],
    ["plan", { replansLeft: 0 }, { kind: "park" }],
    ["architecture", {}, { kind: "freeze" }],
    ["conflict", {}, { kind: "arbitrate" }],
    ["conflict", { arbitrations: 3 }, { kind: "park" }],
    ["other", {}, { kind: "park" }],
    ["transient", { attemptsLeft: 0 }, { kind: "park" }],
    ["transient", { attemptsLeft: 1 }, { kind: "retry", afterMs: 5_000 }],
    ["logic", { attemptsLeft: 0 }, { kind: "park" }],
    ["conflict", { attemptsLeft: 0 }, { kind: "park" }],
    ["design", { attemptsLeft: 0 }, { kind: "replan", tier: "story" }],
  ])("%s with %o", (failure, over, action) => {
    expect(actionFor(failure, { ...FRESH, ...over }, SETTINGS)).toEqual(action);
  });

  it("is no second try where the settings allow none, as for the commands of a task", () => {
    expect(actionFor("logic", FRESH, { ...SETTINGS, logicRetries: 0 })).toEqual({ kind: "park" });
  });

  it("waits no longer than an hour", () => {
    const settings = { ...SETTINGS, transientRetries: 5_000 };
    expect(actionFor("transient", { ...FRESH, transientRetries: 4_000 }, settings)).toEqual({
      kind: "retry",
      afterMs: 3_600_000,
    });
  });

  it("comes to a person whatever fails, in any order, within its budgets", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.constantFrom(...FAILURE_CLASSES)), fc.nat(5), (failures, transientRetries) => {
        let counters: FailureCounters = FRESH;
        let rounds = 0;
        for (const failure of failures) {
          const action = actionFor(failure, counters, { ...SETTINGS, transientRetries });
          // A proposal, a freeze and a parked task all wait for a person.
          if (!["retry", "retry-with-failure", "arbitrate"].includes(action.kind)) break;
          counters = {
            ...counters,
            transientRetries: counters.transientRetries + (action.kind === "retry" ? 1 : 0),
            logicRetries: counters.logicRetries + (action.kind === "retry-with-failure" ? 1 : 0),
            arbitrations: counters.arbitrations + (action.kind === "arbitrate" ? 1 : 0),
          };
          rounds++;
          expect(rounds).toBeLessThanOrEqual(transientRetries + 1 + 3);
        }
      }),
    );
  });
});
