import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { addAll, makePlan, must, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import { edit } from "../node/edit.js";
import { setFocus } from "../node/focus.js";
import { next } from "../task/next.js";
import { log } from "./log.js";
import { redo, undo } from "./take-back.js";
import { verifyPlan } from "./verify.js";

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

  it("ends at a moment", async () => {
    const plan = await makePlan([task("T-1")]);
    const [first] = must(await log(plan, { limit: 1 })).operations;
    const until = first?.at ?? "";
    await edit({ ...plan, now: () => Date.parse(until) + 60_000 }, { reference: "T-1", title: "Another" });
    const ops = async (time: string) => must(await log(plan, { until: time })).operations.map(({ op }) => op);
    expect(await ops(until)).toEqual([1]);
    expect(await ops(new Date(Date.parse(until) + 60_000).toISOString())).toEqual([2, 1]);
    expect(await ops("2001-01-01T00:00")).toEqual([]);
    expect(await ask(plan, "log", { until: "soon" })).toMatchObject({ ok: false, error: { kind: "usage" } });
  });

  it("of a node lists only what touched it", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await edit(plan, { reference: "T-2", title: "Another" }));
    const ops = async (reference: string) =>
      must(await log(plan, { reference, limit: 9 })).operations.map(({ op }) => op);
    expect([await ops("T-1"), await ops("T-2")]).toEqual([[1], [2, 1]]);
  });

  it("of a node lists its comments and labels", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await ask(plan, "comment", { reference: "T-1", text: "Why?" }));
    must(await ask(plan, "label", { references: ["T-1"], add: ["urgent"] }));
    must(await ask(plan, "comment", { reference: "T-2", text: "Because." }));
    const verbs = async (reference: string) => must(await log(plan, { reference })).operations.map(({ verb }) => verb);
    expect(await verbs("T-1")).toEqual(["label", "comment", "add"]);
    expect(await verbs("T-2")).toEqual(["comment", "add"]);
  });

  it("names the rows that each operation changed, with their revisions", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    for (const title of ["One", "Two"]) must(await edit(plan, { reference: "T-2", title }));
    must(await setFocus(plan, "T-1"));
    must(await ask(plan, "comment", { reference: "T-1", text: "Why?" }));
    const { operations } = must(await log(plan, {}));
    expect(operations.map(({ targets }) => targets.map(({ id, revision }) => [id, revision]))).toEqual([
      [["COM-00001", null]],
      [["human:ada", null]],
      [["T-2", 3]],
      [["T-2", 2]],
      ["MISSION", "FEAT-A", "STORY-A", "T-1", "T-2", "FEAT-A-LAND"].map((id) => [id, 1]),
    ]);
    const many = Array.from({ length: 21 }, (_, i) => task(`M-${i}`));
    await addAll(plan, many);
    expect(must(await log(plan, { limit: 1 })).operations[0]).toMatchObject({ moreTargets: true });
  });

  it("names a node that an operation removed", async () => {
    const plan = await makePlan();
    await addAll(plan, [task("T-1")]);
    must(await undo(plan));
    const [undone, added] = must(await log(plan, { limit: 2 })).operations;
    for (const entry of [undone, added]) expect(entry?.targets).toMatchObject([{ id: "T-1", revision: null }]);
  });

  it("says what was taken back, and what is in force again", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await edit(plan, { reference: "T-1", title: "Another" }));
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
  expect(must(await verifyPlan(plan)).differences).toEqual([]);
});
