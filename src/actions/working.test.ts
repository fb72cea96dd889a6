// Working through a plan: claims, leases, checks, acceptance.

import { describe, expect, it } from "vitest";
import { addAll, makePlan, must, mustFail, type TestPlan, task } from "../../test/plan.js";
import { accept } from "./accept.js";
import { add } from "./add.js";
import { approve } from "./approve.js";
import { complete } from "./complete.js";
import { fail } from "./fail.js";
import { heartbeat } from "./heartbeat.js";
import { next, peek } from "./next.js";
import { release } from "./release.js";
import { reset } from "./reset.js";
import { start } from "./start.js";
import { verify } from "./verify.js";

const passes = { checks: [{ run: "true" }] };
const fails = { checks: [{ run: "echo wrong >&2; exit 3" }] };

async function approved(...nodes: Parameters<typeof makePlan>[0] & object): Promise<TestPlan> {
  const plan = await makePlan(nodes);
  must(await approve(plan, { references: ["MISSION"] }));
  return { ...plan, cwd: "/tmp", as: (actor) => ({ ...plan.as(actor), cwd: "/tmp" }) };
}

/** Claims the next task and hands it in. */
async function work(plan: TestPlan): Promise<string> {
  const [given] = must(await next(plan, {}));
  const { id } = given?.task ?? { id: "" };
  must(await complete(plan, { reference: id, token: given?.token ?? "" }));
  return id;
}

describe("next", () => {
  it("claims the first ready task, counts the attempt and moves the focus (AF4)", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }));
    const [given] = must(await next(plan, {}));
    expect(given).toMatchObject({ epoch: 1, task: { id: "T-1", status: "in_progress", attempts: 1, revision: 3 } });
    expect((await plan.view("--active")).id).toBe("T-1");
    const [last] = await plan.store.read((reader) => reader.operations({ limit: 1 }));
    expect(last).toMatchObject({ verb: "next", sentence: "human:ada claimed T-1" });
  });

  it("does not count a dependency in progress as met (bug: an active dependency was enough)", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }));
    must(await next(plan, {}));
    expect(mustFail(await next(plan, {}))).toMatchObject({ kind: "absent", reason: "nothing-ready" });
    expect(mustFail(await start(plan, { reference: "T-2" }))).toMatchObject({
      kind: "refused",
      reason: "deps-pending",
    });
  });

  it("finds nothing in an empty plan, and changes nothing (AF5)", async () => {
    const plan = await approved();
    expect(mustFail(await next(plan, {})).kind).toBe("absent");
    expect(mustFail(await next(plan, { within: "STORY-A" })).message).toContain("STORY-A");
    expect(await plan.store.read((reader) => reader.operations({ limit: 9 }))).toHaveLength(2);
  });

  it("gives priority 0 before 4 before none, and ties in the order they were made (MC16)", async () => {
    const plan = await approved(
      task("LAST"),
      task("FOUR", { priority: 4 }),
      task("ZERO-1", { priority: 0 }),
      task("ONE", { priority: 1 }),
      task("ZERO-2", { priority: 0 }),
    );
    const given = must(await next(plan, { count: 9 }));
    expect(given.map(({ task: { id } }) => id)).toEqual(["ZERO-1", "ZERO-2", "ONE", "FOUR", "LAST"]);
  });

  it("looks in a person's focus first, then everywhere; agents get the whole plan", async () => {
    const plan = await approved(
      task("URGENT", { priority: 0 }),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A" },
      task("B-1", { parent: "STORY-B" }),
      task("B-2", { parent: "STORY-B" }),
      task("B-3", { parent: "STORY-B" }),
    );
    must(await next(plan, { within: "STORY-B" }));
    expect(must(await peek(plan, {})).map(({ id }) => id)).toEqual(["B-2"]);
    expect(must(await peek(plan.as("agent:a"), {})).map(({ id }) => id)).toEqual(["URGENT"]);
    expect(must(await next(plan, { count: 3 })).map((g) => g.task.id)).toEqual(["B-2", "B-3", "URGENT"]);
  });

  it("never hands out what is unapproved, in the inbox, frozen, or a gate (MC5, MC7)", async () => {
    const plan = await makePlan([task("T-1"), task("G", { kind: "gate" })]);
    expect(mustFail(await next(plan, {})).reason).toBe("nothing-ready");
    must(await approve(plan, { references: ["G"] }));
    expect(await plan.view("G")).toMatchObject({ status: "ready", reason: "human" });
    expect(mustFail(await next(plan.as("agent:a"), {})).reason).toBe("nothing-ready");
    expect(mustFail(await start(plan, { reference: "G" })).reason).toBe("human");
  });
});

