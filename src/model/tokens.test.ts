import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, tokenQuarters } from "./words.js";

describe("the estimate of tokens", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["abcd", 1],
    ["abcde", 2],
    ["naïve café", 3],
    ["漢字です", 4],
    ["한국어", 3],
    ["слово", 3],
    ["😀", 2],
    ["a → b", 2],
  ])("%s is about %i", (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens);
  });

  it("of a part counts that part alone", () => {
    expect(tokenQuarters("漢字 and слово", 2, 6)).toBe(4);
    expect(tokenQuarters("漢字", 1)).toBe(4);
  });

  it("grows with the text, and two texts together are never more than apart", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (a, b) => {
        expect(estimateTokens(a + b)).toBeGreaterThanOrEqual(estimateTokens(a));
        expect(estimateTokens(a + b)).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b));
      }),
    );
  });
});
