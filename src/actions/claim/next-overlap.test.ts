// Who gets which task while others are at work.

import { describe, expect, it } from "vitest";
import { makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { approve } from "../branch/approve.js";
import { next, peek } from "./next.js";
import { releaseClaim } from "./release.js";
import { start } from "./start.js";

describe("next", () => {
  it("gives nobody a task whose files somebody else has in hand", async () => {
    const plan = await makePlan([
      task("T-1", { files: ["src/a.ts"] }),
      task("T-2", { files: ["src/"] }),
      task("T-3", { files: ["src/a.ts"], symbols: ["src/a.ts#other"] }),
      task("T-4", { files: ["docs/b.md"] }),
    ]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    expect(must(await next(plan.as("agent:one"), { count: 3 })).map(({ task: { id } }) => id)).toEqual(["T-1", "T-4"]);
    expect(mustFail(await next(plan.as("agent:two"), {})).reason).toBe("nothing-ready");
    must(await releaseClaim(plan, { reference: "T-1", token: (await tokenOf(plan, "T-1")) ?? "" }));
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

const offered = async (plan: TestPlan, count: number): Promise<string[]> =>
  must(await peek(plan, { count })).map(({ id }) => id);

const tokenOf = async (plan: TestPlan, id: string): Promise<string | undefined> =>
  plan.store.read(async (reader) => (await reader.byId(id))?.claim?.token);
