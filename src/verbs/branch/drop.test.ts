import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { addAll, addInbox, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing, standing } from "../../../test/work.js";
import { step } from "../../model/next-step.js";
import { start } from "../../plan/claim/start.js";
import { undo } from "../history/take-back.js";
import { replan } from "../plan/replan.js";
import { failTask } from "../task/fail.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { drop } from "./drop.js";
import { freeze } from "./freeze.js";
import { thaw } from "./thaw.js";
import { waive } from "./waive.js";

describe("drop", () => {
  it("gives up a task, ends its claim and says who waits for it", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2", { dependsOn: ["T-1"] })]);
    must(await start(plan, { reference: "T-1" }));
    expect(must(await drop(plan, { references: ["T-1"], reason: "too big" }))).toMatchObject({
      dropped: ["T-1"],
      waiting: ["T-2"],
    });
    expect(await plan.view("T-1")).toMatchObject({ status: "dropped", claim: null, outcome: { reason: "too big" } });
    expect(await plan.view("T-2")).toMatchObject({ status: "blocked", reason: "dep-dropped", because: ["T-1"] });
    expect((await plan.view("--active")).id).toBe("STORY-A");
  });

  it("takes a whole feature with its land task when nothing in it is finished", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const { dropped } = must(await drop(plan, { references: ["FEAT-A"] }));
    expect(dropped).toEqual(["FEAT-A", "STORY-A", "FEAT-A-LAND", "T-1"]);
    expect(await standing(plan, "FEAT-A", "FEAT-A-LAND")).toBe("FEAT-A dropped, FEAT-A-LAND dropped");
  });

  it("never touches what is done, nor what contains it, nor the landing of it", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1"),
      task("T-2"),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A" },
      task("T-3", { parent: "STORY-B" }),
    ]);
    await finish(plan, "T-1");
    expect(must(await drop(plan, { references: ["FEAT-A"] })).dropped).toEqual(["STORY-B", "T-2", "T-3"]);
    expect(await standing(plan, "T-1", "STORY-A", "FEAT-A")).toBe("T-1 done, STORY-A done, FEAT-A in_progress");
    expect((await plan.view("FEAT-A-LAND")).status).toBe("ready");
    expect(mustFail(await drop(plan, { references: ["FEAT-A"] }))).toMatchObject({
      kind: "refused",
      reason: "settled",
    });
    expect(mustFail(await drop(plan, { references: ["T-1"] }))).toMatchObject({ kind: "refused", reason: "settled" });
  });

  it("refuses a land task alone", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(mustFail(await drop(plan, { references: ["FEAT-A-LAND"] }))).toMatchObject({
      kind: "refused",
      reason: "land-task",
    });
  });

  it("lets an agent give up only what nobody approved", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    await addAll(plan, [task("T-2")]);
    const bot = plan.as("agent:bot");
    expect(mustFail(await drop(bot, { references: ["T-1"] }))).toMatchObject({ reason: "needs-person" });
    expect(mustFail(await drop(bot, { references: ["STORY-A"] })).details).toEqual({ approved: ["STORY-A", "T-1"] });
    must(await drop(bot, { references: ["T-2"] }));
  });

  it("says whose claims it ended", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2"), task("T-3")]);
    must(await start(plan.as("agent:bot"), { reference: "T-2" }));
    expect(must(await drop(plan, { references: ["STORY-A"] })).endedClaims).toEqual([{ id: "T-2", by: "agent:bot" }]);
  });

  it("leaves the inbox, the feature for bugs and the mission around them, and says so", async () => {
    const plan = await makePlan([task("T-1"), { id: "BUGS", tier: "feature", title: "Bugs", parent: "MISSION" }]);
    await addInbox(plan);
    const { dropped, kept } = must(await drop(plan, { references: ["MISSION"] }));
    expect([dropped, kept]).toEqual([
      ["FEAT-A", "STORY-A", "FEAT-A-LAND", "T-1"],
      ["BUGS", "INBOX"],
    ]);
    expect(await standing(plan, "MISSION", "BUGS", "INBOX")).toBe("MISSION planned, BUGS planned, INBOX planned");
    expect(mustFail(await drop(plan, { references: ["BUGS"] }))).toMatchObject({ kind: "refused", reason: "standing" });
  });

  it("gives up several nodes in one operation, or none of them", async () => {
    const plan = await makePlan([task("T-1"), task("T-2"), task("T-3")]);
    expect(mustFail(await drop(plan, { references: ["T-1", "T-9"] })).reason).toBe("not-found");
    expect(await standing(plan, "T-1")).toBe("T-1 planned");
    const { op, dropped } = must(await drop(plan, { references: ["T-2", "t-1", "T-1"] }));
    expect(dropped).toEqual(["T-2", "T-1"]);
    must(await undo(plan, String(op)));
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 planned, T-2 planned");
    expect(must(await drop(plan, { references: ["T-1", "STORY-A"] })).dropped).toEqual([
      "STORY-A",
      "T-1",
      "T-2",
      "T-3",
    ]);
  });

  it("can be taken back", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const { op } = must(await drop(plan, { references: ["FEAT-A"] }));
    must(await undo(plan, String(op)));
    expect(await standing(plan, "FEAT-A", "T-1")).toBe("FEAT-A ready, T-1 ready");
  });
});

