import { describe, expect, it } from "vitest";
import { edgesOf, makeConflict, makeOpen, nodeOf, record, SHARED } from "../../../test/conflict.js";
import { addAll, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { spelled } from "../../../test/spelled.js";
import { finish, makeApprovedPlan, passing, standing } from "../../../test/work.js";
import type { Node } from "../../model/node/node.js";
import { ok } from "../../model/result.js";
import { answer } from "../../plan/answer/answer.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { act } from "../../plan/base/context.js";
import { start } from "../../plan/claim/start.js";
import { settleConflicts } from "../../plan/conflict/resolve-conflict.js";
import { approve } from "../../plan/node/approve.js";
import { drop } from "../branch/drop.js";
import { freeze } from "../branch/freeze.js";
import { releaseClaim } from "../claim/release.js";
import { undo } from "../history/take-back.js";
import { why } from "../look/why-node.js";
import { next } from "../task/next.js";
import { checkConflicts } from "./check.js";
import { listConflicts } from "./list.js";
import { showConflict } from "./show.js";

describe("a conflict that was found (weaknesses 1.5.3)", () => {
  it("is written down with both tasks, its layer and what they share, and holds the later one back", async () => {
    const { plan } = await makeOpen();
    expect(must(await listConflicts(plan, { open: true }))).toMatchObject([
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
    const { reason, because, chain, next } = must(await why(plan.as("human:bob"), "T-2"));
    expect([reason, because]).toEqual(["conflict", ["T-1"]]);
    expect(chain.map(({ id, sentences }) => [id, sentences[0]])).toEqual([
      ["T-2", "T-2 goes after T-1, which touches src/auth.ts too (CONFLICT-00001)."],
      ["T-1", expect.stringContaining("human:ada is working on T-1")],
    ]);
    expect(spelled({ next })).toEqual(["planwright show T-1"]);
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
    expect(must(await showConflict(plan, { id: "conflict-1" })).steps).toHaveLength(2);
  });

  it("can be taken back", async () => {
    const { plan } = await makeOpen();
    must(await undo(plan, "T-2"));
    expect([must(await listConflicts(plan)), await edgesOf(plan, "T-2")]).toEqual([[], []]);
    // T-1 is still in progress on the same files.
    expect(await plan.view("T-2")).toMatchObject({ status: "blocked", reason: "conflict", because: ["T-1"] });
    must(await releaseClaim(plan, { reference: "T-1" }));
    expect((await plan.view("T-2")).status).toBe("ready");
  });

  it("settles by itself when the first one is done, and says how", async () => {
    const plan = await makeConflict();
    const { token } = must(await start(plan, { reference: "T-1" }));
    await record(plan, "T-1", "T-2");
    expect(await settleConflicts(plan)).toEqual([]);
    must(await releaseClaim(plan, { reference: "T-1", token }));
    await finish(plan, "T-1");
    expect(await standing(plan, "T-2")).toBe("T-2 ready");
    expect(await settleConflicts(plan.as("daemon:host"))).toEqual(["CONFLICT-00001"]);
    expect(must(await showConflict(plan, { id: "CONFLICT-00001" }))).toMatchObject({
      state: "settled",
      resolution: "T-1 is done",
      settledBy: "daemon:host",
    });
    const [latest] = await plan.store.read((reader) => reader.operations({ limit: 1 }));
    expect(latest).toMatchObject({ verb: "conflict", sentence: "CONFLICT-00001 is settled: T-1 is done" });
  });

  it("lets the later one go when the first is given up or stopped", async () => {
    for (const stop of [
      (plan: TestPlan) => drop(plan, { references: ["T-1"], reason: "no" }),
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
    expect(frozen?.reason).toBe("CONFLICT-00001: it overlaps with T-1 in src/auth.ts");
    expect(await settleConflicts(plan)).toEqual([]);
    must(await drop(plan, { references: ["T-1"], reason: "no" }));
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
    const asked = must(await listQuestions(plan, {}));
    expect(asked).toMatchObject([{ id: "ESC-001", kind: "conflict", blocks: ["T-2"], recommended: "sequential" }]);
    expect(await standing(plan, "T-2")).toBe("T-2 frozen");
    must(await answer(plan, { id: "ESC-001", option: "sequential" }));
    expect(await standing(plan, "T-2")).toBe("T-2 ready");
    expect(must(await showConflict(plan, { id: "CONFLICT-00004" }))).toMatchObject({
      state: "settled",
      resolution: "sequential",
    });
    expect(must(await undo(plan)).sentence).toContain("answered ESC-001");
    expect(await standing(plan, "T-2")).toBe("T-2 frozen");
  });

  it("asks one question for one cause, however many tasks meet in the same files", async () => {
    const plan = await makeApprovedPlan(["T-1", "T-2", "T-3", "T-4"].map((id) => passing(id, SHARED)));
    await finish(plan, "T-1");
    const merge = { layer: "merge" } as const;
    for (const second of ["T-2", "T-3", "T-4"]) {
      for (let i = 0; i < 3; i++) await record(plan, "T-1", second, merge);
    }
    expect(await record(plan, "T-1", "T-2", merge)).toMatchObject({ arbitration: "escalate" });
    for (const second of ["T-3", "T-4"]) {
      expect(await record(plan, "T-1", second, merge)).toMatchObject({
        arbitration: "serialise",
        why: "you are asked about T-2 and the same files already",
      });
    }
    expect(must(await listQuestions(plan, {}))).toMatchObject([{ id: "ESC-001", blocks: ["T-2"] }]);
    expect(await settleConflicts(plan)).toEqual([]);
    expect([await standing(plan, "T-2"), await standing(plan, "T-3")]).toEqual(["T-2 frozen", "T-3 blocked"]);
    must(await answer(plan, { id: "ESC-001", option: "sequential" }));
    await finish(plan, "T-2");
    expect(await settleConflicts(plan)).toHaveLength(2);
    expect([await standing(plan, "T-3"), await standing(plan, "T-4")]).toEqual(["T-3 ready", "T-4 ready"]);
  });

  it("is not asked for what is done and elsewhere", async () => {
    const plan = await makeConflict();
    await finish(plan, "T-1");
    expect(await record(plan, "T-1", "T-2")).toMatchObject({ arbitration: "none", key: null, changes: [] });
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
    expect(must(await listConflicts(plan))).toEqual([]);
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
