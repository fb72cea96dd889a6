import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { leaveAttempt, parked } from "../../../test/attempts.js";
import { must, mustFail } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { attemptDiff } from "../../verbs/attempt/diff.js";
import { restoreAttempt } from "../../verbs/attempt/restore.js";
import { showItem } from "../../verbs/node/show-item.js";
import { accept } from "../claim/settle-tasks.js";
import { expireKept, keptWork } from "./kept-work.js";
import { listAttempts, showAttempt } from "./list-attempts.js";

const DAY = 86_400_000;
const KEPT = "refs/planwright/kept/ATT-00001";

const RED = fileTask("one", { checks: [{ run: "echo 'AssertionError: no'; exit 1" }] });

/** T-one fails its check once, is tried again, and parks; what it did is kept twice. */
const failing = (): Promise<Shop> =>
  openShop([RED], {
    policy: { fixes: 0 },
    // An agent: the commands of a task never run twice.
    doing: ({ cwd }) => {
      writeFileSync(join(cwd, "one.txt"), "one\n");
      return {};
    },
  });

async function failed(): Promise<Shop> {
  const shop = await failing();
  await shop.workThrough();
  return shop;
}

describe("attempts", () => {
  it("are listed, the newest first, of one task or of all", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")]);
    await shop.workThrough();
    const all = must(await listAttempts(shop.plan, {}));
    expect(all.map(({ id, state }) => `${id} ${state}`)).toEqual(["ATT-00002 accepted", "ATT-00001 accepted"]);
    const [own] = must(await listAttempts(shop.plan, { reference: "T-one" }));
    expect(own).toMatchObject({ task: "T-one", worker: { kind: "shell" }, tokens: 0, costUsd: null, kept: null });
    expect(mustFail(await listAttempts(shop.plan, { reference: "T-nine" })).kind).toBe("absent");
  });

  it("of long ago are listed when all are asked for, and what goes on always is", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")]);
    await leaveAttempt(shop.plan, "T-two", { state: "working", endedAt: null });
    for (let i = 0; i < 25; i++) await leaveAttempt(shop.plan, "T-one");
    const recent = must(await listAttempts(shop.plan, {}));
    expect([recent.length, recent.at(-1)?.id]).toEqual([21, "ATT-00001"]);
    expect(must(await listAttempts(shop.plan, { all: true }))).toHaveLength(26);
    expect(must(await listAttempts(shop.plan, { reference: "T-one" }))).toHaveLength(25);
  });

  it("are shown with everything that is known, and never with the token of their claim", async () => {
    const shop = await openShop([RED], { policy: { fixes: 0 } });
    await shop.workThrough();
    const view = must(await showAttempt(shop.plan, { id: "att-1" }));
    expect(view).toMatchObject({
      id: "ATT-00001",
      state: "rejected",
      number: 1,
      branch: "planwright/attempt/ATT-00001",
      base: shop.git("rev-parse", "main"),
      kept: KEPT,
      changes: { created: ["one.txt"], modified: [], deleted: [] },
      checks: [{ passed: false, output: expect.stringContaining("AssertionError") as string }],
      failure: { class: "logic", action: "park" },
      transcript: { file: expect.stringContaining("ATT-00001") as string, last: ["runs echo one > one.txt"] },
    });
    const states = view.steps.map(({ state }) => state);
    expect([states[0], states.at(-1)]).toEqual(["claimed", "rejected"]);
    expect(view.steps.slice(0, -1).every(({ durationMs }) => (durationMs ?? -1) >= 0)).toBe(true);
    expect(view.steps.at(-1)?.durationMs).toBeNull();
    const [attempt] = await shop.attempts();
    expect(JSON.stringify(view)).not.toContain(attempt?.token);
    expect(must(await showItem(shop.plan, "ATT-00001"))).toMatchObject({
      entity: "attempt",
      item: { id: "ATT-00001" },
    });
    expect(mustFail(await showAttempt(shop.plan, { id: "ATT-9" })).next).toEqual([
      { operation: "attempt.list", input: { all: true } },
    ]);
  });

  it("say when they may be tried again, and how long they have been at it", async () => {
    const shop = await openShop([fileTask("one")]);
    const notBefore = Date.UTC(2026, 0, 2);
    const failure = { class: "transient", reason: "r", fingerprint: "f", action: "retry", notBefore } as const;
    await leaveAttempt(shop.plan, "T-one", { state: "working", endedAt: null, failure, transcript: "/nowhere" });
    const view = must(await showAttempt(shop.plan, { id: "ATT-00001" }));
    expect(view.failure?.notBefore).toBe("2026-01-02T00:00:00.000Z");
    expect(view.transcript).toEqual({ file: "/nowhere", last: [] });
    expect(view.steps.at(-1)?.durationMs).toBeGreaterThanOrEqual(0);
  });
});

describe("the diff of an attempt", () => {
  it("is what went onto the feature's branch", async () => {
    const shop = await openShop([fileTask("one")]);
    await shop.workThrough();
    expect(must(await attemptDiff(shop.plan, "ATT-00001")).diff).toContain("+one");
  });

  it("is what is kept of it", async () => {
    const shop = await failed();
    expect(must(await attemptDiff(shop.plan, "ATT-00001"))).toMatchObject({
      to: shop.git("rev-parse", KEPT),
      diff: expect.stringContaining("+++ b/one.txt") as string,
    });
  });

  it("is what lies in its worktree, while it works", async () => {
    const shop: Shop = await openShop([fileTask("one")], {
      doing: async ({ cwd }) => {
        writeFileSync(join(cwd, "one.txt"), "so far\n");
        expect(must(await attemptDiff(shop.plan, "ATT-00001")).diff).toContain("+so far");
        return {};
      },
    });
    await shop.workThrough();
    expect((await shop.attempts())[0]?.state).toBe("accepted");
  });

  it("is nothing, where nothing was done", async () => {
    const shop = await openShop([fileTask("one")]);
    await leaveAttempt(shop.plan, "T-one", { base: "main", tip: "0123456789012345678901234567890123456789" });
    await leaveAttempt(shop.plan, "T-one");
    for (const id of ["ATT-00001", "ATT-00002"]) {
      expect(mustFail(await attemptDiff(shop.plan, id))).toMatchObject({ kind: "absent", reason: "no-diff" });
    }
  });
});

