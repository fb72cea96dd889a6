import { describe, expect, it } from "vitest";
import { leaveAttempt, parked } from "../../../test/attempts.js";
import { addAll, makePlainPlan, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { spelled } from "../../../test/spelled.js";
import { finish, inFolder, makeApprovedPlan, passing } from "../../../test/work.js";
import { createItem } from "../../model/item/item.js";
import type { PlanningRun, RunStatus } from "../../model/item/planning-run.js";
import { ok } from "../../model/result.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { status } from "../../verbs/look/read-status.js";
import { whyItem } from "../../verbs/look/why.js";
import { why } from "../../verbs/look/why-node.js";
import { edit } from "../../verbs/node/edit.js";
import { gate } from "../../verbs/node/gate.js";
import { failTask } from "../../verbs/task/fail.js";
import { answer } from "../answer/answer.js";
import { act } from "../base/context.js";
import { accept, reset } from "../claim/settle-tasks.js";
import { start } from "../claim/start.js";
import { approve } from "../node/approve.js";
import { waiting } from "./waiting.js";

const kinds = async (plan: TestPlan): Promise<string[]> =>
  must(await waiting(plan)).entries.map(({ kind, id }) => `${kind} ${id ?? ""}`.trim());

const addRun = async (
  plan: TestPlan,
  key: string,
  state: RunStatus,
  rest: Partial<PlanningRun> = {},
): Promise<void> => {
  const run: PlanningRun = {
    status: state,
    title: "Log in",
    node: null,
    intake: {},
    machine: { wait: { for: "resume", why: "the limit of 5 calls is reached." } },
    current: {},
    asked: {},
    applied: {},
    driver: null,
    createdAt: 1,
    createdBy: "human:ada",
    ...rest,
  };
  must(
    await act(plan, "plan", async () => ok({ sentence: "run", changes: [createItem("run", key, run)], value: null })),
  );
};

describe("what waits for you", () => {
  it("is nothing when nothing does: zero means zero, in status too", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    expect(must(await waiting(plan))).toEqual({ entries: [], total: 0, summary: "Nothing waits for you." });
    must(await start(plan, { reference: "T-1" }));
    expect(must(await status(plan, {})).waiting).toMatchObject({ total: 0, entries: [] });
  });

  it("is work that failed, and work that no check proves, until you decide", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), task("T-2")]);
    const agent = plan.as("agent:bot");
    const { token } = must(await start(agent, { reference: "T-1" }));
    must(await failTask(agent, { reference: "T-1", token, reason: "no such API" }));
    const acceptance = { state: "pending", by: "agent:bot", at: 1, reason: "nothing was changed" } as const;
    await leaveAttempt(plan, "T-2", { state: "pending" }, { patch: { acceptance } });
    const { entries, summary } = must(await waiting(plan));
    expect(summary).toBe("2 things wait for you: 1 rejected task and 1 task to accept.");
    expect(entries.map(({ sentence }) => sentence)).toEqual([
      'T-1 "Task T-1" was rejected: no such API.',
      'agent:bot handed in T-2 "Task T-2": nothing was changed.',
    ]);
    expect(entries.map((each) => spelled(each))).toEqual([
      ["planwright why T-1", "planwright reset T-1"],
      ["planwright why T-2", "planwright accept T-2 --reason TEXT"],
    ]);
    must(await reset(plan, { references: ["T-1"] }));
    must(await accept(plan, { references: ["T-2"], reason: "read it" }));
    expect(await kinds(plan)).toEqual([]);
  });

  it("names a rejected task once: its question speaks for it", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    await leaveAttempt(plan, "T-1", {}, { patch: parked, question: { kind: "rejected", blocks: ["T-1"] } });
    expect(await kinds(plan)).toEqual(["question ESC-001"]);
    const [entry] = must(await waiting(plan)).entries;
    expect(entry).toMatchObject({ about: "T-1", suggestion: null });
  });

  it("is a landing whose tasks are all finished, whatever the land task's own approval", async () => {
    const plan = await makePlan([task("T-1", { parent: "STORY-A", checks: [{ run: "true" }] })]);
    must(await approve(plan, { references: ["T-1"] }));
    await finish(inFolder(plan), "T-1");
    expect(await plan.view("FEAT-A-LAND")).toMatchObject({ status: "ready", reason: "human" });
    const [entry] = must(await waiting(plan)).entries;
    expect(entry).toMatchObject({ kind: "landing", id: "FEAT-A-LAND", about: "FEAT-A" });
    expect(entry).toMatchObject({ headline: "Feature A is ready to land", detail: "1 of 1 tasks done" });
    expect(must(await status(plan, {})).counts.waitingForPerson).toBe(1);
  });

  it("is a manual step whose turn it is", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    const { id } = must(await gate(plan, { title: "Order the key", before: ["T-1"] }));
    expect(await kinds(plan)).toEqual([`gate ${id}`]);
  });

  it("is what nobody approved, and what changed after the approval: one entry for a feature", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    expect(must(await waiting(plan)).entries).toMatchObject([
      {
        kind: "unapproved",
        id: "FEAT-A",
        sentence: '2 tasks of FEAT-A "Feature A" are not approved.',
        headline: "Approve 2 tasks of Feature A",
      },
    ]);
    must(await approve(plan, { references: ["MISSION"] }));
    must(await edit(plan.as("agent:bot"), { reference: "T-1", title: "Another" }));
    expect(must(await waiting(plan)).entries).toMatchObject([
      {
        kind: "stale",
        id: "T-1",
        headline: "Another changed after you approved it",
        detail: "agent:bot changed title",
      },
    ]);
    must(await edit(plan.as("agent:bot"), { reference: "T-2", title: "Another too" }));
    expect(must(await waiting(plan)).entries).toMatchObject([
      {
        kind: "stale",
        id: "FEAT-A",
        sentence: "2 nodes of FEAT-A changed after the approval: approve it again.",
        headline: "2 nodes of FEAT-A changed after you approved them",
      },
    ]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    expect(await kinds(plan)).toEqual([]);
  });

  it("is what a program froze and what has no attempts left, but not what you froze yourself", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2"), passing("T-3", { budgets: { attempts: 1 } })]);
    must(await freeze(plan, { references: ["T-1"], reason: "wait" }));
    must(await freeze(plan.as("agent:bot"), { references: ["T-2"], reason: "I am stuck" }));
    const { token } = must(await start(plan.as("agent:bot"), { reference: "T-3" }));
    const { releaseClaim } = await import("../../verbs/claim/release.js");
    must(await releaseClaim(plan.as("agent:bot"), { reference: "T-3", token }));
    expect(await kinds(plan)).toEqual(["stopped T-3", "stopped T-2"]);
  });

  it("is a plan to approve, or a run to resume, and a daemon that died", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    await addRun(plan, "RUN-001", "ready");
    await addRun(plan, "RUN-002", "halted");
    await addRun(plan, "RUN-003", "running", { driver: { by: "box/1", until: Number.MAX_SAFE_INTEGER } });
    await addRun(plan, "RUN-004", "running");
    await addRun(plan, "RUN-005", "finished");
    const withDaemon = { ...plan, deadDaemon: async () => ({ pid: 7, startedAt: "2026-01-01T00:00:00.000Z" }) };
    expect(await kinds(withDaemon)).toEqual(["daemon", "plan RUN-001", "plan RUN-002", "plan RUN-004"]);
    expect(must(await waiting(withDaemon, { limit: 1 }))).toMatchObject({ total: 4, entries: [{ kind: "daemon" }] });
  });

  it("is told to an agent as what waits for a person", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(must(await waiting(plan.as("agent:bot"))).summary).toBe("1 thing waits for a person: 1 part to approve.");
  });
});

