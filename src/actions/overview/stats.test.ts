import { describe, expect, it } from "vitest";
import { makePlan, must, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import { next } from "../claim/next.js";
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
