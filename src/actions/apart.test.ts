// Who gets which task while others are at work.

import { describe, expect, it } from "vitest";
import { makePlan, must, mustFail, type TestPlan, task } from "../../test/plan.js";
import { approve } from "./approve.js";
import { next, peek } from "./next.js";
import { release } from "./release.js";

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
    must(await release(plan, { reference: "T-1", token: (await tokenOf(plan, "T-1")) ?? "" }));
    expect(must(await peek(plan.as("agent:two"), {})).map(({ id }) => id)).toEqual(["T-1"]);
  });
});

const tokenOf = async (plan: TestPlan, id: string): Promise<string | undefined> =>
  plan.store.read(async (reader) => (await reader.byId(id))?.claim?.token);
