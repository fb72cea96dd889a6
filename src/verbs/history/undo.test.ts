import { describe, expect, it } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { addAll, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing, standing } from "../../../test/work.js";
import { step } from "../../model/next-step.js";
import { add } from "../../plan/node/add.js";
import { approve } from "../../plan/node/approve.js";
import { drop } from "../branch/drop.js";
import { freeze } from "../branch/freeze.js";
import { waive } from "../branch/waive.js";
import { replan } from "../plan/replan.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { redo, undo, undoable } from "./take-back.js";

/** A change of content, by adding a node that is already there. */
const retitle = async (plan: TestPlan, id: string, title: string): Promise<number> =>
  must(await add(plan, [{ where: "edit", input: { id, title } }])).op ?? 0;

const titleOf = async (plan: TestPlan, id: string): Promise<string> => (await plan.view(id)).title;

const opsIn = (failure: { details?: Readonly<Record<string, unknown>> }): number[] =>
  ((failure.details?.["operations"] ?? []) as { op: number }[]).map(({ op }) => op);

describe("undo", () => {
  it("takes the latest operation back, and again, further and further", async () => {
    const plan = await makePlan([task("T-1")]);
    await retitle(plan, "T-1", "second");
    await retitle(plan, "T-1", "third");
    must(await undo(plan));
    expect(await titleOf(plan, "T-1")).toBe("second");
    must(await undo(plan));
    expect(await titleOf(plan, "T-1")).toBe("Task T-1");
  });

  it("restores the node exactly, and is an operation itself", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const before = await plan.view("T-1");
    must(await freeze(plan, { references: ["T-1"] }));
    const { op, of, verb } = must(await undo(plan));
    const { revision, updatedAt: _, ...now } = await plan.view("T-1");
    expect({ ...before, ...now }).toEqual(before);
    expect(revision).toBe(before.revision + 2);
    const [last] = await plan.store.read((reader) => reader.operations({ limit: 1 }));
    expect(last).toMatchObject({
      op,
      undoes: of,
      verb: "undo",
      sentence: `human:ada undid operation ${of}: human:ada froze T-1: paused by human:ada`,
    });
    expect(verb).toBe("freeze");
  });

  it("goes by operation and never by node: a cascade comes back whole", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    must(await freeze(plan, { references: ["STORY-A"] }));
    must(await undo(plan, "T-2"));
    expect(await standing(plan, "STORY-A", "T-1", "T-2")).toBe("STORY-A ready, T-1 ready, T-2 ready");
  });

  it("brings the focus back with the nodes", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    must(await next(plan, {}));
    must(await replan(plan, { reference: "FEAT-A", reason: "again" }));
    expect((await plan.view("--active")).id).toBe("FEAT-A");
    must(await undo(plan));
    expect((await plan.view("--active")).id).toBe("T-1");
    expect((await plan.view("T-1")).claim?.by).toBe("human:ada");
  });

  it("leaves a focus alone that has moved on since", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2", { parent: "FEAT-A" })]);
    must(await next(plan, {}));
    const { op } = must(await freeze(plan, { references: ["STORY-A"] }));
    must(await next(plan, {}));
    expect((await plan.view("--active")).id).toBe("T-2");
    must(await undo(plan, String(op)));
    expect((await plan.view("--active")).id).toBe("T-2");
    expect((await plan.view("T-1")).status).toBe("in_progress");
  });

  it("never puts the focus on what was settled meanwhile", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    must(await next(plan, {}));
    const [second] = must(await next(plan, {}));
    must(await waive(plan, { references: ["T-1"], reason: "not needed" }));
    must(await undo(plan, second?.task.id));
    expect((await plan.view("--active")).id).toBe("STORY-A");
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("takes the latest operation on a node, or the operation of a number", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    const first = await retitle(plan, "T-1", "one");
    await retitle(plan, "T-2", "two");
    must(await undo(plan, "T-1"));
    expect([await titleOf(plan, "T-1"), await titleOf(plan, "T-2")]).toEqual(["Task T-1", "two"]);
    must(await redo(plan));
    must(await undo(plan, String(first)));
    expect(await titleOf(plan, "T-1")).toBe("Task T-1");
    expect(mustFail(await undo(plan, "999"))).toMatchObject({ kind: "absent", reason: "not-found" });
    expect(mustFail(await undo(plan, "T-9"))).toMatchObject({ kind: "absent", reason: "not-found" });
  });

  it("lists what could be taken back, newest first", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    const one = await retitle(plan, "T-1", "one");
    const two = await retitle(plan, "T-2", "two");
    must(await undo(plan));
    expect(must(await undoable(plan)).map(({ op }) => op)).toEqual([one, 1]);
    expect(must(await undoable(plan, "T-2")).map(({ op }) => op)).toEqual([1]);
    must(await redo(plan));
    expect(must(await undoable(plan))[0]).toMatchObject({ op: two, verb: "add", actor: "human:ada" });
  });

  it("has nothing left at the end", async () => {
    const plan = await makePlan();
    must(await undo(plan));
    expect(mustFail(await undo(plan))).toMatchObject({ kind: "absent", reason: "nothing-to-undo" });
    must(await redo(plan));
    expect(mustFail(await redo(plan))).toMatchObject({ kind: "absent", reason: "nothing-to-redo" });
    expect(await standing(plan, "FEAT-A")).toBe("FEAT-A planned");
  });

  it("refuses, with the list, when a later operation touched the same node", async () => {
    const plan = await makePlan([task("T-1")]);
    const first = await retitle(plan, "T-1", "one");
    const second = await retitle(plan, "T-1", "two");
    const refusal = mustFail(await undo(plan, String(first)));
    expect(refusal).toMatchObject({ kind: "refused", reason: "later-changes" });
    expect(opsIn(refusal)).toEqual([second]);
    expect(await titleOf(plan, "T-1")).toBe("two");
    must(await undo(plan, String(second)));
    must(await undo(plan, String(first)));
    expect(await titleOf(plan, "T-1")).toBe("Task T-1");
  });

  it("counts a later operation again once it was done again", async () => {
    const plan = await makePlan([task("T-1")]);
    const first = await retitle(plan, "T-1", "one");
    const second = await retitle(plan, "T-1", "two");
    must(await undo(plan));
    must(await redo(plan));
    expect(opsIn(mustFail(await undo(plan, String(first))))).toEqual([second]);
  });

  it("refuses to take away what others stand below or depend on", async () => {
    const plan = await makePlan();
    const story = { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A" } as const;
    const made = must(await add(plan, [{ where: "story", input: story }])).op ?? 0;
    await addAll(plan, [task("T-1", { parent: "STORY-B" })]);
    const refusal = mustFail(await undo(plan, String(made)));
    expect(refusal).toMatchObject({ reason: "later-changes", details: { nodes: ["T-1"] } });
    expect(opsIn(refusal)).toEqual([made + 1]);
    await addAll(plan, [task("T-2", { dependsOn: ["T-1"] })]);
    expect(mustFail(await undo(plan, String(made + 1))).details).toMatchObject({ nodes: ["T-2"] });
  });

  it("refuses to open a landing beside another, or to land again what has got more to land", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    await finish(plan, "T-1");
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    const landed = must(await undoable(plan))[0]?.op ?? 0;
    await addAll(plan, [task("T-2")]);
    expect(mustFail(await undo(plan, String(landed))).details).toMatchObject({ nodes: ["FEAT-A-LAND-2"] });
    must(await undo(plan, "T-2"));
    must(await undo(plan, String(landed)));
    expect(await standing(plan, "FEAT-A-LAND")).toBe("FEAT-A-LAND ready");
    await addAll(plan, [task("T-3")]);
    expect(mustFail(await redo(plan, landed)).details).toMatchObject({ nodes: ["T-3"] });
  });

  it("keeps the land task that came with what it takes back while there is more to land", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    await finish(plan, "T-1");
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    await addAll(plan, [task("T-2")]);
    await addAll(plan, [task("T-3")]);
    must(await undo(plan, "T-2"));
    expect((await plan.view("FEAT-A-LAND-2")).dependsOn).toEqual(["T-3", "T-1"]);
    must(await redo(plan));
    expect(await standing(plan, "T-2", "FEAT-A-LAND-2")).toBe("T-2 planned, FEAT-A-LAND-2 planned");
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("refuses to open something inside what was given up or archived since", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2", { parent: "FEAT-A" })]);
    const { op } = must(await drop(plan, { references: ["T-1"] }));
    const { op: later } = must(await drop(plan, { references: ["STORY-A"] }));
    const refusal = mustFail(await undo(plan, String(op)));
    expect(refusal).toMatchObject({ reason: "later-changes", details: { nodes: ["STORY-A"] } });
    expect(opsIn(refusal)).toEqual([later]);
    must(await undo(plan, String(later)));
    must(await undo(plan, String(op)));
    expect(await standing(plan, "STORY-A", "T-1")).toBe("STORY-A ready, T-1 ready");
  });

  it("lets an agent take back only what it did itself", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    const bot = plan.as("agent:bot");
    must(await next(bot, {}));
    const { op } = must(await drop(plan, { references: ["T-2"] }));
    expect(mustFail(await undo(bot, String(op)))).toMatchObject({ kind: "refused", reason: "needs-person" });
    expect(must(await undoable(bot)).map(({ verb }) => verb)).toEqual(["next"]);
    expect(must(await undo(bot)).verb).toBe("next");
    expect(mustFail(await undo(bot)).reason).toBe("nothing-to-undo");
    must(await undo(plan));
    expect(mustFail(await redo(bot, op ?? 0)).reason).toBe("needs-person");
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 ready, T-2 ready");
  });

  it("says so when it was taken back already, and takes the number of an undo for what that undid", async () => {
    const plan = await makePlan([task("T-1")]);
    const first = await retitle(plan, "T-1", "one");
    const { op } = must(await undo(plan));
    expect(mustFail(await undo(plan, String(first)))).toMatchObject({ kind: "refused", reason: "already-undone" });
    expect(mustFail(await undo(plan, String(op))).next).toEqual([step("redo", { operation: first })]);
    expect(must(await redo(plan, op ?? 0)).of).toBe(first);
    expect(mustFail(await redo(plan, first))).toMatchObject({ kind: "refused", reason: "not-undone" });
    expect(mustFail(await redo(plan, 99))).toMatchObject({ kind: "absent", reason: "not-found" });
  });
});