describe("a claim", () => {
  it("is one worker's: the second gets nothing (MC5, TG13)", async () => {
    const plan = await approved(task("T-1", passes));
    const [mine] = must(await next(plan.as("agent:a"), {}));
    expect(mustFail(await next(plan.as("agent:b"), {})).reason).toBe("nothing-ready");
    expect(mustFail(await start(plan.as("agent:b"), { reference: "T-1" })).reason).toBe("in-flight");
    const stranger = { reference: "T-1", token: "0".repeat(32) };
    for (const verb of [complete, heartbeat, release]) {
      expect(mustFail(await verb(plan.as("agent:b"), stranger))).toMatchObject({
        kind: "refused",
        reason: "lease-lost",
      });
    }
    must(await complete(plan.as("agent:a"), { reference: "T-1", token: mine?.token ?? "" }));
  });

  it("needs its token from an agent; a person may leave out their own", async () => {
    const plan = await approved(task("T-1", passes), task("T-2", passes));
    must(await start(plan.as("agent:a"), { reference: "T-1" }));
    expect(mustFail(await complete(plan.as("agent:a"), { reference: "T-1" })).reason).toBe("needs-token");
    expect(mustFail(await complete(plan, { reference: "T-1" })).reason).toBe("needs-token");
    must(await start(plan, { reference: "T-2" }));
    expect(must(await complete(plan, { reference: "T-2" })).acceptance).toBe("accepted");
  });

  it.each([
    next,
    async (plan: TestPlan, lease: { leaseMinutes: number }) => start(plan, { reference: "T-1", ...lease }),
  ])("lasts whole milliseconds, whatever part of a minute was asked for", async (take) => {
    const plan = await approved(task("T-1"));
    must<unknown>(await take(plan, { leaseMinutes: 0.333_333_7 }));
    must(await heartbeat(plan, { reference: "T-1", leaseMinutes: 0.333_333_9 }));
    must(await release(plan, { reference: "T-1" }));
    expect(must(await verify(plan)).differences).toEqual([]);
  });

  it("lives as long as its heartbeat", async () => {
    const plan = await approved(task("T-1"));
    const [given] = must(await next(plan.as("agent:a"), { leaseMinutes: 1 }));
    plan.pass(50_000);
    must(await heartbeat(plan.as("agent:a"), { reference: "T-1", token: given?.token ?? "", leaseMinutes: 1 }));
    plan.pass(50_000);
    expect(mustFail(await next(plan.as("agent:b"), {})).reason).toBe("nothing-ready");
  });

  it("returns to the queue when its lease ends; the late worker can change nothing (TG13)", async () => {
    const plan = await approved(task("T-1", passes));
    const [late] = must(await next(plan.as("agent:late"), { leaseMinutes: 1 }));
    plan.pass(61_000);
    expect(must(await peek(plan.as("agent:b"), {})).map(({ id }) => id)).toEqual(["T-1"]);
    const [given] = must(await next(plan.as("agent:b"), {}));
    expect(given).toMatchObject({ epoch: 2, task: { id: "T-1" } });
    const old = { reference: "T-1", token: late?.token ?? "" };
    for (const verb of [complete, heartbeat, release]) {
      expect(mustFail(await verb(plan.as("agent:late"), old)).reason).toBe("lease-lost");
    }
    expect(mustFail(await fail(plan.as("agent:late"), { ...old, reason: "x" })).reason).toBe("lease-lost");
    expect((await plan.view("T-1")).claim?.by).toBe("agent:b");
  });

  it("is frozen as retry-exhausted after four returns and one more; reset sets it free (MC9)", async () => {
    const plan = await approved(task("T-1"));
    for (let round = 1; round <= 5; round++) {
      expect(must(await next(plan.as("agent:a"), { leaseMinutes: 1 }))).toHaveLength(1);
      plan.pass(61_000);
    }
    expect(mustFail(await next(plan.as("agent:a"), {})).reason).toBe("nothing-ready");
    const stuck = await plan.view("T-1");
    expect(stuck.status).toBe("frozen");
    expect(stuck.freeze?.reason).toContain("retry-exhausted");
    must(await reset(plan, { reference: "T-1" }));
    expect(must(await next(plan.as("agent:a"), {}))[0]?.task).toMatchObject({ id: "T-1", attempts: 6 });
  });

  it("can be given back", async () => {
    const plan = await approved(task("T-1"));
    const [given] = must(await next(plan.as("agent:a"), {}));
    must(await release(plan.as("agent:a"), { reference: "T-1", token: given?.token ?? "" }));
    expect(await plan.view("T-1")).toMatchObject({ status: "ready", claim: null });
    expect((await plan.view("T-1")).attempts).toBe(1);
  });

  it("stops when the budget of attempts is spent", async () => {
    const plan = await approved(task("T-1", { budgets: { attempts: 1 } }));
    must(await start(plan, { reference: "T-1" }));
    must(await release(plan, { reference: "T-1" }));
    expect(mustFail(await start(plan, { reference: "T-1" })).reason).toBe("budget");
  });
});

