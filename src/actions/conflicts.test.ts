import { describe, expect, it } from "vitest";
import { addAll, must, mustFail, type TestPlan, task } from "../../test/plan.js";
import { finish, makeApprovedPlan, passing, standing } from "../../test/work.js";
import { type Clash, clashesWith } from "../graph/conflict.js";
import type { Node } from "../graph/node.js";
import { ok } from "../graph/result.js";
import { answer } from "./answer.js";
import { approve } from "./approve.js";
import { checkConflicts, conflicts, showConflict } from "./conflicts.js";
import { type RecordedConflict, recordConflict } from "./conflicts-record.js";
import { resolveConflict } from "./conflicts-resolve.js";
import { settleConflicts } from "./conflicts-settle.js";
import { act } from "./context.js";
import { drop } from "./drop.js";
import { escalations } from "./escalations.js";
import { freeze } from "./freeze.js";
import { next } from "./next.js";
import { release } from "./release.js";
import { start } from "./start.js";
import { thaw } from "./thaw.js";
import { undo } from "./undo.js";
import { why } from "./why.js";

const SHARED = { files: ["src/auth.ts"] };

/** T-1 and T-2 share a file; T-3 is elsewhere. */
const makeConflict = (): Promise<TestPlan> =>
  makeApprovedPlan([passing("T-1", SHARED), passing("T-2", SHARED), passing("T-3", { files: ["src/log.ts"] })]);

const nodeOf = (plan: TestPlan, id: string): Promise<Node> =>
  plan.store.read(async (reader) => (await reader.byId(id)) as Node);

/** As the engine does it: an operation of its own. */
async function record(
  plan: TestPlan,
  firstId: string,
  secondId: string,
  over: Partial<Clash> = {},
): Promise<RecordedConflict> {
  const daemon = plan.as("daemon:host");
  const committed = await act<RecordedConflict>(daemon, "conflict", async (writer, at) => {
    const [first, second] = [await writer.byId(firstId), await writer.byId(secondId)] as [Node, Node];
    const [clash] = clashesWith(second, [first]);
    const met: Clash = { layer: "files", files: ["src/auth.ts"], symbols: [], ...clash, first, second, ...over };
    const recorded = await recordConflict(writer, met, { by: daemon.actor, at, commit: null });
    return ok({ sentence: recorded.sentence, changes: recorded.changes, value: recorded });
  });
  return must(committed).value;
}

const edgesOf = async (plan: TestPlan, id: string): Promise<string[]> => {
  const { dependsOn } = await nodeOf(plan, id);
  const named = dependsOn.map(async ({ on, origin }) => {
    const target = await plan.store.read((reader) => reader.idOf(on));
    return `${target ?? "?"} ${origin}`;
  });
  return Promise.all(named);
};

/** T-1 is being worked on, and T-2 waits for it because of CONFLICT-00001. */
async function makeOpen(): Promise<{ plan: TestPlan; token: string }> {
  const plan = await makeConflict();
  const { token } = must(await start(plan, { reference: "T-1" }));
  await record(plan, "T-1", "T-2");
  return { plan, token };
}

