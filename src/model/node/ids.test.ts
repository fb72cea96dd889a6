import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayId, idKey, isChosenId, isUuid, numberedAs, shortFormsOf, uuidPrefix } from "./ids.js";
import { TIERS } from "./node.js";

describe("display ids", () => {
  it.each([
    ["mission", 1, "MISSION"],
    ["mission", 2, "MISSION-002"],
    ["initiative", 1, "INIT-001"],
    ["feature", 42, "FEAT-042"],
    ["story", 7, "STORY-0007"],
    ["task", 42, "TASK-00042"],
    ["task", 1_234_567, "TASK-1234567"],
  ] as const)("of %s %i is %s", (tier, number, id) => {
    expect(displayId(tier, number)).toBe(id);
  });

  it("give their number back", () => {
    fc.assert(
      fc.property(fc.constantFrom(...TIERS), fc.integer({ min: 1, max: 10 ** 9 }), (tier, number) => {
        expect(numberedAs(displayId(tier, number))).toEqual({ tier, number });
        expect(numberedAs(displayId(tier, number).toLowerCase())).toEqual({ tier, number });
      }),
    );
  });

  it("of the first mission is 1", () => {
    expect(["mission", "MISSION-002"].map((id) => numberedAs(id)?.number)).toEqual([1, 2]);
  });

  it.each(["TASK-", "TASK-1x", "TASK-1234567890123456", "FEAT-A", "MISSION-x", "INIT", "XTASK-1", ""])(
    "of other forms have none: %s",
    (id) => {
      expect(numberedAs(id)).toBeUndefined();
    },
  );
});

describe("chosen ids", () => {
  it.each(["A", "FEAT-A", "JIRA-1234", "a.b_c-d", "9a", "x".repeat(64)])("may be %s", (id) => {
    expect(isChosenId(id)).toBe(true);
  });

  it.each(["a..b", "a.", "a.lock", "A.LOCK", "HEAD", "head"])("may not be %s, which git refuses in a branch", (id) => {
    expect(isChosenId(id)).toBe(false);
  });

  it.each(["", "-A", ".a", "a b", "a/b", "é", "x".repeat(65), "a\n", "--active"])("may not be %j", (id) => {
    expect(isChosenId(id)).toBe(false);
  });

  it.each(["RUN-001", "att-2", "ESC-001", "CON-001", "BUN-00001", "12"])("may not be %s, which names an item", (id) => {
    expect(isChosenId(id)).toBe(false);
  });

  it("are compared without regard to case", () => {
    expect(idKey("Feat-A")).toBe(idKey("fEAT-a"));
  });
});

describe("a short form", () => {
  it.each([
    ["task-7", "task-00007"],
    ["TASK-007", "TASK-00007"],
    ["TASK-00007", "TASK-007"],
    ["JIRA-12", "JIRA-0012"],
    ["feat-1-land", "feat-001-land"],
    ["7", "STORY-0007"],
    ["7", "FEAT-007"],
  ])("%s may stand for %s", (typed, id) => {
    expect(shortFormsOf(typed)).toContain(id);
  });

  it.each(["", "MISSION", "CON-0001", "att-7", "task-", "task-7a", "log in 7", "7.5", "-7", "1".repeat(16)])(
    "is nothing for %j",
    (typed) => {
      expect(shortFormsOf(typed)).toEqual([]);
    },
  );

  it("is tried with each number of zeros once", () => {
    expect(shortFormsOf("A-123456")).toEqual(["A-123456", "A-0123456", "A-00123456"]);
  });
});

describe("uuidPrefix", () => {
  it.each([
    ["019b", "019b"],
    ["019B76DA", "019b76da"],
    ["019b76daa", "019b76da-a"],
    ["019b76da-a801-7101", "019b76da-a801-7101"],
    ["019b76daa8017101810101", "019b76da-a801-7101-8101-01"],
    ["019b76daa80171018101010101010101", "019b76da-a801-7101-8101-010101010101"],
  ])("puts the dashes of %s where they belong", (reference, expected) => {
    expect(uuidPrefix(reference)).toBe(expected);
  });

  it.each(["", "019", "xyzw", "019b76daa801710181010101010101011", "face it"])("is nothing for %j", (reference) => {
    expect(uuidPrefix(reference)).toBeUndefined();
  });
});

it.each([
  ["019b76da-a801-7101-8101-010101010101", true],
  ["019B76DA-A801-7101-8101-010101010101", false],
  ["019b76daa80171018101010101010101", false],
  ["", false],
])("isUuid(%j) is %s", (text, expected) => {
  expect(isUuid(text)).toBe(expected);
});
