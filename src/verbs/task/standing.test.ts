// The inbox and the feature for bugs are part of every plan: nobody waits for them while there is nothing to do in them.

import { describe, expect, it } from "vitest";
import { addAll, addInbox, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { finish, inFolder, passing, standing } from "../../../test/work.js";
import { approve } from "../../plan/node/approve.js";
import { archive } from "../branch/archive.js";
import { waive } from "../branch/waive.js";
import { undo } from "../history/take-back.js";
import { why } from "../look/why-node.js";

const STANDING = ["MISSION", "FEAT-A", "INBOX", "BUGS"];

/** As `init` makes it, with one task in a feature. */
async function begun(): Promise<TestPlan> {
  const plan = inFolder(await makePlan([passing("T-1")]));
  await addInbox(plan);
  await addAll(plan, [{ id: "BUGS", tier: "initiative", title: "Bugs", parent: "MISSION" }]);
  must(await approve(plan, { references: ["FEAT-A"] }));
  return plan;
}

async function finished(): Promise<TestPlan> {
  const plan = await begun();
  await finish(plan, "T-1");
  must(await waive(plan, { references: ["FEAT-A-LAND"], reason: "there is no git" }));
  return plan;
}

const differences = async (plan: TestPlan) => (await plan.store.verify()).differences;

describe("a mission", () => {
  it("is done when its features are, with nothing but ideas left", async () => {
    const plan = await begun();
    expect(await plan.view("MISSION")).toMatchObject({ progress: { finished: 0, total: 1 } });
    await addAll(plan, [task("IDEA", { parent: "INBOX" })]);
    await finish(plan, "T-1");
    expect(await standing(plan, ...STANDING)).toBe("MISSION planned, FEAT-A in_progress, INBOX planned, BUGS planned");
    must(await waive(plan, { references: ["FEAT-A-LAND"], reason: "there is no git" }));
    expect(await standing(plan, ...STANDING)).toBe("MISSION done, FEAT-A done, INBOX planned, BUGS planned");
    expect(await differences(plan)).toEqual([]);
  });

  it("waits for a bug, and no longer when that is given up", async () => {
    const plan = await finished();
    await addAll(plan, [
      { id: "STORY-B", tier: "story", title: "B", parent: "BUGS" },
      task("B-1", { parent: "STORY-B" }),
    ]);
    expect(await plan.view("MISSION")).toMatchObject({ status: "in_progress", progress: { finished: 1, total: 2 } });
    expect(must(await why(plan, "MISSION")).chain[0]?.sentences.join(" ")).toContain("BUGS is still open");
    expect(await differences(plan)).toEqual([]);
    must(await undo(plan));
    expect(await standing(plan, "MISSION")).toBe("MISSION done");
    expect(await differences(plan)).toEqual([]);
  });

  it("has nothing in it that could be done when it is new", async () => {
    const plan = await makePlan();
    await addInbox(plan);
    must(await waive(plan, { references: ["FEAT-A"], reason: "not needed" }));
    expect(await standing(plan, "MISSION", "INBOX")).toBe("MISSION done, INBOX planned");
  });

  it("is not archived: what is added next belongs in it", async () => {
    const plan = await finished();
    expect(mustFail(await archive(plan, { references: ["MISSION"] }))).toMatchObject({
      kind: "refused",
      reason: "standing",
    });
    must(await archive(plan, { references: ["FEAT-A"] }));
    expect(await standing(plan, "MISSION")).toBe("MISSION done");
  });
});

describe("waive", () => {
  it("leaves the inbox, the place for bugs and the mission around them open for what comes", async () => {
    const plan = await begun();
    const { waived } = must(await waive(plan, { references: ["MISSION"], reason: "somebody else does it" }));
    expect(waived).toEqual(["FEAT-A", "STORY-A", "FEAT-A-LAND", "T-1"]);
    await addAll(plan, [task("B-1", { parent: "BUGS" })]);
    expect(await standing(plan, "MISSION", "BUGS", "B-1", "FEAT-001-LAND")).toBe(
      "MISSION in_progress, BUGS planned, B-1 planned, FEAT-001-LAND planned",
    );
    expect(await differences(plan)).toEqual([]);
  });

  it("is refused where nothing else is", async () => {
    const plan = await begun();
    for (const reference of ["BUGS", "INBOX"]) {
      expect(mustFail(await waive(plan, { references: [reference], reason: "x" }))).toMatchObject({
        reason: "standing",
      });
    }
  });
});