describe("start", () => {
  it("says why it refuses, and counts the attempt when it does not (TK6)", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }));
    expect(mustFail(await start(plan, { reference: "T-2" }))).toMatchObject({
      reason: "deps-pending",
      details: { because: ["T-1"] },
    });
    expect(mustFail(await start(plan, { reference: "nowhere" })).kind).toBe("absent");
    expect(must(await start(plan, { reference: "T-1" })).task.attempts).toBe(1);
    expect(mustFail(await start(plan, { reference: "T-1" })).reason).toBe("in-flight");
    expect(mustFail(await start(plan, { reference: "STORY-A" })).reason).toBe("container");
  });
});

describe("complete", () => {
  it("is decided by the checks: all pass, done; the files and the time are kept (TK7)", async () => {
    const plan = await approved(task("T-1", { checks: [{ run: "true" }, { run: "echo fine", expect: "fine" }] }));
    must(await start(plan, { reference: "T-1" }));
    plan.pass(5_000);
    const done = must(await complete(plan, { reference: "T-1", created: ["a", "b"], modified: ["c"] }));
    expect(done).toMatchObject({ acceptance: "accepted", checks: [{ passed: true }, { passed: true }] });
    expect(done.durationMs).toBeGreaterThanOrEqual(5_000);
    const view = await plan.view("T-1");
    expect(view).toMatchObject({ status: "done", claim: null, acceptance: { state: "accepted", by: "checks" } });
    expect(view.report).toMatchObject({ created: ["a", "b"], modified: ["c"], failure: null });
  });

  it("happens only to a task that is claimed (TK7)", async () => {
    const plan = await approved(task("T-1", passes));
    expect(mustFail(await complete(plan, { reference: "T-1" }))).toMatchObject({
      kind: "refused",
      reason: "not-claimed",
    });
    expect(mustFail(await complete(plan, { reference: "STORY-A" })).reason).toBe("container");
    must(await start(plan, { reference: "T-1" }));
    must(await complete(plan, { reference: "T-1" }));
    expect(mustFail(await complete(plan, { reference: "T-1" })).reason).toBe("settled");
  });

  it("parks what a check rejects, and it is not handed out again (MC8)", async () => {
    const plan = await approved(task("T-1", fails), task("T-2", { dependsOn: ["T-1"] }));
    const [given] = must(await next(plan.as("agent:a"), {}));
    const held = { reference: "T-1", token: given?.token ?? "" };
    const rejected = must(await complete(plan.as("agent:a"), held));
    expect(rejected.acceptance).toBe("rejected");
    expect(rejected.checks[0]).toMatchObject({ passed: false, outcome: "exit 3, expected exit 0", output: "wrong\n" });
    expect(await plan.view("T-1")).toMatchObject({
      status: "rejected",
      reason: "rejected",
      claim: null,
      outcome: null,
    });
    expect(await plan.view("T-2")).toMatchObject({ status: "blocked", reason: "dep-rejected", because: ["T-1"] });
    expect((await plan.view("STORY-A")).status).not.toBe("done");
    expect(mustFail(await next(plan.as("agent:a"), {})).reason).toBe("nothing-ready");
  });

  it("treats a check that cannot run as failed", async () => {
    const plan = await approved(
      task("T-1", { checks: [{ run: "no-such-command-anywhere" }] }),
      task("T-2", { checks: [{ run: "true", cwd: "no/such/folder" }] }),
      task("T-3", { checks: [{ run: "sleep 60", timeoutS: 0.1 }] }),
    );
    const outcomes: string[] = [];
    for (const reference of ["T-1", "T-2", "T-3"]) {
      must(await start(plan, { reference }));
      const { acceptance, checks } = must(await complete(plan, { reference }));
      expect(acceptance).toBe("rejected");
      outcomes.push(checks[0]?.outcome ?? "");
    }
    expect(outcomes).toEqual([
      "exit 127, expected exit 0",
      "could not be started: its cwd does not exist",
      "timed out after 0.1 s",
    ]);
  });

  it("never takes a worker's word: without checks a person has to accept (pain 24)", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }));
    const [given] = must(await next(plan.as("agent:a"), {}));
    const held = { reference: "T-1", token: given?.token ?? "" };
    expect(must(await complete(plan.as("agent:a"), held)).acceptance).toBe("pending");
    expect(await plan.view("T-1")).toMatchObject({ status: "blocked", reason: "human", outcome: null });
    expect((await plan.view("T-2")).reason).toBe("deps-pending");
    expect(mustFail(await accept(plan.as("agent:a"), { reference: "T-1", reason: "trust me" })).reason).toBe(
      "needs-person",
    );
    must(await accept(plan, { reference: "T-1", reason: "read it" }));
    expect(await plan.view("T-1")).toMatchObject({
      status: "done",
      acceptance: { by: "human:ada", reason: "read it" },
    });
    expect((await plan.view("T-2")).reason).toBe("claimable");
  });

  it("refuses when the content changed after the approval (TG13: plan edited, claim refused)", async () => {
    const plan = await approved(task("T-1", passes));
    must(await start(plan, { reference: "T-1" }));
    await addAll(plan.as("agent:sly"), [task("T-1", { checks: [{ run: "echo nothing is checked" }] })]);
    expect(mustFail(await complete(plan, { reference: "T-1" })).reason).toBe("approval-stale");
    must(await approve(plan, { references: ["T-1"] }));
    expect(must(await complete(plan, { reference: "T-1" })).acceptance).toBe("accepted");
  });
});