describe("bare undo", () => {
  const daemon = (plan: TestPlan): TestPlan => plan.as("daemon:box");
  const rename = async (plan: TestPlan, id: string, title: string): Promise<unknown> =>
    must(await add(plan, [{ where: "edit", input: { id, title } }]));

  it("never takes back what others did, and names it", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    await rename(plan, "T-1", "mine");
    await rename(daemon(plan), "T-2", "the daemon's");
    const { meanwhile } = must(await undo(plan));
    expect(meanwhile).toMatchObject([{ by: "daemon:box", sentence: "changed T-2" }]);
    expect([await titleOf(plan, "T-1"), await titleOf(plan, "T-2")]).toEqual(["Task T-1", "the daemon's"]);
    must(await redo(plan));
    expect(await titleOf(plan, "T-1")).toBe("mine");
    must(await undo(daemon(plan)));
    expect([await titleOf(plan, "T-1"), await titleOf(plan, "T-2")]).toEqual(["mine", "Task T-2"]);
  });

  it("never sticks behind a claim: what the worker works on leaves it", async () => {
    const plan = await makeApprovedPlan([]);
    await addAll(plan, [task("T-1")]);
    must(await approve(plan, { references: ["T-1"] }));
    must(await next(plan.as("agent:bot"), {}));
    expect(must(await undo(plan)).verb).toBe("approve");
    expect(await plan.view("T-1")).toMatchObject({ status: "planned", claim: null });
    expect(must(await undo(plan)).verb).toBe("add");
    must(await redo(plan));
    must(await redo(plan));
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("never reaches past what an attempt has built on: it says why, and names the one before", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    await rename(plan, "STORY-A", "mine");
    must(await approve(plan, { references: ["FEAT-A"] }));
    await rename(plan, "T-1", "the task");
    must(await approve(plan, { references: ["T-1"] }));
    await leaveAttempt(plan, "T-1", {}, { patch: { priority: 1 } });
    const before = await plan.view("STORY-A");
    const refusal = mustFail(await undo(plan));
    expect(refusal).toMatchObject({ kind: "refused", reason: "later-changes" });
    expect(refusal.message).toContain("(human:ada approved T-1) cannot be undone");
    expect(refusal.message).toContain("Your latest operation that can be undone is 4: human:ada approved STORY-A.");
    expect(refusal.next).toEqual([
      step("unapprove", { references: ["T-1"] }),
      step("diff", { operation: 6 }),
      step("undo", { operation: "4" }),
    ]);
    expect(await plan.view("STORY-A")).toEqual(before);
    expect(must(await undoable(plan)).map(({ op, refused }) => [op, refused])).toEqual([
      [6, expect.stringContaining("is a later step of an attempt")],
      [5, expect.stringContaining("is a later step of an attempt")],
      [4, null],
      [3, "undo 4 first"],
      [2, expect.stringContaining("is a later step of an attempt")],
      [1, expect.stringContaining("is a later step of an attempt")],
    ]);
    must(await undo(plan, "4"));
    must(await undo(plan, "3"));
    expect(await titleOf(plan, "STORY-A")).toBe("Story A");
  });

  it("never takes back something older after work was begun or given up", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2", { parent: "FEAT-A" })]);
    const { op } = must(await freeze(plan, { references: ["T-2"], reason: "later" }));
    await leaveAttempt({ as: () => plan }, "T-1", { state: "released" });
    const refusal = mustFail(await undo(plan));
    expect(refusal).toMatchObject({ kind: "refused", reason: "attempt-step" });
    expect(refusal.next?.at(-1)).toEqual(step("undo", { operation: String(op) }));
    expect((await plan.view("T-2")).status).toBe("frozen");
  });

  it("never sends an agent to undo what others did, nor anybody to one that cannot be undone", async () => {
    const plan = await makeApprovedPlan([]);
    const bot = plan.as("agent:bot");
    const made = must(await add(bot, [{ where: "task", input: passing("T-1") }])).op ?? 0;
    must(await approve(plan, { references: ["T-1"] }));
    const asked = mustFail(await undo(bot));
    expect(asked.message).toContain("Ask a person to undo those first");
    expect(asked.next).toEqual([step("log")]);
    await leaveAttempt(plan, "T-1", {}, { patch: { priority: 1 } });
    const refusal = mustFail(await undo(plan, String(made)));
    expect(refusal.message).toContain("Drop T-1 instead");
    expect(refusal.next?.[0]).toEqual(step("drop", { references: ["T-1"] }, "reason"));
  });

  it("never sticks behind an undone claim: redo passes over it", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
    await rename(plan, "T-2", "mine");
    must(await approve(plan, { references: ["T-2"] }));
    must(await undo(plan));
    must(await next(plan, {}));
    must(await undo(plan));
    const { of, skipped } = must(await redo(plan));
    expect(skipped).toMatchObject([{ why: "a claim that was undone does not come back" }]);
    expect((await plan.store.read((reader) => reader.operation(of)))?.verb).toBe("approve");
  });

  it("names what to redo first, when that is what is in the way", async () => {
    const plan = await makePlan([task("T-1")]);
    const first = await retitle(plan, "T-1", "one");
    const second = await retitle(plan, "T-1", "two");
    must(await undo(plan));
    must(await undo(plan));
    const refusal = mustFail(await redo(plan, second));
    expect(refusal.message).toContain("Redo those first");
    expect(refusal.next?.[0]).toEqual(step("redo", { operation: first }));
  });
});

