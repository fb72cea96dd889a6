import { describe, expect, it } from "vitest";
import { node } from "../../../test/branch.js";
import { must, mustFail } from "../../../test/plan.js";
import { discoveryTarget } from "./promote.js";

const mission = node(1, "mission", null);
const feature = node(2, "feature", 1);
const story = node(3, "story", 2);
const task = node(4, "task", 3);
const above = [story, feature, mission];

describe("discoveryTarget", () => {
  it("is the grandparent unless an ancestor is named", () => {
    expect(must(discoveryTarget(task, above, undefined))).toBe(feature);
    for (const ancestor of above) expect(must(discoveryTarget(task, above, ancestor))).toBe(ancestor);
  });

  it.each([
    ["no grandparent", feature, [mission], undefined, "no-grandparent"],
    ["nothing above at all", mission, [], undefined, "no-grandparent"],
    ["a sibling", task, above, node(5, "task", 3), "not-an-ancestor"],
    ["itself", task, above, task, "not-an-ancestor"],
    ["something below", feature, [mission], task, "not-an-ancestor"],
    ["anything, from the top", mission, [], feature, "not-an-ancestor"],
  ] as const)("refuses %s", (_, source, ancestors, asked, reason) => {
    expect(mustFail(discoveryTarget(source, ancestors, asked))).toMatchObject({ kind: "refused", reason });
  });
});