describe("fail", () => {
  it("parks the task, whatever the class is called, and what depends on it waits (TK8)", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }), task("T-3", { dependsOn: ["T-2"] }));
    must(await start(plan, { reference: "T-1" }));
    must(await fail(plan, { reference: "T-1", reason: "no such field", class: "weird" }));
    const view = await plan.view("T-1");
    expect(view).toMatchObject({ status: "rejected", because: ["no such field"] });
    expect(view.report?.failure).toEqual({ class: "other", reason: "no such field" });
    expect(await plan.view("T-2")).toMatchObject({ status: "blocked", reason: "dep-rejected" });
    expect(await plan.view("T-3")).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["T-2"] });
  });

  it("is possible only for a claimed task, so it never changes a finished one (bug: failing a done task)", async () => {
    const plan = await approved(task("T-1", passes), task("T-2", { ...passes, dependsOn: ["T-1"] }));
    await work(plan);
    await work(plan);
    expect(mustFail(await fail(plan, { reference: "T-1", reason: "late" })).kind).toBe("refused");
    expect((await plan.view("T-1")).status).toBe("done");
    expect((await plan.view("T-2")).status).toBe("done");
  });
});

describe("reset", () => {
  it("puts a rejected task back, keeps its attempts, and changes nobody else (TK9, MC8)", async () => {
    const plan = await approved(task("T-1", passes), task("T-2", { ...fails, dependsOn: ["T-1"] }));
    await work(plan);
    await work(plan);
    expect(mustFail(await reset(plan, { reference: "FEAT-A-LAND" })).kind).toBe("absent");
    expect(mustFail(await reset(plan.as("agent:planner"), { reference: "T-2" })).reason).toBe("needs-person");
    must(await reset(plan, { reference: "T-2" }));
    expect(await plan.view("T-2")).toMatchObject({ status: "ready", attempts: 1, acceptance: null });
    expect((await plan.view("T-1")).status).toBe("done");
  });

  it("opens what is settled only for a person with a reason", async () => {
    const plan = await approved(task("T-1", passes));
    await work(plan);
    expect(mustFail(await reset(plan.as("agent:a"), { reference: "T-1", reason: "again" })).reason).toBe(
      "needs-person",
    );
    expect(mustFail(await reset(plan, { reference: "T-1" })).reason).toBe("needs-reason");
    expect(must(await reset(plan, { reference: "T-1", reason: "it was wrong" })).stays).toBeNull();
    expect((await plan.view("T-1")).status).toBe("ready");
  });
});

