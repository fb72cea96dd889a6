import { describe, expect, it } from "vitest";
import type { Grade } from "../../model/lint-codes.js";
import type { Severity } from "../contracts/common.js";
import {
  checkEvidence,
  conformanceVerdict,
  criticVerdict,
  highIds,
  overviewVerdict,
  type Sighting,
  stagnant,
} from "./verdict.js";

const finding = (severity: Severity, id = "C1") => ({
  id,
  severity,
  area: "soundness" as const,
  title: "A problem",
  description: "Something is wrong.",
  suggestion: "",
  nodes: [],
  evidence: [],
});
const PASS = {
  consistency: "pass",
  soundness: "pass",
  implementability: "pass",
  completeness: "pass",
  risk: "pass",
} as const;

describe("the verdict of conformance", () => {
  it.each<[Grade[], string]>([
    [[], "approve"],
    [["remark"], "approve"],
    [["warning", "remark"], "approve-with-notes"],
    [["warning", "error"], "revise"],
    [["error", "unreadable", "warning"], "escalate"],
  ])("%j is %s", (grades, verdict) => {
    expect(conformanceVerdict(grades.map((grade) => ({ grade })))).toBe(verdict);
  });
});

describe("the verdict of the critic", () => {
  it.each<[Severity[], number, string]>([
    [[], 1, "approve"],
    [["low"], 1, "approve-with-notes"],
    [["medium"], 1, "revise"],
    [["medium", "low"], 2, "approve-with-notes"],
    [["high"], 1, "revise"],
    [["high", "medium"], 5, "revise"],
    [["critical"], 1, "escalate"],
    [["critical"], 3, "escalate"],
  ])("%j in round %i is %s", (severities, round, verdict) => {
    expect(criticVerdict({ findings: severities.map((each) => finding(each)), ratings: PASS }, round)).toBe(verdict);
  });

  it("follows the ratings of the areas too, in every round", () => {
    expect(criticVerdict({ findings: [], ratings: { ...PASS, risk: "fail" } }, 4)).toBe("revise");
    expect(criticVerdict({ findings: [], ratings: { ...PASS, risk: "warn" } }, 1)).toBe("approve-with-notes");
  });
});

describe("the verdict of the overview", () => {
  it.each<[Severity[], number, string]>([
    [[], 1, "approve"],
    [["low"], 1, "approve-with-notes"],
    [["medium"], 1, "revise"],
    [["medium"], 2, "approve-with-notes"],
    [["high"], 3, "revise"],
    [["critical"], 1, "revise"],
  ])("%j in round %i is %s: it never escalates", (severities, round, verdict) => {
    expect(overviewVerdict({ findings: severities.map((each) => finding(each)) }, round)).toBe(verdict);
  });
});

describe("stagnation", () => {
  it("counts high and critical findings, each once", () => {
    expect(
      highIds([finding("high", "F2"), finding("low", "F3"), finding("critical", "F1"), finding("high", "F2")]),
    ).toEqual(["F1", "F2"]);
  });

  it.each<[string[], string[], number, boolean]>([
    [["F1", "F2"], ["F2", "F1"], 2, true],
    [["F1"], ["F1", "F2"], 2, false],
    [["F1", "F2"], ["F1"], 2, false],
    [[], [], 3, false],
    [["F1"], ["F1"], 1, false],
    [["F1"], ["F2"], 4, false],
  ])("%j then %j in round %i: %s", (previous, current, round, expected) => {
    expect(stagnant(previous, current, round)).toBe(expected);
  });
});

describe("checkEvidence", () => {
  const exists = (file: string, line: number): Sighting =>
    file !== "src/a.ts" ? "no-file" : line > 10 ? "no-line" : "ok";
  const cite = (file: string, lineStart: number, lineEnd?: number) => ({
    ...finding("high"),
    evidence: [{ file, lineStart, claim: "x", ...(lineEnd === undefined ? {} : { lineEnd }) }],
  });

  it.each([
    ["a line that is there", cite("src/a.ts", 3, 9), []],
    ["a file that is not", cite("src/b.ts", 3), ["The finding C1 cites src/b.ts, which does not exist."]],
    ["a line that is not", cite("src/a.ts", 11), ["The finding C1 cites line 11 of src/a.ts, which does not exist."]],
    [
      "a range that goes on too long",
      cite("src/a.ts", 3, 11),
      ["The finding C1 cites lines 3 to 11 of src/a.ts, which do not all exist."],
    ],
    [
      "a range that runs backwards",
      cite("src/a.ts", 9, 3),
      ["The finding C1 cites lines 9 to 3 of src/a.ts, which end before they begin."],
    ],
  ])("%s", (_, cited, expected) => {
    expect(checkEvidence([cited], exists).map(({ message }) => message)).toEqual(expected);
  });

  it("asks for code where a claim is about code, and not where it is about the plan", () => {
    const claim = { ...finding("high"), description: "`parse` in src/lib/x.ts returns null." };
    expect(checkEvidence([claim], exists)).toMatchObject([{ code: "R-UNCITED", grade: "remark", where: "C1" }]);
    expect(checkEvidence([{ ...claim, area: "completeness" }], exists)).toEqual([]);
    expect(checkEvidence([finding("high")], exists)).toEqual([]);
    const { area: _, ...overviewed } = claim;
    expect(checkEvidence([overviewed], exists)).toHaveLength(1);
  });
});
