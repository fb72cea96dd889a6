import { describe, expect, it } from "vitest";
import { addAll, makePlainPlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { standing } from "../../../test/work.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { undo } from "../../verbs/history/take-back.js";
import { move } from "../../verbs/node/move.js";
import { add } from "./add.js";
import { approve } from "./approve.js";

const withBugs = async (tier: "initiative" | "feature"): Promise<TestPlan> => {
  const plan = await makePlainPlan([task("T-1", { parent: "FEAT-A" })]);
  await addAll(plan, [{ id: "BUGS", tier, title: "Bugs", parent: "MISSION" }]);
  return plan;
};

const bug = (id: string) => task(id, { parent: "BUGS" });

const report = async (plan: TestPlan, ...ids: readonly string[]) =>
  must(
    await add(
      plan,
      ids.map((id) => ({ input: bug(id), where: id })),
    ),
  );

const differences = async (plan: TestPlan) => (await plan.store.verify()).differences;

describe("a bug", () => {
  it("never shares a feature with another bug", async () => {
    const plan = await withBugs("initiative");
    const added = await report(plan, "B-1", "B-2");
    expect(added).toMatchObject({
      added: ["B-1", "B-2"],
      bugs: [
        { id: "B-1", feature: "FEAT-001" },
        { id: "B-2", feature: "FEAT-002" },
      ],
    });
    expect(await plan.view("FEAT-001")).toMatchObject({ tier: "feature", title: "Task B-1", parent: "BUGS" });
    expect(await plan.view("B-2")).toMatchObject({ parent: "FEAT-002" });
    expect((await plan.view("FEAT-002-LAND")).kind).toBe("land");
    expect(await differences(plan)).toEqual([]);
    must(await undo(plan));
    expect(await plan.view("BUGS")).toMatchObject({ progress: { finished: 0, total: 0 } });
    expect(await differences(plan)).toEqual([]);
  });

  it("gets its feature beside BUGS where that is a feature", async () => {
    const plan = await withBugs("feature");
    await report(plan, "B-1");
    expect([(await plan.view("B-1")).parent, (await plan.view("FEAT-001")).parent]).toEqual(["FEAT-001", "MISSION"]);
    expect(await report(plan, "B-1")).toMatchObject({ added: [], changed: [] });
    expect(await differences(plan)).toEqual([]);
  });

  it("is not moved when the same lines are added again", async () => {
    const plan = await withBugs("initiative");
    await report(plan, "B-1");
    expect(await report(plan, "B-1", "B-2")).toMatchObject({ added: ["B-2"], changed: [], unchanged: 1 });
    expect((await plan.view("B-1")).parent).toBe("FEAT-001");
  });

  it("gets a feature when a task or a story is moved into BUGS", async () => {
    const plan = await withBugs("initiative");
    await addAll(plan, [
      { id: "S-1", tier: "story", title: "Slow start", parent: "FEAT-A" },
      task("T-2", { parent: "S-1" }),
    ]);
    must(await approve(plan, { references: ["T-1"] }));
    expect(must(await move(plan, { references: ["T-1", "S-1"], to: "BUGS" }))).toMatchObject({
      moved: ["T-1", "S-1"],
      stale: ["T-1"],
      bugs: [
        { id: "T-1", feature: "FEAT-001" },
        { id: "S-1", feature: "FEAT-002" },
      ],
    });
    expect(await plan.view("S-1")).toMatchObject({ parent: "FEAT-002" });
    expect(must(await move(plan, { references: ["T-1", "T-2"], to: "BUGS" }))).toMatchObject({ op: null, moved: [] });
    await addAll(plan, [task("T-3", { parent: "FEAT-A" })]);
    expect(await report(plan, "T-3")).toMatchObject({ changed: ["T-3"], bugs: [{ id: "T-3", feature: "FEAT-003" }] });
    expect(await differences(plan)).toEqual([]);
  });

  it("never comes into BUGS without a feature when an idea is approved into it", async () => {
    const plan = await withBugs("initiative");
    const refusal = mustFail(await approve(plan, { references: ["T-1"], to: "BUGS" }));
    expect(refusal).toMatchObject({
      reason: "needs-feature",
      next: [{ operation: "move", input: { references: ["T-1"], to: "BUGS" } }],
    });
    must(await move(plan, { references: ["T-1"], to: "BUGS" }));
    must(await approve(plan, { references: ["T-1"], to: "BUGS" }));
    expect(await plan.view("T-1")).toMatchObject({ parent: "FEAT-001", status: "ready" });
    expect(await differences(plan)).toEqual([]);
  });

  it("is frozen with BUGS", async () => {
    const plan = await withBugs("initiative");
    must(await freeze(plan, { references: ["BUGS"], reason: "a release is near" }));
    await report(plan, "B-1");
    expect(await standing(plan, "B-1", "FEAT-001")).toBe("B-1 frozen, FEAT-001 frozen");
    expect(await differences(plan)).toEqual([]);
  });
});
