import { describe, expect, it } from "vitest";
import { type Breaker, overBudget, type SpendingLimits, stormBreaker } from "./failure-limits.js";

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
  const spent = (tokens: number, costUsd: number | null) => ({
    feature: { tokens: tokens * 10, costUsd },
    day: { tokens: tokens * 100, costUsd },
  });

  it("end nothing where no limit is set, or no cost is known", () => {
    expect(overBudget(spent(1e9, 1e9), NONE)).toBeNull();
    expect(overBudget(spent(1, null), { ...NONE, dayCostUsd: 0.01 })).toBeNull();
  });

  it.each<[string, Partial<SpendingLimits>, ReturnType<typeof overBudget>]>([
    [
      "feature tokens",
      { featureTokens: 1_000 },
      { scope: "feature", reason: "the feature used 1000 of 1000 tokens (execution.featureTokens)" },
    ],
    [
      "feature cost",
      { featureCostUsd: 2 },
      { scope: "feature", reason: "the feature cost $2.00 of $2.00 (execution.featureCostUsd)" },
    ],
    ["day tokens", { dayTokens: 1 }, { scope: "day", reason: "the day used 10000 of 1 tokens (execution.dayTokens)" }],
    ["day cost", { dayCostUsd: 0 }, { scope: "day", reason: "the day cost $2.00 of $0.00 (execution.dayCostUsd)" }],
    [
      "the narrowest first",
      { dayTokens: 1, featureTokens: 1 },
      { scope: "feature", reason: "the feature used 1000 of 1 tokens (execution.featureTokens)" },
    ],
    ["nothing yet", { dayTokens: 10_001, dayCostUsd: 2.01 }, null],
  ])("%s", (_, limits, over) => {
    expect(overBudget(spent(100, 2), { ...NONE, ...limits })).toEqual(over);
  });
});
