import { describe, expect, it } from "vitest";
import { AT, aContainer, aNode, settled } from "../../../test/node.js";
import type { Node, NodeFields } from "../node/node.js";
import {
  ancestorsOf,
  checkDone,
  checkEdges,
  checkFacts,
  checkLandKept,
  checkParent,
  type Lookup,
} from "./invariants.js";

const mission = aContainer({ nr: 1, id: "MISSION", tier: "mission", parent: null });
const feature = aContainer({ nr: 2, id: "FEAT", tier: "feature", parent: 1 });
const story = aContainer({ nr: 3, id: "STORY", parent: 2 });
const task = aNode({ nr: 4, id: "TASK", parent: 3 });
const other = aNode({ nr: 5, id: "OTHER", parent: 2 });

const lookup: Lookup = (nr) => [mission, feature, story, task, other].find((node) => node.nr === nr);
const codes = (found: readonly { code: string }[]): string[] => found.map(({ code }) => code);
const on = (...targets: number[]): Partial<Node> => ({
  dependsOn: targets.map((nr) => ({ on: nr, origin: "stated" })),
});

describe("ancestorsOf", () => {
  it("goes up, nearest first", () => {
    expect(ancestorsOf(task, lookup).map(({ id }) => id)).toEqual(["STORY", "FEAT", "MISSION"]);
    expect(ancestorsOf(mission, lookup)).toEqual([]);
  });

  it("stops at a gap and in a loop", () => {
    expect(ancestorsOf({ parent: 99 }, lookup)).toEqual([]);
    const loop = new Map([
      [1, { ...mission, parent: 2 }],
      [2, { ...feature, parent: 1 }],
    ]);
    expect(ancestorsOf({ parent: 1 }, (nr) => loop.get(nr)).map(({ nr }) => nr)).toEqual([1, 2]);
  });
});

describe("I-PARENT and I-LAND: where a node stands", () => {
  it.each<[string, Node, string[]]>([
    ["a mission at the top", mission, []],
    ["a mission below something", { ...mission, parent: 1 }, ["I-PARENT"]],
    ["a task in a story", task, []],
    ["a task in a feature", { ...task, parent: 2 }, []],
    ["a task in a mission", { ...task, parent: 1 }, []],
    ["a task in a task", { ...task, parent: 5 }, ["I-PARENT"]],
    ["a story in a story", { ...story, parent: 3 }, ["I-PARENT"]],
    ["a feature in a story", { ...feature, parent: 3 }, ["I-PARENT"]],
    ["a task without a parent", { ...task, parent: null }, ["I-PARENT"]],
    ["a task whose parent does not exist", { ...task, parent: 99 }, ["I-PARENT"]],
    ["a land task in its feature", { ...task, kind: "land", parent: 2 }, []],
    ["a land task in a story", { ...task, kind: "land" }, ["I-LAND"]],
  ])("%s", (_, node, expected) => {
    expect(codes(checkParent(node, lookup))).toEqual(expected);
  });
});

describe("I-DANGLING, I-KINSHIP, I-TWICE: what a node depends on", () => {
  it.each<[string, Node, string[]]>([
    ["nothing", task, []],
    ["another node", { ...task, ...on(5) }, []],
    ["itself", { ...task, ...on(4) }, ["I-KINSHIP"]],
    ["its parent", { ...task, ...on(3) }, ["I-KINSHIP"]],
    ["what contains it further up", { ...task, ...on(1) }, ["I-KINSHIP"]],
    ["its child", { ...story, ...on(4) }, ["I-KINSHIP"]],
    ["what it contains further down", { ...mission, ...on(4) }, ["I-KINSHIP"]],
    ["a node that does not exist", { ...task, ...on(99) }, ["I-DANGLING"]],
    ["the same node twice", { ...task, ...on(5, 5) }, ["I-TWICE"]],
    ["the same node many times", { ...task, ...on(...Array<number>(18).fill(5)) }, Array(17).fill("I-TWICE")],
    ["all kinds of things", { ...task, ...on(4, 5, 99, 3) }, ["I-KINSHIP", "I-DANGLING", "I-KINSHIP"]],
  ])("%s", (_, node, expected) => {
    expect(codes(checkEdges(node, lookup))).toEqual(expected);
  });
});