describe("a conflict that was found (weaknesses 1.5.3)", () => {
  it("is written down with both tasks, its layer and what they share, and holds the later one back", async () => {
    const { plan } = await makeOpen();
    expect(await conflicts(plan, { open: true })).toMatchObject([
      {
        id: "CONFLICT-00001",
        layer: "files",
        state: "open",
        first: "T-1",
        second: "T-2",
        files: ["src/auth.ts"],
        arbitration: "serialise",
        resolution: null,
        detectedBy: "daemon:host",
      },
    ]);
    expect(await edgesOf(plan, "T-2")).toEqual(["T-1 conflict"]);
    expect((await plan.view("T-2")).status).toBe("blocked");
    expect(must(await next(plan, {})).map(({ task: { id } }) => id)).toEqual(["T-3"]);
  });

  it("is explained by why, down to who is at work", async () => {
    const { plan } = await makeOpen();
    const { reason, because, chain, unblock } = must(await why(plan.as("human:bob"), "T-2"));
    expect([reason, because]).toEqual(["conflict", ["T-1"]]);
    expect(chain.map(({ id, sentences }) => [id, sentences[0]])).toEqual([
      ["T-2", "T-2 goes after T-1, which touches src/auth.ts too (CONFLICT-00001)."],
      ["T-1", expect.stringContaining("human:ada is working on T-1")],
    ]);
    expect(unblock).toEqual(["planwright status T-1"]);
  });

  it("leaves the approval as it is: a conflict only delays", async () => {
    const { plan } = await makeOpen();
    expect((await nodeOf(plan, "T-2")).approval?.hash).toBe((await nodeOf(plan, "T-2")).hash);
  });

  it("is written down once, and again only when somebody took its edge away", async () => {
    const { plan } = await makeOpen();
    expect(await record(plan, "T-1", "T-2")).toMatchObject({ key: "CONFLICT-00001", changes: [] });
    expect(await record(plan, "T-2", "T-1")).toMatchObject({ key: "CONFLICT-00001", changes: [] });
    const cut = await act(plan, "unlink", async (writer) => {
      const node = (await writer.byId("T-2")) as Node;
      const change = {
        entity: "node",
        key: node.nr,
        before: { dependsOn: node.dependsOn },
        after: { dependsOn: [] },
      } as const;
      return ok({ sentence: "cut", changes: [change], value: null });
    });
    must(cut);
    expect(await record(plan, "T-1", "T-2")).toMatchObject({ key: "CONFLICT-00001" });
    expect(await edgesOf(plan, "T-2")).toEqual(["T-1 conflict"]);
    expect(must(await showConflict(plan, "conflict-1")).steps).toHaveLength(2);
  });

  it("can be taken back", async () => {
    const { plan } = await makeOpen();
    must(await undo(plan));
    expect([await conflicts(plan, { open: false }), await edgesOf(plan, "T-2")]).toEqual([[], []]);
    expect((await plan.view("T-2")).status).toBe("ready");
  });

  it("settles by itself when the first one is done, and says how", async () => {
    const plan = await makeConflict();
    const { token } = must(await start(plan, { reference: "T-1" }));
    await record(plan, "T-1", "T-2");
    expect(await settleConflicts(plan)).toEqual([]);
    must(await release(plan, { reference: "T-1", token }));
    await finish(plan, "T-1");
    expect(await standing(plan, "T-2")).toBe("T-2 ready");
    expect(await settleConflicts(plan.as("daemon:host"))).toEqual(["CONFLICT-00001"]);
    expect(must(await showConflict(plan, "CONFLICT-00001"))).toMatchObject({
      state: "settled",
      resolution: "T-1 is done",
      settledBy: "daemon:host",
    });
    const [latest] = await plan.store.read((reader) => reader.operations({ limit: 1 }));
    expect(latest).toMatchObject({ verb: "conflict", sentence: "CONFLICT-00001 is settled: T-1 is done" });
  });

  it("lets the later one go when the first is given up or stopped", async () => {
    for (const stop of [
      (plan: TestPlan) => drop(plan, { reference: "T-1", reason: "no" }),
      (plan: TestPlan) => freeze(plan, { references: ["T-1"] }),
    ]) {
      const { plan } = await makeOpen();
      must<unknown>(await stop(plan));
      expect(await settleConflicts(plan)).toEqual(["CONFLICT-00001"]);
      expect([await edgesOf(plan, "T-2"), await standing(plan, "T-2")]).toEqual([[], "T-2 ready"]);
    }
  });

  it("across features waits until the other has landed", async () => {
    const plan = await makeConflict();
    await addAll(plan, [
      { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" },
      { ...passing("B-1", SHARED), parent: "FEAT-B" },
    ]);
    must(await approve(plan, { references: ["FEAT-B"] }));
    await record(plan, "T-1", "B-1");
    await finish(plan, "T-1");
    expect(await settleConflicts(plan)).toEqual([]);
    expect((await plan.view("B-1")).status).toBe("blocked");
  });
});

describe("arbitration", () => {
  it("orders two that have not begun", async () => {
    const plan = await makeConflict();
    expect(await record(plan, "T-1", "T-2")).toMatchObject({ arbitration: "reorder" });
  });

  it("stops the later one where an order would close a circle, and lets it go on when the first is done", async () => {
    const plan = await makeApprovedPlan([passing("T-2", SHARED), passing("T-1", { ...SHARED, dependsOn: ["T-2"] })]);
    expect(await record(plan, "T-1", "T-2")).toMatchObject({ arbitration: "freeze" });
    const { freeze: frozen } = await nodeOf(plan, "T-2");
    expect(frozen?.reason).toBe("CONFLICT-00001: it meets T-1 in src/auth.ts");
    expect(await settleConflicts(plan)).toEqual([]);
    must(await drop(plan, { reference: "T-1", reason: "no" }));
    expect(await settleConflicts(plan)).toEqual(["CONFLICT-00001"]);
    expect(await standing(plan, "T-2")).toBe("T-2 ready");
  });

  it("stops it where the landings of two features would wait for each other", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1", SHARED),
      { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" },
      { ...passing("B-1", SHARED), parent: "FEAT-B" },
      { ...passing("B-2"), parent: "FEAT-B" },
      passing("T-2", { dependsOn: ["B-2"] }),
    ]);
    expect(await record(plan, "T-1", "B-1")).toMatchObject({ arbitration: "freeze" });
  });

  it("asks a person when the same two meet again and again (cycle guard)", async () => {
    const plan = await makeApprovedPlan([passing("T-1", SHARED), passing("T-2", SHARED)]);
    await finish(plan, "T-1");
    const merge = { layer: "merge" } as const;
    for (let i = 0; i < 3; i++)
      expect(await record(plan, "T-1", "T-2", merge)).toMatchObject({ arbitration: "serialise" });
    expect(await standing(plan, "T-2")).toBe("T-2 ready");
    expect(await record(plan, "T-1", "T-2", merge)).toMatchObject({ arbitration: "escalate", key: "CONFLICT-00004" });
    const asked = must(await escalations(plan, {}));
    expect(asked).toMatchObject([{ id: "ESC-001", kind: "conflict", blocks: ["T-2"], recommended: "sequential" }]);
    expect(await standing(plan, "T-2")).toBe("T-2 frozen");
    must(await answer(plan, { id: "ESC-001", option: "sequential" }));
    expect(await standing(plan, "T-2")).toBe("T-2 ready");
    expect(must(await showConflict(plan, "CONFLICT-00004"))).toMatchObject({
      state: "settled",
      resolution: "sequential",
    });
    expect(must(await undo(plan)).sentence).toContain("answered ESC-001");
    expect(await standing(plan, "T-2")).toBe("T-2 frozen");
  });

  it("is not asked for what is done and elsewhere", async () => {
    const plan = await makeConflict();
    await finish(plan, "T-1");
    expect(await record(plan, "T-1", "T-2")).toMatchObject({ arbitration: "none", key: null, changes: [] });
  });
});

