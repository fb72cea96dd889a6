import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addAgentUsage,
  costOf,
  countedSince,
  LIST_PRICES,
  NO_AGENT_USAGE,
  NO_TOKENS,
  priceOf,
  tokensSince,
  usageOf,
} from "./ledger.js";

const PRICES = { "gpt-5": { input: 1, output: 2, cached: 0.5 }, "gpt-5-mini": { input: 0.1, output: 0.2, cached: 0 } };

describe("the price of a model", () => {
  it.each([
    ["gpt-5-2026", 1],
    ["gpt-5.5", undefined],
    ["gpt-5-mini-2026", 0.1],
    ["openai/gpt-5", 1],
    ["other", undefined],
    [undefined, undefined],
  ])("%s costs %s for a million tokens", (model, input) => {
    expect(priceOf(model, PRICES)?.input).toBe(input);
  });

  it("is the configuration's, where that says one", () => {
    const own = { ...LIST_PRICES, "claude-sonnet-5": { input: 99, output: 0, cached: 0 } };
    expect(priceOf("claude-sonnet-5", own)?.input).toBe(99);
  });
});

describe("a turn costs", () => {
  it("its tokens times their prices, cached ones for less", () => {
    expect(costOf({ input: 1_000_000, output: 500_000, cached: 400_000 }, PRICES["gpt-5"])).toBeCloseTo(0.6 + 0.2 + 1);
  });

  it("what the agent says only where there is no price", () => {
    const tokens = { input: 1_000_000, output: 0, cached: 0 };
    expect(usageOf({ tokens, costUsd: 7, model: "gpt-5" }, PRICES).costUsd).toBe(1);
    expect(usageOf({ tokens, costUsd: 7, model: "other" }, PRICES).costUsd).toBe(7);
    expect(usageOf({ tokens: NO_TOKENS, costUsd: 7, model: "gpt-5" }, PRICES).costUsd).toBe(7);
    expect(usageOf({ tokens }, PRICES).costUsd).toBeNull();
    expect(usageOf(undefined, PRICES)).toEqual(NO_AGENT_USAGE);
  });
});

it.each([
  [0, 10, 10],
  [10, 15, 5],
  [10, 10, 0],
  [10, 4, 4],
])("a counter that goes from %d to %d has counted %d", (before, now, counted) => {
  expect(countedSince(before, now)).toBe(counted);
});

const tokens = fc.record({ input: fc.nat(), output: fc.nat(), cached: fc.nat() });

it("what is counted since a reading is never negative, and adds up", () => {
  fc.assert(
    fc.property(tokens, tokens, (before, more) => {
      const now = {
        input: before.input + more.input,
        output: before.output + more.output,
        cached: before.cached + more.cached,
      };
      expect(tokensSince(before, now)).toEqual(more);
      expect(Math.min(...Object.values(tokensSince(now, before)))).toBeGreaterThanOrEqual(0);
    }),
  );
});

it("a sum knows the cost that its parts know", () => {
  const known = { ...NO_AGENT_USAGE, inputTokens: 1, costUsd: 2 };
  expect(addAgentUsage(NO_AGENT_USAGE, NO_AGENT_USAGE).costUsd).toBeNull();
  expect(addAgentUsage(NO_AGENT_USAGE, known)).toEqual(known);
  expect(addAgentUsage(known, known)).toMatchObject({ inputTokens: 2, costUsd: 4 });
});