describe("accept", () => {
  it("overrides a rejection, with its reason, and rolls up (MC8)", async () => {
    const plan = await approved(task("T-1", fails));
    await work(plan);
    must(await accept(plan, { reference: "T-1", reason: "the check was wrong" }));
    expect(await plan.view("T-1")).toMatchObject({ status: "done", outcome: { reason: "the check was wrong" } });
    expect((await plan.view("STORY-A")).status).toBe("done");
    expect(mustFail(await accept(plan, { reference: "T-1", reason: "again" })).reason).toBe("settled");
  });

  it("accepts nothing that nobody handed in", async () => {
    const plan = await approved(task("T-1"));
    expect(mustFail(await accept(plan, { reference: "T-1", reason: "x" })).reason).toBe("nothing-to-accept");
  });
});

describe("roll-up and landing", () => {
  it("makes a container done when its last child is, and not before it has landed (MC10)", async () => {
    const plan = await approved(task("T-1", passes), task("T-2", passes));
    await work(plan);
    expect((await plan.view("STORY-A")).status).toBe("in_progress");
    await work(plan);
    expect((await plan.view("STORY-A")).status).toBe("done");
    expect((await plan.view("FEAT-A")).status).toBe("in_progress");
    expect(await plan.view("FEAT-A-LAND")).toMatchObject({ status: "ready", reason: "human" });
    expect(mustFail(await complete(plan.as("agent:a"), { reference: "FEAT-A-LAND" })).reason).toBe("needs-person");
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    expect((await plan.view("FEAT-A")).status).toBe("done");
    expect((await plan.view("MISSION")).status).toBe("done");
  });

  it("never lands a feature in which work is open, or that has none", async () => {
    const plan = await approved(task("T-1", passes), { id: "FEAT-E", tier: "feature", title: "Empty" });
    expect(mustFail(await complete(plan, { reference: "FEAT-A-LAND" })).reason).toBe("deps-pending");
    expect(await plan.view("FEAT-E-LAND")).toMatchObject({ reason: "deps-pending", because: ["FEAT-E"] });
    expect(mustFail(await complete(plan, { reference: "FEAT-E-LAND" })).reason).toBe("deps-pending");
  });

  it("meets a dependency across features only when the other feature has landed, naming the land task", async () => {
    const plan = await approved(
      task("T-1", passes),
      { id: "FEAT-B", tier: "feature", title: "B" },
      task("B-1", { parent: "FEAT-B", dependsOn: ["T-1"] }),
    );
    expect(await plan.view("B-1")).toMatchObject({ reason: "deps-pending", because: ["T-1"] });
    await work(plan);
    expect(await plan.view("B-1")).toMatchObject({ reason: "deps-pending", because: ["FEAT-A-LAND"] });
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    expect((await plan.view("B-1")).reason).toBe("claimable");
  });

  it("opens a dependent gate's work with no other write (MC7, MC11)", async () => {
    const plan = await approved(task("G", { kind: "gate" }), task("T-1", { dependsOn: ["G"] }));
    expect((await plan.view("T-1")).because).toEqual(["G"]);
    expect(mustFail(await complete(plan.as("agent:a"), { reference: "G" })).reason).toBe("needs-person");
    must(await complete(plan, { reference: "G" }));
    expect(await plan.view("G")).toMatchObject({ status: "done", outcome: { by: "human:ada" } });
    expect((await plan.view("T-1")).reason).toBe("claimable");
  });
});

