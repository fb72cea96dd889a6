// Accepting and resetting a task: the questions about it, and the work that its attempts left behind.

import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { leaveAttempt, parked } from "../../../test/attempts.js";
import { must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { makeApprovedPlan } from "../../../test/work.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import { undo } from "../../verbs/history/take-back.js";
import { next } from "../../verbs/task/next.js";
import { listQuestions } from "../answer/list-questions.js";
import { accept, reset } from "../claim/settle-tasks.js";

const KEPT = { kept: "refs/planwright/kept/ATT-00001" };

const attemptOf = async (plan: TestPlan, key = "ATT-00001"): Promise<Attempt | undefined> =>
  (await plan.store.read((reader) => reader.item("attempt", key)))?.fields;

const openQuestions = async (plan: TestPlan): Promise<string[]> => must(await listQuestions(plan)).map(({ id }) => id);

/** T-1 was rejected, and a person is asked about it; somebody else's question is open besides. */
async function rejected(attempt: Partial<Attempt> = KEPT): Promise<TestPlan> {
  const plan = await makeApprovedPlan([task("T-1"), task("T-2")]);
  await leaveAttempt(plan, "T-1", attempt, { patch: parked, question: {} });
  await leaveAttempt(plan, "T-2", { state: "released" }, { question: {} });
  return plan;
}

describe("reset", () => {
  it("makes the task claimable, counts from zero and takes its questions back", async () => {
    const plan = await rejected();
    const done = must(await reset(plan, { references: ["T-1"] }));
    expect(done.tasks).toMatchObject([{ id: "T-1", withdrawn: ["ESC-001"] }]);
    expect(await plan.view("T-1")).toMatchObject({ status: "ready", acceptance: null });
    expect(await openQuestions(plan)).toEqual(["ESC-002"]);
    expect(await attemptOf(plan)).toMatchObject({ state: "rejected", ...KEPT });
  });

  it("is one operation: taken back, the question is open again", async () => {
    const plan = await rejected();
    const { op } = must(await reset(plan, { references: ["T-1"] }));
    must(await undo(plan, String(op)));
    expect(await openQuestions(plan)).toEqual(["ESC-001", "ESC-002"]);
    expect((await plan.view("T-1")).status).toBe("rejected");
  });

  it("keeps work that was handed in from being integrated with what comes instead", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const handedIn = { acceptance: { state: "pending", by: "daemon:box", at: 1, reason: null } } as const;
    await leaveAttempt(plan, "T-1", { ...KEPT, state: "pending" }, { patch: handedIn });
    must(await reset(plan, { references: ["T-1"] }));
    expect(await attemptOf(plan)).toMatchObject({
      state: "rejected",
      ...KEPT,
      note: expect.stringContaining("reset") as string,
    });
  });

  it("lets a task go on that was frozen when it was rejected, but not one that a person froze", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const { nr } = (await plan.store.read((reader) => reader.byId("T-1"))) ?? { nr: 0 };
    const frozen = (by: string): object => ({ freeze: { reason: "wait", by, at: 1, from: nr, commit: null } });
    await leaveAttempt(plan, "T-1", {}, { patch: { ...parked, ...frozen("daemon:box") } });
    must(await reset(plan, { references: ["T-1"] }));
    expect((await plan.view("T-1")).status).toBe("ready");
    await leaveAttempt(plan, "T-1", {}, { patch: { ...parked, ...frozen("human:ada") } });
    must(await reset(plan, { references: ["T-1"] }));
    expect((await plan.view("T-1")).status).toBe("frozen");
  });
});

describe("accept", () => {
  it("makes it done, rolls up, and takes its questions back", async () => {
    const plan = await rejected();
    const done = must(await accept(plan, { references: ["T-1"], reason: "read it" }));
    expect(done.tasks).toMatchObject([{ id: "T-1", withdrawn: ["ESC-001"], integrates: "ATT-00001" }]);
    expect(await plan.view("T-1")).toMatchObject({
      status: "done",
      acceptance: { state: "accepted", by: "human:ada" },
    });
    expect((await plan.view("STORY-A")).progress).toEqual({ finished: 1, total: 2 });
    expect(await openQuestions(plan)).toEqual(["ESC-002"]);
  });

  it.each<[what: string, attempt: Partial<Attempt>, state: string, integrates: string | null]>([
    ["work that was rejected", KEPT, "pending", "ATT-00001"],
    ["work of an attempt that failed", { ...KEPT, state: "failed" }, "pending", "ATT-00001"],
    ["work that was handed in", { ...KEPT, state: "pending" }, "pending", "ATT-00001"],
    ["nothing, if nothing was kept", {}, "rejected", null],
    ["nothing of an attempt that is merged", { state: "accepted" }, "accepted", null],
    ["nothing of one that was lost", { ...KEPT, state: "lost" }, "lost", null],
  ])("leaves to be integrated: %s", async (_, attempt, state, integrates) => {
    const plan = await rejected(attempt);
    expect(must(await accept(plan, { references: ["T-1"], reason: "fine" })).tasks).toMatchObject([{ integrates }]);
    expect((await attemptOf(plan))?.state).toBe(state);
  });

  it("looks at the latest attempt alone", async () => {
    const plan = await rejected();
    await leaveAttempt(plan, "T-1", { number: 2 }, { patch: parked });
    expect(must(await accept(plan, { references: ["T-1"], reason: "fine" })).tasks).toMatchObject([
      { integrates: null },
    ]);
    expect((await attemptOf(plan))?.state).toBe("rejected");
  });

  it("is a person's, and changes nothing otherwise", async () => {
    const plan = await rejected();
    expect(mustFail(await ask(plan.as("daemon:box"), "accept", { references: ["T-1"], reason: "fine" })).reason).toBe(
      "needs-person",
    );
    expect(await openQuestions(plan)).toEqual(["ESC-001", "ESC-002"]);
    expect(must(await next(plan, {}))[0]?.task.id).toBe("T-2");
  });
});
