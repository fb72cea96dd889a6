import { describe, expect, it } from "vitest";
import { makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import { start } from "../../plan/claim/start.js";
import { releaseClaim } from "../claim/release.js";
import { status } from "../look/read-status.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { stats } from "./stats.js";

describe("stats", () => {
  it("counts the plan, its operations and its workers", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2", { dependsOn: ["T-1"] }), task("T-3")]);
    await finish(plan, "T-1");
    must(await next(plan.as("agent:bot"), {}));
    const found = must(await stats(plan));
    expect(found).toMatchObject({
      nodes: 7,
      tiers: { mission: 1, initiative: 0, feature: 1, story: 1, task: 4 },
      kinds: { work: 3, gate: 0, review: 0, land: 1 },
      statuses: { done: 1, in_progress: 1, ready: 1, blocked: 1, planned: 0 },
      operations: 5,
      throughput: { done: 1, days: 1, perDay: 1 },
      oldestClaim: { id: "T-2", by: "agent:bot" },
    });
    expect(found.actors).toEqual([
      { actor: "human:ada", operations: 4, done: 1 },
      { actor: "agent:bot", operations: 1, done: 0 },
    ]);
    expect(found.meanDurationMs).toBeGreaterThan(0);
    expect(found.fileBytes).toBeGreaterThan(10_000);
    expect(found.throughput.recent.at(-1)).toEqual({ day: "2026-01-01", done: 1 });
    plan.pass(3 * 86_400_000);
    expect(must(await stats(plan)).throughput).toMatchObject({ done: 1, days: 4, perDay: 0.25 });
  });

  it("has nothing to count in a plan that has not begun", async () => {
    const found = must(await stats(await makePlan()));
    expect(found).toMatchObject({
      throughput: { done: 0, days: 0, perDay: 0 },
      meanDurationMs: null,
      oldestClaim: null,
    });
  });
});

describe("what outside workers say they used", () => {
  /** A hand-in whose checks fail may be fixed. */
  const patient = (plan: TestPlan): TestPlan => ({
    ...plan,
    engineLimits: async () => ({ ...(await plan.engineLimits()), fixes: 3 }),
  });

  it("is counted once for each claim, with the last number, by feature and day", async () => {
    const plan = await makeApprovedPlan([task("T-1", { checks: [{ run: 'test -n "$PASS"' }] }), task("T-2")]);
    const failing = patient(plan.as("agent:bot"));
    const first = must(await start(failing, { reference: "T-1" }));
    const open = await complete(failing, { reference: "T-1", token: first.token, tokens: 100, cost: 0.1 });
    expect(must(open).acceptance).toBe("open");
    const passing = { ...failing, commandEnvironment: async () => ({ ...process.env, PASS: "1" }) };
    must(await complete(passing, { reference: "T-1", token: first.token, tokens: 250, cost: 0.25 }));
    plan.pass(86_400_000);
    const second = must(await start(failing, { reference: "T-2" }));
    must(await complete(failing, { reference: "T-2", token: second.token, tokens: 50 }));
    const { spending } = must(await stats(plan));
    const both = { calls: 2, tokens: 300, costUsd: 0.25 };
    expect(spending).toEqual({
      total: both,
      roles: [{ of: "worker", ...both }],
      runs: [],
      features: [{ of: "FEAT-A", ...both }],
      days: [
        { of: "2026-01-01", calls: 1, tokens: 250, costUsd: 0.25 },
        { of: "2026-01-02", calls: 1, tokens: 50, costUsd: 0 },
      ],
    });
    expect(must(await status(plan, {})).spending).toEqual(spending);
    expect(must(await status(plan, { reference: "FEAT-A" })).spending).toBeNull();
  });

  it("adds up over the claims of one task", async () => {
    const plan = await makeApprovedPlan([task("T-1", { checks: [{ run: "false" }] })]);
    for (const tokens of [10, 20]) {
      const { token } = must(await start(plan, { reference: "T-1" }));
      must(await complete(patient(plan), { reference: "T-1", token, tokens }));
      must(await releaseClaim(plan, { reference: "T-1", token }));
    }
    expect(must(await stats(plan)).spending.total).toEqual({ calls: 2, tokens: 30, costUsd: 0 });
  });

  it("is refused for what no agent does", async () => {
    const plan = await makeApprovedPlan([task("T-1", { kind: "gate" })]);
    expect(mustFail(await complete(plan, { reference: "T-1", tokens: 5 }))).toMatchObject({
      kind: "usage",
      reason: "no-spending",
    });
    expect((await plan.view("T-1")).outcome).toBeNull();
  });
});
