// Agents are not stranded: a lost token, a forgotten claim, and what comes with a claim.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must, mustFail, task } from "../../../test/plan.js";
import { fileTask, openShop } from "../../../test/shop.js";
import { makeApprovedPlan, passing } from "../../../test/work.js";
import { noteSession } from "../../plan/claim/session-notes.js";
import { reset } from "../../plan/claim/settle-tasks.js";
import { start } from "../../plan/claim/start.js";
import { renewClaim } from "../../plan/claim/token.js";
import { listClaims } from "../claim/list.js";
import { releaseClaim } from "../claim/release.js";
import { addRecord } from "../record/add.js";
import { failTask } from "./fail.js";
import { complete } from "./hand-in.js";
import { next } from "./next.js";

const AGENT = "agent:bot";

describe("a worker that lost its token", () => {
  it("finds its claim and gets it back with a new token and a new epoch; the old token is dead", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const agent = plan.as(AGENT);
    const first = must(await start(agent, { reference: "T-1" }));
    expect(must(await listClaims(agent))).toMatchObject([{ id: "T-1", by: AGENT, yours: true }]);
    expect(must(await listClaims(plan))).toMatchObject([{ id: "T-1", yours: false }]);
    const again = must(await start(agent, { reference: "T-1" }));
    expect(again.epoch).toBe(first.epoch + 1);
    expect(again.token).not.toBe(first.token);
    expect(again.task.attempts).toBe(1);
    expect(await renewClaim(agent, { reference: "T-1", token: first.token })).toMatchObject({
      ok: false,
      error: { reason: "lease-lost" },
    });
    must(await renewClaim(agent, { reference: "T-1", token: again.token }));
  });

  it("is told how, and nobody else gets the claim", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const agent = plan.as(AGENT);
    must(await start(agent, { reference: "T-1" }));
    const refused = await complete(agent, { reference: "T-1" });
    expect(refused).toMatchObject({
      ok: false,
      error: {
        reason: "needs-token",
        message: expect.stringContaining("start it again to get a new one"),
        next: [{ operation: "next" }],
      },
    });
    expect(await start(plan.as("agent:other"), { reference: "T-1" })).toMatchObject({
      ok: false,
      error: { reason: "in-flight" },
    });
  });
});

describe("two conversations of one agent", () => {
  it("do not take each other's claims, and are not told to", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2")]);
    const one = { ...plan.as(AGENT), conversation: "one" };
    const two = { ...plan.as(AGENT), conversation: "two" };
    const [first] = must(await next(one, {}));
    noteSession(one.root, "one", [{ id: "T-1", epoch: first?.epoch as number }]);
    const [second] = must(await next(two, {}));
    expect([second?.task.id, second?.alsoYours]).toEqual(["T-2", undefined]);
    noteSession(two.root, "two", [{ id: "T-2", epoch: second?.epoch as number }]);
    const nothing = mustFail(await next(two, {}));
    expect([nothing.reason, nothing.details?.["yours"]]).toEqual(["nothing-ready", ["T-2"]]);
    expect(JSON.stringify(nothing.next)).not.toContain("T-1");
    const refused = mustFail(await start(two, { reference: "T-1" }));
    expect(refused).toMatchObject({ reason: "in-flight", message: expect.stringContaining("Another conversation of") });
    must(await renewClaim(one, { reference: "T-1", token: first?.token as string }));
    expect(mustFail(await next(one, {})).details).toMatchObject({ yours: ["T-1"] });
    must(await start(one, { reference: "T-1" }));
  });

  it("need no token for a claim of their own, and nothing else than it opens another's", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2"), passing("T-3"), passing("T-4")]);
    const one = { ...plan.as(AGENT), conversation: "one" };
    const claims = must(await next(one, { count: 4 }));
    const noted = claims.map(({ task: { id }, epoch }) => ({ id, epoch }));
    noteSession(one.root, "one", noted);
    const strangers = [
      { ...one, conversation: "two" },
      { ...one, conversation: undefined },
      { ...plan.as("agent:other"), conversation: "one" },
    ];
    for (const stranger of strangers) {
      for (const refused of [
        await complete(stranger, { reference: "T-1" }),
        await failTask(stranger, { reference: "T-1", reason: "x" }),
        await renewClaim(stranger, { reference: "T-1" }),
        await releaseClaim(stranger, { reference: "T-1" }),
      ]) {
        expect(mustFail(refused).reason).toBe(stranger.actor === AGENT ? "in-flight" : "needs-token");
      }
      expect(mustFail(await start(stranger, { reference: "T-1" })).reason).toBe("in-flight");
    }
    must(await renewClaim(one, { reference: "T-1" }));
    expect(must(await complete(one, { reference: "T-1" })).acceptance).not.toBe("rejected");
    must(await failTask(one, { reference: "T-2", reason: "x" }));
    must(await releaseClaim(one, { reference: "T-3" }));
    // A note about an earlier claim opens nothing.
    noteSession(one.root, "one", [{ id: "T-4", epoch: 99 }]);
    expect(mustFail(await complete(one, { reference: "T-4" })).reason).toBe("needs-token");
  });
});

