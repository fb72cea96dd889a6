import { describe, expect, it } from "vitest";
import { branch, ids, node, settled } from "../../../test/branch.js";
import { must, mustFail } from "../../../test/plan.js";
import type { Node } from "../node/node.js";
import { toWaive, waivePatch } from "./give-up.js";

const story = node(1, "story", 9);
const awaiting = (each: Node): Node => ({ ...each, awaitsPlan: { by: "human:ada", at: 1, reason: "too large" } });

describe("toWaive", () => {
  it.each<[what: string, nodes: Node[], waived: string[]]>([
    ["a task", [node(2, "task", 1)], ["T2"]],
    [
      "a rejected task",
      [node(2, "task", 1, { acceptance: { state: "rejected", by: "checks", at: 1, reason: "x" } })],
      ["T2"],
    ],
    ["an empty story", [story], ["S1"]],
    ["a story with all its tasks", [story, node(2, "task", 1), node(3, "task", 1)], ["S1", "T2", "T3"]],
    [
      "the open tasks where one is done: the story rolls up",
      [story, node(2, "task", 1, settled("done")), node(3, "task", 1)],
      ["T3"],
    ],
    [
      "a story with the rest, where one was waived before",
      [story, node(2, "task", 1, settled("waived")), node(3, "task", 1)],
      ["S1", "T3"],
    ],
    [
      "a story inside whose tasks were waived one by one",
      [node(5, "feature", 9), node(1, "story", 5), node(2, "task", 1, settled("waived")), node(3, "task", 5)],
      ["F5", "S1", "T3"],
    ],
    [
      "the rest, where a story inside was archived",
      [
        node(5, "feature", 9),
        node(1, "story", 5, { archive: { by: "human:ada", at: 1, root: 1, summary: null } }),
        node(3, "task", 5),
      ],
      ["T3"],
    ],
    ["nothing in a story that only waits for a new plan", [awaiting(story), node(2, "task", 1, settled("done"))], []],
    ["nothing that was dropped", [story, node(2, "task", 1, settled("dropped")), node(3, "task", 1)], ["S1", "T3"]],
    [
      "a story without any work beside one with some",
      [
        node(5, "feature", 9),
        node(1, "story", 5),
        node(6, "story", 5),
        node(2, "task", 1, settled("done")),
        node(3, "task", 1),
      ],
      ["S6", "T3"],
    ],
    [
      "what is in the inbox and among the bugs, but neither of these nor the mission around them",
      [
        node(9, "mission", null),
        node(4, "feature", 9, { inbox: true, tasksLive: 1 }),
        node(5, "feature", 9, { id: "BUGS", tasksLive: 1 }),
        node(6, "task", 4),
        node(7, "task", 5),
        node(8, "feature", 9),
      ],
      ["T6", "T7", "F8"],
    ],
  ])("waives %s", (_, nodes, waived) => {
    expect(ids(must(toWaive(branch(...nodes))))).toEqual(waived);
  });

  it.each([
    ["done", branch(node(2, "task", 1, settled("done")))],
    ["waived", branch(node(2, "task", 1, settled("waived")))],
    ["rolled up", branch(story, node(2, "task", 1, settled("done")))],
  ])("refuses what is %s", (_, nodes) => {
    expect(mustFail(toWaive(nodes))).toMatchObject({ kind: "refused", reason: "settled" });
  });

  it("leaves the feature for bugs with its land task before there is one", () => {
    const bugs = node(5, "feature", 9, { id: "BUGS" });
    expect(mustFail(toWaive(branch(bugs, node(6, "task", 5, { kind: "land" }))))).toMatchObject({
      kind: "refused",
      reason: "standing",
      message: expect.stringContaining("BUGS"),
    });
  });

  it("records the reason and ends claim and freeze", () => {
    expect(waivePatch({ by: "human:ada", at: 5, op: 7 }, "why")).toEqual({
      outcome: { kind: "waived", by: "human:ada", at: 5, op: 7, reason: "why" },
      claim: null,
      freeze: null,
    });
  });
});
