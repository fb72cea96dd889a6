import { describe, expect, it } from "vitest";
import { itemKey, readKey } from "./item-key.js";

describe("keys of items", () => {
  it("have a prefix and a number", () => {
    expect([itemKey("DEC", 1), itemKey("ART", 12, 5), itemKey("DEC", 12_345)]).toEqual([
      "DEC-001",
      "ART-00012",
      "DEC-12345",
    ]);
  });

  it.each([
    ["DEC-001", "DEC-001"],
    ["dec-1", "DEC-001"],
    [" art-7 ", "ART-00007"],
    ["TASK-00001", undefined],
    ["DEC", undefined],
    ["DEC-x", undefined],
    ["constructor-1", undefined],
    ["", undefined],
  ])("%s is read as %s", (typed, key) => {
    expect(readKey(typed, { DEC: 3, ART: 5 })).toBe(key);
  });
});