describe("a claim of somebody else", () => {
  it("can be released by a person without its token, and by no agent", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    must(await start(plan.as(AGENT), { reference: "T-1" }));
    expect(await releaseClaim(plan.as("agent:other"), { reference: "T-1" })).toMatchObject({
      ok: false,
      error: { reason: "needs-token" },
    });
    must(await releaseClaim(plan, { reference: "T-1" }));
    expect((await plan.view("T-1")).status).toBe("ready");
    const [latest] = await plan.store.read((reader) => reader.operations({ limit: 1 }));
    expect(latest?.sentence).toBe("human:ada released T-1, which agent:bot had claimed");
  });
});

describe("a second next", () => {
  it("says which tasks the worker holds already", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2"), passing("T-3")]);
    const agent = plan.as(AGENT);
    expect(must(await next(agent, {}))[0]?.alsoYours).toBeUndefined();
    expect(must(await next(plan.as("agent:other"), {}))[0]?.alsoYours).toBeUndefined();
    expect(must(await next(agent, {}))[0]?.alsoYours).toEqual(["T-1"]);
  });
});

describe("what comes with a claim", () => {
  it("fits into 350 tokens for an ordinary task, and says where, from what and how to hand in", async () => {
    const files = ["src/auth/session.ts", "src/auth/session.test.ts"];
    const body =
      "Sessions must end after 30 minutes without a request. Store the time of the last request in the session and compare it in the middleware. Return 401 with a clear message when it has ended.";
    const plan = await makeApprovedPlan([
      passing("T-0"),
      passing("TASK-00007", { files, body, checks: [{ run: "npm test -- session" }, { run: "npx tsc --noEmit" }] }),
    ]);
    must(await addRecord(plan, { kind: "decision", title: "Sessions live in Redis, not in memory" }));
    must(await start(plan.as(AGENT), { reference: "T-0" }));
    const [given] = must(await next(plan.as(AGENT), {}));
    expect(given).toMatchObject({
      task: { id: "TASK-00007", files, attempts: 1 },
      leaseUntil: expect.stringMatching(/^2026/),
      directory: null,
      base: null,
      handIn: "Completing it runs its checks in your folder. Nothing is committed.",
      records: ["DEC-001: Sessions live in Redis, not in memory"],
      alsoYours: ["T-0"],
      context: { operation: "bundle.create", input: { references: ["TASK-00007"], text: true } },
    });
    expect(tokensIn(JSON.stringify({ ok: true, data: given }))).toBeLessThanOrEqual(350);
  });

  it("says which tasks you hold when nothing else is ready", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await next(plan.as(AGENT), {}));
    expect(mustFail(await next(plan.as(AGENT), {}))).toMatchObject({
      reason: "nothing-ready",
      message: "No other task is ready. You hold T-1: hand it in or release it.",
      details: { yours: ["T-1"] },
    });
    expect(mustFail(await next(plan.as("agent:other"), {})).message).not.toContain("You hold");
  });

  it("names the checkout, its commit and the branch, and what is missing there", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two", { dependsOn: ["T-one"] })]);
    await shop.workThrough(shop.engine({ workers: 1 }));
    must(await reset(shop.plan, { references: ["T-two"], reason: "once more" }));
    const [given] = must(await next(shop.plan.as(AGENT), {}));
    expect(given).toMatchObject({
      task: { id: "T-two", dependsOn: ["T-one"] },
      directory: shop.repository.path,
      base: shop.git("rev-parse", "HEAD").slice(0, 12),
      handIn:
        "Completing it commits what you changed here since now onto planwright/feature/FEAT-A and runs its checks. Your branch and index stay as they are. This checkout lacks the work of T-one. It is on planwright/feature/FEAT-A: merge it here before you begin.",
      lacks: { tasks: ["T-one"], branch: "planwright/feature/FEAT-A", directory: null },
    });
    expect(tokensIn(JSON.stringify({ ok: true, data: given }))).toBeLessThanOrEqual(350);
    const elsewhere = join(shop.repository.around, "feature");
    shop.git("worktree", "add", "-q", elsewhere, "planwright/feature/FEAT-A");
    const again = must(await start(shop.plan.as(AGENT), { reference: "T-two" }));
    expect(again.lacks?.directory).toBe(elsewhere);
    expect(again.handIn).toContain(`which is checked out in ${elsewhere}: work there, or merge it here`);
    shop.git("merge", "-q", "planwright/feature/FEAT-A");
    expect(must(await start(shop.plan.as(AGENT), { reference: "T-two" })).handIn).not.toContain("lacks");
  });
});

/** Coarse, and rather too many: a long word is two tokens, every few digits are one, and so are two signs of punctuation. */
const tokensIn = (text: string): number => {
  const count = (pattern: RegExp, each: number): number =>
    (text.match(pattern) ?? []).reduce((sum, found) => sum + Math.ceil(found.length / each), 0);
  return count(/[A-Za-z]+/g, 6) + count(/\d+/g, 3) + count(/[^\sA-Za-z\d]+/g, 2);
};
