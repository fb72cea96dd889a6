import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displayId, idKey, isChosenId, isUuid, numberOf, uuid7, uuidPrefix } from "./ids.js";
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
        expect(numberOf(tier, displayId(tier, number))).toBe(number);
        expect(numberOf(tier, displayId(tier, number).toLowerCase())).toBe(number);
      }),
    );
  });

  it("of the first mission is 1", () => {
    expect([numberOf("mission", "mission"), numberOf("mission", "MISSION-002")]).toEqual([1, 2]);
  });

  it.each([
    ["task", "FEAT-001"],
    ["task", "TASK-"],
    ["task", "TASK-1x"],
    ["task", "TASK-1234567890123456"],
    ["feature", "FEAT-A"],
    ["mission", "MISSION-x"],
    ["task", ""],
  ] as const)("of other forms have none: %s %s", (tier, id) => {
    expect(numberOf(tier, id)).toBeUndefined();
  });
});

describe("chosen ids", () => {
  it.each(["A", "FEAT-A", "JIRA-1234", "a.b_c-d", "9", "x".repeat(64)])("may be %s", (id) => {
    expect(isChosenId(id)).toBe(true);
  });

  it.each(["", "-A", ".a", "a b", "a/b", "é", "x".repeat(65), "a\n", "--active"])("may not be %j", (id) => {
    expect(isChosenId(id)).toBe(false);
  });

  it("are compared without regard to case", () => {
    expect(idKey("Feat-A")).toBe(idKey("fEAT-a"));
  });
});

describe("uuid7", () => {
  const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
  const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });

  it("has the shape of a version 7 UUID and begins with the time", () => {
    fc.assert(
      fc.property(moment, bytes, (ms, random) => {
        const uuid = uuid7(ms, random);
        expect(isUuid(uuid)).toBe(true);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(uuid.replace("-", "").slice(0, 12), 16)).toBe(ms);
      }),
    );
  });

  it("sorts by time", () => {
    fc.assert(
      fc.property(moment, moment, bytes, (a, b, random) => {
        fc.pre(a < b);
        expect(uuid7(a, random) < uuid7(b, random)).toBe(true);
      }),
    );
  });

  it("uses every random bit, and does with fewer", () => {
    const distinct = new Set(Array.from({ length: 10 }, (_, i) => uuid7(1, new Uint8Array(10).fill(1, i, i + 1))));
    expect(distinct.size).toBe(10);
    expect(uuid7(0, new Uint8Array())).toBe("00000000-0000-7000-8000-000000000000");
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
