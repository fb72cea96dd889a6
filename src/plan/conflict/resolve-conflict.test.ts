import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { edgesOf, makeConflict, makeOpen, record, SHARED } from "../../../test/conflict.js";
import { must, mustFail, type TestPlan } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing, standing } from "../../../test/work.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { thaw } from "../../verbs/branch/thaw.js";
import { releaseClaim } from "../../verbs/claim/release.js";
import { listConflicts } from "../../verbs/conflict/list.js";
import { showConflict } from "../../verbs/conflict/show.js";
import { undo } from "../../verbs/history/take-back.js";
import { listQuestions } from "../answer/list-questions.js";
import { start } from "../claim/start.js";
import { resolveConflict, settleConflicts } from "./resolve-conflict.js";

describe("resolve", () => {
  it("knows its choices and its conflicts", async () => {
    const { plan } = await makeOpen();
    const call = (id: string, choice: string) => ask(plan, "conflicts.resolve", { id, choice: choice as "sequential" });
    expect(mustFail(await call("CONFLICT-9", "sequential"))).toMatchObject({ kind: "absent", reason: "not-found" });
    expect(mustFail(await call("nonsense", "sequential"))).toMatchObject({ kind: "absent" });
    expect(mustFail(await call("CONFLICT-1", "coin-toss"))).toMatchObject({
      kind: "usage",
      reason: "invalid-input",
      message: expect.stringContaining("choice must be one of accept-proposed") as string,
    });
    expect(
      mustFail(await ask(plan.as("agent:bot"), "conflicts.resolve", { id: "CONFLICT-1", choice: "sequential" })),
    ).toMatchObject({
      reason: "needs-person",
    });
    must(await call("CONFLICT-1", "sequential"));
    expect(mustFail(await call("CONFLICT-1", "sequential"))).toMatchObject({ kind: "refused", reason: "settled" });
  });

  it("accept-proposed: the other waits, and a person looks at it again", async () => {
    const plan = await makeConflict();
    await record(plan, "T-1", "T-2");
    const done = must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "accept-proposed" }));
    expect(done).toMatchObject({ state: "settled", effect: "T-1 waits for T-2, and has to be approved again" });
    expect([await edgesOf(plan, "T-1"), await edgesOf(plan, "T-2")]).toEqual([["T-2 conflict"], []]);
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 planned, T-2 ready");
    must(await undo(plan));
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 ready, T-2 blocked");
    expect(must(await showConflict(plan, { id: "CONFLICT-1" }))).toMatchObject({
      state: "open",
      first: "T-1",
      second: "T-2",
    });
  });

  it("accept-blocker: the proposed one waits, and a person looks at it again", async () => {
    const { plan } = await makeOpen();
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "accept-blocker" }));
    expect(await edgesOf(plan, "T-2")).toEqual(["T-1 conflict"]);
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 in_progress, T-2 planned");
  });

  it("leaves alone who is at work, and what is done", async () => {
    const { plan, token } = await makeOpen();
    const choose = () => resolveConflict(plan, { id: "CONFLICT-1", choice: "accept-proposed" });
    expect(mustFail(await choose())).toMatchObject({ kind: "refused", reason: "in-flight" });
    must(await releaseClaim(plan, { reference: "T-1", token }));
    await finish(plan, "T-1");
    expect(mustFail(await choose())).toMatchObject({ kind: "refused", reason: "settled" });
  });

  it("sequential: one after the other, both as they are; an order that is there already stays", async () => {
    const { plan } = await makeOpen();
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "sequential" }));
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 in_progress, T-2 blocked");
    const other = await makeApprovedPlan([passing("T-2", SHARED), passing("T-1", { ...SHARED, dependsOn: ["T-2"] })]);
    await record(other, "T-1", "T-2");
    const done = must(await resolveConflict(other, { id: "CONFLICT-1", choice: "sequential" }));
    expect(done.effect).toBe("T-1 waits for T-2 already");
    expect(await standing(other, "T-1", "T-2")).toBe("T-1 blocked, T-2 ready");
  });

  it("is refused where the order would close a circle, and nothing changes", async () => {
    const plan = await makeApprovedPlan([passing("T-2", SHARED), passing("T-1", { ...SHARED, dependsOn: ["T-2"] })]);
    await record(plan, "T-1", "T-2");
    const refusal = mustFail(await resolveConflict(plan, { id: "CONFLICT-1", choice: "accept-blocker" }));
    expect(refusal).toMatchObject({ kind: "invariant", message: expect.stringContaining("cycle") });
    expect(await standing(plan, "T-2")).toBe("T-2 frozen");
    expect(must(await showConflict(plan, { id: "CONFLICT-1" })).state).toBe("open");
  });

  it("freeze-both: both stop, and it stays open until somebody decides", async () => {
    const { plan } = await makeOpen();
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "freeze-both" }));
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 frozen, T-2 frozen");
    expect(await settleConflicts(plan)).toEqual([]);
    const again = must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "freeze-both" }));
    expect(again).toMatchObject({ state: "open", effect: "both are frozen already" });
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "sequential" }));
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 ready, T-2 blocked");
  });

  it("escalate: a question is open, once", async () => {
    const { plan } = await makeOpen();
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "escalate" }));
    const again = must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "escalate" }));
    expect(again.effect).toBe("the question is open already");
    expect(await standing(plan, "T-2")).toBe("T-2 frozen");
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "accept-blocker" }));
    expect(must(await listQuestions(plan, {}))).toEqual([]);
    expect(await standing(plan, "T-2")).toBe("T-2 planned");
  });

  it("escalate: work in progress does not go on while the question is open", async () => {
    const taken = await makeConflict();
    must(await start(taken, { reference: "T-2" }));
    await record(taken, "T-1", "T-2");
    const { effect } = must(await resolveConflict(taken, { id: "CONFLICT-1", choice: "escalate" }));
    expect(effect).toBe("a question is open, and T-2 is stopped");
    expect(await taken.view("T-2")).toMatchObject({ status: "frozen", claim: null });
  });

  it("is written down with everything that was decided, and who decided it", async () => {
    const { plan } = await makeOpen();
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "freeze-both" }));
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "sequential" }));
    const { steps } = must(await showConflict(plan, { id: "CONFLICT-1" }));
    expect(steps.map(({ by, what }) => `${by} ${what}`)).toEqual([
      "daemon:host serialise: the first task is in progress, and the other waits until it is done",
      "human:ada freeze-both: T-1 and T-2 are frozen until you decide",
      "human:ada settled: sequential",
    ]);
  });
});

