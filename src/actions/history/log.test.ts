import { describe, expect, it } from "vitest";
import { makePlan, must, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import { next } from "../claim/next.js";
import { edit } from "../node/edit.js";
import { log } from "./log.js";
import { redo, undo } from "./undo.js";
import { verify } from "./verify.js";

describe("log", () => {
  it("lists operations, the newest first, and says when there are older ones", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await next(plan.as("agent:bot"), {}));
    const { operations, more } = must(await log(plan, { limit: 2 }));
    expect(operations.map(({ op, actor, verb }) => [op, actor, verb])).toEqual([
      [3, "agent:bot", "next"],
      [2, "human:ada", "approve"],
    ]);
    expect(more).toBe(true);
    expect(must(await log(plan, { limit: 3 })).more).toBe(false);
  });

  it("of a node lists only what touched it", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await edit(plan, { reference: "T-2", set: { title: "Another" } }));
    const ops = async (reference: string) =>
      must(await log(plan, { reference, limit: 9 })).operations.map(({ op }) => op);
    expect([await ops("T-1"), await ops("T-2")]).toEqual([[1], [2, 1]]);
  });

  it("says what was taken back, and what is in force again", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await edit(plan, { reference: "T-1", set: { title: "Another" } }));
    const undone = async () =>
      must(await log(plan, { limit: 9 }))
        .operations.filter((entry) => entry.undone)
        .map(({ op }) => op);
    expect(await undone()).toEqual([]);
    must(await undo(plan, "2"));
    expect(await undone()).toEqual([2]);
    must(await redo(plan, 2));
    expect(await undone()).toEqual([]);
  });
});

it("verify finds nothing wrong after all of that", async () => {
  const plan = await makeApprovedPlan([passing("T-1")]);
  await finish(plan, "T-1");
  must(await undo(plan));
  expect(must(await verify(plan)).differences).toEqual([]);
});
