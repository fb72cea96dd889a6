import { describe, expect, it } from "vitest";
import { keepSame } from "./keep-same.js";

describe("what did not change", () => {
  it("stays the same object, so that only rows that changed are drawn again", () => {
    const before = {
      tree: [
        { id: "A", status: "ready", children: [{ id: "B", status: "done" }] },
        { id: "C", status: "ready" },
      ],
    };
    const after = {
      tree: [
        { id: "C", status: "ready" },
        { id: "A", status: "done", children: [{ id: "B", status: "done" }] },
      ],
    };
    const kept = keepSame(before, after);
    expect(kept).toEqual(after);
    expect(kept.tree[0]).toBe(before.tree[1]);
    expect(kept.tree[1]).not.toBe(before.tree[0]);
    expect(kept.tree[1]?.children).toBe(before.tree[0]?.children);
  });

  it.each([
    [undefined, { a: 1 }],
    [{ a: 1 }, { a: 1, b: undefined }],
    [[1, 2], [1]],
    [{ a: [] }, { a: {} }],
    [null, 0],
  ])("%j becomes %j", (before, after) => expect(keepSame(before, after)).toEqual(after));

  it("is the old answer where nothing changed at all", () => {
    const before = { list: [{ op: 1, words: ["a"] }] };
    expect(keepSame(before, structuredClone(before))).toBe(before);
  });
});