describe("resolve (AF14)", () => {
  it("knows its choices and its conflicts", async () => {
    const { plan } = await makeOpen();
    const call = (id: string, choice: string) => resolveConflict(plan, { id, choice });
    expect(mustFail(await call("CONFLICT-9", "sequential"))).toMatchObject({ kind: "absent", reason: "not-found" });
    expect(mustFail(await call("nonsense", "sequential"))).toMatchObject({ kind: "absent" });
    expect(mustFail(await call("CONFLICT-1", "coin-toss"))).toMatchObject({ kind: "usage", reason: "unknown-choice" });
    expect(
      mustFail(await resolveConflict(plan.as("agent:bot"), { id: "CONFLICT-1", choice: "sequential" })),
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
    expect(must(await showConflict(plan, "CONFLICT-1"))).toMatchObject({ state: "open", first: "T-1", second: "T-2" });
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
    must(await release(plan, { reference: "T-1", token }));
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
    expect(must(await showConflict(plan, "CONFLICT-1")).state).toBe("open");
  });

  it("freeze-both: both stop, and it stays open until somebody decides", async () => {
    const { plan } = await makeOpen();
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "freeze-both" }));
    expect(await standing(plan, "T-1", "T-2")).toBe("T-1 frozen, T-2 frozen");
    expect(await settleConflicts(plan)).toEqual([]);
    const again = must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "freeze-both" }));
    expect(again).toMatchObject({ state: "open", effect: "both are stopped already" });
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
    expect(must(await escalations(plan, {}))).toEqual([]);
    expect(await standing(plan, "T-2")).toBe("T-2 planned");
  });

  it("is written down with everything that was decided, and who decided it", async () => {
    const { plan } = await makeOpen();
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "freeze-both" }));
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "sequential" }));
    const { steps } = must(await showConflict(plan, "CONFLICT-1"));
    expect(steps.map(({ by, what }) => `${by} ${what}`)).toEqual([
      "daemon:host serialise: somebody works on the first one, and the other waits until it is done",
      "human:ada freeze-both: T-1 and T-2 stopped until somebody decides",
      "human:ada settled: sequential",
    ]);
  });
});

