import { describe, expect, it } from "vitest";
import { makePlan, must, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import { undo } from "../history/take-back.js";
import { next } from "../task/next.js";
import { waves } from "./waves.js";

describe("waves", () => {
  it("lists what may run together and the longest chain", async () => {
    const plan = await makePlan([
      task("T-1", { estimateHours: 2.5 }),
      task("T-2"),
      task("T-3", { dependsOn: ["T-1", "T-2"] }),
    ]);
    const view = must(await waves(plan));
    expect(view).toEqual({
      waves: [
        { wave: 1, tasks: ["T-1", "T-2"], more: 0 },
        { wave: 2, tasks: ["T-3"], more: 0 },
        { wave: 3, tasks: ["FEAT-A-LAND"], more: 0 },
      ],
      more: 0,
      criticalPath: { tasks: ["T-1", "T-3", "FEAT-A-LAND"], more: 0, hours: 4.5 },
      cyclic: [],
      tasks: {
        "T-1": { title: "Task T-1", hours: 2.5 },
        "T-2": { title: "Task T-2", hours: 1 },
        "T-3": { title: "Task T-3", hours: 1 },
        "FEAT-A-LAND": { title: "Land: Feature A", hours: 1 },
      },
    });
  });

  it("lists the first tasks up to a limit, and counts the rest", async () => {
    const plan = await makePlan([task("T-1"), task("T-2"), task("T-3"), task("T-4", { dependsOn: ["T-1"] })]);
    const view = must(await waves(plan, { limit: 2 }));
    expect(view).toEqual({
      waves: [{ wave: 1, tasks: ["T-1", "T-2"], more: 1 }],
      more: 3,
      criticalPath: { tasks: ["T-1", "T-4"], more: 1, hours: 3 },
      cyclic: [],
      tasks: {
        "T-1": { title: "Task T-1", hours: 1 },
        "T-2": { title: "Task T-2", hours: 1 },
        "T-4": { title: "Task T-4", hours: 1 },
      },
    });
    expect(must(await waves(plan, { limit: 4 })).waves.map(({ more }) => more)).toEqual([0, 0]);
  });

  it("agrees with `next` about what comes first (one predicate)", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1"),
      task("T-2", { dependsOn: ["T-1"] }),
      task("T-3", { dependsOn: ["STORY-B"] }),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A" },
      passing("T-4", { parent: "STORY-B" }),
    ]);
    for (const first of [
      ["T-1", "T-4"],
      ["T-2", "T-3"],
    ]) {
      const view = must(await waves(plan));
      expect(view.waves[0]?.tasks).toEqual(first);
      const claimed = must(await next(plan, { count: 9 })).map(({ task }) => task.id);
      expect(claimed).toEqual(first);
      if (first.includes("T-1")) {
        must(await undo(plan));
        await finish(plan, "T-1", "T-4");
      }
    }
  });
});
