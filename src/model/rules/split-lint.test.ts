import { describe, expect, it } from "vitest";
import type { SplitPart } from "../attempt/attempt.js";
import { lintSplit } from "./split.js";

const part = (files: string[], after: number[] = [], rest: Partial<SplitPart> = {}): SplitPart => ({
  title: `Do ${files.join(" and ")}`,
  body: "",
  files,
  profile: null,
  after,
  checks: [],
  ...rest,
});

describe("lintSplit", () => {
  it.each<[what: string, parts: SplitPart[]]>([
    ["two that touch different files", [part(["a.ts"]), part(["b.ts"])]],
    ["two that touch the same one, one after the other", [part(["a.ts"]), part(["a.ts"], [0])]],
    ["the same file over a detour", [part(["a.ts"]), part(["b.ts"], [0]), part(["c.ts"], [0]), part(["a.ts"], [1, 2])]],
    ["one without files that comes last", [part(["a.ts"]), part([], [0])]],
  ])("has nothing against %s", (_, parts) => {
    expect(lintSplit({ parts })).toEqual([]);
  });

  it.each<[what: string, parts: SplitPart[], problems: string[]]>([
    ["one part", [part(["a.ts"])], ["A split needs at least 2 parts, and this has 1."]],
    [
      "parts that could run together and touch the same file",
      [part(["src/a.ts"]), part(["src/**"])],
      ["Parts 1 and 2 could run together, but both touch src/a.ts."],
    ],
    [
      "parts that do not say what they touch",
      [part(["a.ts"]), part([])],
      ["Parts 1 and 2 could run together, but not both say which files they touch."],
    ],
    ["a circle", [part(["a.ts"], [1]), part(["b.ts"], [0])], ["Parts 1, 2 wait for each other."]],
    ["a part after itself", [part(["a.ts"], [0]), part(["b.ts"])], ["Part 1 comes after itself."]],
    [
      "a part after one that is not there",
      [part(["a.ts"], [2]), part(["b.ts"], [-1])],
      ["Part 1 comes after part 3, which is not there.", "Part 2 comes after part 0, which is not there."],
    ],
    [
      "what is no task",
      [part(["a.ts"], [], { title: " " }), part(["../b.ts"])],
      ['Part 1: "title" must not be empty.', 'Part 2: "files" entry 1 must be a path inside the workspace.'],
    ],
  ])("finds %s", (_, parts, problems) => {
    expect(lintSplit({ parts })).toEqual(problems);
  });
});
