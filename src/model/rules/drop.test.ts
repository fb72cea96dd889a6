import { describe, expect, it } from "vitest";
import { branch, frozenBy, ids, node, settled } from "../../../test/branch.js";
import { must, mustFail } from "../../../test/plan.js";
import type { Node } from "../node/node.js";
import { dropBranch, dropPatch, toDrop } from "./give-up.js";

const feature = node(1, "feature", 9);
const story = node(2, "story", 1);
const land = node(3, "task", 1, { kind: "land" });
const open = node(4, "task", 2);
const done = node(5, "task", 2, settled("done"));
const waived = node(6, "task", 2, settled("waived"));
const gone = node(7, "task", 2, settled("dropped"));

describe("dropBranch", () => {
  it.each<[what: string, nodes: Node[], dropped: string[]]>([
    ["a task", [open], ["T4"]],
    ["a feature with its land task", [feature, story, land, open], ["F1", "S2", "T3", "T4"]],
    ["an empty feature", [feature, land], ["F1", "T3"]],
    ["only what is open, where something is done", [feature, story, land, open, done], ["T4"]],
    ["only what is open, where something is waived", [feature, story, land, open, waived], ["T4"]],
    ["a story whose tasks are all dropped already", [feature, story, land, gone], ["F1", "S2", "T3"]],
    [
      "a story beside a finished one",
      [feature, story, land, done, node(8, "story", 1), node(9, "task", 8)],
      ["S8", "T9"],
    ],
    [
      "nothing in a story that only waits for a new plan",
      [{ ...story, awaitsPlan: { by: "human:ada", at: 1, reason: "too large" } }, done],
      [],
    ],
    ["the content of an inbox, never the inbox", [{ ...feature, inbox: true }, story, open], ["S2", "T4"]],
    [
      "what is in the feature for bugs, never the feature",
      [{ ...feature, id: "BUGS" }, land, story, open],
      ["S2", "T4"],
    ],
    [
      "what is beside it, never the mission around it",
      [node(9, "mission", null), { ...feature, id: "BUGS" }, node(11, "feature", 9), node(12, "task", 11)],
      ["F11", "T12"],
    ],
  ])("drops %s", (_, nodes, dropped) => {
    expect(ids(must(dropBranch(branch(...nodes))))).toEqual(dropped);
  });

  it.each<[what: string, nodes: Node[], reason: string]>([
    ["a land task alone", [land], "land-task"],
    ["a landing that is done", [node(3, "task", 1, { kind: "land", ...settled("done") })], "settled"],
    ["a done task", [done], "settled"],
    ["a waived task", [waived], "settled"],
    ["a dropped task", [gone], "settled"],
    ["the feature for bugs", [{ ...feature, id: "BUGS" }, land], "standing"],
    ["a feature in which only the landing is open", [feature, story, land, done], "settled"],
  ])("refuses %s", (_, nodes, reason) => {
    expect(mustFail(dropBranch(branch(...nodes)))).toMatchObject({ kind: "refused", reason });
  });
});

describe("toDrop", () => {
  const whole = branch(feature, story, land, open, node(10, "task", 2, frozenBy(10)));

  it("keeps what was not asked for, and all that contains it", () => {
    expect(ids(toDrop(whole, (each) => each.nr !== 10))).toEqual(["T4"]);
    expect(ids(toDrop(whole, (each) => each.nr !== 1))).toEqual(["S2", "T4", "T10"]);
    expect(ids(toDrop(whole, (each) => each.nr !== 3))).toEqual(["S2", "T4", "T10"]);
  });

  it("ends claim and freeze", () => {
    expect(dropPatch({ by: "human:ada", at: 5, op: 7 }, "why")).toEqual({
      outcome: { kind: "dropped", by: "human:ada", at: 5, op: 7, reason: "why" },
      claim: null,
      freeze: null,
    });
  });
});
