import { describe, expect, it } from "vitest";
import { branch, frozenBy, ids, node, settled } from "../../../test/branch.js";
import { must, mustFail } from "../../../test/plan.js";
import type { Node } from "../node/node.js";
import { freezePatch, toFreeze, toThaw } from "./freeze.js";

const archived: Partial<Node> = { archive: { by: "human:ada", at: 1, root: 1, summary: null } };

describe("toFreeze", () => {
  it.each<[what: string, nodes: Node[], frozen: string[]]>([
    ["the node alone", [node(1, "task", 9)], ["T1"]],
    ["all that is open below", [node(1, "story", 9), node(2, "task", 1), node(3, "task", 1)], ["S1", "T2", "T3"]],
    ["nothing done", [node(1, "story", 9), node(2, "task", 1, settled("done")), node(3, "task", 1)], ["S1", "T3"]],
    ["nothing waived", [node(1, "story", 9), node(2, "task", 1, settled("waived")), node(3, "task", 1)], ["S1", "T3"]],
    [
      "nothing dropped",
      [node(1, "story", 9), node(2, "task", 1, settled("dropped")), node(3, "task", 1)],
      ["S1", "T3"],
    ],
    ["nothing archived", [node(1, "story", 9), node(2, "task", 1, archived), node(3, "task", 1)], ["S1", "T3"]],
    ["nothing frozen before", [node(1, "story", 9), node(2, "task", 1, frozenBy(2)), node(3, "task", 1)], ["S1", "T3"]],
    [
      "no story that is finished",
      [node(1, "feature", 9), node(2, "story", 1), node(3, "task", 2, settled("done")), node(4, "task", 1)],
      ["F1", "T4"],
    ],
  ])("freezes %s", (_, nodes, frozen) => {
    expect(ids(must(toFreeze(branch(...nodes))))).toEqual(frozen);
  });

  it.each<[what: string, nodes: Node[], reason: string]>([
    ["done", [node(1, "task", 9, settled("done"))], "settled"],
    ["waived", [node(1, "task", 9, settled("waived"))], "settled"],
    ["dropped", [node(1, "task", 9, settled("dropped"))], "settled"],
    ["archived", [node(1, "story", 9, archived)], "settled"],
    ["a container that is done", [node(1, "story", 9), node(2, "task", 1, settled("done"))], "settled"],
    ["frozen already", [node(1, "story", 9, frozenBy(1))], "frozen"],
  ])("refuses what is %s", (_, nodes, reason) => {
    expect(mustFail(toFreeze(branch(...nodes)))).toMatchObject({ kind: "refused", reason });
  });

  it("ends claims, and says where the freeze came from", () => {
    const fact = { reason: "wait", by: "human:ada", at: 5, commit: "abc" };
    expect(freezePatch(7, fact)).toEqual({ claim: null, freeze: { ...fact, from: 7 } });
  });
});

describe("toThaw", () => {
  const mixed = branch(
    node(1, "story", 9, frozenBy(1)),
    node(2, "task", 1, frozenBy(1)),
    node(3, "task", 1, frozenBy(3)),
    node(4, "task", 1),
    node(5, "task", 1, { ...frozenBy(1), ...settled("done") }),
  );

  it.each<[partial: boolean, thawed: string[], stillFrozen: string[]]>([
    [false, ["S1", "T2"], ["T3"]],
    [true, ["S1"], ["T2", "T3"]],
  ])("with partial %s", (partial, thawed, stillFrozen) => {
    const found = must(toThaw(mixed, partial));
    expect([ids(found.thawed), ids(found.stillFrozen)]).toEqual([thawed, stillFrozen]);
  });

  it.each([
    ["not frozen", node(1, "task", 9)],
    ["settled", node(1, "task", 9, { ...frozenBy(1), ...settled("dropped") })],
    ["archived", node(1, "task", 9, { ...frozenBy(1), ...archived })],
  ])("finds nothing in what is %s", (_, root) => {
    expect(mustFail(toThaw(branch(root), false))).toMatchObject({ kind: "absent", reason: "not-frozen" });
  });
});
