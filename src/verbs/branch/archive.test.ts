import { describe, expect, it } from "vitest";
import { addAll, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing, standing } from "../../../test/work.js";
import { step } from "../../model/next-step.js";
import { approve } from "../../plan/node/approve.js";
import { undo } from "../history/take-back.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { archive } from "./archive.js";
import { drop } from "./drop.js";
import { restore } from "./restore.js";
import { waive } from "./waive.js";

/** A feature with two done tasks of the same title and a dropped one, landed. */
async function landedPlan(): Promise<TestPlan> {
  const plan = await makeApprovedPlan([
    passing("T-1", { title: "Same title" }),
    passing("T-2", { title: "Same title" }),
    task("T-3"),
    { id: "FEAT-B", tier: "feature", title: "Feature B", parent: "MISSION" },
    task("B-1", { parent: "FEAT-B", dependsOn: ["T-1"] }),
  ]);
  await finish(plan, "T-1", "T-2");
  must(await drop(plan, { references: ["T-3"] }));
  must(await complete(plan, { reference: "FEAT-A-LAND" }));
  return plan;
}

describe("archive", () => {
  it("takes a finished branch out of view with a summary that names every node", async () => {
    const plan = await landedPlan();
    const { archived, summary } = must(await archive(plan, { references: ["FEAT-A"] }));
    expect(archived).toEqual(["FEAT-A", "STORY-A", "FEAT-A-LAND", "T-1", "T-2", "T-3"]);
    expect(summary).toContain("2 containers, 4 tasks: 3 done, 0 waived, 1 dropped");
    for (const id of archived) expect(summary).toContain(id);
    expect(await plan.view("FEAT-A")).toMatchObject({ status: "archived", archive: { summary, by: "human:ada" } });
    expect(mustFail(await archive(plan, { references: ["FEAT-A"] }))).toMatchObject({
      kind: "absent",
      reason: "archived",
    });
  });

  it("loses nothing: every node stays whole, two of the same name as well", async () => {
    const plan = await landedPlan();
    const before = [await plan.view("T-1"), await plan.view("T-2")];
    must(await archive(plan, { references: ["FEAT-A"] }));
    for (const was of before) {
      const { archive: archived, status, revision: _, updatedAt: __, ...now } = await plan.view(was.id);
      expect({ archived: archived?.by, status }).toEqual({ archived: "human:ada", status: "archived" });
      expect({ ...was, ...now }).toEqual(was);
    }
  });

  it("still satisfies what depends on it", async () => {
    const plan = await landedPlan();
    must(await archive(plan, { references: ["FEAT-A"] }));
    expect(await standing(plan, "B-1")).toBe("B-1 ready");
    expect(must(await next(plan, {}))[0]?.task.id).toBe("B-1");
  });

  it("finds nothing to archive in a task or where nothing is finished", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    expect(mustFail(await archive(plan, { references: ["T-1"] }))).toMatchObject({
      kind: "absent",
      reason: "not-a-branch",
    });
    expect(mustFail(await archive(plan, { references: ["STORY-A"] }))).toMatchObject({
      kind: "absent",
      reason: "nothing-finished",
    });
  });

  it("refuses an unfinished branch and lists what is open (our way: no way to force it)", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2")]);
    await finish(plan, "T-1");
    expect(mustFail(await archive(plan, { references: ["FEAT-A"] }))).toMatchObject({
      kind: "refused",
      reason: "unfinished",
      details: { open: ["STORY-A", "FEAT-A-LAND", "T-2"] },
    });
  });

  it("takes a waived branch, and leaves a branch inside that was archived before with itself", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    await finish(plan, "T-1");
    must(await archive(plan, { references: ["STORY-A"] }));
    must(await waive(plan, { references: ["FEAT-A"], reason: "enough" }));
    expect(must(await archive(plan.as("agent:bot"), { references: ["FEAT-A"] })).archived).toEqual([
      "FEAT-A",
      "FEAT-A-LAND",
    ]);
    expect(mustFail(await restore(plan, { references: ["T-1"] }))).toMatchObject({
      kind: "refused",
      details: { above: "FEAT-A" },
    });
    expect(must(await restore(plan, { references: ["FEAT-A"] })).restored).toEqual(["FEAT-A", "FEAT-A-LAND"]);
    expect(await standing(plan, "FEAT-A", "STORY-A", "T-1")).toBe("FEAT-A done, STORY-A archived, T-1 archived");
  });

  it("brings the branch back as it was, by any of its nodes, and by undo", async () => {
    const plan = await landedPlan();
    const nodes = ["FEAT-A", "STORY-A", "T-1", "T-3"];
    const before = await standing(plan, ...nodes);
    must(await archive(plan, { references: ["FEAT-A"] }));
    expect(must(await restore(plan, { references: ["T-1"] })).restored).toHaveLength(6);
    expect(await standing(plan, ...nodes)).toBe(before);
    expect(mustFail(await restore(plan, { references: ["FEAT-A"] }))).toMatchObject({
      kind: "absent",
      reason: "not-archived",
    });
    must(await archive(plan, { references: ["FEAT-A"] }));
    must(await undo(plan, "FEAT-A"));
    expect(await standing(plan, ...nodes)).toBe(before);
  });

  it("hides and restores several branches, each in one operation", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1"),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A" },
      passing("T-2", { parent: "STORY-B" }),
    ]);
    await finish(plan, "T-1", "T-2");
    const { archived, summary } = must(await archive(plan, { references: ["STORY-A", "STORY-B"] }));
    expect(archived).toEqual(["STORY-A", "T-1", "STORY-B", "T-2"]);
    expect(summary).toMatch(/^STORY-A [^]*\n\nSTORY-B /);
    expect((await plan.view("STORY-B")).archive?.summary).toMatch(/^STORY-B B\n/);
    const { op, restored } = must(await restore(plan, { references: ["T-1", "STORY-A", "T-2"] }));
    expect(restored).toEqual(archived);
    must(await undo(plan, String(op)));
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 archived, T-2 archived");
  });

  it("restores a branch together with the one around it", async () => {
    const plan = await landedPlan();
    must(await archive(plan, { references: ["STORY-A"] }));
    must(await archive(plan, { references: ["FEAT-A"] }));
    expect(mustFail(await restore(plan, { references: ["T-1"] })).next).toEqual([
      step("restore", { references: ["FEAT-A"] }),
      step("show", { reference: "FEAT-A" }),
    ]);
    expect(must(await restore(plan, { references: ["T-1", "FEAT-A"] })).restored).toHaveLength(6);
  });

  it("is open for more work once it is back", async () => {
    const plan = await landedPlan();
    must(await archive(plan, { references: ["FEAT-A"] }));
    must(await restore(plan, { references: ["FEAT-A"] }));
    await addAll(plan, [task("T-4")]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    expect(await standing(plan, "T-4", "FEAT-A-LAND-2")).toBe("T-4 ready, FEAT-A-LAND-2 blocked");
  });
});
