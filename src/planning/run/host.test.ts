// A scripted host that serves every role itself, through the operations that a coding agent has.

import { describe, expect, it } from "vitest";
import { must, type TestPlan } from "../../../test/plan.js";
import {
  ANSWERS,
  CLARIFICATION,
  objection,
  planForEach,
  planningRig,
  REVISION,
  type Rig,
  request,
} from "../../../test/planning.js";
import { HOST } from "../roles/agents.js";
import { hostServer } from "../roles/server.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

type Json = Record<string, unknown>;

const AGENT = "agent:claude-code";

/** A host is one process; the plan is all that the next one has. */
const newHost = (): Rig => planningRig(plan.as(AGENT), { services: { serverFor: async () => hostServer() } });

const hosted = () => request({ agent: HOST });

const topicOf = ({ role, stage, prompt = "" }: { role: string; stage: string; prompt?: string }): string =>
  role === "author" ? `author ${prompt.includes("# Your role: author, revising") ? "revise" : stage}` : role;

const step = async (host: Rig, more: object = {}) => must(await host.ask("plan.step", more));

interface Served {
  readonly topic: string;
  readonly conversation: string;
}

/** Serves steps until the run waits for something else. */
async function serve(host: Rig, said: Readonly<Record<string, unknown[]>> = {}): Promise<Served[]> {
  const served: Served[] = [];
  for (let { ask } = await step(host); ask !== null; { ask } = await step(host)) {
    const topic = topicOf(ask);
    served.push({ topic, conversation: ask.conversation });
    const output = said[topic]?.shift() ?? ANSWERS[topic];
    must(await host.ask("plan.submit", { call: ask.call, output: output as Json, session: `sub-${ask.role}` }));
  }
  return served;
}