describe("restore", () => {
  it("makes a branch of what an attempt left, and keeps what is kept", async () => {
    const shop = await failed();
    const restored = must(await restoreAttempt(shop.plan, { id: "ATT-00001" }));
    expect(restored).toMatchObject({ branch: "planwright/restored/ATT-00001", commit: shop.git("rev-parse", KEPT) });
    expect(shop.git("show", "planwright/restored/ATT-00001:one.txt")).toBe("one");
    must(await restoreAttempt(shop.plan, { id: "ATT-00001", to: "rescue" }));
    expect(shop.git("rev-parse", "rescue")).toBe(shop.git("rev-parse", KEPT));
  });

  it("never overwrites a branch, and takes no name that is not one", async () => {
    const shop = await failed();
    const main = shop.git("rev-parse", "main");
    for (const [to, reason] of [
      ["main", "branch-exists"],
      ["main/x", "branch-exists"],
      ["planwright/feature/FEAT-A", "branch-taken"],
      ["planwright/attempt/ATT-00009", "branch-taken"],
      ["a..b", "bad-branch"],
      ["-f", "bad-branch"],
      ["x\ny", "bad-branch"],
      ["", "bad-branch"],
    ] as const) {
      expect([to, mustFail(await restoreAttempt(shop.plan, { id: "ATT-00001", to })).reason]).toEqual([to, reason]);
    }
    expect(shop.git("rev-parse", "main")).toBe(main);
  });

  it("says why there is nothing to bring back", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")]);
    await shop.workThrough(shop.engine({ workers: 1 }));
    await leaveAttempt(shop.plan, "T-one", { state: "working", endedAt: null });
    await leaveAttempt(shop.plan, "T-one", { state: "lost" });
    const reasons: string[] = [];
    for (const id of ["ATT-00001", "ATT-00003", "ATT-00004", "ATT-00009"]) {
      reasons.push(mustFail(await restoreAttempt(shop.plan, { id })).reason);
    }
    expect(reasons).toEqual(["merged", "in-flight", "nothing-kept", "not-found"]);
  });
});

describe("kept work", () => {
  const kept = async (shop: Shop): Promise<string[]> =>
    must(await keptWork(shop.plan, 30)).map(
      ({ id, until, soon }) => `${id} ${until === null ? "stays" : soon ? "soon" : "later"}`,
    );

  it("goes after its time, announced a week before, and never while a person may still accept it", async () => {
    const shop = await failed();
    expect(await kept(shop)).toEqual(["ATT-00001 later", "ATT-00002 stays"]);
    shop.plan.pass(25 * DAY);
    expect(await kept(shop)).toEqual(["ATT-00001 soon", "ATT-00002 stays"]);
    const announced = must(await expireKept(shop.plan, { keepDays: 30 }));
    expect(announced).toMatchObject({ op: null, gone: [], soon: [{ id: "ATT-00001" }] });
    shop.plan.pass(6 * DAY);
    expect(must(await expireKept(shop.plan, { keepDays: 30, dryRun: true })).gone).toEqual(["ATT-00001"]);
    expect(shop.git("rev-parse", "--verify", KEPT)).not.toBe("");
    expect(must(await expireKept(shop.plan.as("daemon:box"), { keepDays: 30 }))).toMatchObject({
      gone: ["ATT-00001"],
      soon: [],
    });
    expect(shop.git("for-each-ref", "--format=%(refname)", "refs/planwright/kept")).toBe(
      "refs/planwright/kept/ATT-00002",
    );
    expect((await shop.attempts())[0]?.kept).toBeNull();
    expect(must(await expireKept(shop.plan, { keepDays: 30 })).gone).toEqual([]);
    const [last] = await shop.plan.store.read((reader) => reader.operations({ limit: 1 }));
    expect(last?.sentence).toBe("what ATT-00001 left unmerged went after 30 days");
    expect((await shop.plan.store.verify()).differences).toEqual([]);
  });

  it("that was accepted waits to be integrated, however long that takes", async () => {
    const shop = await failed();
    must(await accept(shop.plan, { references: ["T-one"], reason: "fine" }));
    shop.plan.pass(1000 * DAY);
    expect(must(await expireKept(shop.plan, { keepDays: 30 })).gone).toEqual(["ATT-00001"]);
    await shop.workThrough();
    expect((await shop.attempts())[1]).toMatchObject({ state: "accepted", kept: null });
    expect(shop.git("show", "planwright/feature/FEAT-A:one.txt")).toBe("one");
  });

  it("is left alone by agents, and refs of others by everybody", async () => {
    const shop = await failed();
    shop.git("update-ref", "refs/planwright/kept/mine", "main");
    shop.plan.pass(1000 * DAY);
    expect(mustFail(await expireKept(shop.plan.as("agent:bot"), { keepDays: 0 })).reason).toBe("needs-person");
    await leaveAttempt(shop.plan, "T-one", {}, { patch: parked });
    expect(must(await expireKept(shop.plan, { keepDays: 30 })).gone).toEqual(["ATT-00001", "ATT-00002"]);
    expect(shop.git("for-each-ref", "--format=%(refname)", "refs/planwright/kept")).toBe("refs/planwright/kept/mine");
  });
});
