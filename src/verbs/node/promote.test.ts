import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { makePlan, must, mustFail, task } from "../../../test/plan.js";
import { makeApprovedPlan } from "../../../test/work.js";
import { next } from "../task/next.js";
import { promote } from "./promote.js";

describe("promote", () => {
  it("carries a note from the task in focus to its grandparent, newest first", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await next(plan, {}));
    const revision = (await plan.view("FEAT-A")).revision;
    expect(must(await promote(plan, { note: "first" }))).toMatchObject({ from: "T-1", to: "FEAT-A" });
    must(await promote(plan, { note: "second" }));
    const feature = await plan.view("FEAT-A");
    expect(feature.discoveries.map((d) => d.note)).toEqual(["second", "first"]);
    expect(feature.discoveries[0]).toMatchObject({ from: "T-1", by: "human:ada" });
    expect(feature.revision).toBe(revision + 2);
  });

  it("leaves approvals as they are: what was found out is not content", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await promote(plan, { note: "found", from: "T-1" }));
    expect((await plan.view("FEAT-A")).approval?.stale).toBe(false);
  });

  it("needs a note", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(mustFail(await ask(plan, "promote", { note: "  ", from: "T-1" })).kind).toBe("usage");
    expect(mustFail(await ask(plan, "promote", { note: "a\u0000b", from: "T-1" })).kind).toBe("usage");
  });

  it("needs a task in focus unless it is told where from", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(mustFail(await promote(plan, { note: "found" }))).toMatchObject({ kind: "absent", reason: "no-focus" });
    must(await promote(plan, { note: "found", from: "T-1" }));
  });

  it("refuses where there is no grandparent", async () => {
    const plan = await makePlan();
    const refusal = mustFail(await promote(plan, { note: "found", from: "FEAT-A" }));
    expect(refusal).toMatchObject({ kind: "refused", reason: "no-grandparent" });
    expect(mustFail(await promote(plan, { note: "found", from: "MISSION" })).reason).toBe("no-grandparent");
  });

  it("goes up only: to any ancestor, the mission too, and to nothing else", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await promote(plan, { note: "found", from: "T-1", to: "MISSION" }));
    must(await promote(plan, { note: "found", from: "T-1", to: "STORY-A" }));
    for (const to of ["T-2", "T-1"]) {
      const refusal = mustFail(await promote(plan, { note: "found", from: "T-1", to }));
      expect(refusal).toMatchObject({ kind: "refused", reason: "not-an-ancestor" });
      expect(refusal.details).toEqual({ ancestors: ["STORY-A", "FEAT-A", "MISSION"] });
    }
    expect(mustFail(await promote(plan, { note: "found", from: "FEAT-A", to: "T-1" })).reason).toBe("not-an-ancestor");
  });
});
