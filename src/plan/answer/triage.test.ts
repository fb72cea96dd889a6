import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ENGINE, leaveAttempt, parked } from "../../../test/attempts.js";
import { makePlan, must, mustFail, type TestPlan } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { makeApprovedPlan, passing } from "../../../test/work.js";
import { checksOn } from "../../engine/tick/chores.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import type { Conflict } from "../../model/conflict/conflict.js";
import { changeItem, createItem, type Entity, type ItemTypes } from "../../model/item/item.js";
import type { CheckResult } from "../../model/node/node.js";
import { ok } from "../../model/result.js";
import { drop } from "../../verbs/branch/drop.js";
import { undo } from "../../verbs/history/take-back.js";
import { spell } from "../../verbs/kit/spell.js";
import { edit } from "../../verbs/node/edit.js";
import { link } from "../../verbs/node/link.js";
import { complete } from "../../verbs/task/hand-in.js";
import { act } from "../base/context.js";
import { reset } from "../claim/settle-tasks.js";
import { start } from "../claim/start.js";
import { approve } from "../node/approve.js";
import { type NewQuestion, raise } from "../question/raise.js";
import { listQuestions } from "./list-questions.js";

import { type CheckCommit, confirmTriage, triage } from "./triage.js";
import { evidenceOf } from "./triage-evidence.js";

const brief = async (plan: TestPlan): Promise<string[]> =>
  must(await triage(plan)).map(({ id, about, bucket, verb, proof }) =>
    [id, about, bucket, verb, proof ?? "no proof"].join(" "),
  );

const open = async (plan: TestPlan): Promise<string[]> => must(await listQuestions(plan)).map(({ id }) => id);

const ask = async (plan: TestPlan, question: Partial<NewQuestion>): Promise<unknown> =>
  must(
    await act(plan.as(ENGINE), "attempt", async (writer, at) => {
      const asked = { kind: "rejected", question: "What now?", owner: "T-1", ...question } as const;
      return ok({ sentence: "asked", changes: (await raise(writer, asked, { by: ENGINE, at })).changes, value: null });
    }),
  );

const option = (id: string) => ({ id, label: id, detail: "" });

const red = (output: string, run = "test -f a.txt"): CheckResult => ({
  run,
  passed: false,
  outcome: "exit 1, expected exit 0",
  durationMs: 1,
  output,
});

/** A task whose attempt was rejected, with the question about it. */
const reject = (plan: TestPlan, id: string, attempt: Partial<Attempt> = {}): Promise<string> =>
  leaveAttempt(plan, id, attempt, { patch: parked, question: { blocks: [id] } });

const shop = (...names: readonly string[]): Promise<Shop> => openShop(names.map((name) => fileTask(name)));

const noChecks: CheckCommit = () => Promise.reject(new Error("No check can prove this."));

/** Runs checks as an engine does. */
const checking = ({ services }: Shop): CheckCommit => checksOn(services, new AbortController().signal);