describe("a dependency of a container", () => {
  it("holds back everything in it, names what it waits for, and lets go when that is done", async () => {
    const plan = await approved(
      task("T-1", passes),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A", dependsOn: ["STORY-A"] },
      task("B-1", { ...passes, parent: "STORY-B" }),
      task("B-2", { parent: "STORY-B", dependsOn: ["B-1"] }),
    );
    expect(await plan.view("B-1")).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["STORY-A"] });
    expect((await plan.view("B-2")).because).toEqual(["B-1", "STORY-A"]);
    expect(mustFail(await start(plan, { reference: "B-1" })).reason).toBe("deps-pending");
    await addAll(plan, [task("B-3", { parent: "STORY-B" })]);
    expect(await plan.view("B-3")).toMatchObject({ reason: "unapproved" });
    await work(plan);
    expect((await plan.view("B-1")).reason).toBe("claimable");
    expect((await plan.view("B-2")).because).toEqual(["B-1"]);
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("cannot close a cycle through what is inside", async () => {
    const plan = await approved(
      task("T-1"),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A", dependsOn: ["STORY-A"] },
      task("B-1", { parent: "STORY-B" }),
    );
    const closing = [{ input: task("T-1", { dependsOn: ["B-1"] }), where: "line 1" }];
    expect(mustFail(await add(plan, closing))).toMatchObject({ kind: "invariant" });
    const many = Array.from({ length: 30 }, (_, i) => ({
      input: task(`N-${i}`, { dependsOn: ["B-1"] }),
      where: `line ${i}`,
    }));
    expect(mustFail(await add(plan, many)).message).toContain("cycle");
  });
});

describe("next --peek", () => {
  it("offers an expired claim where it belongs, and nowhere else", async () => {
    const plan = await approved(
      task("T-1"),
      { id: "FEAT-B", tier: "feature", title: "B" },
      task("B-1", { parent: "FEAT-B", priority: 0 }),
    );
    must(await start(plan, { reference: "B-1", leaseMinutes: 1 }));
    const agent = plan.as("agent:a");
    expect(must(await peek(agent, {})).map(({ id }) => id)).toEqual(["T-1"]);
    plan.pass(61_000);
    expect(must(await peek(agent, {})).map(({ id }) => id)).toEqual(["B-1"]);
    expect(must(await peek(agent, { within: "FEAT-B" })).map(({ id }) => id)).toEqual(["B-1"]);
    expect(must(await peek(agent, { within: "FEAT-A", count: 5 })).map(({ id }) => id)).toEqual(["T-1"]);
    expect(mustFail(await peek(agent, { within: "NOPE" })).reason).toBe("not-found");
  });
});
