// Taking work: who gets which task, and for how long.

import { describe, expect, it } from "vitest";
import { approved, passes } from "../../../test/approved.js";
import { makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { reset } from "../../plan/claim/settle-tasks.js";
import { start } from "../../plan/claim/start.js";
import { renewClaim } from "../../plan/claim/token.js";
import { approve } from "../../plan/node/approve.js";
import { releaseClaim } from "../claim/release.js";
import { verifyPlan } from "../history/verify.js";
import { failTask } from "./fail.js";
import { complete } from "./hand-in.js";
import { next, peek } from "./next.js";

describe("next", () => {
  it("claims the first ready task, counts the attempt and moves the focus", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }));
    const [given] = must(await next(plan, {}));
    expect(given).toMatchObject({ epoch: 1, task: { id: "T-1", attempts: 1 } });
    expect(await plan.view("T-1")).toMatchObject({ status: "in_progress", attempts: 1, revision: 3 });
    expect((await plan.view("--active")).id).toBe("T-1");
    const [last] = await plan.store.read((reader) => reader.operations({ limit: 1 }));
    expect(last).toMatchObject({ verb: "next", sentence: "human:ada claimed T-1" });
  });

  it("says of each task what it stands below", async () => {
    const plan = await approved(task("T-1"), task("T-2", { parent: "FEAT-A" }));
    const given = must(await next(plan, { count: 2 }));
    expect(given.map(({ task: { id, parent } }) => [id, parent])).toEqual([
      ["T-1", "STORY-A"],
      ["T-2", "FEAT-A"],
    ]);
  });

  it("does not count a dependency in progress as met (bug: an active dependency was enough)", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }));
    must(await next(plan, {}));
    expect(mustFail(await next(plan, {}))).toMatchObject({ kind: "absent", reason: "nothing-ready" });
    expect(mustFail(await start(plan, { reference: "T-2" }))).toMatchObject({
      kind: "refused",
      reason: "deps-pending",
    });
  });

  it("finds nothing in an empty plan, and changes nothing", async () => {
    const plan = await approved();
    expect(mustFail(await next(plan, {})).kind).toBe("absent");
    expect(mustFail(await next(plan, { in: "STORY-A" })).message).toContain("STORY-A");
    expect(await plan.store.read((reader) => reader.operations({ limit: 9 }))).toHaveLength(2);
  });

  it("gives priority 0 before 4 before none, and ties in the order they were made", async () => {
    const plan = await approved(
      task("LAST"),
      task("FOUR", { priority: 4 }),
      task("ZERO-1", { priority: 0 }),
      task("ONE", { priority: 1 }),
      task("ZERO-2", { priority: 0 }),
    );
    const given = must(await next(plan, { count: 9 }));
    expect(given.map(({ task: { id } }) => id)).toEqual(["ZERO-1", "ZERO-2", "ONE", "FOUR", "LAST"]);
  });

  it("looks in a person's focus first, then everywhere; agents get the whole plan", async () => {
    const plan = await approved(
      task("URGENT", { priority: 0 }),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A" },
      task("B-1", { parent: "STORY-B" }),
      task("B-2", { parent: "STORY-B" }),
      task("B-3", { parent: "STORY-B" }),
    );
    must(await next(plan, { in: "STORY-B" }));
    expect(must(await peek(plan, {})).map(({ id }) => id)).toEqual(["B-2"]);
    expect(must(await peek(plan.as("agent:a"), {})).map(({ id }) => id)).toEqual(["URGENT"]);
    expect(must(await next(plan, { count: 3 })).map((g) => g.task.id)).toEqual(["B-2", "B-3", "URGENT"]);
  });

  it("never hands out what is unapproved, in the inbox, frozen, or a gate", async () => {
    const plan = await makePlan([task("T-1"), task("G", { kind: "gate" })]);
    expect(mustFail(await next(plan, {})).reason).toBe("nothing-ready");
    must(await approve(plan, { references: ["G"] }));
    expect(await plan.view("G")).toMatchObject({ status: "ready", reason: "human" });
    expect(mustFail(await next(plan.as("agent:a"), {})).reason).toBe("nothing-ready");
    expect(mustFail(await start(plan, { reference: "G" })).reason).toBe("human");
  });
});

