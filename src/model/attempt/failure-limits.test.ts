import { describe, expect, it } from "vitest";
import { type Breaker, isStalled, overBudget, type SpendingLimits, stormBreaker } from "./failure-limits.js";

const MINUTE = 60_000;

describe("the breaker of retry storms", () => {
  const STORM = { failures: 3, minutes: 10, pauseMinutes: 30 };
  it.each<[string, number[], number, Breaker["state"], number?]>([
    ["nothing failed", [], 0, "closed"],
    ["too few failed", [0, 1], 2, "closed"],
    ["they failed far apart", [0, 6, 12, 18], 19, "closed"],
    ["three failed within ten minutes", [0, 5, 10], 11, "open", 40],
    ["in any order", [10, 0, 5], 11, "open", 40],
    ["an old storm among others", [0, 1, 2, 15], 20, "open", 32],
    ["still in the pause", [0, 1, 2], 31, "open", 32],
    ["the pause is over", [0, 1, 2], 32, "half-open"],
    ["what was under way fails in the pause", [0, 1, 2, 5], 32, "half-open"],
    ["the one that tried failed too", [0, 1, 2, 33], 40, "open", 63],
    ["and its pause is over as well", [0, 1, 2, 33], 63, "half-open"],
  ])("%s", (_, minutes, now, state, until) => {
    expect(
      stormBreaker(
        minutes.map((m) => m * MINUTE),
        STORM,
        now * MINUTE,
      ),
    ).toEqual({ state, until: until === undefined ? null : until * MINUTE });
  });

  it("opens at the first failure where one is a storm", () => {
    expect(stormBreaker([5], { failures: 1, minutes: 1, pauseMinutes: 1 }, 6)).toMatchObject({ state: "open" });
  });
});

describe("a worker that says nothing", () => {
  it("has stalled after the time that is set", () => {
    expect(isStalled(0, 15 * MINUTE - 1, { stallMinutes: 15 })).toBe(false);
    expect(isStalled(0, 15 * MINUTE, { stallMinutes: 15 })).toBe(true);
  });
});

describe("budgets", () => {
  const NONE: SpendingLimits = {
    attemptMinutes: 60,
    attemptTokens: null,
    attemptCostUsd: null,
    featureTokens: null,
    featureCostUsd: null,
    dayTokens: null,
    dayCostUsd: null,
  };
  const spent = (tokens: number, costUsd: number | null, ms = 0) => ({
    attempt: { tokens, costUsd, ms },
    feature: { tokens: tokens * 10, costUsd },
    day: { tokens: tokens * 100, costUsd },
  });

  it("end nothing where no limit is set, or no cost is known", () => {
    expect(overBudget(spent(1e9, 1e9), NONE)).toBeNull();
    expect(overBudget(spent(1, null), { ...NONE, dayCostUsd: 0.01 })).toBeNull();
  });

  it.each<[string, Partial<SpendingLimits>, object]>([
    ["attempt time", { attemptMinutes: 5 }, { scope: "attempt", what: "time", used: 7, limit: 5 }],
    ["attempt tokens", { attemptTokens: 100 }, { scope: "attempt", what: "tokens", used: 100, limit: 100 }],
    ["attempt cost", { attemptCostUsd: 1.5 }, { scope: "attempt", what: "cost", used: 2, limit: 1.5 }],
    ["feature tokens", { featureTokens: 1_000 }, { scope: "feature", what: "tokens", used: 1_000, limit: 1_000 }],
    ["feature cost", { featureCostUsd: 2 }, { scope: "feature", what: "cost", used: 2, limit: 2 }],
    ["day tokens", { dayTokens: 1 }, { scope: "day", what: "tokens", used: 10_000, limit: 1 }],
    ["day cost", { dayCostUsd: 0 }, { scope: "day", what: "cost", used: 2, limit: 0 }],
    [
      "the narrowest first",
      { dayTokens: 1, attemptTokens: 1, featureTokens: 1 },
      { scope: "attempt", what: "tokens", used: 100, limit: 1 },
    ],
  ])("%s", (_, limits, over) => {
    expect(overBudget(spent(100, 2, 7 * MINUTE), { ...NONE, ...limits })).toMatchObject(over);
  });

  it("say which setting it was", () => {
    expect(overBudget(spent(0, 2), { ...NONE, featureCostUsd: 1 })?.reason).toBe(
      "the feature cost $2.00 of $1.00 (execution.featureCostUsd)",
    );
  });
});
