import { describe, expect, it } from "vitest";
import { ago, dollars, gradeWords, hours, lasted, named, plural, tokens } from "./words.js";

describe("words for numbers and times", () => {
  it.each([
    [0, "now"],
    [59_999, "now"],
    [60_000, "1 min"],
    [59 * 60_000, "59 min"],
    [3_600_000, "1 h"],
    [86_400_000, "1 d"],
    [-5, "now"],
  ])("%i ms ago is %s", (passed, words) => expect(ago(1_000_000_000 - passed, 1_000_000_000)).toBe(words));

  it.each([
    [0, "0 ms"],
    [340, "340 ms"],
    [2_100, "2.1 s"],
    [41_000, "41 s"],
    [761_000, "12:41"],
    [10_930_000, "3:02:10"],
  ])("%i ms lasted %s", (ms, words) => expect(lasted(ms)).toBe(words));

  it.each([
    [1, "warning", "1 warning"],
    [3, "warning", "3 warnings"],
    [2, "high", "2 high"],
  ])("%i of grade %s are %s", (count, grade, words) => expect(gradeWords(count, grade)).toBe(words));

  it.each([
    [0.75, "45 min"],
    [9, "9 h"],
    [2.5, "2.5 h"],
  ])("%d hours are %s", (value, words) => expect(hours(value)).toBe(words));

  it.each([
    [184, "184"],
    [61_400, "61k"],
    [999_600, "1.0M"],
  ])("%i tokens are %s", (count, words) => expect(tokens(count)).toBe(words));

  it("never writes an unknown cost as zero", () => {
    expect([dollars(null), dollars(undefined), dollars(0), dollars(1.919)]).toEqual([
      "unknown",
      "unknown",
      "$0.00",
      "$1.92",
    ]);
  });

  it("counts and lists", () => {
    expect([plural(1, "task"), plural(2, "task"), plural(2, "story", "stories")]).toEqual([
      "1 task",
      "2 tasks",
      "2 stories",
    ]);
    expect([named([]), named(["A"]), named(["A", "B"]), named(["A", "B", "C", "D"])]).toEqual([
      "",
      "A",
      "A and B",
      "A, B, C and 1 more",
    ]);
  });
});