describe("triage", () => {
  it("looks at the questions of execution, and suggests", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2"), passing("T-3"), passing("T-4")]);
    await reject(plan, "T-1");
    await leaveAttempt(
      plan,
      "T-2",
      { failure: { class: "design", reason: "no", fingerprint: "f", action: "replan", notBefore: null } },
      { patch: parked, question: { recommended: "reset", options: [option("reset"), option("replan")] } },
    );
    await ask(plan, { kind: "question", owner: "RUN-001" });
    await ask(plan, { kind: "split", owner: "T-3" });
    await ask(plan, { kind: "budget", owner: "FEAT-A" });
    await ask(plan, { owner: "T-4" });
    await ask(plan, { owner: "T-9" });
    expect(await brief(plan)).toEqual([
      "ESC-001 T-1 genuine-decision answer no proof",
      "ESC-002 T-2 needs-design replan no proof",
      "ESC-004 T-3 genuine-decision answer no proof",
      "ESC-005 FEAT-A genuine-decision answer no proof",
      "ESC-006 T-4 stale withdraw moved-on",
      "ESC-007  stale withdraw moved-on",
    ]);
    const views = must(await triage(plan));
    expect(views.map(({ next }) => spell(next))).toEqual([
      "planwright question answer ESC-001 OPTION",
      "planwright question answer ESC-002 replan",
      "planwright question answer ESC-004 OPTION",
      "planwright question answer ESC-005 OPTION",
      "planwright question confirm ESC-006",
      "planwright question confirm ESC-007",
    ]);
  });

  it("cannot end the question of a run, a record or an attempt that is alive, whatever its kind", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const keep = <E extends Entity>(entity: E, key: string, fields: Partial<ItemTypes[E]>): Promise<unknown> =>
      act(plan, "plan", async () =>
        ok({ sentence: key, changes: [createItem(entity, key, fields as ItemTypes[E])], value: null }),
      );
    for (const status of ["running", "waiting", "ready", "halted", "finished", "aborted"] as const) {
      await keep("run", `RUN-${status}`, { status });
      await ask(plan, { kind: "failure", owner: `RUN-${status}`, blocks: [`RUN-${status}`] });
    }
    await keep("record", "CON-001", { state: "active", scope: null });
    await ask(plan, { kind: "failure", owner: "CON-001", blocks: [] });
    const attempt = await leaveAttempt(plan, "T-1", { state: "working", endedAt: null }, { patch: parked });
    await ask(plan, { kind: "failure", owner: attempt, blocks: [] });
    expect(await brief(plan)).toEqual([
      "ESC-001  genuine-decision answer no proof",
      "ESC-002  genuine-decision answer no proof",
      "ESC-003  genuine-decision answer no proof",
      "ESC-004  genuine-decision answer no proof",
      "ESC-005  stale withdraw moved-on",
      "ESC-006  stale withdraw moved-on",
      "ESC-007  genuine-decision answer no proof",
      "ESC-008 T-1 genuine-decision answer no proof",
    ]);
    for (const id of ["ESC-001", "ESC-004", "ESC-007", "ESC-008"])
      for (const actor of [ENGINE, "human:ada"])
        expect(mustFail(await confirmTriage(plan.as(actor), id, noChecks)).reason).toBe("no-proof");
    must(await confirmTriage(plan.as(ENGINE), "ESC-006", noChecks));
  });

  it("cannot suggest what the question does not offer", async () => {
    const plan = await makeApprovedPlan([passing("T-0"), passing("T-1", { dependsOn: ["T-0"] }), passing("T-2")]);
    const design = { class: "design", reason: "no", fingerprint: "f", action: "replan", notBefore: null } as const;
    const options = [option("drop"), option("accept")];
    await leaveAttempt(plan, "T-2", { failure: design }, { patch: parked, question: { options } });
    await leaveAttempt(plan, "T-1", {}, { patch: parked, question: { options } });
    const { token } = must(await start(plan, { reference: "T-0" }));
    must(await complete(plan, { reference: "T-0", token }));
    expect(await brief(plan)).toEqual([
      "ESC-001 T-2 genuine-decision answer no proof",
      "ESC-002 T-1 genuine-decision answer no proof",
    ]);
  });

  it("keeps the answer that it gave, with its proof", async () => {
    const plan = await makeApprovedPlan([
      passing("T-0"),
      passing("T-1", { dependsOn: ["T-0"], budgets: { attempts: 3 } }),
    ]);
    await leaveAttempt(plan, "T-1", {}, { patch: parked, question: { options: [option("reset"), option("accept")] } });
    const { token } = must(await start(plan, { reference: "T-0" }));
    must(await complete(plan, { reference: "T-0", token }));
    must(await confirmTriage(plan.as(ENGINE), "ESC-001", noChecks));
    const question = await plan.store.read((reader) => reader.item("question", "ESC-001"));
    expect(question?.fields).toMatchObject({
      state: "answered",
      answer: { option: "reset", by: ENGINE, note: "T-0 came after T-1 was rejected." },
    });
  });

  it("takes a question back that is about nothing any more, and that can be taken back", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2")]);
    await reject(plan, "T-1");
    must(await drop(plan, { references: ["T-1"] }));
    expect(await brief(plan)).toEqual(["ESC-001 T-1 stale withdraw moved-on"]);
    const done = must(await confirmTriage(plan, "esc-1", noChecks));
    expect(done).toMatchObject({ id: "ESC-001", verb: "withdraw", proof: "moved-on", seen: "T-1 is dropped." });
    expect(await open(plan)).toEqual([]);
    must(await undo(plan, String(done.op)));
    expect(await open(plan)).toEqual(["ESC-001"]);
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("knows that work on a feature goes on", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    await ask(plan, { kind: "budget", owner: "FEAT-A", question: "Its budget is spent." });
    await leaveAttempt(plan, "T-1", { state: "working", startedAt: plan.now() });
    expect(await brief(plan)).toEqual(["ESC-001 FEAT-A stale withdraw moved-on"]);
  });

  it("resets what got what it lacked, and only while that is so", async () => {
    const plan = await makeApprovedPlan([passing("T-0"), passing("T-1")]);
    await reject(plan, "T-1");
    expect(mustFail(await confirmTriage(plan, "ESC-001", noChecks))).toMatchObject({ reason: "no-proof" });
    must(await link(plan, { reference: "T-1", on: ["T-0"] }));
    expect(await brief(plan)).toEqual(["ESC-001 T-1 genuine-decision answer no proof"]);
    const { token } = must(await start(plan, { reference: "T-0" }));
    must(await complete(plan, { reference: "T-0", token }));
    expect(await brief(plan)).toEqual(["ESC-001 T-1 now-buildable reset dep-done"]);
    expect(must(await confirmTriage(plan, "ESC-001", noChecks))).toMatchObject({ verb: "reset", about: "T-1" });
    expect((await plan.view("T-1")).acceptance).toBeNull();
    expect(await open(plan)).toEqual([]);
    expect(mustFail(await confirmTriage(plan, "ESC-001", noChecks)).reason).toBe("stale");
  });

  it("looks at the conflict behind a question", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const keep = (key: string, conflict: Partial<Conflict>): Promise<unknown> =>
      act(plan, "attempt", async () =>
        ok({ sentence: "met", changes: [createItem("conflict", key, conflict as Conflict)], value: null }),
      );
    const nr = await plan.store.read(async (reader) => (await reader.byId("T-1"))?.nr ?? 0);
    await keep("CONFLICT-00001", { state: "open", second: nr });
    await keep("CONFLICT-00002", { state: "settled", second: nr, settledAt: 2 ** 50 });
    await ask(plan, { kind: "conflict", owner: "CONFLICT-00001", blocks: ["T-1"] });
    await ask(plan, { kind: "conflict", owner: "CONFLICT-00002", blocks: ["T-1"] });
    expect(await brief(plan)).toEqual([
      "ESC-001 T-1 genuine-decision answer no proof",
      "ESC-002 T-1 stale withdraw moved-on",
    ]);
    await reject(plan, "T-1");
    expect((await brief(plan)).at(-1)).toBe("ESC-003 T-1 now-buildable reset dep-done");
  });

  it("never takes what was accepted for done while it is not merged", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const done = { kind: "done", by: "human:ada", at: 1, reason: null, op: 1 } as const;
    const accepted = { state: "accepted", by: "human:ada", at: 1, reason: "fine" } as const;
    const patch = { outcome: done, acceptance: accepted };
    await leaveAttempt(plan, "T-1", { state: "pending" }, { patch, question: { kind: "conflict" } });
    expect(await brief(plan)).toEqual(["ESC-001 T-1 genuine-decision answer no proof"]);
  });

  it("is confirmed by a person, or by an engine for what is no person's own", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2")]);
    await ask(plan, { owner: "T-1" });
    await ask(plan, { owner: "T-9", kind: "split" });
    await ask(plan, { owner: "RUN-001", kind: "approval" });
    expect(mustFail(await confirmTriage(plan.as("agent:bot"), "ESC-001", noChecks)).reason).toBe("needs-person");
    expect(mustFail(await confirmTriage(plan.as(ENGINE), "ESC-002", noChecks)).reason).toBe("needs-person");
    expect(mustFail(await confirmTriage(plan.as(ENGINE), "ESC-003", noChecks)).reason).toBe("no-proof");
    expect(mustFail(await confirmTriage(plan, "ESC-003", noChecks)).reason).toBe("no-proof");
    expect(mustFail(await confirmTriage(plan, "ESC-009", noChecks)).reason).toBe("not-found");
    must(await confirmTriage(plan.as(ENGINE), "ESC-001", noChecks));
    must(await confirmTriage(plan, "ESC-002", noChecks));
  });
});

