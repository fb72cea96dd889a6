import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import { freeze } from "../branch/freeze.js";
import { edit } from "../node/edit.js";
import { verbs } from "./verbs.js";

async function judged(plan: Parameters<typeof verbs>[0], id: string): Promise<Record<string, string | null>> {
  const found = must(await verbs(plan, id));
  return Object.fromEntries(found.verbs.map(({ next, refused }) => [next[0]?.operation ?? "", refused]));
}

describe("what you can do with a node", () => {
  it("offers what the rules allow, and says why not for the rest", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2"), passing("T-3")]);
    expect(await judged(plan, "T-1")).toMatchObject({
      approve: "T-1 is approved already.",
      unapprove: null,
      freeze: null,
      thaw: "T-1 is not frozen.",
      drop: null,
      waive: null,
      move: null,
      edit: null,
      run: null,
      next: null,
      reset: "T-1 was neither rejected nor handed in.",
      accept: "Nobody has handed in T-1 yet.",
      complete: "T-1 is done when its checks pass.",
    });
    await finish(plan, "T-1");
    expect(await judged(plan, "T-1")).toMatchObject({
      edit: "T-1 is done.",
      freeze: "T-1 is done, so it cannot be frozen.",
      next: "T-1 is done, not ready.",
      reset: null,
    });
    must(await freeze(plan, { references: ["T-2"], reason: "later" }));
    expect(await judged(plan, "T-2")).toMatchObject({ thaw: null, freeze: expect.stringContaining("frozen already") });
    must(await edit(plan, { reference: "T-3", body: "Something else." }));
    expect(await judged(plan, "T-3")).toMatchObject({ approve: null });
  });

  it("knows containers, the top of the plan and land tasks", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    expect(await judged(plan, "FEAT-A")).toMatchObject({ archive: "Nothing in FEAT-A is finished yet.", move: null });
    expect(await judged(plan, "MISSION")).toMatchObject({ move: "MISSION is the top of the plan." });
    const land = await judged(plan, "FEAT-A-LAND");
    expect(land).toMatchObject({ move: "FEAT-A-LAND lands its feature and stays in it." });
    expect(land).not.toHaveProperty("complete");
  });

  it("says where each verb leads", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const found = must(await verbs(plan, "T-1"));
    const leads = Object.fromEntries(found.verbs.map(({ next, leadsTo }) => [next[0]?.operation, leadsTo]));
    expect(leads).toMatchObject({ freeze: ["frozen"], unapprove: ["planned"], accept: ["done"], edit: [] });
  });
});
