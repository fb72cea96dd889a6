import { describe, expect, it } from "vitest";
import { AT, aNode, settled } from "../../../test/node.js";
import type { Node } from "../node/node.js";
import { checksToLand, commitsToLand, tasksToLand } from "./to-land.js";

const report = (commit: string | null, run = "true", passed = true): Pick<Node, "report"> => ({
  report: {
    by: "agent:a",
    at: AT,
    durationMs: 1,
    created: [],
    modified: [],
    commit,
    checks: [{ run, passed, outcome: passed ? "exit 0" : "exit 1", durationMs: 1, output: "" }],
  } as unknown as NonNullable<Node["report"]>,
});

const task = (id: string, op: number, commit: string | null, over: Partial<Node> = {}): Node =>
  aNode({ id, tier: "task", kind: "work", ...settled("done", op), ...report(commit), ...over });

const land = (id: string, op: number): Node => aNode({ id, tier: "task", kind: "land", ...settled("done", op) });

describe("what of a feature is still to land", () => {
  it("never has what an earlier landing proved", () => {
    const below = [task("A", 3, "c1"), land("F-LAND", 5), task("B", 7, "c2"), task("C", 8, "c2")];
    expect(tasksToLand(below).map(({ id }) => id)).toEqual(["B", "C"]);
    expect(commitsToLand(below)).toEqual(new Map([["c2", ["B", "C"]]]));
  });

  it("has neither stories, nor what is open, waived or without a commit", () => {
    const below = [
      aNode({ id: "S", tier: "story", ...settled("done", 3) }),
      aNode({ id: "O", tier: "task", outcome: null }),
      aNode({ id: "W", tier: "task", ...settled("waived", 3) }),
      task("N", 4, null),
      aNode({ id: "G", tier: "task", kind: "gate", ...settled("done", 4), report: null }),
    ];
    expect(tasksToLand(below).map(({ id }) => id)).toEqual(["N", "G"]);
    expect(commitsToLand(below)).toEqual(new Map());
  });
});

describe("the checks of what lands", () => {
  const check = { run: "npm test" };
  const byChecks = { acceptance: { state: "accepted", by: "checks", at: AT, reason: "" } } as Partial<Node>;
  const byPerson = { acceptance: { state: "accepted", by: "human:ada", at: AT, reason: "fine" } } as Partial<Node>;

  it("are each there once", () => {
    const other = { run: "npm test", expect: { exit: 1 } } as unknown as Node["checks"][number];
    const tasks = [
      task("A", 1, "c", { checks: [check], ...byChecks }),
      task("B", 2, "d", { checks: [check, other], ...byChecks }),
    ];
    expect(checksToLand(tasks)).toEqual([check, other]);
  });

  it("never have one that you have overridden", () => {
    const failed = report("c", "npm test", false);
    expect(checksToLand([task("A", 1, "c", { checks: [check], ...failed, ...byPerson })])).toEqual([]);
    expect(checksToLand([task("A", 1, "c", { checks: [check], ...failed, ...byChecks })])).toEqual([check]);
    expect(checksToLand([task("A", 1, "c", { checks: [check], report: null, ...byPerson })])).toEqual([check]);
  });
});
