import { describe, expect, it } from "vitest";
import { contentProblem, wordsProblem } from "./content.js";

describe("content that was put together", () => {
  it.each([
    [{}, undefined],
    [{ title: "T", profile: null, checks: [{ run: "npm test", expect: "ok", cwd: "web" }] }, undefined],
    [{ title: " " }, '"title" must not be empty'],
    [
      { id: "a b" },
      '"id" must be 1 to 64 letters, digits, dots, dashes or underscores, and a name that git allows for a branch: not HEAD, no two dots in a row, no dot or .lock at the end',
    ],
    [{ id: "RUN-001" }, '"id" must not look like the key of an item, such as RUN-001, or the number of an operation'],
    [{ body: "x".repeat(1_000_001) }, '"body" has 1.0 million characters; at most 1000000 are allowed'],
    [{ parent: "" }, '"parent" must not be empty'],
    [{ dependsOn: ["A", "a\nb"] }, '"dependsOn" entry 2 contains the control character U+000A'],
    [{ files: ["../a"] }, '"files" entry 1 must be a path inside the workspace'],
    [{ files: Array<string>(10_001).fill("a") }, '"files" has 10001 entries; at most 10000 are allowed'],
    [{ symbols: ["\ud800"] }, '"symbols" entry 1 contains half of a Unicode character'],
    [{ profile: "Back" }, '"profile" must be a short lower-case word'],
    [{ checks: [{ run: "" }] }, '"checks" entry 1 field "run" must not be empty'],
    [{ checks: [{ run: "x", expect: "" }] }, '"checks" entry 1 field "expect" must not be empty'],
    [{ checks: [{ run: "x", cwd: "/" }] }, '"checks" entry 1 field "cwd" must be a path inside the workspace'],
  ])("%.60j", (content, problem) => {
    expect(contentProblem(content)).toBe(problem);
  });
});

describe("a reason or a note", () => {
  it("may have several lines", () => {
    expect(wordsProblem("because\nof this")).toBeUndefined();
  });

  it.each([
    ["", "must not be empty"],
    [" ", "must not be empty"],
    ["a\0", "contains the control character U+0000"],
    ["x".repeat(4_097), "has 4097 characters; at most 4096 are allowed"],
  ])("does not take %.20j", (value, problem) => {
    expect(wordsProblem(value)).toBe(problem);
  });
});