it("says that a step of an attempt stays, and that its result can be undone", async () => {
  const plan = await makeApprovedPlan([passing("T-1")]);
  await leaveAttempt(plan, "T-1");
  const [latest] = await plan.store.read((reader) => reader.operations({ limit: 1 }));
  expect(latest?.verb).toBe("attempt");
  const { reason, message } = mustFail(await undo(plan, String(latest?.op)));
  expect([reason, message]).toEqual(["attempt-step", expect.stringContaining("is a step of an attempt")]);
});

describe("redo", () => {
  it("does again what was taken back last, one after the other", async () => {
    const plan = await makePlan([task("T-1")]);
    await retitle(plan, "T-1", "one");
    await retitle(plan, "T-1", "two");
    must(await undo(plan));
    must(await undo(plan));
    must(await redo(plan));
    expect(await titleOf(plan, "T-1")).toBe("one");
    must(await redo(plan));
    expect(await titleOf(plan, "T-1")).toBe("two");
    must(await undo(plan));
    expect(await titleOf(plan, "T-1")).toBe("one");
  });

  it("refuses when something else happened to the node since", async () => {
    const plan = await makePlan([task("T-1")]);
    const first = await retitle(plan, "T-1", "one");
    must(await undo(plan));
    const second = await retitle(plan, "T-1", "other");
    expect(opsIn(mustFail(await redo(plan, first)))).toEqual([second]);
    must(await undo(plan));
    must(await redo(plan, first));
    expect(await titleOf(plan, "T-1")).toBe("one");
  });

  it("refuses to settle again what has got more to do since", async () => {
    const plan = await makePlan([task("T-1")]);
    const { op } = must(await drop(plan, { references: ["STORY-A"] }));
    must(await undo(plan));
    await addAll(plan, [task("T-2")]);
    expect(mustFail(await redo(plan, op ?? 0))).toMatchObject({
      reason: "later-changes",
      details: { nodes: ["T-2"] },
    });
  });

  it("refuses to do again what builds on something that is taken back", async () => {
    const plan = await makePlan();
    const story = { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A" } as const;
    const made = must(await add(plan, [{ where: "story", input: story }])).op ?? 0;
    await addAll(plan, [task("T-1", { parent: "STORY-B" })]);
    must(await undo(plan));
    must(await undo(plan));
    expect(opsIn(mustFail(await redo(plan, made + 1)))).toEqual([made]);
    must(await redo(plan));
    must(await redo(plan));
    expect(await standing(plan, "T-1")).toBe("T-1 planned");
  });

  it("refuses when the id has been given to another node meanwhile", async () => {
    const plan = await makePlan();
    const made = must(await add(plan, [{ where: "task", input: task("T-1") }])).op ?? 0;
    must(await undo(plan));
    await addAll(plan, [task("T-1")]);
    expect(mustFail(await redo(plan, made))).toMatchObject({
      reason: "later-changes",
      details: { nodes: ["T-1"] },
    });
  });

  it("restores a node with everything that it was", async () => {
    const plan = await makePlan();
    await addAll(plan, [task("T-1", { body: "text", files: ["src/a.ts"], priority: 1, checks: [{ run: "true" }] })]);
    const { revision: _, updatedAt: __, ...before } = await plan.view("T-1");
    must(await undo(plan));
    must(await redo(plan));
    expect(await plan.view("T-1")).toMatchObject(before);
    must(await approve(plan, { references: ["T-1"] }));
    expect(await standing(plan, "T-1")).toBe("T-1 ready");
  });
});
