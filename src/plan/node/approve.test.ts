import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { addAll, addInbox, makePlan, must, mustFail, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing, standing } from "../../../test/work.js";
import { step } from "../../model/next-step.js";
import { unapprove } from "../../verbs/branch/unapprove.js";
import { next } from "../../verbs/task/next.js";
import { start } from "../claim/start.js";
import { approve, previewApproval } from "./approve.js";

describe("approve", () => {
  it("clears a node with everything below it", async () => {
    const plan = await makePlan([task("T-1"), task("T-2", { dependsOn: ["T-1"] })]);
    expect((await plan.view("T-1")).reason).toBe("unapproved");
    const { approved } = must(await approve(plan, { references: ["FEAT-A"] }));
    expect(approved).toEqual(["FEAT-A", "STORY-A", "FEAT-A-LAND", "T-1", "T-2"]);
    expect(await plan.view("T-1")).toMatchObject({ status: "ready", reason: "claimable" });
    expect(await plan.view("T-2")).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["T-1"] });
  });

  it("refuses an agent", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(mustFail(await ask(plan.as("agent:bot"), "approve", { references: ["T-1"] }))).toMatchObject({
      kind: "refused",
      reason: "needs-person",
    });
    expect(mustFail(await next(plan, {})).reason).toBe("nothing-ready");
  });

  it("refuses what is in the inbox, unless it is moved out in the same call", async () => {
    const plan = await makePlan();
    await addInbox(plan);
    await addAll(plan, [{ id: "I-1", title: "An idea" }]);
    expect((await plan.view("I-1")).reason).toBe("inbox");
    const refusal = mustFail(await approve(plan, { references: ["I-1"] }));
    expect(refusal).toMatchObject({ kind: "refused", reason: "inbox" });
    expect(refusal.next).toEqual([step("approve", { references: ["I-1"] }, "to")]);
    expect(mustFail(await approve(plan, { references: ["I-1"], to: "INBOX" })).reason).toBe("inbox");
    must(await approve(plan, { references: ["I-1"], to: "STORY-A" }));
    expect(await plan.view("I-1")).toMatchObject({ parent: "STORY-A", status: "ready", approval: { stale: false } });
  });

  it("takes many at once, each of them once, or none", async () => {
    const plan = await makePlan([task("T-1"), task("T-2"), task("T-3")]);
    expect(mustFail(await approve(plan, { references: ["T-1", "T-9"] })).reason).toBe("not-found");
    expect(await standing(plan, "T-1")).toBe("T-1 planned");
    expect(must(await approve(plan, { references: ["T-1", "t-1", "T-2"] })).approved).toEqual(["T-1", "T-2"]);
    expect(must(await approve(plan, { references: ["T-3", "STORY-A"] })).approved).toEqual(["T-3", "STORY-A"]);
    expect(must(await approve(plan, { references: ["STORY-A"] }))).toEqual({ op: null, approved: [], despite: [] });
  });

  it("binds the content: an edit makes it stale, and approving again clears that", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    await addAll(plan, [task("T-1", { title: "Something else" })]);
    expect(await plan.view("T-1")).toMatchObject({
      status: "planned",
      reason: "approval-stale",
      approval: { stale: true },
    });
    expect(mustFail(await next(plan, {})).reason).toBe("nothing-ready");
    expect(must(await approve(plan, { references: ["FEAT-A"] })).approved).toEqual(["T-1"]);
    expect(await standing(plan, "T-1")).toBe("T-1 ready");
  });

  it("is not lost by what only delays or orders", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    await addAll(plan, [task("T-1", { priority: 0, estimateHours: 3 })]);
    expect((await plan.view("T-1")).approval?.stale).toBe(false);
  });
});

describe("unapprove", () => {
  it("withdraws the approval of everything open below, and keeps that of what is settled", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2")]);
    await finish(plan, "T-1");
    expect(must(await unapprove(plan, { references: ["FEAT-A", "T-2"] })).unapproved).toEqual([
      "FEAT-A",
      "STORY-A",
      "FEAT-A-LAND",
      "T-2",
    ]);
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 done, T-2 planned");
    expect((await plan.view("T-1")).approval).not.toBeNull();
    expect(mustFail(await unapprove(plan, { references: ["T-2"] }))).toMatchObject({
      kind: "absent",
      reason: "not-approved",
    });
  });

  it("never leaves a worker its claim", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    must(await next(plan.as("agent:bot"), {}));
    const { endedClaims } = must(await unapprove(plan, { references: ["STORY-A"] }));
    expect(endedClaims).toEqual([{ id: "T-1", by: "agent:bot" }]);
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 planned, T-2 planned");
  });

  it("is a person's verb", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    expect(mustFail(await ask(plan.as("agent:bot"), "unapprove", { references: ["T-1"] })).reason).toBe("needs-person");
  });
});

describe("the preview of an approval", () => {
  it("marks commands that nothing here has run yet, and its hash does not depend on that", async () => {
    const plan = await makePlan([
      task("T-1", { checks: [{ run: "npm test" }] }),
      task("T-2", { checks: [{ run: "npm test" }, { run: "npm run e2e" }] }),
    ]);
    must(await approve(plan, { references: ["T-1"] }));
    const before = must(await previewApproval(plan, { references: ["T-2"] }));
    expect(before.commands.map(({ run, isNew }) => [run, isNew])).toEqual([
      ["npm test", true],
      ["npm run e2e", true],
    ]);
    must(await start(plan, { reference: "T-1" }));
    const after = must(await previewApproval(plan, { references: ["T-2"] }));
    expect(after.commands.map(({ run, isNew }) => [run, isNew])).toEqual([
      ["npm test", false],
      ["npm run e2e", true],
    ]);
    expect(after.hash).toBe(before.hash);
  });
});