describe("triage with a repository", () => {
  it("accepts what somebody merged, once its checks pass there", async () => {
    const here = await shop("a");
    const { plan, repository } = here;
    repository.git("checkout", "-q", "-b", "side");
    const tip = repository.commit({ "other.txt": "a\n" });
    repository.git("checkout", "-q", "main");
    repository.git("update-ref", "refs/planwright/kept/ATT-00001", tip);
    await reject(plan, "T-a", { kept: "refs/planwright/kept/ATT-00001", checks: [red("no a.txt")] });
    expect(await brief(plan)).toEqual(["ESC-001 T-a genuine-decision answer no proof"]);
    repository.git("merge", "-q", "--no-ff", "-m", "by hand", "side");
    expect(await brief(plan)).toEqual(["ESC-001 T-a verified-done accept checks-green"]);
    const refusal = mustFail(await confirmTriage(plan, "ESC-001", checking(here)));
    expect(refusal).toMatchObject({ reason: "checks-failed" });
    expect(refusal.message).toMatch(/^On main at [0-9a-f]{10} "test -f a\.txt" does not pass: exit 1/);
    expect((await plan.view("T-a")).status).toBe("rejected");
    repository.commit({ "a.txt": "a\n" });
    const done = must(await confirmTriage(plan, "ESC-001", checking(here)));
    expect(done).toMatchObject({ verb: "accept", proof: "checks-green" });
    expect(await plan.view("T-a")).toMatchObject({
      status: "done",
      acceptance: { state: "accepted", by: "human:ada" },
    });
    expect(await open(plan)).toEqual([]);
  });

  it("proves it on the feature's branch, in a tree that goes afterwards", async () => {
    const here = await shop("a");
    const { plan, repository } = here;
    repository.git("checkout", "-q", "-b", "planwright/feature/FEAT-A");
    const tip = repository.commit({ "a.txt": "a\n" });
    repository.git("checkout", "-q", "main");
    await reject(plan, "T-a", { tip });
    const done = must(await confirmTriage(plan.as(ENGINE), "ESC-001", checking(here)));
    expect(done.seen).toBe(`the checks of T-a pass on planwright/feature/FEAT-A at ${tip.slice(0, 10)}`);
    expect((await plan.view("T-a")).acceptance).toMatchObject({ state: "accepted", by: "checks" });
    expect(readdirSync(await plan.worktreesFolder())).toEqual([]);
    expect(repository.git("worktree", "list").split("\n")).toHaveLength(1);
    expect(repository.git("status", "--porcelain")).toBe("");
  });

  it("takes neither checks that nobody approved nor a dirty checkout for a proof", async () => {
    const here = await shop("a");
    const { plan, repository } = here;
    const tip = repository.commit({ "a.txt": "a\n" });
    await reject(plan, "T-a", { tip });
    must(await edit(plan, { reference: "T-a", checks: [{ run: "grep -q good a.txt" }] }));
    expect(await brief(plan)).toEqual(["ESC-001 T-a genuine-decision answer no proof"]);
    must(await approve(plan, { references: ["T-a"] }));
    writeFileSync(join(repository.path, "a.txt"), "good\n");
    expect(mustFail(await confirmTriage(plan, "ESC-001", checking(here))).reason).toBe("checks-failed");
    repository.commit({});
    must(await confirmTriage(plan, "ESC-001", checking(here)));
  });

  it("tries again what failed over files of others, once those are fixed", async () => {
    const here = await shop("a");
    const { plan, repository } = here;
    repository.commit({ "src/other.ts": "broken\n" });
    const output = "src/other.ts(3,1): error TS1005: ';' expected.";
    const changes = { created: ["a.txt"], modified: [], deleted: [] };
    const check = { run: "grep -q fixed src/other.ts" };
    must(await edit(plan, { reference: "T-a", checks: [check] }));
    await reject(plan, "T-a", { changes, checks: [red(output, check.run)], tip: null });
    expect(await brief(plan)).toEqual(["ESC-001 T-a now-buildable reset foreign-failure"]);
    expect(mustFail(await confirmTriage(plan, "ESC-001", checking(here))).reason).toBe("checks-failed");
    repository.commit({ "src/other.ts": "fixed\n" });
    expect(must(await confirmTriage(plan, "ESC-001", checking(here)))).toMatchObject({
      verb: "reset",
      proof: "foreign-failure",
    });
    expect((await plan.view("T-a")).acceptance).toBeNull();
  });

  it("proves a check that the task itself turns green on its work, which no branch has", async () => {
    const here = await shop("a");
    const { plan, repository } = here;
    const git = (...args: string[]): string => here.git(...args);
    repository.commit({ "src/other.ts": "broken\n" });
    const check = { run: "test -f a.txt && grep -q fixed src/other.ts" };
    must(await edit(plan, { reference: "T-a", checks: [check] }));
    git("checkout", "-q", "--detach");
    const tip = repository.commit({ "a.txt": "a\n" });
    git("checkout", "-q", "main");
    const output = "src/other.ts(3,1): error TS1005: ';' expected.";
    const changes = { created: ["a.txt"], modified: [], deleted: [] };
    await reject(plan, "T-a", { changes, checks: [red(output, check.run)], tip });
    expect(mustFail(await confirmTriage(plan, "ESC-001", checking(here))).reason).toBe("checks-failed");
    repository.commit({ "src/other.ts": "fixed\n" });
    const before = git("for-each-ref");
    const settled = must(await confirmTriage(plan, "ESC-001", checking(here)));
    expect(settled).toMatchObject({ verb: "reset", proof: "foreign-failure" });
    expect(settled.seen).toContain("with its work");
    expect([git("for-each-ref"), git("status", "--porcelain")]).toEqual([before, ""]);
  });

  it("does nothing if something changed while it was proven", async () => {
    const here = await shop("a");
    const { plan, repository } = here;
    const tip = repository.commit({ "a.txt": "a\n" });
    await reject(plan, "T-a", { tip });
    const meanwhile =
      (change: () => Promise<unknown>): CheckCommit =>
      async (on, checks) => {
        const results = await checking(here)(on, checks);
        await change();
        return results;
      };
    const moved = meanwhile(async () => repository.commit({ "b.txt": "b\n" }));
    expect(mustFail(await confirmTriage(plan, "ESC-001", moved)).reason).toBe("stale");
    const edited = meanwhile(() => edit(plan, { reference: "T-a", priority: 1 }));
    expect(mustFail(await confirmTriage(plan, "ESC-001", edited)).reason).toBe("stale");
    const opened = meanwhile(() => reset(plan, { references: ["T-a"] }));
    expect(mustFail(await confirmTriage(plan, "ESC-001", opened)).reason).toBe("stale");
    expect((await plan.view("T-a")).outcome).toBeNull();
  });

  it("asks git nothing while others wait to write", async () => {
    const here = await shop("a");
    const { plan, repository } = here;
    const tip = repository.commit({ "a.txt": "a\n" });
    await reject(plan, "T-a", { tip });
    const { store } = plan;
    let isWriting = false;
    const watched: typeof store = {
      ...store,
      commit: (intent, decide) =>
        store.commit(intent, async (writer) => {
          isWriting = true;
          return decide(writer).finally(() => {
            isWriting = false;
          });
        }),
    };
    const asked: boolean[] = [];
    const found = evidenceOf(plan);
    const evidence: typeof found = {
      ...found,
      branchWith: async (...about) => {
        asked.push(isWriting);
        return found.branchWith(...about);
      },
    };
    must(await confirmTriage({ ...plan, store: watched }, "ESC-001", checking(here), evidence));
    expect(asked).toEqual([false, false]);
  });

  it("does nothing if the plan asks for another commit by the time it is written", async () => {
    const here = await shop("a");
    const { plan, repository } = here;
    const tip = repository.commit({ "a.txt": "a\n" });
    await reject(plan, "T-a", { tip });
    const head = repository.commit({ "b.txt": "b\n" });
    const { store } = plan;
    const late: typeof store = {
      ...store,
      commit: async (intent, decide) => {
        const attempt = await store.read((reader) => reader.item("attempt", "ATT-00001"));
        const changes = attempt ? changeItem(attempt, { merged: head }) : [];
        must(await act(plan.as(ENGINE), "attempt", async () => ok({ sentence: "merged", changes, value: null })));
        return store.commit(intent, decide);
      },
    };
    expect(mustFail(await confirmTriage({ ...plan, store: late }, "ESC-001", checking(here))).reason).toBe("stale");
  });

  it("knows a landing that somebody did by hand", async () => {
    const here = await shop("a");
    const { plan, repository } = here;
    await ask(plan, { kind: "land", owner: "FEAT-A", blocks: ["FEAT-A"] });
    await here.workThrough();
    expect(await brief(plan)).toEqual(["ESC-001 FEAT-A-LAND genuine-decision answer no proof"]);
    repository.git("merge", "-q", "--no-ff", "-m", "by hand", "planwright/feature/FEAT-A");
    expect(await brief(plan)).toEqual(["ESC-001 FEAT-A-LAND verified-done accept merged"]);
    must(await confirmTriage(plan, "ESC-001", checking(here)));
    expect((await plan.view("FEAT-A-LAND")).status).toBe("done");
    expect((await plan.view("FEAT-A-LAND")).outcome?.reason).toBe(
      "main has the commits of all that FEAT-A-LAND lands.",
    );
    await ask(plan, { kind: "land", owner: "FEAT-A", question: "Again?" });
    expect(await brief(plan)).toEqual(["ESC-002 FEAT-A-LAND stale withdraw moved-on"]);
  });

  it("asks nothing of a repository that is not there", async () => {
    const evidence = evidenceOf(await makePlan());
    expect(await evidence.commitOf("refs/planwright/kept/ATT-00001")).toBeNull();
    expect(await evidence.branchOf("FEAT-A")).toBeNull();
    expect(await evidence.branchWith("abc", null)).toBeNull();
    expect(await evidence.mainWith([])).toBeNull();
  });
});