describe("thaw", () => {
  const makeFrozen = async (): Promise<TestPlan> => {
    const { plan } = await makeOpen();
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "freeze-both" }));
    return plan;
  };

  it("is refused while the conflict behind the freeze is open, unless it is forced", async () => {
    const plan = await makeFrozen();
    const refusal = mustFail(await thaw(plan, { references: ["T-2"] }));
    expect(refusal).toMatchObject({
      kind: "refused",
      reason: "conflict-open",
      details: { conflict: "CONFLICT-00001" },
    });
    must(await thaw(plan, { references: ["T-2"], force: true }));
    expect(must(await showConflict(plan, { id: "CONFLICT-1" }))).toMatchObject({
      state: "settled",
      resolution: "human:ada thawed it by force",
    });
    must(await thaw(plan, { references: ["T-1"] }));
    expect(await standing(plan, "T-1")).toBe("T-1 ready");
  });

  it("is allowed where the reason only looks like one", async () => {
    const plan = await makeConflict();
    must(await freeze(plan, { references: ["T-1"], reason: "CONFLICT-00099: of interest" }));
    expect(must(await thaw(plan, { references: ["T-1"] })).thawed).toEqual(["T-1"]);
  });

  it("can give up what is frozen without deciding first", async () => {
    const plan = await makeFrozen();
    must(await thaw(plan, { references: ["T-2"], drop: true }));
    expect(must(await listConflicts(plan, { open: true }))).toEqual([]);
  });
});
