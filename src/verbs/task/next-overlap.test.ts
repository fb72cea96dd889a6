// Who gets which task while others are at work.

import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { start } from "../../plan/claim/start.js";
import { approve } from "../../plan/node/approve.js";
import { releaseClaim } from "../claim/release.js";
import { stats } from "../insight/stats.js";
import { status } from "../look/read-status.js";
import { why } from "../look/why-node.js";
import { next, peek } from "./next.js";

describe("next", () => {
  it("claims no task whose files another worker changes", async () => {
    const plan = await makePlan([
      task("T-1", { files: ["src/a.ts"] }),
      task("T-2", { files: ["src/"] }),
      task("T-3", { files: ["src/a.ts"], symbols: ["src/a.ts#other"] }),
      task("T-4", { files: ["docs/b.md"] }),
    ]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    const given = must(await next(plan.as("agent:one"), { count: 3 }));
    expect(given.map(({ task: { id } }) => id)).toEqual(["T-1", "T-4"]);
    expect(mustFail(await next(plan.as("agent:two"), {})).reason).toBe("nothing-ready");
    must(await releaseClaim(plan, { reference: "T-1", token: given[0]?.token ?? "" }));
    expect(must(await peek(plan.as("agent:two"), {})).map(({ id }) => id)).toEqual(["T-1"]);
  });

  it("goes by what is in hand now, even if what was in hand before looked much the same", async () => {
    const plan = await makePlan([
      task("T-1", { files: ["src/a.ts"] }),
      task("T-2", { files: ["src/b.ts"] }),
      task("T-3", { files: ["src/a.ts"] }),
      task("T-4", { files: ["src/b.ts"] }),
    ]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    const { token } = must(await start(plan, { reference: "T-1" }));
    const others = plan.as("agent:two");
    expect(await offered(others, 4)).toEqual(["T-2"]);
    must(await releaseClaim(plan, { reference: "T-1", token }));
    must(await start(plan, { reference: "T-2" }));
    expect(await offered(others, 4)).toEqual(["T-1"]);
    expect(must(await next(others, { count: 4 })).map(({ task: { id } }) => id)).toEqual(["T-1"]);
  });
});

describe("next --peek", () => {
  it("counts files as free again once the lease on them has ended, as `next` does", async () => {
    const plan = await makePlan([
      task("T-1", { files: ["src/a.ts"], priority: 1 }),
      task("T-2", { files: ["src/a.ts"], priority: 0 }),
      task("T-3", { files: ["src/b.ts"] }),
    ]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await start(plan, { reference: "T-1", leaseMinutes: 1 }));
    const others = plan.as("agent:two");
    expect(await offered(others, 3)).toEqual(["T-3"]);
    plan.pass(61_000);
    // The more urgent of the two that share a file, and not the one that came back with it.
    expect(await offered(others, 3)).toEqual(["T-2", "T-3"]);
    expect(must(await next(others, { count: 3 })).map(({ task: { id } }) => id)).toEqual(["T-2", "T-3"]);
  });
});

describe("three tasks on one file", () => {
  const onOneFile = async (): Promise<TestPlan> => {
    const plan = await makePlan(["T-1", "T-2", "T-3"].map((id) => task(id, { files: ["src/a.ts"] })));
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await start(plan.as("agent:one"), { reference: "T-1" }));
    return plan;
  };
  const CONFLICT = { reason: "conflict", because: ["T-1"], until: null };

  it("are one in progress and two that wait for it, whoever is asked", async () => {
    const plan = await onOneFile();
    const { tree, counts } = must(await status(plan, { reference: "STORY-A" }));
    expect(tree[0]?.children.map(({ id, status: word, reason, because }) => [id, word, reason, because])).toEqual([
      ["T-1", "in_progress", "in-flight", ["agent:one"]],
      ["T-2", "blocked", "conflict", ["T-1"]],
      ["T-3", "blocked", "conflict", ["T-1"]],
    ]);
    expect([counts.ready, counts.blocked, counts.inProgress]).toEqual([0, 2, 1]);
    expect(await plan.view("T-2")).toMatchObject({ status: "blocked", reason: "conflict" });
    expect(mustFail(await next(plan, {}))).toMatchObject({
      reason: "nothing-ready",
      message: "No task is ready. T-2 comes next, but it touches the same files as T-1.",
      details: {
        held: [
          { id: "T-2", holds: [CONFLICT] },
          { id: "T-3", holds: [CONFLICT] },
          { id: "T-1" },
          { id: "FEAT-A-LAND" },
        ],
      },
    });
    expect(mustFail(await start(plan, { reference: "T-2" }))).toMatchObject({
      reason: "conflict",
      message: "T-2 touches the same files as T-1.",
      details: { because: ["T-1"], holds: [CONFLICT] },
    });
    expect(must(await why(plan, "T-2"))).toMatchObject({ status: "blocked", chain: [{ holds: [CONFLICT] }, {}] });
    expect(must(await stats(plan)).statuses).toMatchObject({ ready: 0, blocked: 3, in_progress: 1 });
  });

  it("can be worked on together if a person says why, and the log keeps it", async () => {
    const plan = await onOneFile();
    const despite = "we split the file between us";
    const refusal = mustFail(await start(plan.as("agent:two"), { reference: "T-2", despite }));
    expect(refusal.reason).toBe("needs-person");
    expect(mustFail(await ask(plan, "next", { reference: "T-2", despite: " " })).reason).toBe("invalid-input");
    must(await start(plan, { reference: "T-2", despite }));
    const [latest] = await plan.store.read((reader) => reader.operations({ limit: 1 }));
    expect(latest?.sentence).toBe(`human:ada claimed T-2, which overlaps with T-1: ${despite}`);
    // Only the overlap is overridden.
    expect(mustFail(await start(plan.as("human:bob"), { reference: "T-2", despite })).reason).toBe("in-flight");
  });
});

const offered = async (plan: TestPlan, count: number): Promise<string[]> =>
  must(await peek(plan, { count })).map(({ id }) => id);
