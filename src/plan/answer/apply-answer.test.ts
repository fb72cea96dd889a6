// Answers about tasks are carried out in the operation that records them.

import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { leaveAttempt, parked } from "../../../test/attempts.js";
import { lint } from "../../../test/lint.js";
import { addAll, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { makeApprovedPlan, standing } from "../../../test/work.js";
import type { SplitDraft } from "../../model/attempt/attempt.js";
import { undo } from "../../verbs/history/take-back.js";
import { verifyPlan } from "../../verbs/history/verify.js";
import { addRecord } from "../../verbs/record/add.js";
import { start } from "../claim/start.js";
import { approve } from "../node/approve.js";
import type { NewQuestion } from "../question/raise.js";
import { answer } from "./answer.js";
import { listQuestions } from "./list-questions.js";

const option = (id: string): { id: string; label: string; detail: string } => ({ id, label: `Do ${id}`, detail: "" });

const ABOUT_FAILURE: Partial<NewQuestion> = { options: ["reset", "accept", "replan", "drop"].map(option) };
const ABOUT_SPLIT: Partial<NewQuestion> = { kind: "split", options: ["split", "linear"].map(option) };

/** T-1 was rejected; T-2 depends on it. */
async function rejected(): Promise<TestPlan> {
  const plan = await makeApprovedPlan([task("T-1"), task("T-2", { dependsOn: ["T-1"] })]);
  await leaveAttempt(
    plan,
    "T-1",
    { kept: "refs/planwright/kept/ATT-00001" },
    { patch: parked, question: ABOUT_FAILURE },
  );
  return plan;
}

const states = async (plan: TestPlan): Promise<string> =>
  must(await listQuestions(plan, { all: true }))
    .map(({ id, state }) => `${id} ${state}`)
    .join(", ");

/** Answers, and takes the answer back: everything is as it was. */
async function isUndone(plan: TestPlan, chosen: string, note?: string): Promise<void> {
  const before = [await standing(plan, "T-1", "T-2"), await states(plan)];
  const { op } = must(await answer(plan, { id: "ESC-001", option: chosen, ...(note === undefined ? {} : { note }) }));
  must(await undo(plan, String(op)));
  expect([await standing(plan, "T-1", "T-2"), await states(plan)]).toEqual(before);
  expect(must(await verifyPlan(plan)).differences).toEqual([]);
}

describe("an answer about a task that was rejected", () => {
  it("reset puts it back into the queue, and takes other questions about it back", async () => {
    const plan = await rejected();
    await isUndone(plan, "reset");
    await leaveAttempt(plan, "T-1", {}, { question: { question: "And this?" } });
    const given = must(await answer(plan, { id: "ESC-001", option: "reset" }));
    expect(given).toMatchObject({ did: "T-1 is open again", next: [] });
    expect(await standing(plan, "T-1")).toBe("T-1 ready");
    expect(await states(plan)).toBe("ESC-001 answered, ESC-002 withdrawn");
  });

  it("accept needs a reason, and is recorded as an override", async () => {
    const plan = await rejected();
    expect(mustFail(await answer(plan, { id: "ESC-001", option: "accept" }))).toMatchObject({
      kind: "refused",
      reason: "needs-reason",
      next: [{ operation: "question.answer", input: { id: "ESC-001", option: "accept" }, needs: ["note"] }],
    });
    expect(await states(plan)).toBe("ESC-001 open");
    await isUndone(plan, "accept", "read it");
    const given = must(await answer(plan, { id: "ESC-001", option: "accept", note: "read it" }));
    expect(given).toMatchObject({
      did: expect.stringContaining("ATT-00001") as string,
      next: [{ operation: "run", input: {} }],
    });
    expect(await plan.view("T-1")).toMatchObject({
      status: "done",
      acceptance: { by: "human:ada", reason: "read it" },
    });
    expect(await plan.store.read((reader) => reader.item("attempt", "ATT-00001"))).toMatchObject({
      fields: { state: "pending" },
    });
  });

  it("accept with nothing kept leaves nothing to integrate", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    await leaveAttempt(plan, "T-1", {}, { patch: parked, question: ABOUT_FAILURE });
    expect(must(await answer(plan, { id: "ESC-001", option: "accept", note: "fine" }))).toMatchObject({
      did: "T-1 is done: accepted",
      next: [],
    });
  });

  it("drop drops it, with the note as its reason", async () => {
    const plan = await rejected();
    await isUndone(plan, "drop");
    must(await answer(plan, { id: "ESC-001", option: "drop", note: "not needed" }));
    expect(await plan.view("T-1")).toMatchObject({ status: "dropped", outcome: { reason: "not needed" } });
  });

  it("replan changes nothing yet, and says what to type", async () => {
    const plan = await rejected();
    const given = must(await answer(plan, { id: "ESC-001", option: "replan" }));
    expect(given).toMatchObject({
      did: expect.stringContaining("STORY-A") as string,
      next: [{ operation: "replan", input: { reference: "STORY-A" }, needs: ["reason"] }],
    });
    expect(await standing(plan, "T-1")).toBe("T-1 rejected");
  });

  it("is refused with everything as it was if the task has gone on meanwhile", async () => {
    const plan = await rejected();
    await leaveAttempt(plan, "T-1", {}, { patch: { acceptance: null } });
    must(await start(plan, { reference: "T-1" }));
    expect(mustFail(await answer(plan, { id: "ESC-001", option: "reset" })).reason).toBe("in-flight");
    expect(await states(plan)).toBe("ESC-001 open");
  });

  it("is a person's alone", async () => {
    const plan = await rejected();
    for (const actor of ["agent:bot", "daemon:box"]) {
      expect(mustFail(await ask(plan.as(actor), "question.answer", { id: "ESC-001", option: "reset" })).reason).toBe(
        "needs-person",
      );
    }
  });

  it("leaves questions of others alone, whatever their options are called", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    const asked = { ...ABOUT_FAILURE, kind: "question" as const };
    await leaveAttempt(plan, "T-1", {}, { patch: parked, question: asked });
    expect(must(await answer(plan, { id: "ESC-001", option: "drop" })).did).toBeNull();
    await leaveAttempt(plan, "T-1", {}, { question: { ...ABOUT_FAILURE, owner: "FEAT-A", question: "Whole?" } });
    expect(must(await answer(plan, { id: "ESC-002", option: "drop" })).did).toBeNull();
    expect(await standing(plan, "T-1", "FEAT-A")).toBe("T-1 rejected, FEAT-A blocked");
  });
});