describe("thaw (AF8)", () => {
  const makeFrozen = async (): Promise<TestPlan> => {
    const { plan } = await makeOpen();
    must(await resolveConflict(plan, { id: "CONFLICT-1", choice: "freeze-both" }));
    return plan;
  };

  it("is refused while the conflict behind the freeze is open, unless it is forced", async () => {
    const plan = await makeFrozen();
    const refusal = mustFail(await thaw(plan, { reference: "T-2" }));
    expect(refusal).toMatchObject({
      kind: "refused",
      reason: "conflict-open",
      details: { conflict: "CONFLICT-00001" },
    });
    must(await thaw(plan, { reference: "T-2", force: true }));
    expect(must(await showConflict(plan, "CONFLICT-1"))).toMatchObject({
      state: "settled",
      resolution: "human:ada let it go",
    });
    must(await thaw(plan, { reference: "T-1" }));
    expect(await standing(plan, "T-1")).toBe("T-1 ready");
  });

  it("is allowed where the reason only looks like one", async () => {
    const plan = await makeConflict();
    must(await freeze(plan, { references: ["T-1"], reason: "CONFLICT-00099: of interest" }));
    expect(must(await thaw(plan, { reference: "T-1" })).thawed).toEqual(["T-1"]);
  });

  it("can give up what is frozen without deciding first", async () => {
    const plan = await makeFrozen();
    must(await thaw(plan, { reference: "T-2", drop: true }));
    expect(await conflicts(plan, { open: true })).toEqual([]);
  });
});

describe("check", () => {
  it("finds what would meet, without writing anything", async () => {
    const plan = await makeConflict();
    must(await start(plan, { reference: "T-1" }));
    const found = must(await checkConflicts(plan, []));
    expect(found).toEqual({
      checked: ["T-1", "T-2", "T-3"],
      found: [{ layer: "files", first: "T-1", second: "T-2", files: ["src/auth.ts"], symbols: [], inFlight: true }],
      unknown: [],
    });
    expect(await conflicts(plan, { open: false })).toEqual([]);
    expect(must(await checkConflicts(plan, ["T-3"])).found).toEqual([]);
  });

  it("goes by symbols where both name them, and says of whom nothing is known", async () => {
    const symbols = (...names: string[]) => ({ files: ["src/a.ts"], symbols: names });
    const plan = await makeApprovedPlan([
      task("T-1", symbols("src/a.ts#login")),
      task("T-2", symbols("src/a.ts#logout")),
      task("T-3", symbols("src/a.ts#login")),
      task("T-4"),
    ]);
    expect(must(await checkConflicts(plan, []))).toMatchObject({
      found: [{ layer: "symbols", first: "T-1", second: "T-3", symbols: ["src/a.ts#login"] }],
      unknown: ["T-4"],
    });
  });

  it("looks at named tasks and at what is in a container, and leaves out what has an order already", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1", SHARED),
      passing("T-2", { ...SHARED, dependsOn: ["T-1"] }),
      passing("T-3", { ...SHARED, dependsOn: ["T-1"] }),
    ]);
    const { checked, found } = must(await checkConflicts(plan, ["STORY-A"]));
    expect(checked).toEqual(["T-1", "T-2", "T-3"]);
    expect(found.map(({ first, second }) => [first, second])).toEqual([["T-2", "T-3"]]);
    expect(mustFail(await checkConflicts(plan, ["T-9"]))).toMatchObject({ kind: "absent" });
  });

  it("does not try to hold thousands against each other", async () => {
    const many = Array.from({ length: 1_001 }, (_, i) => task(`M-${i}`));
    const plan = await makeApprovedPlan(many);
    expect(mustFail(await checkConflicts(plan, ["STORY-A"]))).toMatchObject({ kind: "refused", reason: "too-many" });
  });
});
