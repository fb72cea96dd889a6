import { describe, expect, it } from "vitest";
import { addAll, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { makeApprovedPlan, passing, standing } from "../../../test/work.js";
import { step } from "../../model/next-step.js";
import { reset } from "../../plan/claim/settle-tasks.js";
import { start } from "../../plan/claim/start.js";
import { renewClaim } from "../../plan/claim/token.js";
import { add } from "../../plan/node/add.js";
import { approve } from "../../plan/node/approve.js";
import { freeze } from "../branch/freeze.js";
import { releaseClaim } from "../claim/release.js";
import { failTask } from "../task/fail.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { redo, undo, undoable } from "./take-back.js";

const HOUR = 3_600_000;

const claim = async (plan: TestPlan, reference = "T-1"): Promise<string> =>
  must(await start(plan, { reference })).token;

const latest = async (plan: TestPlan, verb: string): Promise<string> => {
  const log = await plan.store.read((reader) => reader.operations({ limit: 100 }));
  return String(log.find((operation) => operation.verb === verb)?.op);
};

const epochOf = async (plan: TestPlan): Promise<number | undefined> =>
  (await plan.store.read((reader) => reader.byId("T-1")))?.epoch;

const lateWord = async (plan: TestPlan, token: string): Promise<string> =>
  mustFail(await complete(plan, { reference: "T-1", token })).reason;

describe("undo and leases", () => {
  it("passes over heartbeats", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const token = await claim(plan);
    must(await renewClaim(plan, { reference: "T-1", token }));
    expect(must(await undoable(plan)).map(({ verb }) => verb)).toEqual(["start", "approve", "add"]);
    const beat = await latest(plan, "heartbeat");
    expect(mustFail(await undo(plan, beat))).toMatchObject({ kind: "refused", reason: "upkeep" });
    expect(mustFail(await redo(plan, Number(beat)))).toMatchObject({ kind: "refused", reason: "upkeep" });
    expect(must(await undo(plan))).toMatchObject({ verb: "start", turnable: false });
    expect(await plan.view("T-1")).toMatchObject({ status: "ready", claim: null, attempts: 0 });
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("never takes back that a lease ended: the late worker's token stays refused", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2", { dependsOn: ["T-1"] })]);
    const worker = plan.as("agent:bot");
    const token = await claim(worker);
    plan.pass(HOUR);
    mustFail(await start(plan, { reference: "T-2" }));
    expect((await plan.view("T-1")).status).toBe("ready");
    expect(mustFail(await undo(plan, await latest(plan, "expire"))).reason).toBe("upkeep");
    expect(must(await undo(plan, "T-1")).verb).toBe("start");
    expect(await lateWord(worker, token)).toBe("lease-lost");
    expect(await epochOf(plan)).toBe(1);
  });
});

describe("undo and claims", () => {
  it("counts claims up only, and does none again", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const [given] = must(await next(plan, {}));
    const { of } = must(await undo(plan));
    expect(await epochOf(plan)).toBe(1);
    for (const target of [undefined, of]) {
      const refusal = mustFail(await redo(plan, target));
      expect(refusal).toMatchObject({ kind: "refused", reason: "claim-ended" });
      expect(refusal.next).toEqual([step("next", { reference: "T-1" })]);
    }
    expect(await lateWord(plan, given?.token ?? "")).toBe("lease-lost");
    expect(must(await start(plan, { reference: "T-1" })).epoch).toBe(2);
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("keeps the count of a task that was taken away and comes back", async () => {
    const plan = await makeApprovedPlan([]);
    const made = must(await add(plan, [{ where: "task", input: passing("T-1") }])).op;
    must(await approve(plan, { references: ["T-1"] }));
    await claim(plan);
    for (const _ of ["start", "approve", "add"]) must(await undo(plan));
    must(await redo(plan, made ?? 0));
    expect(await epochOf(plan)).toBe(1);
  });

  it("of a freeze gives the worker its task back while the lease lasts", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const token = await claim(plan.as("agent:bot"));
    must(await freeze(plan, { references: ["STORY-A"] }));
    must(await undo(plan));
    expect(await plan.view("T-1")).toMatchObject({ status: "in_progress", claim: { by: "agent:bot", epoch: 1 } });
    must(await redo(plan));
    must(await undo(plan));
    must(await complete(plan.as("agent:bot"), { reference: "T-1", token }));
  });

  it("of a freeze gives nothing back once the lease has ended", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const token = await claim(plan.as("agent:bot"));
    must(await freeze(plan, { references: ["STORY-A"] }));
    plan.pass(HOUR);
    must(await undo(plan));
    expect(await plan.view("T-1")).toMatchObject({ status: "ready", claim: null });
    expect(await lateWord(plan.as("agent:bot"), token)).toBe("lease-lost");
  });

  it("of a release or a hand-in gives nothing back once somebody has claimed since", async () => {
    for (const [verb, end] of [
      ["release", releaseClaim],
      ["complete", complete],
    ] as const) {
      const plan = await makeApprovedPlan([passing("T-1", { checks: [{ run: "false" }] })]);
      const token = await claim(plan);
      await end(plan, { reference: "T-1", token });
      const ended = await latest(plan, verb);
      if (end === complete) must(await reset(plan, { references: ["T-1"] }));
      await claim(plan);
      must(await undo(plan));
      if (end === complete) must(await undo(plan));
      must(await undo(plan, ended));
      expect(await plan.view("T-1")).toMatchObject({ status: "ready", claim: null, acceptance: null });
      expect(await epochOf(plan)).toBe(2);
      expect(await lateWord(plan, token)).toBe("lease-lost");
      expect((await plan.store.verify()).differences).toEqual([]);
    }
  });
});

