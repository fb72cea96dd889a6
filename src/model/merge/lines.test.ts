import { describe, expect, it } from "vitest";
import { mergeLines } from "./lines.js";

const lines = (text: string): string => text.split(" ").join("\n");

describe("two versions of a text", () => {
  it.each<[base: string, one: string, other: string, merged: string | null]>([
    ["a b c", "a b c", "a x c", "a x c"],
    ["a b c", "a x c", "a b c", "a x c"],
    ["a b c", "a x c", "a x c", "a x c"],
    ["a b c", "x a b c", "a b c y", "x a b c y"],
    ["a b c d", "a c d", "a b c d e", "a c d e"],
    ["a b c d e", "a x c d e", "a b c y e", "a x c y e"],
    ["a b c", "a x c", "a y c", null],
    ["a b c", "a c", "a y c", null],
    ["a b c d e f", "a c b d e f", "a b c d f", "a c b d f"],
  ])("%s: %s and %s become %s", (base, one, other, merged) => {
    expect(mergeLines(lines(base), lines(one), lines(other))).toBe(merged === null ? null : lines(merged));
  });

  it("of many thousand changed lines count as different from the first to the last", () => {
    const many = (word: string): string => Array.from({ length: 3000 }, (_, i) => `${word}${i}`).join("\n");
    expect(mergeLines(`a\n${many("b")}\nz`, `a\n${many("c")}\nz`, `x\n${many("b")}\nz`)).toBe(null);
    expect(mergeLines(`a\n${many("b")}\ny\nz`, `a\n${many("c")}\ny\nz`, `a\n${many("b")}\ny\nx`)).toBe(
      `a\n${many("c")}\ny\nx`,
    );
  });
});
