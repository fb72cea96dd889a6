import { describe, expect, it } from "vitest";
import { addAll, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing, standing } from "../../../test/work.js";
import { approve } from "../../plan/node/approve.js";
import { drop } from "../branch/drop.js";
import { unapprove } from "../branch/unapprove.js";
import { waive } from "../branch/waive.js";
import { redo, undo } from "../history/take-back.js";
import { edit } from "../node/edit.js";
import { gate } from "../node/gate.js";
import { move } from "../node/move.js";
import { replan } from "./replan.js";

/** STORY-A with one task that is done and one that is open; STORY-B with one that is open. */
async function begun(): Promise<TestPlan> {
  const plan = await makeApprovedPlan([
    passing("T-1"),
    task("T-2"),
    { id: "STORY-B", tier: "story", title: "Story B", parent: "FEAT-A" },
    task("T-3", { parent: "STORY-B" }),
  ]);
  await finish(plan, "T-1");
  return plan;
}

const waitsForPlan = ({ store }: TestPlan): Promise<string[]> =>
  store.read(async (reader) => {
    const found: string[] = [];
    for await (const { id, awaitsPlan } of reader.scan()) if (awaitsPlan !== null) found.push(id);
    return found;
  });

describe("a branch that was replanned", () => {
  it("is not done because what is left of it is: it waits for its new plan", async () => {
    const plan = await begun();
    must(await replan(plan, { reference: "STORY-A", reason: "too large" }));
    expect(await standing(plan, "STORY-A", "T-1", "T-2")).toBe("STORY-A in_progress, T-1 done, T-2 dropped");
    expect(await waitsForPlan(plan)).toEqual(["STORY-A"]);
    expect((await plan.store.verify()).differences).toEqual([]);
    must(await undo(plan));
    expect([await waitsForPlan(plan), await standing(plan, "T-2")]).toEqual([[], "T-2 ready"]);
  });

  it("waits wherever it lost something", async () => {
    const plan = await begun();
    must(await replan(plan, { reference: "FEAT-A", reason: "too large" }));
    expect(await standing(plan, "STORY-A", "STORY-B")).toBe("STORY-A in_progress, STORY-B dropped");
    expect(await waitsForPlan(plan)).toEqual(["FEAT-A", "STORY-A"]);
  });

  it("cannot be taken for planned because somebody adds work to it or moves work into it", async () => {
    const plan = await begun();
    must(await replan(plan, { reference: "FEAT-A", reason: "too large" }));
    const agent = plan.as("agent:bot");
    await addAll(agent, [task("T-9")]);
    expect(await waitsForPlan(plan)).toEqual(["FEAT-A", "STORY-A"]);
    must(await drop(agent, { references: ["T-9"] }));
    expect(await standing(plan, "STORY-A")).toBe("STORY-A in_progress");
    await addAll(agent, [
      { id: "FEAT-B", tier: "feature", title: "Feature B", parent: "MISSION" },
      task("T-8", { parent: "FEAT-B" }),
    ]);
    must(await approve(plan, { references: ["FEAT-B"] }));
    must(await move(plan, { references: ["T-8"], to: "STORY-A" }));
    expect(await waitsForPlan(plan)).toEqual(["FEAT-A", "STORY-A"]);
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("has its new plan when a person approves work in it, and waits again when that is undone", async () => {
    const plan = await begun();
    must(await replan(plan, { reference: "FEAT-A", reason: "too large" }));
    await addAll(plan.as("agent:bot"), [task("T-9"), task("T-8", { parent: "FEAT-A" })]);
    must(await approve(plan, { references: ["T-8"] }));
    expect(await waitsForPlan(plan)).toEqual(["STORY-A"]);
    must(await undo(plan));
    expect(await waitsForPlan(plan)).toEqual(["FEAT-A", "STORY-A"]);
    must(await redo(plan));
    must(await approve(plan, { references: ["STORY-A"] }));
    expect(await waitsForPlan(plan)).toEqual([]);
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("cannot lose its new plan to the agent that wrote it, once a person approved that", async () => {
    const plan = await begun();
    must(await replan(plan, { reference: "STORY-A", reason: "too large" }));
    const agent = plan.as("agent:bot");
    await addAll(agent, [task("T-9")]);
    must(await approve(plan, { references: ["T-9"] }));
    expect(mustFail(await undo(agent)).reason).toBe("later-changes");
    expect(mustFail(await drop(agent, { references: ["T-9"] })).reason).toBe("needs-person");
  });

  it("cannot be taken for planned because a person approves what is no new work", async () => {
    const plan = await begun();
    must(await replan(plan, { reference: "FEAT-A", reason: "too large" }));
    must(await edit(plan, { reference: "STORY-A", title: "Another title" }));
    must(await approve(plan, { references: ["FEAT-A"] }));
    await addAll(plan.as("agent:bot"), [task("T-9")]);
    // The gate is approved by the way; what it stands before is not.
    must(await gate(plan, { before: ["T-9"], title: "Look at it" }));
    expect(await waitsForPlan(plan)).toEqual(["FEAT-A", "STORY-A"]);
  });

  it.each(["drop", "waive"] as const)("is done when a person gives up the rest: %s", async (verb) => {
    const plan = await begun();
    must(await replan(plan, { reference: "STORY-A", reason: "too large" }));
    const references = ["STORY-A"];
    const { notPlanned } =
      verb === "drop"
        ? must(await drop(plan, { references }))
        : must(await waive(plan, { references, reason: "enough" }));
    expect(notPlanned).toEqual(["STORY-A"]);
    expect(await standing(plan, "STORY-A")).toBe("STORY-A done");
    expect((await plan.store.read((reader) => reader.operations({ limit: 1 })))[0]?.sentence).toMatch(
      verb === "drop" ? /dropped the rest of STORY-A$/ : /waived the rest of STORY-A: enough$/,
    );
    must(await undo(plan));
    expect(await waitsForPlan(plan)).toEqual(["STORY-A"]);
  });

  it.each([
    ["that a person approved", true],
    ["that nobody approved", false],
  ])("cannot be given up by an agent, also in a story %s", async (_, isApproved) => {
    const plan = await begun();
    if (!isApproved) must(await unapprove(plan, { references: ["STORY-A"] }));
    must(await replan(plan, { reference: "STORY-A", reason: "too large" }));
    expect(mustFail(await drop(plan.as("agent:bot"), { references: ["STORY-A"] })).reason).toBe("needs-person");
    expect(await waitsForPlan(plan)).toEqual(["STORY-A"]);
  });

  it("cannot be dropped by an agent where nothing is left of it", async () => {
    const plan = await begun();
    must(await unapprove(plan, { references: ["STORY-B"] }));
    must(await replan(plan, { reference: "STORY-B", reason: "too large" }));
    expect(mustFail(await drop(plan.as("agent:bot"), { references: ["STORY-B"] })).message).toContain("STORY-B");
    must(await drop(plan, { references: ["STORY-B"] }));
  });
});