describe("a host that serves the roles", () => {
  it("plans from question to approval, and cannot approve", async () => {
    const host = newHost();
    expect(must(await host.plan(hosted()))).toMatchObject({
      status: "running",
      host: true,
      next: [{ operation: "plan.step", input: { run: "RUN-001" } }],
    });
    const first = await step(host);
    expect(first).toMatchObject({
      run: "RUN-001",
      ask: { call: "CALL-00001", role: "clarifier", conversation: "fresh", session: null },
      next: [{ operation: "plan.submit" }, { operation: "plan.look-up" }],
    });
    expect(first.ask?.prompt).toContain("The program greets the person by name.");
    expect(first.ask?.schema).toHaveProperty("properties.questions");

    const asked = must(await host.ask("plan.submit", { call: "CALL-00001", output: CLARIFICATION }));
    expect(asked).toMatchObject({ status: "waiting", ask: null, questions: [{ id: "ESC-001" }] });
    expect(asked.progress).toEqual([
      expect.stringMatching(/^✓ clarifier \(clarify\): 1 question, 1 assumption \d+ ms$/),
      "    intent: A program that greets.",
    ]);
    must(await host.ask("plan.answer", { id: "ESC-001", option: "Latin" }));

    const served = await serve(host, { critic: [objection("K1", "high"), ANSWERS["critic"]] });
    expect(served).toEqual([
      { topic: "author capabilities", conversation: "fresh" },
      { topic: "author files", conversation: "resume" },
      { topic: "author tasks", conversation: "resume" },
      { topic: "critic", conversation: "fresh" },
      { topic: "author revise", conversation: "resume" },
      { topic: "critic", conversation: "resume" },
      { topic: "overviewer", conversation: "fresh" },
    ]);
    const ready = await step(host);
    expect(ready).toMatchObject({ status: "ready", ask: null });
    expect(ready.next).toContainEqual({ operation: "approve", input: { references: ["RUN-001"] } });

    expect(await host.approve("RUN-001")).toMatchObject({ ok: false, error: { reason: "needs-person" } });
    const applied = must(await planningRig(plan).approve("RUN-001"));
    expect(applied.approved).toContain("TASK-00001");
    const records = await plan.store.read((reader) => reader.items("record", { state: "active" }));
    expect(records.map(({ fields }) => `${fields.title} ${fields.body}: ${fields.because}`)).toContain(
      `In which language does it greet? Latin: answered when RUN-001 was planned, passed on by ${AGENT}`,
    );
  });

  it("goes on after it was killed, with the same step", async () => {
    const host = newHost();
    must(await host.plan(hosted()));
    const before = await step(host);
    const log = await plan.store.read((reader) => reader.lastOperation());
    const again = await step(newHost());
    expect(again).toEqual({ ...before, progress: [] });
    expect(await plan.store.read((reader) => reader.lastOperation())).toBe(log);
    expect(await serve(newHost())).toHaveLength(6);
    expect((await step(newHost())).status).toBe("ready");
  });

  it("gets the whole prompt when the conversation to resume is gone", async () => {
    const host = newHost();
    must(await host.plan(hosted()));
    for (const topic of ["clarifier", "author capabilities"]) {
      const { ask } = await step(host);
      must(await host.ask("plan.submit", { call: ask?.call ?? "", output: ANSWERS[topic] as Json, session: "s" }));
    }
    const resumed = await step(host);
    expect(resumed.ask).toMatchObject({ conversation: "resume", session: "s" });
    expect(resumed.ask?.prompt).not.toContain("The last name is remembered in a file.\n");
    const fresh = await step(newHost(), { fresh: true });
    expect(fresh.ask).toMatchObject({ call: resumed.ask?.call, conversation: "fresh", session: null });
    expect(fresh.ask?.prompt).toContain("The last name is remembered in a file.");
    expect(await step(host)).toMatchObject({ ask: { conversation: "fresh" } });
  });

  it("leaves out prompt and schema for the conversation that only delegates", async () => {
    const host = newHost();
    must(await host.plan(hosted()));
    const brief = await step(host, { brief: true });
    expect(brief.ask).not.toHaveProperty("prompt");
    expect(brief.next).toEqual([{ operation: "plan.step", input: { call: "CALL-00001" } }]);
    expect((await step(host, { call: "call-00001" })).ask?.prompt).toContain("submit");
    expect(must(await host.ask("plan.look-up", { call: "CALL-00001", name: "spec" })).text).toContain("# Greeter");
    expect(await host.ask("plan.look-up", { call: "CALL-00001", name: "nonsense" })).toMatchObject({
      error: { reason: "not-found" },
    });
  });
});