describe("why of a run or a question", () => {
  it.each<[RunStatus, Partial<PlanningRun>, string, string[]]>([
    ["ready", {}, "waits for your approval", ["planwright diff RUN-001", "planwright approve RUN-001"]],
    [
      "halted",
      {},
      "RUN-001 stopped (the limit of 5 calls is reached). You can resume it.",
      ["planwright plan resume RUN-001"],
    ],
    ["halted", { machine: null }, "RUN-001 stopped. You can resume it.", ["planwright plan resume RUN-001"]],
    ["waiting", {}, "has your answers and can go on", ["planwright plan resume RUN-001"]],
    ["running", {}, "was interrupted", ["planwright plan resume RUN-001"]],
    [
      "running",
      { driver: { by: "box/1", until: Number.MAX_SAFE_INTEGER } },
      "box/1 is working on RUN-001 now.",
      ["planwright show RUN-001 --calls"],
    ],
    ["finished", {}, "is finished", ["planwright show RUN-001 --calls"]],
    ["aborted", {}, "was aborted", ["planwright plan list"]],
  ])("says how a %s run stands (%j)", async (state, rest, sentence, next) => {
    const plan = await makePlan();
    await addRun(plan, "RUN-001", state, rest);
    const found = must(await whyItem(plan, "run-1"));
    expect(found).toMatchObject({
      id: "RUN-001",
      entity: "run",
      state,
      sentences: [expect.stringContaining(sentence)],
    });
    expect(spelled(found)).toEqual(next);
  });

  it("says who asked a question, what it holds up, and later who answered", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    await addRun(plan, "RUN-001", "waiting");
    await leaveAttempt(
      plan,
      "T-1",
      {},
      {
        question: {
          kind: "question",
          owner: "RUN-001",
          question: "Which?",
          blocks: ["RUN-001"],
          options: [{ id: "a", label: "The first", detail: "" }],
        },
      },
    );
    expect(must(await whyItem(plan, "RUN-001"))).toMatchObject({
      sentences: ["RUN-001 waits for your answers.", "ESC-001: Which?"],
    });
    const open = must(await whyItem(plan, "ESC-001"));
    expect(open.sentences).toEqual([
      expect.stringMatching(/^daemon:box asked it at .*, and only a person can answer it\.$/),
      "It holds up RUN-001.",
    ]);
    expect(spelled(open)).toEqual(["planwright question answer ESC-001 OPTION", "planwright show ESC-001"]);
    must(await answer(plan, { id: "ESC-001", option: "a", note: "cheaper" }));
    expect(must(await whyItem(plan, "ESC-001")).sentences).toEqual([
      expect.stringMatching(/^human:ada answered ESC-001 at .*: The first \(cheaper\)\.$/),
    ]);
    expect(await whyItem(plan, "ESC-009")).toMatchObject({ ok: false, error: { reason: "not-found" } });
    expect(await whyItem(plan, "RUN-009")).toMatchObject({ ok: false, error: { reason: "not-found" } });
  });

  it("says that a run cannot be approved once another about the same node was added", async () => {
    const plan = await makePlan();
    await addRun(plan, "RUN-001", "ready", { node: 1, begunBy: 3 });
    await addRun(plan, "RUN-002", "finished", { node: 1, begunBy: 4, appliedBy: 5 });
    const found = must(await whyItem(plan, "RUN-001"));
    expect(found.sentences).toEqual([expect.stringContaining("RUN-001 planned the same as RUN-002")]);
    expect(spelled(found)).toEqual(["planwright plan --revise RUN-002", "planwright plan abort RUN-001"]);
  });

  it("answers for every other item, and names the kind of one that is not there", async () => {
    const plan = await makePlan();
    for (const [key, noun] of [
      ["ATT-9", "attempt"],
      ["CONFLICT-9", "conflict"],
      ["DEC-9", "record"],
      ["MEM-9", "lesson"],
    ] as const)
      expect(mustFail(await whyItem(plan, key)).message).toContain(`There is no ${noun} ${key}`);
  });

  it("says that a question was withdrawn", async () => {
    const plan = await makeApprovedPlan([passing("T-1")]);
    await leaveAttempt(
      plan,
      "T-1",
      {},
      { patch: parked, question: { kind: "rejected", owner: "T-1", blocks: ["T-1"] } },
    );
    must(await reset(plan, { references: ["T-1"] }));
    expect(must(await whyItem(plan, "ESC-001")).sentences).toEqual([
      "ESC-001 was withdrawn. It needs no answer any more.",
    ]);
  });
});

