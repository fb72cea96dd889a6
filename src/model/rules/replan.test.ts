import { describe, expect, it } from "vitest";
import { branch, ids, node, settled } from "../../../test/branch.js";
import type { Node } from "../node/node.js";
import { toDrop, toPlanAgain, withoutNewPlan } from "./give-up.js";

const mission = node(9, "initiative", null);
const feature = node(1, "feature", 9);
const story = node(2, "story", 1);
const other = node(3, "story", 1);
const done = (nr: number, parent: number): Node => node(nr, "task", parent, settled("done"));
const awaitsPlan = { by: "human:ada", at: 1, reason: "too large" };

describe("a branch that is replanned", () => {
  it.each<[what: string, nodes: Node[], marked: string[]]>([
    ["its root, even if it loses nothing", [story], ["S2"]],
    ["its root, where all of it goes", [story, node(4, "task", 2)], ["S2"]],
    [
      "what stays and loses something",
      [feature, story, done(4, 2), node(5, "task", 2), other, done(6, 3)],
      ["F1", "S2"],
    ],
    ["nothing that goes itself", [feature, story, node(4, "task", 2)], ["F1"]],
    ["a feature that loses a story", [mission, feature, story, done(4, 2), other, node(5, "task", 3)], ["I9", "F1"]],
  ])("waits for a new plan: %s", (_, nodes, marked) => {
    const whole = branch(...nodes);
    const dropped = toDrop(whole, ({ nr }) => nr !== whole[0].nr);
    expect(ids(toPlanAgain(whole, dropped))).toEqual(marked);
  });

  it("no longer does when the rest is given up", () => {
    const whole = branch(feature, { ...story, awaitsPlan }, done(4, 2), { ...other, awaitsPlan });
    expect(
      ids(
        withoutNewPlan(
          whole,
          toDrop(whole, () => true),
        ),
      ),
    ).toEqual(["S2"]);
  });
});
