import { describe, expect, it } from "vitest";
import type { ApiFailure } from "../api/types.js";
import { columnsOf } from "./columns-of.js";
import { evidenceOf, landingLines, type Progress, refusedLines } from "./proof-lines.js";

const refusal = (reason: string, details: ApiFailure["details"] = null): ApiFailure => ({
  reason,
  message: "no",
  details,
  next: [],
});
const signs = (lines: readonly { readonly sign: string }[]): string => lines.map(({ sign }) => sign[0]).join("");

describe("the lines of a landing", () => {
  it("fill as the server proves them, and name the command that runs", () => {
    expect(signs(landingLines(undefined))).toBe("ppppp");
    const proven = { state: "proven", check: null } as const;
    const progress: Progress = new Map<
      "tasks" | "merge" | "checks",
      { state: "begun" | "proven"; check: string | null }
    >([
      ["tasks", proven],
      ["merge", proven],
      ["checks", { state: "begun", check: "npm test" }],
    ]);
    expect(signs(landingLines(progress))).toBe("ddppi");
    expect(landingLines(progress)[4]?.evidence).toBe("npm test");
  });

  it.each([
    ["tasks-open", "rpppp"],
    ["merge-conflict", "prppp"],
    ["work-missing", "pprpp"],
    ["dirty-tree", "ppprp"],
    ["check-failed", "ddddr"],
    ["declined", "ppppp"],
  ])("turn red where %s refuses it", (reason, expected) => expect(signs(refusedLines(refusal(reason)))).toBe(expected));

  it("bring the files or the output along", () => {
    expect(evidenceOf(refusal("dirty-tree", { paths: ["a.txt", 3] }))).toEqual({ paths: ["a.txt"], output: "" });
    const details = { failed: [{ run: "npm test", output: "1 failed" }] };
    expect(evidenceOf(refusal("check-failed", details))).toEqual({ paths: [], output: "1 failed" });
    expect(evidenceOf(refusal("locked"))).toEqual({ paths: [], output: "" });
  });
});

describe("the parts of a split", () => {
  it.each([
    [
      [[], [0], [0], [1, 2]],
      [0, 1, 1, 2],
    ],
    [
      [[1], []],
      [1, 0],
    ],
    [[], []],
    [[[7]], [0]],
  ])("after %j stand in columns %j", (after, columns) => expect(columnsOf(after)).toEqual(columns));

  it("that wait for each other still stand somewhere", () => {
    expect(columnsOf([[1], [0]]).every(Number.isFinite)).toBe(true);
  });
});