describe("replan", () => {
  const reason = "it did not work";

  it("drops what is not finished below, and nothing else", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2"), task("T-3")]);
    await finish(plan, "T-1");
    must(await waive(plan, { references: ["T-2"], reason: "not needed" }));
    must(await start(plan, { reference: "T-3" }));
    expect(must(await replan(plan, { reference: "FEAT-A", reason }))).toMatchObject({
      dropped: ["T-3"],
      replans: { used: 1, of: 2 },
    });
    expect(await standing(plan, "T-1", "T-2", "T-3")).toBe("T-1 done, T-2 waived, T-3 dropped");
    expect(await plan.view("T-3")).toMatchObject({ claim: null, outcome: { reason: "replan: it did not work" } });
    expect((await plan.view("FEAT-A-LAND")).outcome).toBeNull();
  });

  it("lets an agent give up only what nobody approved, and says whose claims it ended", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const bot = plan.as("agent:bot");
    must(await start(plan.as("agent:worker"), { reference: "T-1" }));
    expect(mustFail(await replan(bot, { reference: "STORY-A", reason }))).toMatchObject({
      kind: "refused",
      reason: "needs-person",
      details: { approved: ["T-1"] },
    });
    expect((await plan.view("T-1")).status).toBe("in_progress");
    expect(must(await replan(plan, { reference: "STORY-A", reason })).endedClaims).toEqual([
      { id: "T-1", by: "agent:worker" },
    ]);
    await addAll(plan, [task("T-2")]);
    expect(must(await replan(bot, { reference: "STORY-A", reason }))).toMatchObject({
      dropped: ["T-2"],
      endedClaims: [],
    });
  });

  it("moves the focus off what it dropped", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await next(plan, {}));
    must(await replan(plan, { reference: "STORY-A", reason }));
    expect((await plan.view("--active")).id).toBe("STORY-A");
  });

  it("stops at the budget, which a person can raise, and names nothing that removes (our way: no way to force it)", async () => {
    const plan = await makePlan();
    for (const id of ["T-1", "T-2", "T-3"]) {
      await addAll(plan, [task(id)]);
      must(await replan(plan, { reference: "STORY-A", reason }));
    }
    await addAll(plan, [task("T-4")]);
    const spent = mustFail(await replan(plan, { reference: "STORY-A", reason }));
    expect(spent).toMatchObject({ kind: "refused", reason: "budget", details: { used: 3, of: 3 } });
    expect(spent.next).toEqual([step("freeze", { references: ["STORY-A"] }, "reason")]);
    expect(await standing(plan, "T-4")).toBe("T-4 planned");
    must(await freeze(plan, { references: ["STORY-A"] }));
    must(await thaw(plan, { references: ["STORY-A"], grantBudget: 1 }));
    expect(must(await replan(plan, { reference: "STORY-A", reason })).replans).toEqual({ used: 4, of: 4 });
  });

  it("takes a node's own budget before the setting", async () => {
    const story = { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A", budgets: { replans: 0 } } as const;
    const plan = await makePlan([story]);
    expect(mustFail(await replan(plan, { reference: "STORY-B", reason })).reason).toBe("budget");
  });

  it("refuses missions, tasks, what is settled, and a replan without a reason", async () => {
    const plan = await makePlan([task("T-1")]);
    const refusal = async (reference: string) => mustFail(await replan(plan, { reference, reason }));
    expect(await refusal("MISSION")).toMatchObject({ kind: "refused", reason: "no-budget" });
    expect(await refusal("T-1")).toMatchObject({ kind: "refused", reason: "no-budget" });
    must(await drop(plan, { references: ["STORY-A"] }));
    expect(await refusal("STORY-A")).toMatchObject({ kind: "refused", reason: "settled" });
    expect(mustFail(await ask(plan, "replan", { reference: "FEAT-A", reason: "" })).kind).toBe("usage");
  });
});

