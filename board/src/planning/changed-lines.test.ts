import { describe, expect, it } from "vitest";
import { changedLines } from "./changed-lines.js";
import { readAnswers, readReview } from "./reviews.js";

const words = (before: string, after: string): string[] =>
  changedLines(before, after).map(({ sign, text }) => `${sign}${text}`);

describe("a changed spec", () => {
  it.each([
    ["a\nb\nc", "a\nb\nc", []],
    ["a\nb\nc", "a\nB\nc", ["-b", "+B"]],
    ["a", "a\nb", ["+b"]],
    ["a\nb", "b", ["-a"]],
    ["", "x", ["-", "+x"]],
  ])("%j to %j has %j", (before, after, changes) => expect(words(before, after)).toEqual(changes));
});

describe("what a run keeps of its reviews", () => {
  it("is read with the author's answers", () => {
    const answer = {
      source: "critic",
      round: 1,
      id: "C-1",
      severity: "high",
      title: "t",
      action: "fixed",
      note: "done",
    };
    expect(readAnswers(JSON.stringify([answer]))).toMatchObject([{ id: "C-1", action: "fixed", note: "done" }]);
    expect(readAnswers(JSON.stringify({ answers: [answer] }))).toHaveLength(1);
    expect(
      readReview(JSON.stringify({ source: "critic", round: 1, findings: [{ id: "C-1", severity: "high" }] })),
    ).toMatchObject([{ source: "critic", findings: [{ id: "C-1", grade: "high" }] }]);
  });

  it.each(["", "null", "[3]", "{}", '"x"'])("and %j breaks nothing", (json) => {
    expect(Array.isArray(readAnswers(json))).toBe(true);
    expect(Array.isArray(readReview(json))).toBe(true);
  });
});
