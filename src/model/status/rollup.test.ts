import { describe, expect, it } from "vitest";
import { node } from "../../../test/branch.js";
import { AT, aContainer, aNode, settled } from "../../../test/node.js";
import type { Node } from "../node/node.js";
import {
  codeOp,
  countsForLanding,
  countsForParent,
  isFinished,
  isLive,
  isMet,
  progressOf,
  unmetState,
} from "./rollup.js";

describe("isFinished", () => {
  it.each([
    ["a task that is done", aNode(settled("done")), true],
    ["a task that is waived", aNode(settled("waived")), true],
    ["a task that is dropped", aNode(settled("dropped")), false],
    ["an open task", aNode(), false],
    ["a claimed task", aNode({ claim: { by: "agent:b", token: "t", epoch: 1, at: AT, until: AT } }), false],
    ["a container with one child open", aContainer({ live: 2, finished: 1 }), false],
    ["a container with all children finished", aContainer({ live: 2, finished: 2 }), true],
    ["a container without children", aContainer({ live: 0, finished: 0 }), false],
    ["a waived container", aContainer(settled("waived")), true],
    ["a dropped container with finished children", aContainer({ ...settled("dropped"), live: 1, finished: 1 }), false],
  ])("%s: %#", (_, node, expected) => {
    expect(isFinished(node)).toBe(expected);
  });
});

it("only what is dropped does not count", () => {
  expect([isLive(aNode()), isLive(aNode(settled("done"))), isLive(aNode(settled("waived")))]).toEqual([
    true,
    true,
    true,
  ]);
  expect(isLive(aNode(settled("dropped")))).toBe(false);
});

describe("countsForParent", () => {
  const bugs = aContainer({ tier: "feature", id: "BUGS" });
  it.each<[what: string, node: Node, expected: boolean]>([
    ["a task", aNode(), true],
    ["a feature without tasks", aContainer({ tier: "feature", tasksLive: 0 }), true],
    ["what is dropped", aNode(settled("dropped")), false],
    ["an inbox with ideas in it", aContainer({ tier: "feature", inbox: true, tasksLive: 2 }), false],
    ["the feature for bugs with one in it", { ...bugs, tasksLive: 1 }, true],
    ["the feature for bugs without any", { ...bugs, tasksLive: 0 }, false],
    ["the initiative for bugs with one in it", { ...bugs, tier: "initiative", live: 1 }, true],
    ["the initiative for bugs without any", { ...bugs, tier: "initiative", live: 0 }, false],
    ["a story that is called like it", { ...bugs, tier: "story", live: 0, tasksLive: 0 }, true],
    ["a task that is called like it", aNode({ id: "BUGS" }), true],
  ])("%s", (_, node, expected) => {
    expect(countsForParent(node)).toBe(expected);
  });
});

describe("isMet", () => {
  const here = { feature: 2 };
  const elsewhere = { feature: 9 };
  const done = aNode(settled("done", 5));
  const view = (node: Node, landedOp: number | null, code = codeOp(node)) => ({ ...node, landedOp, codeOp: code });
  const cases = [
    ["open work", here, view(aNode(), null), false],
    ["work in progress", here, view(aNode({ acceptance: null }), null), false],
    ["dropped work", here, view(aNode(settled("dropped")), 9), false],
    ["done work in the same feature", here, view(done, null), true],
    ["done work in another feature, not landed", elsewhere, view(done, null), false],
    ["done work in another feature, landed before", elsewhere, view(done, 4), false],
    ["done work in another feature, landed with it", elsewhere, view(done, 5), true],
    ["done work in another feature, landed after", elsewhere, view(done, 6), true],
    ["done work, asked for from outside every feature", { feature: null }, view(done, null), false],
    ["done work outside every feature", here, view({ ...done, feature: null }, null), true],
    ["waived work in another feature", elsewhere, view(aNode(settled("waived", 7)), null), true],
    ["a gate in another feature", elsewhere, view(aNode({ kind: "gate", ...settled("done") }), null), true],
    ["a review in another feature", elsewhere, view(aNode({ kind: "review", ...settled("done") }), null), true],
    ["a land task", elsewhere, view(aNode({ kind: "land", ...settled("done") }), null), true],
    ["a finished story in another feature, not landed", elsewhere, view(aContainer({ finished: 2 }), null, 5), false],
    ["a finished story in another feature, landed", elsewhere, view(aContainer({ finished: 2 }), 6, 5), true],
    ["a finished story without code", elsewhere, view(aContainer({ finished: 2 }), null, 0), true],
    ["a waived story with code", elsewhere, view(aContainer({ ...settled("waived") }), null, 5), true],
    ["an open story", here, view(aContainer(), null), false],
    ["a finished feature", elsewhere, view(aContainer({ tier: "feature", finished: 2 }), null, 5), true],
  ] as const;

  it.each(cases)("%s", (_, from, target, expected) => {
    expect(isMet(from, target)).toBe(expected);
  });
});

it("only finished work is code", () => {
  expect(codeOp(aNode(settled("done", 5)))).toBe(5);
  expect(codeOp(aNode(settled("waived", 5)))).toBe(0);
  expect(codeOp(aNode(settled("dropped", 5)))).toBe(0);
  expect(codeOp(aNode({ kind: "review", ...settled("done", 5) }))).toBe(0);
  expect(codeOp(aNode())).toBe(0);
});

describe("unmetState", () => {
  it.each([
    ["pending", aNode()],
    ["pending", aNode({ acceptance: { state: "pending", by: "agent:b", at: AT, reason: null } })],
    ["rejected", aNode({ acceptance: { state: "rejected", by: "checks", at: AT, reason: null } })],
    [
      "dropped",
      aNode({ ...settled("dropped"), acceptance: { state: "rejected", by: "checks", at: AT, reason: null } }),
    ],
  ] as const)("is %s", (expected, node) => {
    expect(unmetState(node)).toBe(expected);
  });
});

it("a feature's landing waits for its tasks, not for containers or landings", () => {
  expect(countsForLanding(aNode())).toBe(true);
  expect(countsForLanding(aNode({ kind: "gate" }))).toBe(true);
  expect(countsForLanding(aNode({ kind: "land" }))).toBe(false);
  expect(countsForLanding(aContainer())).toBe(false);
});

describe("progressOf", () => {
  const counters = { live: 3, finished: 1, tasksLive: 2, tasksFinished: 2 };

  it.each([
    ["task", null],
    ["story", { finished: 1, total: 3 }],
    ["feature", { finished: 2, total: 2 }],
    ["mission", { finished: 1, total: 3 }],
  ] as const)("of a %s", (tier, progress) => {
    expect(progressOf({ ...node(1, tier, null), ...counters })).toEqual(progress);
  });
});
