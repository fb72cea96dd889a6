import { describe, expect, it } from "vitest";
import { isTakenForm, itemKey, readKey } from "./item-key.js";

describe("keys of items", () => {
  it("have a prefix and a number", () => {
    expect([itemKey("DEC", 1), itemKey("ART", 12), itemKey("DEC", 12_345)]).toEqual([
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
    ["RUN-001", undefined],
    ["constructor-1", undefined],
    ["", undefined],
  ])("%s is read as %s", (typed, key) => {
    expect(readKey(typed, ["DEC", "ART"])).toBe(key);
  });

  it.each(["RUN-001", "run-1", "ATT-00002", "ESC-0000009", "CON-001", "BUN-00001", "CALL-1", "COM-1", "12"])(
    "%s can be no name of a node",
    (id) => expect(isTakenForm(id)).toBe(true),
  );

  it.each(["RUN", "RUN-1a", "RUNS-001", "TASK-00001", "1a", "12.1", "con"])("%s can be one", (id) =>
    expect(isTakenForm(id)).toBe(false),
  );
});