describe("waive", () => {
  const waived = async (plan: TestPlan, reference: string) =>
    must(await waive(plan, { references: [reference], reason: "not needed" })).waived;

  it("counts as met everywhere in the same way: for next, start, the roll-up and the landing", async () => {
    const plan = await makeApprovedPlan([
      task("T-1"),
      passing("T-2", { dependsOn: ["T-1"] }),
      passing("T-3", { dependsOn: ["T-1"] }),
    ]);
    expect(await waived(plan, "T-1")).toEqual(["T-1"]);
    expect(await standing(plan, "T-1", "T-2", "T-3")).toBe("T-1 waived, T-2 ready, T-3 ready");
    const [given] = must(await next(plan, {}));
    must(await complete(plan, { reference: "T-2", token: given?.token ?? "" }));
    await finish(plan, "T-3");
    expect(await standing(plan, "STORY-A", "FEAT-A-LAND")).toBe("STORY-A done, FEAT-A-LAND ready");
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    expect(await standing(plan, "FEAT-A")).toBe("FEAT-A done");
  });

  it("settles a rejected task without changing a finished one", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2"), task("T-3", { dependsOn: ["T-2"] })]);
    await finish(plan, "T-1");
    const { token } = must(await start(plan, { reference: "T-2" }));
    expect(mustFail(await ask(plan, "fail", { reference: "T-2", token, reason: " " })).kind).toBe("usage");
    must(await failTask(plan, { reference: "T-2", token, reason: "cannot" }));
    expect(await standing(plan, "T-1", "T-2", "T-3")).toBe("T-1 done, T-2 rejected, T-3 blocked");
    await waived(plan, "T-2");
    expect(await standing(plan, "T-1", "T-2", "T-3")).toBe("T-1 done, T-2 waived, T-3 ready");
  });

  it("takes everything open in a container; with something done in it, that rolls up", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1"),
      task("T-2"),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A" },
      task("T-3", { parent: "STORY-B" }),
    ]);
    await finish(plan, "T-1");
    expect(await waived(plan, "FEAT-A")).toEqual(["STORY-B", "FEAT-A-LAND", "T-2", "T-3"]);
    expect(await standing(plan, "FEAT-A", "STORY-A", "STORY-B")).toBe("FEAT-A done, STORY-A done, STORY-B waived");
  });

  it("says whose claims it ended", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await start(plan.as("agent:bot"), { reference: "T-1" }));
    expect(must(await waive(plan, { references: ["STORY-A"], reason: "not needed" })).endedClaims).toEqual([
      { id: "T-1", by: "agent:bot" },
    ]);
  });

  it("is a person's verb, needs a reason, and comes once", async () => {
    const plan = await makePlan([task("T-1")]);
    const bot = await ask(plan.as("agent:bot"), "waive", { references: ["T-1"], reason: "too hard" });
    expect(mustFail(bot)).toMatchObject({ kind: "refused", reason: "needs-person" });
    expect(mustFail(await ask(plan, "waive", { references: ["T-1"], reason: " " })).kind).toBe("usage");
    await waived(plan, "T-1");
    expect(mustFail(await waive(plan, { references: ["T-1"], reason: "again" }))).toMatchObject({
      kind: "refused",
      reason: "settled",
    });
  });
});
