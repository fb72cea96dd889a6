import { describe, expect, it } from "vitest";
import { branch, ids, node, settled } from "../../../test/branch.js";
import { must, mustFail } from "../../../test/plan.js";
import type { Node } from "../node/node.js";
import { archiveSummary, roughly, toArchive, toRestore } from "./archive.js";

const archivedWith = (root: number): Partial<Node> => ({ archive: { by: "human:ada", at: 9, root, summary: null } });
const story = node(1, "story", 9);
const done = node(2, "task", 1, settled("done"));

describe("toArchive", () => {
  it.each<[what: string, nodes: Node[], archived: string[]]>([
    ["a finished story", [story, done], ["S1", "T2"]],
    ["what was dropped in it too", [story, done, node(3, "task", 1, settled("dropped"))], ["S1", "T2", "T3"]],
    ["a waived story", [{ ...story, ...settled("waived") }], ["S1"]],
    [
      "all but what was archived before",
      [story, done, node(3, "task", 1, { ...settled("done"), ...archivedWith(3) })],
      ["S1", "T2"],
    ],
  ])("takes %s", (_, nodes, archived) => {
    expect(ids(must(toArchive(branch(...nodes))))).toEqual(archived);
  });

  it.each<[what: string, nodes: Node[], kind: string, reason: string]>([
    ["a task", [done], "absent", "not-a-branch"],
    ["an archived story", [{ ...story, ...archivedWith(1) }, done], "absent", "archived"],
    ["a story in which nothing is finished", [story, node(3, "task", 1)], "absent", "nothing-finished"],
    ["a dropped story", [{ ...story, ...settled("dropped") }], "absent", "nothing-finished"],
    [
      "a finished mission around the inbox",
      [node(9, "mission", null), node(5, "feature", 9, settled("waived")), node(4, "feature", 9, { inbox: true })],
      "refused",
      "standing",
    ],
    ["an unfinished story", [story, done, node(3, "task", 1)], "refused", "unfinished"],
  ])("does not take %s", (_, nodes, kind, reason) => {
    expect(mustFail(toArchive(branch(...nodes)))).toMatchObject({ kind, reason });
  });

  it("lists what is open, and not a whole screen of it", () => {
    const tasks = Array.from({ length: 30 }, (_, i) => node(10 + i, "task", 1));
    const refusal = mustFail(toArchive(branch(story, done, ...tasks)));
    expect(refusal.details?.["open"]).toHaveLength(30);
    expect(refusal.message).toContain("T10, T11");
    expect(refusal.message).not.toContain("T35");
  });
});

describe("toRestore", () => {
  it("brings back what was archived together", () => {
    const nodes = branch(
      { ...story, ...archivedWith(1) },
      { ...done, ...archivedWith(1) },
      node(3, "task", 1, archivedWith(3)),
      node(4, "task", 1),
    );
    expect(ids(must(toRestore(nodes)))).toEqual(["S1", "T2"]);
    expect(mustFail(toRestore(branch(story)))).toMatchObject({ kind: "absent", reason: "not-archived" });
  });
});

describe("archiveSummary", () => {
  it("names every node, how it ended, how long it took and who it was", () => {
    const report = {
      by: "agent:bot",
      at: 1,
      startedAt: 0,
      durationMs: 5_400_000,
      commit: null,
      created: [],
      modified: [],
      checks: [],
      failure: null,
    };
    const nodes = branch(
      story,
      { ...done, ...settled("done", 1_000 + 3 * 86_400_000, "agent:bot"), report },
      node(3, "task", 1, settled("waived")),
      node(4, "task", 1, settled("dropped")),
    );
    expect(archiveSummary(nodes).split("\n")).toEqual([
      "S1 Title 1",
      "1 container, 3 tasks: 1 done, 1 waived, 1 dropped",
      "3 d from first to last, 1.5 h of work",
      "settled by agent:bot, human:ada",
      "  S1 rolled up Title 1",
      "  T2 done Title 2",
      "  T3 waived Title 3",
      "  T4 dropped Title 4",
    ]);
  });

  it.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [1_500, "1.5 s"],
    [60_000, "1 min"],
    [3_600_000, "1 h"],
    [86_400_000, "1 d"],
  ])("says %i ms as %s", (ms, text) => {
    expect(roughly(ms)).toBe(text);
  });
});
