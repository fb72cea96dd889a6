// Handing work in: checks, acceptance, and the way back to the queue.

import { describe, expect, it } from "vitest";
import { approved, fails, passes, work } from "../../../test/approved.js";
import { ask } from "../../../test/ask.js";
import { addAll, must, mustFail, task } from "../../../test/plan.js";
import { accept, reset } from "../../plan/claim/settle-tasks.js";
import { start } from "../../plan/claim/start.js";
import { approve } from "../../plan/node/approve.js";
import { undo } from "../history/take-back.js";
import { failTask } from "./fail.js";
import { complete } from "./hand-in.js";
import { next } from "./next.js";

describe("complete", () => {
  it("is decided by the checks: all pass, done; the files and the time are kept", async () => {
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

  it("happens only to a task that is claimed", async () => {
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

  it("parks what a check rejects, and it is not handed out again", async () => {
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

  it("never takes a worker's word: without checks a person has to accept", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }));
    const [given] = must(await next(plan.as("agent:a"), {}));
    const held = { reference: "T-1", token: given?.token ?? "" };
    expect(must(await complete(plan.as("agent:a"), held)).acceptance).toBe("pending");
    expect(await plan.view("T-1")).toMatchObject({ status: "blocked", reason: "human", outcome: null });
    expect((await plan.view("T-2")).reason).toBe("deps-pending");
    expect(mustFail(await ask(plan.as("agent:a"), "accept", { references: ["T-1"], reason: "trust me" })).reason).toBe(
      "needs-person",
    );
    must(await accept(plan, { references: ["T-1"], reason: "read it" }));
    expect(await plan.view("T-1")).toMatchObject({
      status: "done",
      acceptance: { by: "human:ada", reason: "read it" },
    });
    expect((await plan.view("T-2")).reason).toBe("claimable");
  });

  it("refuses when the content changed after the approval (plan edited, claim refused)", async () => {
    const plan = await approved(task("T-1", passes));
    must(await start(plan, { reference: "T-1" }));
    await addAll(plan.as("agent:sly"), [task("T-1", { checks: [{ run: "echo nothing is checked" }] })]);
    expect(mustFail(await complete(plan, { reference: "T-1" })).reason).toBe("approval-stale");
    must(await approve(plan, { references: ["T-1"] }));
    expect(must(await complete(plan, { reference: "T-1" })).acceptance).toBe("accepted");
  });
});

describe("fail", () => {
  it("parks the task, whatever the class is called, and what depends on it waits", async () => {
    const plan = await approved(task("T-1"), task("T-2", { dependsOn: ["T-1"] }), task("T-3", { dependsOn: ["T-2"] }));
    must(await start(plan, { reference: "T-1" }));
    must(await failTask(plan, { reference: "T-1", reason: "no such field", class: "weird" }));
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
    expect(mustFail(await failTask(plan, { reference: "T-1", reason: "late" })).kind).toBe("refused");
    expect((await plan.view("T-1")).status).toBe("done");
    expect((await plan.view("T-2")).status).toBe("done");
  });
});

describe("reset", () => {
  it("puts a rejected task back, keeps its attempts, and changes nobody else", async () => {
    const plan = await approved(task("T-1", passes), task("T-2", { ...fails, dependsOn: ["T-1"] }));
    await work(plan);
    await work(plan);
    expect(mustFail(await reset(plan, { references: ["FEAT-A-LAND"] })).kind).toBe("absent");
    expect(mustFail(await reset(plan.as("agent:planner"), { references: ["T-2"] })).reason).toBe("needs-person");
    must(await reset(plan, { references: ["T-2"] }));
    expect(await plan.view("T-2")).toMatchObject({ status: "ready", attempts: 1, acceptance: null });
    expect((await plan.view("T-1")).status).toBe("done");
  });

  it("opens what is settled only for a person with a reason", async () => {
    const plan = await approved(task("T-1", passes));
    await work(plan);
    expect(mustFail(await reset(plan.as("agent:a"), { references: ["T-1"], reason: "again" })).reason).toBe(
      "needs-person",
    );
    expect(mustFail(await reset(plan, { references: ["T-1"] })).reason).toBe("needs-reason");
    expect(must(await reset(plan, { references: ["T-1"], reason: "it was wrong" })).tasks).toMatchObject([
      { stays: null },
    ]);
    expect((await plan.view("T-1")).status).toBe("ready");
  });
});

describe("accept", () => {
  it("overrides a rejection, with its reason, and rolls up", async () => {
    const plan = await approved(task("T-1", fails));
    await work(plan);
    must(await accept(plan, { references: ["T-1"], reason: "the check was wrong" }));
    expect(await plan.view("T-1")).toMatchObject({ status: "done", outcome: { reason: "the check was wrong" } });
    expect((await plan.view("STORY-A")).status).toBe("done");
    expect(mustFail(await accept(plan, { references: ["T-1"], reason: "again" })).reason).toBe("settled");
  });

  it("accepts nothing that nobody handed in", async () => {
    const plan = await approved(task("T-1"));
    expect(mustFail(await accept(plan, { references: ["T-1"], reason: "x" })).reason).toBe("nothing-to-accept");
  });
});

describe("several tasks", () => {
  it("are reset or accepted in one operation, or none of them is", async () => {
    const plan = await approved(task("T-1", fails), task("T-2", fails), task("T-3"));
    await work(plan);
    await work(plan);
    expect(mustFail(await reset(plan, { references: ["T-1", "T-3"] })).reason).toBe("nothing-to-reset");
    expect((await plan.view("T-1")).status).toBe("rejected");
    const { op, tasks } = must(await reset(plan, { references: ["T-1", "T-2"] }));
    expect(tasks.map(({ id }) => id)).toEqual(["T-1", "T-2"]);
    must(await undo(plan, String(op)));
    must(await accept(plan, { references: ["T-1", "T-2"], reason: "read both" }));
    expect([(await plan.view("T-1")).status, (await plan.view("T-2")).status]).toEqual(["done", "done"]);
    const [last] = await plan.store.read((reader) => reader.operations({ limit: 1 }));
    expect(last?.sentence).toBe("human:ada accepted T-1, T-2: read both");
  });
});

describe("the list of claims", () => {
  it("says who holds what until when, and whose lease has ended", async () => {
    const plan = await approved(task("T-1"), task("T-2"));
    expect(must(await ask(plan, "claim.list", {}))).toEqual([]);
    must(await start(plan, { reference: "T-1" }));
    must(await start(plan.as("agent:a"), { reference: "T-2", leaseMinutes: 1 }));
    plan.pass(120_000);
    expect(must(await ask(plan, "claim.list", {}))).toMatchObject([
      { id: "T-2", by: "agent:a", expired: true },
      { id: "T-1", by: "human:ada", expired: false, epoch: 1, title: "Task T-1" },
    ]);
    expect(JSON.stringify(must(await ask(plan, "claim.list", {})))).not.toContain("token");
  });
});