describe("a claim", () => {
  it("is one worker's: the second gets nothing", async () => {
    const plan = await approved(task("T-1", passes));
    const [mine] = must(await next(plan.as("agent:a"), {}));
    expect(mustFail(await next(plan.as("agent:b"), {})).reason).toBe("nothing-ready");
    expect(mustFail(await start(plan.as("agent:b"), { reference: "T-1" })).reason).toBe("in-flight");
    const stranger = { reference: "T-1", token: "0".repeat(32) };
    for (const verb of [complete, renewClaim, releaseClaim]) {
      expect(mustFail(await verb(plan.as("agent:b"), stranger))).toMatchObject({
        kind: "refused",
        reason: "lease-lost",
      });
    }
    must(await complete(plan.as("agent:a"), { reference: "T-1", token: mine?.token ?? "" }));
  });

  it("needs its token from an agent; a person may leave out their own", async () => {
    const plan = await approved(task("T-1", passes), task("T-2", passes));
    must(await start(plan.as("agent:a"), { reference: "T-1" }));
    expect(mustFail(await complete(plan.as("agent:a"), { reference: "T-1" })).reason).toBe("needs-token");
    expect(mustFail(await complete(plan, { reference: "T-1" })).reason).toBe("needs-token");
    must(await start(plan, { reference: "T-2" }));
    expect(must(await complete(plan, { reference: "T-2" })).acceptance).toBe("accepted");
  });

  it.each([
    next,
    async (plan: TestPlan, lease: { leaseMinutes: number }) => start(plan, { reference: "T-1", ...lease }),
  ])("lasts whole milliseconds, whatever part of a minute was asked for", async (take) => {
    const plan = await approved(task("T-1"));
    must<unknown>(await take(plan, { leaseMinutes: 0.333_333_7 }));
    must(await renewClaim(plan, { reference: "T-1", leaseMinutes: 0.333_333_9 }));
    must(await releaseClaim(plan, { reference: "T-1" }));
    expect(must(await verifyPlan(plan)).differences).toEqual([]);
  });

  it("lives as long as its heartbeat", async () => {
    const plan = await approved(task("T-1"));
    const [given] = must(await next(plan.as("agent:a"), { leaseMinutes: 1 }));
    plan.pass(50_000);
    must(await renewClaim(plan.as("agent:a"), { reference: "T-1", token: given?.token ?? "", leaseMinutes: 1 }));
    plan.pass(50_000);
    expect(mustFail(await next(plan.as("agent:b"), {})).reason).toBe("nothing-ready");
  });

  it("returns to the queue when its lease ends; the late worker can change nothing", async () => {
    const plan = await approved(task("T-1", passes));
    const [late] = must(await next(plan.as("agent:late"), { leaseMinutes: 1 }));
    plan.pass(61_000);
    expect(must(await peek(plan.as("agent:b"), {})).map(({ id }) => id)).toEqual(["T-1"]);
    const [given] = must(await next(plan.as("agent:b"), {}));
    expect(given).toMatchObject({ epoch: 2, task: { id: "T-1" } });
    const old = { reference: "T-1", token: late?.token ?? "" };
    for (const verb of [complete, renewClaim, releaseClaim]) {
      expect(mustFail(await verb(plan.as("agent:late"), old)).reason).toBe("lease-lost");
    }
    expect(mustFail(await failTask(plan.as("agent:late"), { ...old, reason: "x" })).reason).toBe("lease-lost");
    expect((await plan.view("T-1")).claim?.by).toBe("agent:b");
  });

  it("is frozen as retry-exhausted after four returns and one more; reset sets it free", async () => {
    const plan = await approved(task("T-1"));
    for (let round = 1; round <= 5; round++) {
      expect(must(await next(plan.as("agent:a"), { leaseMinutes: 1 }))).toHaveLength(1);
      plan.pass(61_000);
    }
    expect(mustFail(await next(plan.as("agent:a"), {})).reason).toBe("nothing-ready");
    const stuck = await plan.view("T-1");
    expect(stuck.status).toBe("frozen");
    expect(stuck.freeze?.reason).toContain("retry-exhausted");
    must(await reset(plan, { references: ["T-1"] }));
    expect(must(await next(plan.as("agent:a"), {}))[0]?.task).toMatchObject({ id: "T-1", attempts: 6 });
  });

  it("can be given back", async () => {
    const plan = await approved(task("T-1"));
    const [given] = must(await next(plan.as("agent:a"), {}));
    must(await releaseClaim(plan.as("agent:a"), { reference: "T-1", token: given?.token ?? "" }));
    expect(await plan.view("T-1")).toMatchObject({ status: "ready", claim: null });
    expect((await plan.view("T-1")).attempts).toBe(1);
  });

  it("stops when the budget of attempts is spent", async () => {
    const plan = await approved(task("T-1", { budgets: { attempts: 1 } }));
    must(await start(plan, { reference: "T-1" }));
    must(await releaseClaim(plan, { reference: "T-1" }));
    expect(mustFail(await start(plan, { reference: "T-1" })).reason).toBe("budget");
  });
});

describe("start", () => {
  it("says why it refuses, and counts the attempt when it does not", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }));
    expect(mustFail(await start(plan, { reference: "T-2" }))).toMatchObject({
      reason: "deps-pending",
      details: { because: ["T-1"] },
    });
    expect(mustFail(await start(plan, { reference: "nowhere" })).kind).toBe("absent");
    expect(must(await start(plan, { reference: "T-1" })).task.attempts).toBe(1);
    expect(mustFail(await start(plan.as("agent:other"), { reference: "T-1" })).reason).toBe("in-flight");
    expect(mustFail(await start(plan, { reference: "STORY-A" })).reason).toBe("container");
  });
});

describe("next --peek", () => {
  it("offers an expired claim where it belongs, and nowhere else", async () => {
    const plan = await approved(
      task("T-1"),
      { id: "FEAT-B", tier: "feature", title: "B" },
      task("B-1", { parent: "FEAT-B", priority: 0 }),
    );
    must(await start(plan, { reference: "B-1", leaseMinutes: 1 }));
    const agent = plan.as("agent:a");
    expect(must(await peek(agent, {})).map(({ id }) => id)).toEqual(["T-1"]);
    plan.pass(61_000);
    expect(must(await peek(agent, {})).map(({ id }) => id)).toEqual(["B-1"]);
    expect(must(await peek(agent, { in: "FEAT-B" })).map(({ id }) => id)).toEqual(["B-1"]);
    expect(must(await peek(agent, { in: "FEAT-A", count: 5 })).map(({ id }) => id)).toEqual(["T-1"]);
    expect(mustFail(await peek(agent, { in: "NOPE" })).reason).toBe("not-found");
  });
});