const DRAFT: SplitDraft = {
  why: "two halves",
  parts: [
    { title: "Left", body: "l", files: ["l.ts"], profile: null, after: [], checks: [{ run: "true" }] },
    { title: "Right", body: "r", files: ["r.ts"], profile: null, after: [], checks: [] },
    { title: "Join", body: "j", files: ["l.ts", "r.ts"], profile: null, after: [0, 1], checks: [{ run: "true" }] },
  ],
};

/** T-1, after T-0 and before T-2, was found too big. */
async function tooBig(draft: SplitDraft = DRAFT): Promise<TestPlan> {
  const plan = await makeApprovedPlan([
    task("T-0"),
    task("T-1", { dependsOn: ["T-0"], checks: [{ run: "make" }], estimateHours: 6 }),
    task("T-2", { dependsOn: ["T-1"] }),
  ]);
  const { nr } = (await plan.store.read((reader) => reader.byId("T-1"))) ?? { nr: 0 };
  const freeze = { reason: "a split was proposed", by: "daemon:box", at: 1, from: nr, commit: null };
  await leaveAttempt(plan, "T-1", { state: "released", split: draft }, { patch: { freeze }, question: ABOUT_SPLIT });
  await leaveAttempt(plan, "T-1", { state: "lost" });
  return plan;
}