describe("I-CLAIM, I-APPROVER, I-FREEZE, I-PROOF: what a row says about itself", () => {
  const claim = { by: "agent:bot", token: "t", epoch: 1, at: AT, until: AT };
  const freeze = { reason: "x", by: "human:ada", at: AT, from: 1, commit: null };
  const accepted: Partial<Node> = { acceptance: { state: "accepted", by: "checks", at: AT, reason: null } };
  const approvedBy = (by: string): Partial<Node> => ({ approval: { by, at: AT, hash: "h" } });

  it.each<[string, Node, string[]]>([
    ["a plain task", task, []],
    ["a claimed task", { ...task, claim }, []],
    ["a claimed container", { ...story, claim }, ["I-CLAIM"]],
    ["a claimed task that is settled", { ...task, claim, ...settled("waived") }, ["I-CLAIM"]],
    ["a claimed task that is frozen", { ...task, claim, freeze }, ["I-CLAIM"]],
    ["an approval by a person", { ...task, ...approvedBy("human:eve") }, []],
    ["an approval by an agent", { ...task, ...approvedBy("agent:bot") }, ["I-APPROVER"]],
    ["an approval by the daemon", { ...task, ...approvedBy("daemon:host") }, ["I-APPROVER"]],
    ["an approval by nobody in particular", { ...task, ...approvedBy("human:") }, ["I-APPROVER"]],
    ["a frozen node", { ...task, freeze }, []],
    ["a frozen node without a reason", { ...task, freeze: { ...freeze, reason: "" } }, ["I-FREEZE"]],
    ["done and accepted", { ...task, ...settled("done"), ...accepted }, []],
    ["done without acceptance", { ...task, ...settled("done") }, ["I-PROOF"]],
    ["waived without acceptance", { ...task, ...settled("waived") }, []],
  ])("%s", (_, node, expected) => {
    expect(codes(checkFacts(node))).toEqual(expected);
  });
});

describe("I-DONE: what is done stays as it is", () => {
  const done = { ...task, ...settled("done") };
  const freeze = { reason: "x", by: "human:ada", at: AT, from: 1, commit: null };

  it.each<[string, Node, Partial<NodeFields>, string[]]>([
    ["frozen", done, { freeze }, ["I-DONE"]],
    ["dropped", done, settled("dropped"), ["I-DONE"]],
    ["edited", done, { title: "x", freeze: null }, []],
    ["waived", done, settled("waived"), []],
    ["opened again", done, { outcome: null }, []],
    ["opened again, and frozen as it was before", done, { outcome: null, freeze }, []],
    ["not done, and frozen", task, { freeze }, []],
    ["waived, and dropped", { ...task, ...settled("waived") }, settled("dropped"), []],
  ])("%s", (_, was, patch, expected) => {
    expect(codes(checkDone(was, patch))).toEqual(expected);
  });
});

describe("I-LAND: a land task is the store's", () => {
  const land = { ...task, kind: "land", parent: 2 } as const;

  it.each<[string, Node, Node, string[]]>([
    ["edited", land, { ...land, title: "x" }, []],
    ["moved", land, { ...land, parent: 9 }, ["I-LAND"]],
    ["made something else", land, { ...land, kind: "work" }, ["I-LAND"]],
    ["made of something else", task, { ...task, kind: "land" }, ["I-LAND"]],
    ["not one, and moved", task, { ...task, parent: 2, kind: "gate" }, []],
  ])("%s", (_, was, node, expected) => {
    expect(codes(checkLandKept(was, node))).toEqual(expected);
  });
});
