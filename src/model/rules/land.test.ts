import { describe, expect, it } from "vitest";
import { AT, aContainer, settled } from "../../../test/node.js";
import { isChosenId } from "../node/ids.js";
import { landsWork, landTask, mayNameLand } from "./land.js";

const origin = { uuid: "u", createdAt: AT, createdBy: "human:ada" };
const feature = { nr: 4, id: "FEAT-A", title: "Log in" };

describe("a land task", () => {
  it("is a task of the feature, named after it", () => {
    expect(landTask(feature, 0, origin)).toEqual({
      ...origin,
      tier: "task",
      kind: "land",
      title: "Land: Log in",
      parent: 4,
      id: "FEAT-A-LAND",
    });
  });

  it("is numbered from the second one on", () => {
    expect([1, 2, 11].map((earlier) => landTask(feature, earlier, origin).id)).toEqual([
      "FEAT-A-LAND-2",
      "FEAT-A-LAND-3",
      "FEAT-A-LAND-12",
    ]);
  });

  it("has a name that can be told from others", () => {
    for (const earlier of [0, 1, 11]) {
      for (const id of [feature.id, "x".repeat(64)]) {
        expect(mayNameLand(landTask({ ...feature, id }, earlier, origin).id)).toBe(true);
      }
    }
    expect(["FEAT-001", "TASK-LANDING", "LAND", "X-LAND-"].filter(mayNameLand)).toEqual([]);
    expect(mayNameLand("feat-1-land-2")).toBe(true);
  });

  it("has an id that is allowed, however long the feature's is", () => {
    for (const earlier of [0, 1, 99_999]) {
      expect(isChosenId(landTask({ ...feature, id: "x".repeat(64) }, earlier, origin).id)).toBe(true);
    }
  });

  it("has a title that is allowed, and never half a character", () => {
    const long = landTask({ ...feature, title: `${"x".repeat(493)}👍👍` }, 0, origin).title;
    expect(long.length).toBeLessThanOrEqual(500);
    expect(long).toBe(`Land: ${"x".repeat(493)}`);
    expect(landTask({ ...feature, title: `${"x".repeat(492)}👍👍` }, 0, origin).title).toMatch(/x👍$/u);
  });
});

it.each([
  ["an ordinary feature", {}, true],
  ["an inbox", { inbox: true }, false],
  ["a dropped feature", settled("dropped"), false],
  ["a waived feature", settled("waived"), false],
  ["an archived feature", { archive: { by: "human:ada", at: AT, root: 1, summary: null } }, false],
])("%s holds running work: %s", (_, over, expected) => {
  expect(landsWork(aContainer({ tier: "feature", ...over }))).toBe(expected);
});
