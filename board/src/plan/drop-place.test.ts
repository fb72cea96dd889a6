import { describe, expect, it } from "vitest";
import { priorityBeside, whereOf } from "./drop-place.js";

describe("dragging in the tree", () => {
  it.each([
    [2, true, "above"],
    [15, true, "into"],
    [28, true, "below"],
    [2, false, "above"],
    [28, false, "below"],
  ] as const)("%d px into a row (container: %s) is %s", (offset, isContainer, where) =>
    expect(whereOf(offset, 30, isContainer)).toBe(where),
  );

  it.each([
    [3, "above", 2],
    [3, "below", 3],
    [0, "above", 0],
    [null, "above", 1],
    [null, "below", 2],
  ] as const)("beside priority %s, %s, stands %d", (other, where, priority) =>
    expect(priorityBeside(other, where)).toBe(priority),
  );
});