describe("an answer", () => {
  it("is taken once, whichever of two hosts is first", async () => {
    const [one, two] = [newHost(), newHost()];
    must(await one.plan(hosted()));
    const { ask } = await step(one);
    const answer = { call: ask?.call ?? "", output: ANSWERS["clarifier"] as Json };
    const results = await Promise.all([one.ask("plan.submit", answer), two.ask("plan.submit", answer)]);
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(results.find(({ ok }) => !ok)).toMatchObject({
      error: { reason: "not-open", details: { open: "CALL-00002" }, next: [{ operation: "plan.step" }] },
    });
    expect(must(await one.show("RUN-001")).roleCalls).toMatchObject([
      { role: "clarifier", state: "answered" },
      { role: "author", state: "asked" },
    ]);
  });

  it.each([
    ["of another shape", { intent: 7 }, "questions"],
    ["that is a list in a text", "[1, 2]", "the whole"],
    ["with fields that nobody asked for", { ...CLARIFICATION, verdict: "approve" }, "verdict"],
  ])("%s is sent back with its problems, and goes in as the next step", async (_, output, named) => {
    const host = newHost();
    must(await host.plan(hosted()));
    const refused = await host.ask("plan.submit", { call: "CALL-00001", output });
    expect(refused).toMatchObject({
      error: {
        reason: "does-not-fit",
        message: expect.stringContaining(named),
        details: { call: "CALL-00002", progress: expect.arrayContaining([expect.stringContaining("sent back")]) },
        next: [{ operation: "plan.submit", input: { call: "CALL-00002" } }],
      },
    });
    expect((await step(host)).ask).toMatchObject({ call: "CALL-00002", role: "clarifier", repair: 1 });
    must(await host.ask("plan.submit", { call: "CALL-00002", output: ANSWERS["clarifier"] as Json }));
    expect((await step(host)).ask?.role).toBe("author");
  });

  it("that does not fit three times stops the run until somebody resumes it", async () => {
    const host = newHost();
    must(await host.plan(hosted()));
    for (const call of ["CALL-00001", "CALL-00002"]) await host.ask("plan.submit", { call, output: {} });
    expect(await host.ask("plan.submit", { call: "CALL-00003", output: {} })).toMatchObject({
      error: { reason: "run-halted", next: [{ operation: "plan.resume" }] },
    });
    expect(await step(host)).toMatchObject({ status: "halted", stopped: "unreadable", ask: null });
    must(await host.resume("RUN-001"));
    expect((await step(host)).ask).toMatchObject({ call: "CALL-00004", role: "clarifier" });
  });

  it("of a revision must answer the grave findings", async () => {
    const host = newHost();
    must(await host.plan(hosted()));
    let { ask } = await step(host);
    for (const topic of ["clarifier", "author capabilities", "author files", "author tasks"]) {
      must(await host.ask("plan.submit", { call: ask?.call ?? "", output: ANSWERS[topic] as Json }));
      ({ ask } = await step(host));
    }
    must(await host.ask("plan.submit", { call: ask?.call ?? "", output: objection("K1", "high") as Json }));
    ({ ask } = await step(host));
    const silent = await host.ask("plan.submit", { call: ask?.call ?? "", output: { ...REVISION, responses: [] } });
    expect(silent).toMatchObject({ error: { reason: "does-not-fit", message: expect.stringContaining("K1") } });
  });

  it.each([
    ["a step that is none", { call: "CALL-00099", output: {} }, "not-found"],
    ["a text that is no JSON", { call: "CALL-00001", output: "{intent:" }, "invalid-input"],
    ["codes for a terminal in the step", { call: "\u001b[2J\nCALL-00001", output: {} }, "not-found"],
  ])("%s changes nothing", async (_, input, reason) => {
    const host = newHost();
    must(await host.plan(hosted()));
    const log = await plan.store.read((reader) => reader.lastOperation());
    expect(await host.ask("plan.submit", input)).toMatchObject({ ok: false, error: { reason } });
    expect(await plan.store.read((reader) => reader.lastOperation())).toBe(log);
  });

  it("to a run that was ended comes too late", async () => {
    const host = newHost();
    must(await host.plan(hosted()));
    must(await host.abort("RUN-001"));
    const late = await host.ask("plan.submit", { call: "CALL-00001", output: ANSWERS["clarifier"] as Json });
    expect(late).toMatchObject({ error: { reason: "run-over" } });
    expect(await host.ask("plan.step", {})).toMatchObject({ error: { reason: "not-found" } });
  });
});

describe("what a host may not do", () => {
  it("answers no question that decides about the plan", async () => {
    const host = newHost();
    must(await host.plan(hosted()));
    await serve(host, { critic: [objection("K1", "critical")] });
    const { questions, status } = await step(host);
    expect(status).toBe("waiting");
    const answer = { id: questions[0]?.id ?? "", option: "accept" };
    expect(await host.ask("plan.answer", answer)).toMatchObject({ error: { reason: "needs-person" } });
    expect(await host.ask("question.answer", answer)).toMatchObject({ error: { reason: "needs-person" } });
    expect((await step(host)).status).toBe("waiting");
  });

  it("serves no run of our own agents, until it is given to it", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    expect(await newHost().ask("plan.step", {})).toMatchObject({ error: { reason: "not-hosted" } });
  });
});
