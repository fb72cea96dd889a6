import { describe, expect, it } from "vitest";
import { forecastOf, orderOf } from "./order.js";

const chain = orderOf([1, 2, 3, 4], (nr) => (nr === 1 || nr === 4 ? [] : [nr - 1]));
const always = (): boolean => true;

describe("forecastOf", () => {
  it("says nothing with fewer than ten samples", () => {
    expect(forecastOf(chain, always, [1, 2, 3, 4, 5, 6, 7, 8, 9])).toBeNull();
  });

  it("is the longest chain where every task takes the same", () => {
    const samples = Array.from({ length: 10 }, () => 60);
    expect(forecastOf(chain, always, samples)).toEqual({ likelyMs: 180, safeMs: 180 });
    expect(forecastOf(chain, (nr) => nr !== 2, samples)).toEqual({ likelyMs: 120, safeMs: 120 });
    expect(
      forecastOf(
        orderOf<number>([], () => []),
        always,
        samples,
      ),
    ).toEqual({ likelyMs: 0, safeMs: 0 });
  });

  it("is the same each time, lies between the extremes, and is safer at 80 % than at 50 %", () => {
    const samples = Array.from({ length: 20 }, (_, i) => (i + 1) * 10);
    const first = forecastOf(chain, always, samples);
    expect(forecastOf(chain, always, samples)).toEqual(first);
    const { likelyMs = 0, safeMs = 0 } = first ?? {};
    expect(likelyMs).toBeGreaterThan(30);
    expect(safeMs).toBeGreaterThan(likelyMs);
    expect(safeMs).toBeLessThanOrEqual(600);
  });
});
