import { describe, expect, it } from "vitest";
import { makePlan, must, mustFail, task } from "../../test/plan.js";
import { approve } from "./approve.js";
import { next } from "./next.js";

describe("approve", () => {
  it("clears a node with everything below it (MC3)", async () => {
    const plan = await makePlan([task("T-1"), task("T-2", { dependsOn: ["T-1"] })]);
    expect((await plan.view("T-1")).reason).toBe("unapproved");
    const { approved } = must(await approve(plan, { references: ["FEAT-A"] }));
    expect(approved).toEqual(["FEAT-A", "STORY-A", "FEAT-A-LAND", "T-1", "T-2"]);
    expect(await plan.view("T-1")).toMatchObject({ status: "ready", reason: "claimable" });
    expect(await plan.view("T-2")).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["T-1"] });
  });

  it("refuses an agent", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(mustFail(await approve(plan.as("agent:bot"), { references: ["T-1"] }))).toMatchObject({
      kind: "refused",
      reason: "needs-person",
    });
    expect(mustFail(await next(plan, {})).reason).toBe("nothing-ready");
  });
});
