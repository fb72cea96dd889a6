// A node for tests of the model: a task that could be claimed, unless the test says otherwise.

import { type Node, newNode } from "../src/model/node/node.js";

export const AT = Date.UTC(2026, 0, 1);

export const aNode = (over: Partial<Node> = {}): Node => ({
  ...newNode(
    7,
    {
      uuid: "019b76da-a801-7101-8101-010101010101",
      id: "T-1",
      tier: "task",
      kind: "work",
      title: "A task",
      parent: 3,
      createdAt: AT,
      createdBy: "human:ada",
      approval: { by: "human:ada", at: AT, hash: "h" },
    },
    AT,
  ),
  hash: "h",
  feature: 2,
  ...over,
});

export const aContainer = (over: Partial<Node> = {}): Node =>
  aNode({ id: "S-1", tier: "story", kind: null, live: 2, finished: 0, ...over });

export const settled = (kind: "done" | "waived" | "dropped", op = 5): Pick<Node, "outcome"> => ({
  outcome: { kind, by: "human:ada", at: AT, reason: null, op },
});