describe("an answer about a split", () => {
  it("split makes the parts and a review of them, approved, in the place of the task", async () => {
    const plan = await tooBig();
    const [asked] = must(await listQuestions(plan));
    expect(asked?.split?.parts).toHaveLength(3);
    expect(asked?.next.map(({ input }) => input)).toEqual([
      { id: "ESC-001", option: "split" },
      { id: "ESC-001", option: "linear" },
    ]);
    const given = must(await answer(plan, { id: "ESC-001", option: "split" }));
    expect(given.did).toContain("T-1 is split into TASK-00001, TASK-00002, TASK-00003, TASK-00004");
    expect(given.did).toContain("TASK-00002 without a check");
    expect(await plan.view("T-1")).toMatchObject({
      status: "dropped",
      freeze: null,
      outcome: { by: "human:ada", reason: "split into TASK-00001, TASK-00002, TASK-00003, TASK-00004" },
    });
    expect(await plan.view("TASK-00001")).toMatchObject({
      title: "Left",
      parent: "STORY-A",
      dependsOn: ["T-0"],
      estimateHours: 2,
      approval: { by: "human:ada", stale: false },
      status: "blocked",
    });
    expect((await plan.view("TASK-00003")).dependsOn).toEqual(["TASK-00001", "TASK-00002"]);
    expect(await plan.view("TASK-00004")).toMatchObject({
      kind: "review",
      dependsOn: ["TASK-00001", "TASK-00002", "TASK-00003"],
      checks: [{ run: "make" }],
      approval: { stale: false },
    });
    expect(await plan.view("T-2")).toMatchObject({ dependsOn: ["TASK-00004"], approval: { stale: false } });
    expect(must(await lint(plan)).problems).toEqual([]);
    expect(must(await verifyPlan(plan)).differences).toEqual([]);
  });

  it("is undone as one operation", async () => {
    const plan = await tooBig();
    await isUndone(plan, "split");
    expect(await plan.view("T-2")).toMatchObject({ dependsOn: ["T-1"], approval: { stale: false } });
    await isUndone(plan, "linear");
  });

  it("approves nothing that waited unapproved, and leaves settled ones alone", async () => {
    const plan = await tooBig();
    await addAll(plan, [task("T-3", { dependsOn: ["T-1"] })]);
    must(await answer(plan, { id: "ESC-001", option: "split" }));
    expect(await plan.view("T-3")).toMatchObject({ dependsOn: ["TASK-00004"], approval: null });
  });

  it("refuses a bad draft, says what is wrong, and changes nothing", async () => {
    const [left, right] = DRAFT.parts as [SplitDraft["parts"][0], SplitDraft["parts"][0]];
    const plan = await tooBig({ why: "", parts: [left, { ...right, files: ["l.ts"] }] });
    const refusal = mustFail(await answer(plan, { id: "ESC-001", option: "split" }));
    expect(refusal).toMatchObject({ kind: "refused", reason: "bad-split" });
    expect(refusal.message).toContain("Parts 1 and 2 could run together, but both touch l.ts.");
    expect(await standing(plan, "T-1")).toBe("T-1 frozen");
    expect(await states(plan)).toBe("ESC-001 open");
  });

  it("holds the parts to the records, as every approval", async () => {
    const plan = await tooBig();
    const rule = { kind: "constraint" as const, title: "Hands off r", forbidFiles: ["r.ts"] };
    const made = must(await addRecord(plan, rule));
    const { approveRecords } = await import("../../verbs/record/approve.js");
    await approveRecords(plan, { ids: [made.id] });
    expect(mustFail(await answer(plan, { id: "ESC-001", option: "split" })).reason).toBe("contradicts-record");
  });

  it("needs a draft, and a task that nobody works on", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    await leaveAttempt(plan, "T-1", {}, { question: ABOUT_SPLIT });
    expect(mustFail(await answer(plan, { id: "ESC-001", option: "split" })).reason).toBe("no-draft");
    must(await start(plan, { reference: "T-1" }));
    expect(mustFail(await answer(plan, { id: "ESC-001", option: "split" })).reason).toBe("in-flight");
  });

  it("linear lets it go on in one piece", async () => {
    const plan = await tooBig();
    expect(must(await answer(plan, { id: "ESC-001", option: "linear" })).did).toBe("T-1 will be done in one piece");
    expect(await plan.view("T-1")).toMatchObject({ freeze: null, status: "blocked" });
    must(await approve(plan, { references: ["T-1"] }));
  });
});