describe("undo and the budget of attempts", () => {
  it("is no way round it for an agent, whose claim was an attempt all the same", async () => {
    const plan = await makeApprovedPlan([passing("T-1", { budgets: { attempts: 1 } })]);
    const bot = plan.as("agent:bot");
    must(await next(bot, {}));
    must(await undo(bot));
    expect(await plan.view("T-1")).toMatchObject({ claim: null, attempts: 1, status: "blocked", reason: "budget" });
    expect(mustFail(await next(bot, {})).reason).toBe("nothing-ready");
    expect((await plan.store.verify()).differences).toEqual([]);
  });
});

describe("undo and rejected work", () => {
  it("is no way round the attempts for an agent: what it handed in or gave up stays so", async () => {
    const plan = await makeApprovedPlan([passing("T-1", { checks: [{ run: "false" }] }), task("T-2")]);
    const bot = plan.as("agent:bot");
    const token = await claim(bot);
    must(await complete(bot, { reference: "T-1", token }));
    expect(mustFail(await undo(bot))).toMatchObject({ kind: "refused", reason: "needs-person" });
    must(await failTask(bot, { reference: "T-2", token: await claim(bot, "T-2"), reason: "cannot" }));
    expect(mustFail(await undo(bot))).toMatchObject({ kind: "refused", reason: "needs-person" });
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 rejected, T-2 rejected");
    const [later] = mustFail(await undo(plan)).next ?? [];
    must(await undo(plan, String(later?.input["operation"])));
    expect(await standing(plan, "T-2")).toBe("T-2 in_progress");
  });
});

describe("redo without a number", () => {
  it("does nothing once something else was done since, and names the number", async () => {
    const plan = await makePlan([task("T-1")]);
    await addAll(plan, [task("T-2")]);
    const { of } = must(await undo(plan));
    await addAll(plan, [task("T-3")]);
    const refusal = mustFail(await redo(plan));
    expect(refusal).toMatchObject({ kind: "absent", reason: "nothing-to-redo", details: { op: of } });
    expect(refusal.next).toEqual([step("redo", { operation: of }), step("log")]);
    must(await redo(plan, of));
    expect(await standing(plan, "T-2", "T-3")).toBe("T-2 planned, T-3 planned");
  });

  it("goes on after undo, redo and heartbeats", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    const token = await claim(plan);
    await addAll(plan, [task("T-3")]);
    await addAll(plan, [task("T-4")]);
    must(await undo(plan));
    must(await undo(plan));
    must(await renewClaim(plan, { reference: "T-1", token }));
    must(await redo(plan));
    must(await redo(plan));
    expect(await standing(plan, "T-3", "T-4")).toBe("T-3 planned, T-4 planned");
  });
});
