import { describe, expect, it } from "vitest";
import { linesOfQuote, parseDraft, rangesOf, specLines } from "./coverage.js";

const SPEC = [
  "# Title",
  "",
  "- REQ-1: A `person` signs",
  "  in with a key.",
  "- REQ-2: Nobody types.",
  "",
  "- Sharing keys",
];

describe("lines of a spec", () => {
  it.each([
    ["REQ-2: Nobody types.", [5]],
    ["req-1: a person signs in with a key.", [3, 4]],
    ["not in the spec", []],
    ["", []],
  ])("quoted as %j are %j", (quote, lines) => expect(linesOfQuote(quote, SPEC)).toEqual(lines));

  it.each([
    [[], []],
    [[4], ["4"]],
    [
      [3, 5, 6, 7, 9, 10],
      ["3", "5\u20137", "9\u201310"],
    ],
  ])("%j are shown as %j", (numbers, ranges) => expect(rangesOf(numbers)).toEqual(ranges));

  it("have a task, none, or are left out", () => {
    const draft = parseDraft(
      JSON.stringify({
        tasks: [{ id: "T-1", quotes: ["REQ-1: A person signs in with a key."] }],
        nonGoals: ["Sharing keys"],
      }),
    );
    const states = specLines(SPEC.join("\n"), draft, [5]).map(({ state }) => state);
    expect(states).toEqual(["prose", "prose", "covered", "covered", "uncovered", "prose", "omitted"]);
  });

  it.each(["", "null", "[]", '{"tasks": 3}'])("a draft like %j breaks nothing", (json) => {
    expect(specLines("a", parseDraft(json), [])).toHaveLength(1);
  });
});