it("an approved feature without tasks is not forgotten", async () => {
  const plan = await makePlainPlan();
  expect(await kinds(plan)).toEqual([]);
  must(await approve(plan, { references: ["FEAT-A"] }));
  const { entries } = must(await waiting(plan));
  expect(entries.map(({ sentence, next }) => [sentence, next.map(({ operation }) => operation)])).toEqual([
    ['FEAT-A "Feature A" is approved and has no tasks: plan it, or add one.', ["expand", "add", "waive", "drop"]],
  ]);
  await addAll(plan, [task("T-1", { parent: "FEAT-A" })]);
  expect(await kinds(plan)).toEqual(["unapproved FEAT-A"]);
});

it("what keeps every worker from beginning is said by why and waiting alike, and only where something is ready", async () => {
  const plan = await makeApprovedPlan([task("T-1")]);
  const message = "The repository has no commit yet.";
  const stuck: TestPlan = { ...plan, cannotRun: async () => ({ kind: "refused", reason: "no-commit", message }) };
  expect(must(await waiting(stuck)).entries[0]?.sentence).toBe(`No worker can begin anything. ${message}`);
  const found = must(await why(stuck, "T-1"));
  expect(found.chain[0]?.sentences.join(" ")).toContain(`No worker can begin it. ${message}`);
  must(await freeze(plan, { references: ["T-1"], reason: "later" }));
  expect(must(await waiting(stuck)).entries.filter(({ kind }) => kind === "obstacle")).toEqual([]);
});
