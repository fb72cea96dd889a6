import { describe, expect, it } from "vitest";
import { addAll, addInbox, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { makeSpied, type Spy } from "../../../test/spy.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import type { NodeInput } from "../../model/node/content.js";
import { setLevel } from "../../plan/level/level.js";
import { createStore } from "../../store/open/create.js";
import { drop } from "../branch/drop.js";
import { next } from "../task/next.js";
import type { StatusTree, StatusView } from "./read-status.js";
import { status } from "./read-status.js";

const ask = async (plan: TestPlan, input: Parameters<typeof status>[1] = {}): Promise<StatusView> =>
  must(await status(plan, input));

/** Indented ids: the shape of the tree. */
const outline = (tree: readonly StatusTree[], depth = 0): string[] =>
  tree.flatMap((node) => [`${" ".repeat(depth)}${node.id}`, ...outline(node.children, depth + 1)]);

const flat = (tree: readonly StatusTree[]): StatusTree[] => tree.flatMap((node) => [node, ...flat(node.children)]);

const feature = (n: number, tasks: number): NodeInput[] => [
  { id: `F-${n}`, tier: "feature", title: `F ${n}`, parent: "MISSION" },
  ...Array.from({ length: tasks }, (_, i) => task(`F-${n}-T-${i}`, { parent: `F-${n}` })),
];

describe("status", () => {
  it("shows the plan as a tree, siblings in the order of their creation (not by id)", async () => {
    const plan = await makePlan([task("Z"), task("B"), { id: "A-STORY", tier: "story", title: "S", parent: "FEAT-A" }]);
    const { tree, hidden } = await ask(plan);
    expect(outline(tree)).toEqual(["MISSION", " FEAT-A", "  STORY-A", "   Z", "   B", "  A-STORY", "  FEAT-A-LAND"]);
    expect(hidden).toEqual({ archived: 0, dropped: 0, deeper: false });
  });

  it("says of each node what `show` says of it", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1"),
      task("T-2", { dependsOn: ["T-1"] }),
      task("T-3"),
      task("T-4"),
    ]);
    await addInbox(plan);
    await finish(plan, "T-1");
    must(await next(plan.as("agent:bot"), {}));
    const { tree, counts } = await ask(plan);
    for (const { children: _, engineHolds: __, checks: ___, landed: ____, readyToLand: _____, ...node } of flat(tree))
      expect(await plan.view(node.id)).toMatchObject(node);
    expect(counts).toEqual({
      ready: 2,
      inProgress: 1,
      blocked: 1,
      waitingForPerson: 0,
      rejected: 0,
      frozen: 0,
      planned: 0,
      finished: 1,
    });
    expect(flat(tree).find((node) => node.id === "FEAT-A")?.progress).toEqual({ finished: 1, total: 4 });
  });

  it("says how far the daemon may go in the workspace, but not of a branch", async () => {
    const plan = await makePlan();
    expect((await ask(plan)).level).toBe("off");
    must(await setLevel(plan, { level: "auto" }));
    expect((await ask(plan)).level).toBe("auto");
    expect((await ask(plan, { reference: "FEAT-A" })).level).toBeNull();
  });

  it("shows a feature's land task once there is something to land", async () => {
    const plan = await makePlan();
    const empty = await ask(plan);
    expect([outline(empty.tree), empty.counts.planned]).toEqual([["MISSION", " FEAT-A", "  STORY-A"], 0]);
    await addAll(plan, [task("T-1")]);
    const full = await ask(plan);
    expect([outline(full.tree).at(-1), full.counts.planned]).toEqual(["  FEAT-A-LAND", 2]);
    // The land task is in the counts, and in no progress.
    const [mission] = full.tree;
    expect(full.progress).toEqual(mission?.children[0]?.progress);
    expect(full.progress).toEqual({ finished: 0, total: 1 });
  });

  it("hides what was dropped unless asked, and says how much", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await drop(plan, { references: ["T-1"], reason: "no" }));
    const shown = await ask(plan);
    expect([
      flat(shown.tree)
        .map((n) => n.id)
        .includes("T-1"),
      shown.hidden.dropped,
    ]).toEqual([false, 1]);
    const all = await ask(plan, { dropped: true });
    expect([
      flat(all.tree)
        .map((n) => n.id)
        .includes("T-1"),
      all.hidden.dropped,
    ]).toEqual([true, 0]);
  });

  it("shows a large plan down to its features, and all of it when asked", async () => {
    const plan = await makePlan(Array.from({ length: 30 }, (_, i) => feature(i, 10)).flat());
    const { tree, counts, hidden } = await ask(plan);
    expect(flat(tree).map((n) => n.tier)).not.toContain("task");
    expect(flat(tree)).toHaveLength(32);
    expect([hidden.deeper, counts.planned]).toEqual([true, 330]);
    expect(flat((await ask(plan, { all: true })).tree)).toHaveLength(32 + 1 + 300 + 30);
    expect(flat((await ask(plan, { depth: 0 })).tree)).toHaveLength(1);
    expect(flat((await ask(plan, { depth: 2 })).tree)).toHaveLength(32 + 1 + 300 + 30);
  });

  it("counts the nodes exactly before it decides that a plan is small", async () => {
    // 190 tasks and 40 stories: the tasks alone would fit.
    const stories = Array.from(
      { length: 40 },
      (_, i) => ({ id: `S-${i}`, tier: "story", title: "S", parent: "FEAT-A" }) as const,
    );
    const plan = await makePlan([...stories, ...Array.from({ length: 190 }, (_, i) => task(`T-${i}`))]);
    const { tree, hidden } = await ask(plan);
    expect([flat(tree).length, hidden.deeper]).toEqual([2, true]);
  });

  it("shows one branch with its counts, and only that", async () => {
    const plan = await makePlan([...feature(1, 2), ...feature(2, 3)]);
    const { tree, counts } = await ask(plan, { reference: "F-2" });
    expect(outline(tree)).toEqual(["F-2", " F-2-T-0", " F-2-T-1", " F-2-T-2", " F-2-LAND"]);
    expect(counts.planned).toBe(4);
    expect((await ask(plan, { reference: "F-2", depth: 0 })).hidden.deeper).toBe(true);
  });

  it("has nothing to show in an empty store, and says so of an unknown node", async () => {
    const { store } = await createStore({ path: ":memory:", durability: "normal", engine: "auto" });
    expect(mustFail(await status({ ...(await makePlan()), store }, {})).reason).toBe("no-plan");
    expect(mustFail(await status(await makePlan(), { reference: "NOPE" })).kind).toBe("absent");
  });
});

describe("status of one feature", () => {
  async function spied(features: number): Promise<Spy> {
    const { spy, plan } = await makeSpied();
    await addAll(plan, [
      { id: "MISSION", tier: "mission", title: "M" },
      ...Array.from({ length: features }, (_, i) => feature(i, 5)).flat(),
      task("LAST", { parent: "F-1", dependsOn: ["F-1-T-0", "F-0-T-0"] }),
    ]);
    spy.forget();
    await ask(plan, { reference: "F-1" });
    return spy;
  }

  it("reads the same rows, however large the rest of the plan is", async () => {
    expect((await spied(300)).rows).toBe((await spied(3)).rows);
  });

  it("never scans a table", async () => {
    const steps = await (await spied(3)).plans();
    expect(steps.length).toBeGreaterThan(5);
    // What is in flight has an index of its own, and is few.
    expect(
      steps.filter(
        (step) => /^SCAN (node|edge|change|operation|focus|task)\b/.test(step) && !step.includes("node_lease"),
      ),
    ).toEqual([]);
  });
});
