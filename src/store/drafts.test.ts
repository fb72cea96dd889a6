import { describe, expect, it } from "vitest";
import { Drafts } from "./drafts.js";

describe("rows by their numbers", () => {
  it("are found wherever they stand", () => {
    const drafts = new Drafts<string>();
    drafts.set(3, "old");
    for (const [nr, row] of [
      [10, "first"],
      [11, "second"],
      [20, "apart"],
      [12, "third"],
      [5, "before"],
    ] as const)
      drafts.append(nr, row);
    const found = [3, 10, 11, 20, 12, 5, 4, 9, 13].map((nr) => drafts.get(nr));
    expect(found).toEqual(["old", "first", "second", "apart", "third", "before", undefined, undefined, undefined]);
    expect([...drafts.all()].sort()).toEqual(["apart", "before", "first", "old", "second", "third"]);
  });

  it("are each there once, and as they were asked for", () => {
    const drafts = new Drafts<string>();
    expect([drafts.all(), drafts.get(0)]).toEqual([[], undefined]);
    drafts.append(1, "one");
    const before = drafts.all();
    drafts.append(2, "two");
    drafts.set(9, "nine");
    expect([before, drafts.all()]).toEqual([["one"], ["nine", "one", "two"]]);
  });
});
