import { describe, expect, it } from "vitest";
import { must, type TestPlan } from "../../../test/plan.js";
import {
  ANSWERS,
  type Answer,
  CLARIFICATION,
  objection,
  planForEach,
  planningRig,
  reply,
  request,
  SPEC,
  withAnswers,
} from "../../../test/planning.js";
import { answer } from "../../plan/answer/answer.js";
import { undo } from "../../verbs/history/take-back.js";
import { addRecord } from "../../verbs/record/add.js";
import { approveRecords } from "../../verbs/record/approve.js";
import { next } from "../../verbs/task/next.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

const ids = async (): Promise<string[]> => {
  const found: string[] = [];
  await plan.store.read(async (reader) => {
    for await (const node of reader.scan()) found.push(node.id);
  });
  return found;
};

describe("a planning run", () => {
  it("goes from a spec to a plan that a person approves, and adds nothing before", async () => {
    const rig = planningRig(plan);
    const before = await ids();
    const view = must(await rig.plan(request()));
    expect(rig.asked).toEqual([
      "clarifier",
      "author capabilities",
      "author files",
      "author tasks",
      "critic",
      "overviewer",
    ]);
    expect(view).toMatchObject({
      id: "RUN-001",
      status: "ready",
      stage: "approval",
      counts: { features: 1, stories: 0, tasks: 3, decisions: 1 },
      coverage: { planned: 100, leftOut: 0, notUnderstood: 0 },
      calls: 6,
      tokens: 720,
      verdict: "approve",
      next: expect.arrayContaining([{ operation: "approve", input: { references: ["RUN-001"] } }]),
    });
    expect(await ids()).toEqual(before);

    const applied = must(await rig.approve("RUN-001"));
    expect(applied.added).toEqual(["FEAT-001", "TASK-00001", "TASK-00002", "TASK-00003", "FEAT-001-LAND"]);
    expect(applied.approved).toEqual(applied.added);
    expect((await plan.view("TASK-00001")).status).toBe("ready");
    expect((await plan.view("FEAT-001-LAND")).reason).toBe("deps-pending");
    expect((await plan.view("TASK-00002")).status).toBe("blocked");
    const [first] = must(await next(plan.as("agent:w"), {}));
    expect(first?.task.id).toBe("TASK-00001");
    expect(must(await rig.show("RUN-001")).status).toBe("finished");
  });

  it("takes the whole plan back with one undo", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    const before = await ids();
    must(await rig.approve("RUN-001"));
    must(await undo(plan));
    expect(await ids()).toEqual(before);
    expect(must(await rig.show("RUN-001")).status).toBe("ready");
    must(await rig.approve("RUN-001"));
    expect(await ids()).toContain("FEAT-002");
  });

  it("waits for answers without a process, and gives them to the author", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }) });
    const waiting = must(await rig.plan(request()));
    expect(waiting).toMatchObject({ status: "waiting", questions: [{ id: "ESC-001" }] });
    expect(rig.asked).toEqual(["clarifier"]);
    const again = must(await rig.resume());
    expect([again.status, rig.asked.length]).toEqual(["waiting", 1]);
    must(await answer(plan, { id: "ESC-001", option: "latin", note: "of course" }));
    const done = must(await rig.resume("run-001"));
    expect(done.status).toBe("ready");
    const author = rig.requests.find(({ brief }) => brief.role === "author");
    expect(author?.brief.answers).toEqual([
      { question: "In which language does it greet?", answer: "Latin", note: "of course" },
    ]);
    expect(author?.brief.records.map(({ record }) => record.title)).toEqual(["It runs in a terminal."]);
  });

  it("takes the defaults when it is told to, and when nobody answers in time", async () => {
    const defaults = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }) });
    expect(must(await defaults.plan(request({ defaults: true }))).status).toBe("ready");
    const limits = { ...defaults.services.limits, answerHours: 1 };
    const slow = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }), services: { limits } });
    expect(must(await slow.plan(request())).status).toBe("waiting");
    plan.pass(3_600_001);
    expect(must(await slow.resume()).status).toBe("ready");
  });

  it("revises on the critic's word, sends only the latest feedback, and asks nobody", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ critic: objection("K1", "high") }) });
    const view = must(await rig.plan(request()));
    expect(rig.asked.slice(4)).toEqual(["critic", "author revise", "critic", "overviewer"]);
    expect(view).toMatchObject({ status: "ready", revisions: 1 });
    const revised = rig.requests.find(({ brief }) => brief.revise);
    expect(revised?.brief.feedback.map(({ source }) => source)).toEqual(["critic"]);
    expect(revised?.session).toBe("session-1");
    expect(rig.requests.find(({ brief }) => brief.role === "overviewer")?.session).toBeNull();
    expect(view.counts?.decisions).toBe(1);
    must(await rig.apply());
    expect((await plan.view("TASK-00001")).body).toContain("names with spaces");
    expect((await plan.view("TASK-00001")).status).toBe("planned");
  });

  it("asks a person when the same problems are there again, and starts over on request", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ critic: [objection("K1", "high"), objection("K1", "high")] }),
    });
    const stuck = must(await rig.plan(request()));
    expect(stuck.status).toBe("waiting");
    const key = stuck.questions[0]?.id ?? "";
    must(await answer(plan, { id: key, option: "start-over" }));
    expect(must(await rig.resume()).status).toBe("ready");
  });

  it("accepts a plan as it is without approving it", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ critic: objection("K1", "critical") }) });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    must(await answer(plan, { id: key, option: "accept" }));
    const view = must(await rig.resume());
    expect(view).toMatchObject({ status: "ready", accepted: "critic" });
    expect(await ids()).not.toContain("FEAT-001");
  });

  it("lets no agent approve or apply", async () => {
    const rig = planningRig(plan.as("agent:x"));
    must(await rig.plan(request()));
    expect(await rig.approve("RUN-001")).toMatchObject({ ok: false, error: { reason: "needs-person" } });
    expect(await rig.apply("RUN-001")).toMatchObject({ ok: false, error: { reason: "needs-person" } });
  });

  it("sends a reply that does not fit back, and halts after the second repair", async () => {
    const repaired = planningRig(plan, {
      answer: withAnswers({ "author tasks": [{ title: 7 }, ANSWERS["author tasks"]] }),
    });
    expect(must(await repaired.plan(request())).status).toBe("ready");
    const again = repaired.requests.filter(({ brief }) => brief.stage === "tasks");
    expect(again[1]?.brief.problems[0]).toMatch(/^title: /);

    const hopeless = planningRig(plan, { answer: withAnswers({ clarifier: ["no", "no", "no"] }) });
    const view = must(await hopeless.plan(request()));
    expect(view).toMatchObject({ status: "halted", stopped: "unreadable", calls: 3 });
    const shown = must(await hopeless.show(view.id));
    expect(shown.roleCalls.every(({ error }) => error !== null && !error.settled)).toBe(true);
    expect(must(await hopeless.resume()).status).toBe("ready");
    expect(must(await hopeless.show(view.id)).roleCalls.every(({ error }) => error?.settled !== false)).toBe(true);
  });

  it("stops at a time limit with the step that continues it, and asks a person after a crash", async () => {
    const timeout = reply(undefined, { ending: "timeout", message: "30 minutes are over." });
    const slow = planningRig(plan, { answer: withAnswers({ "author files": timeout }) });
    const halted = must(await slow.plan(request()));
    expect(halted).toMatchObject({
      status: "halted",
      stopped: "timeout",
      next: [{ operation: "plan.resume", input: { run: halted.id }, needs: ["timeoutMinutes"] }],
    });
    expect(slow.progress.find(({ type }) => type === "failed")).toMatchObject({
      recovery: "Resume the run with a longer time limit.",
    });
    must(await slow.resume(undefined, { timeoutMs: 5000 }));
    expect(slow.asked.filter((topic) => topic === "author capabilities")).toHaveLength(1);

    const crash = reply(undefined, { ending: "crashed", message: "it died" });
    const broken = planningRig(plan, { answer: withAnswers({ critic: crash }) });
    const key = must(await broken.plan(request())).questions[0]?.id ?? "";
    must(await answer(plan, { id: key, option: "skip" }));
    expect(must(await broken.resume())).toMatchObject({
      status: "ready",
      verdict: "approve-with-notes",
    });
  });

  it("stops before it costs more than it may", async () => {
    const rig = planningRig(plan);
    const view = must(await rig.plan(request({ maxCostUsd: 0.02 })));
    expect(view).toMatchObject({ status: "halted", stopped: "over-budget", calls: 2 });
    expect(must(await rig.resume(undefined, { maxCostUsd: 5 })).status).toBe("ready");
  });

  it("asks no role twice for an answer that is stored, wherever it was stopped", async () => {
    for (let stopAt = 1; stopAt <= 6; stopAt++) {
      let calls = 0;
      const dying: Answer = (topic) => {
        if (++calls === stopAt) throw new Error("killed");
        return reply(ANSWERS[topic]);
      };
      const rig = planningRig(plan, { answer: dying });
      await expect(rig.plan(request())).rejects.toThrow("killed");
      const after = planningRig(plan);
      const view = must(await after.resume());
      expect(view.status).toBe("ready");
      expect([...rig.asked.slice(0, stopAt - 1), ...after.asked]).toEqual([
        "clarifier",
        "author capabilities",
        "author files",
        "author tasks",
        "critic",
        "overviewer",
      ]);
      must(await after.abort(view.id));
    }
  });

  it("is driven by one process at a time", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }) });
    let inner: unknown;
    const busy = planningRig(plan, {
      services: { process: "here/2" },
      answer: async (topic) => {
        const other = planningRig(plan, { services: { process: "here/3", isAlive: () => true } });
        inner ??= await other.resume();
        return reply(ANSWERS[topic]);
      },
    });
    must(await busy.plan(request()));
    expect(inner).toMatchObject({ ok: false, error: { reason: "driven-elsewhere" } });
    expect(rig.asked).toEqual([]);
  });

  it("keeps the spec byte for byte, and every role call with what it cost", async () => {
    const rig = planningRig(plan);
    const text = `\uFEFF${SPEC}\r\n`;
    must(await rig.plan(request({ text })));
    const { roleCalls, artifacts } = must(await rig.show("RUN-001"));
    expect(roleCalls.map(({ role, stage, state, inputTokens }) => [role, stage, state, inputTokens])).toEqual([
      ["clarifier", "clarify", "answered", 100],
      ["author", "capabilities", "answered", 100],
      ["author", "files", "answered", 100],
      ["author", "tasks", "answered", 100],
      ["critic", "review", "answered", 100],
      ["overviewer", "overview", "answered", 100],
    ]);
    const spec = await plan.store.read(async (reader) => {
      const item = await reader.item("artifact", artifacts.spec ?? "");
      return item && reader.document(item.fields.hash);
    });
    expect(spec).toBe(text);
  });

  it("computes a verdict against citations that do not exist", async () => {
    const cited = { ...objection("K1", "low") } as { findings: object[] };
    const evidence = [{ file: "src/gone.ts", lineStart: 3, claim: "there" }];
    const critique = { ...cited, findings: [{ ...cited.findings[0], area: "soundness", evidence }] };
    const rig = planningRig(plan, { answer: withAnswers({ critic: critique }) });
    must(await rig.plan(request()));
    expect(rig.progress).toContainEqual(
      expect.objectContaining({ type: "answered", summary: expect.objectContaining({ role: "critic", against: 1 }) }),
    );
  });
});

describe("records", () => {
  it("hold a plan back at its approval, unless a reason is given", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    const made = must(await addRecord(plan, { kind: "constraint", title: "No store", forbidFiles: ["src/store.*"] }));
    must(await approveRecords(plan, { ids: [made.id] }));
    expect(await rig.approve("RUN-001")).toMatchObject({
      ok: false,
      error: { reason: "contradicts-record" },
    });
    const { op } = must(await rig.approve("RUN-001", { despite: "only for a week" }));
    const operation = await plan.store.read((reader) => reader.operation(op as number));
    expect(operation?.sentence).toContain("despite CON-001: only for a week");
  });
});
