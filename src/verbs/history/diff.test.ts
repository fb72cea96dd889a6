import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { makePlan, must, mustFail, task } from "../../../test/plan.js";
import { makeApprovedPlan } from "../../../test/work.js";
import { edit } from "../node/edit.js";
import { next } from "../task/next.js";
import { diff } from "./diff.js";
import { undo } from "./take-back.js";

describe("diff", () => {
  it("shows every row that an operation changed, before and after, with names instead of numbers", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await edit(plan, { reference: "T-2", title: "Another" }));
    const found = must(await diff(plan, { operation: 2 }));
    expect(found).toMatchObject({ op: 2, actor: "human:ada", verb: "edit", undone: false });
    expect(found.changes).toEqual([
      {
        entity: "node",
        id: "T-2",
        change: "changed",
        fields: expect.arrayContaining([{ field: "title", before: "Task T-2", after: "Another" }]) as unknown,
      },
    ]);
  });

  it("shows new rows with their place, and removed ones too", async () => {
    const plan = await makePlan([task("T-1"), task("T-2", { dependsOn: ["T-1"] })]);
    const { changes } = must(await diff(plan, { operation: 1 }));
    const fields = changes.find((row) => row.id === "T-2")?.fields ?? [];
    const after = Object.fromEntries(fields.map(({ field, after }) => [field, after]));
    expect(after).toMatchObject({ parent: "STORY-A", dependsOn: ["T-1"], createdAt: "2026-01-01T00:00:00.001Z" });
    expect(new Set(changes.map(({ change }) => change))).toEqual(new Set(["created"]));
    must(await undo(plan, "1"));
    const gone = must(await diff(plan, { operation: 2 })).changes;
    expect(gone.map(({ change }) => change)).toEqual(gone.map(() => "removed"));
    expect(gone.map(({ id }) => id)).toContain("T-2");
  });

  it("shows the focus, and never the token of a claim", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const [assignment] = must(await next(plan.as("agent:bot"), {}));
    const found = must(await diff(plan, { operation: 3 }));
    expect(found.changes.at(-1)).toEqual({
      entity: "focus",
      id: "agent:bot",
      change: "created",
      fields: [{ field: "node", before: null, after: "T-1" }],
    });
    expect(JSON.stringify(found)).not.toContain(assignment?.token);
    expect(JSON.stringify(found)).toContain("2026-01-01T");
  });

  it("describes as many rows as wanted, and counts them all", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    const { rows, changes } = must(await diff(plan, { operation: 1, limit: 2 }));
    expect([rows, changes.map(({ id }) => id)]).toEqual([6, ["MISSION", "FEAT-A"]]);
  });

  it("refuses what is not a number, and says so of one that is not there", async () => {
    const plan = await makePlan();
    expect(mustFail(await ask(plan, "diff", { operation: "T-1" })).kind).toBe("usage");
    expect(mustFail(await diff(plan, { operation: 99 })).kind).toBe("absent");
  });
});
