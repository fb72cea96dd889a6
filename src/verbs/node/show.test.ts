import { describe, expect, it } from "vitest";
import { addAll, must, task } from "../../../test/plan.js";
import { makeSpied, type Spy } from "../../../test/spy.js";
import type { NodeView } from "../../plan/node/view.js";
import { show } from "./read-node.js";

/** The land task of a feature with so many tasks, and what was read to show it. */
async function showLand(tasks: number): Promise<{ view: NodeView; spy: Spy }> {
  const { spy, plan } = await makeSpied();
  await addAll(plan, [
    { id: "MISSION", tier: "mission", title: "M" },
    { id: "BIG", tier: "feature", title: "Big", parent: "MISSION" },
    ...Array.from({ length: tasks }, (_, i) => task(`T-${i}`, { parent: "BIG" })),
  ]);
  spy.forget();
  return { view: must(await show(plan, "BIG-LAND")), spy };
}

describe("show of a land task", () => {
  it("names the first tasks that it waits for, and says how many there are", async () => {
    const { view } = await showLand(300);
    expect([view.dependsOn.length, view.dependsOn[0], view.dependsOnTotal]).toEqual([20, "T-0", 300]);
    expect((await showLand(3)).view).toMatchObject({ dependsOn: ["T-0", "T-1", "T-2"], dependsOnTotal: 3 });
  });

  it("reads the same rows, however large its feature is, and sorts none", async () => {
    const { spy } = await showLand(300);
    expect(spy.rows).toBe((await showLand(30)).spy.rows);
    // Items of one operation are put in order among themselves; that has nothing to do with the plan's size.
    const costly = (step: string): boolean => /^SCAN|TEMP B-TREE(?! FOR LAST)/.test(step);
    expect((await spy.plans()).filter(costly)).toEqual([]);
    const finished = (await (await showLand(3)).spy.plans()).filter(costly);
    expect(finished).toEqual([]);
  });
});
