import { describe, expect, it } from "vitest";
import { must, mustFail, type TestPlan } from "../../../test/plan.js";
import {
  ANSWERS,
  type Answer,
  CLARIFICATION,
  CRITIQUE,
  objection,
  planForEach,
  planningRig,
  reply,
  request,
  said,
} from "../../../test/planning.js";
import { step } from "../../model/next-step.js";
import { estimateTokens } from "../../model/words.js";
import { answer } from "../../plan/answer/answer.js";
import { redo, undo, undoable } from "../../verbs/history/take-back.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { partsToJudge } from "../roles/fit.js";
import { outlineAnswer } from "../roles/outline-server.js";
import { promptFor } from "../roles/prompt.js";
import { parseSpec } from "../spec/parse.js";
import type { PlanningServices } from "./services.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

/** Those answers, and what all is well with for the rest. */
const saying =
  (answers: Readonly<Record<string, unknown>>): Answer =>
  (topic) =>
    said(Object.hasOwn(answers, topic) ? answers[topic] : ANSWERS[topic]);

const crashed = (message = "It fell over."): ReturnType<typeof reply> =>
  reply(undefined, { ending: "crashed", message });

describe("secrets", () => {
  it("of an agent's answer reach no record, artifact, question, sentence or error", async () => {
    const secret = "hunter2-hunter2";
    const draft = ANSWERS["author tasks"] as { overview: string };
    const rig = planningRig(plan, {
      services: { redact: (text) => text.replaceAll(secret, "[redacted]") },
      answer: saying({
        clarifier: {
          ...CLARIFICATION,
          questions: [],
          assumptions: [{ text: `The password is ${secret}.`, because: secret }],
        },
        "author tasks": { ...draft, overview: `Log in with ${secret}.` },
        critic: crashed(`401 for ${secret}`),
      }),
    });
    must(await rig.plan(request()));
    const texts = await plan.store.read(async (reader) => {
      const found: string[] = [];
      for (const kind of ["record", "artifact", "question", "call", "run"] as const)
        for (const item of await reader.items(kind, {})) {
          found.push(JSON.stringify(item));
          if ("hash" in item.fields) found.push((await reader.document(item.fields.hash)) ?? "");
        }
      for (const { sentence } of await reader.operations({ limit: 1_000 })) found.push(sentence);
      return found;
    });
    expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(texts.filter((text) => text.includes("[redacted]")).length).toBeGreaterThan(3);
  });

  it("in words of the spec stay as they are: quotes are looked up in it", async () => {
    const rig = planningRig(plan, { services: { redact: (text) => text.replaceAll("greets", "[redacted]") } });
    expect(must(await rig.plan(request()))).toMatchObject({
      status: "ready",
      coverage: { planned: 100, leftOut: 0, notUnderstood: 0 },
    });
  });
});

describe("taking back", () => {
  it("never reaches past a run that has begun: it names the one before", async () => {
    const before = must(await undoable(plan));
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    must(await rig.revise("RUN-001", "smaller tasks"));
    expect(must(await undoable(plan))).toEqual(before);
    const started = await plan.store.read((reader) => reader.operations({ limit: 1_000 }));
    const op = String(started.find(({ verb }) => verb === "plan")?.op);
    expect(await undo(plan, op)).toMatchObject({
      ok: false,
      error: { reason: "run-step", message: expect.stringContaining("Abort the run") },
    });
    const refusal = mustFail(await undo(plan));
    expect(refusal.reason).toBe("run-step");
    expect(refusal.next?.at(-1)).toEqual(step("undo", { operation: String(before[0]?.op) }));
  });

  it("an abort puts the run back where it was, with what it took for granted", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    must(await rig.abort("RUN-001"));
    const states = async (): Promise<string[]> =>
      (await plan.store.read((reader) => reader.items("record", {}))).map(({ fields }) => fields.state);
    expect(await states()).toEqual(["superseded"]);
    must(await undo(plan));
    expect(await states()).toEqual(["proposed"]);
    expect(must(await rig.show("RUN-001")).status).toBe("ready");
    must(await redo(plan));
    expect(must(await rig.show("RUN-001")).status).toBe("aborted");
  });

  it("an answer is refused once the run has used it, and not before", async () => {
    const rig = planningRig(plan, { answer: saying({ clarifier: CLARIFICATION }) });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    const given = must(await answer(plan, { id: key, option: "b" }));
    must(await undo(plan));
    must(await redo(plan));
    must(await rig.resume());
    expect(await undo(plan, String(given.op))).toMatchObject({ ok: false, error: { reason: "answer-used" } });
    const earlier = mustFail(await undo(plan)).next?.at(-1);
    expect(Number(earlier?.input["operation"])).toBeLessThan(given.op ?? 0);
  });
});

describe("the end of a run", () => {
  it("by an answer is the same as by a command", async () => {
    const rig = planningRig(plan, {
      answer: saying({ clarifier: { ...CLARIFICATION, questions: [] }, critic: objection("K1", "critical") }),
    });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    must(await answer(plan, { id: key, option: "abort" }));
    expect(must(await rig.resume())).toMatchObject({
      status: "aborted",
      questions: [],
    });
    const records = await plan.store.read((reader) => reader.items("record", {}));
    expect(records.map(({ fields }) => fields.state)).toEqual(["superseded"]);
  });

  it("stops the process that waits for a role, and says what happened", async () => {
    const rig = planningRig(plan, {
      answer: async (topic, { signal }) => {
        if (topic !== "author tasks") return reply(ANSWERS[topic]);
        must(await rig.abort("RUN-001"));
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return reply(undefined, { ending: "cancelled", message: "cancelled" });
      },
    });
    expect(await rig.plan(request())).toMatchObject({
      ok: false,
      error: { reason: "run-over", message: expect.stringContaining("was aborted") },
    });
    expect(rig.progress.filter(({ type }) => type === "failed")).toEqual([]);
    const { roleCalls } = must(await rig.show("RUN-001"));
    expect(roleCalls.at(-1)).toMatchObject({ state: "failed", error: { settled: true } });
  });

  it("is a person's to decide, if a person began it; and never hits one of several by chance", async () => {
    const rig = planningRig(plan);
    const agents = planningRig(plan.as("agent:x"));
    must(await rig.plan(request()));
    const needsPerson = { ok: false, error: { reason: "needs-person" } };
    expect(await agents.abort("RUN-001")).toMatchObject(needsPerson);
    expect(await agents.apply("RUN-001")).toMatchObject(needsPerson);
    must(await agents.plan(request()));
    expect(await rig.abort()).toMatchObject({ ok: false, error: { reason: "ambiguous" } });
    expect(await rig.approve()).toMatchObject({ ok: false, error: { reason: "ambiguous" } });
    expect(must(await agents.abort("RUN-002")).status).toBe("aborted");
    expect(must(await rig.abort()).id).toBe("RUN-001");
  });

  it("is not announced as going on by a process that may not drive it", async () => {
    const rig = planningRig(plan, { services: { isAlive: () => true } });
    const held: unknown[] = [];
    const holder = planningRig(plan, {
      services: { process: "here/2" },
      answer: async (topic) => {
        if (topic === "critic") held.push(await rig.resume("RUN-001"));
        return reply(ANSWERS[topic]);
      },
    });
    must(await holder.plan(request()));
    expect(held).toMatchObject([{ ok: false, error: { reason: "driven-elsewhere" } }]);
    expect(rig.progress).toEqual([]);
  });
});

describe("going on", () => {
  it("takes another agent, model, effort, level and the defaults", async () => {
    const wishes: unknown[] = [];
    const base = planningRig(plan).services;
    const served = planningRig(plan, { answer: saying({ clarifier: CLARIFICATION }) }).services;
    const rig = planningRig(plan, {
      services: {
        serverFor: async (role, wish) => {
          wishes.push({ agent: wish.agent, model: wish.model, effort: wish.effort });
          return role === "critic" && wish.agent === null ? null : (wish.agent ? base : served).serverFor(role, wish);
        },
      },
    });
    expect(must(await rig.plan(request()))).toMatchObject({
      status: "waiting",
      leftOut: ["critic"],
    });
    const changes = { agent: "other", model: "m2", effort: "high", level: "strict", defaults: true } as const;
    const view = must(await rig.resume(undefined, changes));
    expect(view).toMatchObject({ status: "ready", leftOut: [] });
    expect(wishes.at(-1)).toEqual({ agent: "other", model: "m2", effort: "high" });
    const intake = await plan.store.read((reader) => reader.item("run", "RUN-001"));
    expect(intake?.fields.intake).toMatchObject(changes);
  });

  it("names the limit that was reached", async () => {
    const tokens = planningRig(plan);
    const overTokens = must(await tokens.plan(request({ maxTokens: 200 })));
    expect(overTokens.next).toEqual([step("plan.resume", { run: "RUN-001" }, "maxTokens")]);
    expect(tokens.progress.at(-1)).toMatchObject({ type: "failed", recovery: expect.stringContaining("token limit") });
    const cost = planningRig(plan);
    const overCost = must(await cost.plan(request({ maxCostUsd: 0.01 })));
    expect(overCost.next).toEqual([step("plan.resume", { run: "RUN-002" }, "maxCost")]);
    expect(cost.progress.at(-1)).toMatchObject({ type: "failed", recovery: expect.stringContaining("cost limit") });
  });

  it("fails with the reason when a reply does not fit the third time", async () => {
    const rig = planningRig(plan, { answer: saying({ clarifier: { nothing: true } }) });
    expect(must(await rig.plan(request()))).toMatchObject({
      status: "halted",
      stopped: "unreadable",
    });
    expect(rig.progress.filter(({ type }) => type === "sent-back")).toHaveLength(2);
    expect(rig.progress.at(-1)).toMatchObject({
      type: "failed",
      message: expect.stringMatching(/did not fit 3 times: .*intent/),
      recovery: "Resume the run to ask again.",
    });
    const { roleCalls } = must(await rig.show("RUN-001"));
    expect(roleCalls.map(({ error }) => error?.recovery)).toEqual([
      "sent back with what was wrong",
      "sent back with what was wrong",
      "Resume the run to ask again.",
    ]);
  });

  it("without a role says so, and settles what went wrong", async () => {
    const rig = planningRig(plan, { answer: saying({ critic: crashed() }) });
    const key = must(await rig.plan(request())).questions[0]?.id ?? "";
    must(await answer(plan, { id: key, option: "skip" }));
    expect(must(await rig.resume())).toMatchObject({
      status: "ready",
      leftOut: ["critic"],
    });
    const { roleCalls, artifacts } = must(await rig.show("RUN-001"));
    for (const kind of ["plan", "verification"] as const) {
      const text = await plan.store.read(async (reader) => {
        const item = await reader.item("artifact", artifacts[kind] ?? "");
        return item && reader.document(item.fields.hash);
      });
      expect(text?.toLowerCase()).toContain("made without: critic");
    }
    expect(roleCalls.flatMap(({ error }) => (error ? [error.settled] : []))).toEqual([true]);
  });

  it("tells what the author declined, and that nothing changed", async () => {
    const rig = planningRig(plan, {
      answer: (topic, { brief }) => reply(topic === "author revise" ? outlineAnswer(brief) : ANSWERS[topic]),
    });
    must(await rig.plan(request()));
    expect(await rig.revise("RUN-001", "smaller tasks")).toMatchObject({
      ok: false,
      error: { kind: "problems", reason: "unchanged", details: { id: "RUN-001" } },
    });
    const said = rig.progress.flatMap((each) => (each.type === "answered" ? [each.summary] : []));
    expect(said.find((each) => each.role === "author" && each.stage === "tasks" && each.revised)).toMatchObject({
      fixed: 0,
      declined: [{ finding: "person", note: "the outline planner cannot judge this" }],
      unchanged: true,
    });
  });
});

const WINDOW = 8_000;
const LARGE = 120;

const largeSpec = `# Large\n\n${Array.from({ length: LARGE }, (_, i) => `## Area ${i}\n\n- REQ-${i} The program does thing ${i} ${"with great care ".repeat(10)}end.\n\n`).join("")}`;

const largeDraft = (): PlanDraft => ({
  ...(ANSWERS["author tasks"] as PlanDraft),
  initiatives: [],
  goals: [],
  nonGoals: [],
  features: Array.from({ length: 12 }, (_, f) => ({ id: `F${f}`, title: `Feature ${f}`, body: "" })),
  stories: [],
  tasks: Array.from({ length: LARGE }, (_, i) => ({
    id: `T${i}`,
    parent: `F${Math.floor(i / 10)}`,
    kind: "work" as const,
    title: `Thing ${i}`,
    body: `Do thing ${i}. ${"Mind the details. ".repeat(20)}`,
    behaviours: [],
    requirements: [`REQ-${i}`],
    quotes: [`The program does thing ${i} with great care`],
    dependsOn: i > 0 ? [`T${i - 1}`] : [],
    files: [{ path: `src/thing-${i}.ts`, action: "create" as const, purpose: "" }],
    symbols: [],
    checks: [{ run: "true" }],
    steelThread: false,
  })),
});

describe("a spec and a plan beyond the window", () => {
  const limits: PlanningServices["limits"] = {
    roleTimeoutMinutes: 30,
    windowTokens: WINDOW,
    answerHours: 0,
    maxCostUsd: null,
    maxTokens: null,
    revisions: 5,
    overviews: 3,
  };

  it("are given to every role in calls that fit, and nothing is left out without a word", async () => {
    const prompts: { topic: string; prompt: string }[] = [];
    const rig = planningRig(plan, {
      services: { limits },
      answer: (topic, { brief }) => {
        prompts.push({ topic, prompt: promptFor(brief, "=====") });
        if (topic === "clarifier") return reply({ ...CLARIFICATION, questions: [] });
        if (topic === "author tasks" && brief.part.number > 1)
          return reply({ ...(ANSWERS["author tasks"] as object), features: [], tasks: [] });
        return reply(topic === "author tasks" ? largeDraft() : ANSWERS[topic]);
      },
    });
    must(await rig.plan(request({ text: largeSpec, mode: "quick" })));
    const sizes = prompts.map(({ topic, prompt }) => [topic, estimateTokens(prompt)] as const);
    expect(sizes.filter(([, tokens]) => tokens > WINDOW)).toEqual([]);
    const topics = new Set(prompts.map(({ topic }) => topic));
    expect([...topics]).toEqual(expect.arrayContaining(["clarifier", "author tasks", "critic"]));
    const clarified = prompts.filter(({ topic }) => topic === "clarifier").map(({ prompt }) => prompt);
    for (let i = 0; i < LARGE; i++) expect(clarified.some((prompt) => prompt.includes(`REQ-${i} `))).toBe(true);
    const judged = prompts.filter(({ topic }) => topic === "critic").map(({ prompt }) => prompt);
    expect(judged.length).toBeGreaterThan(2);
    for (let i = 0; i < LARGE; i++) expect(judged.some((prompt) => prompt.includes(`"Do thing ${i}. `))).toBe(true);
    expect(judged.every((prompt) => prompt.includes("the others as an index only"))).toBe(true);
  });

  it("are judged part by part, and the worst counts", async () => {
    let calls = 0;
    const sessions: (string | null)[] = [];
    const rig = planningRig(plan, {
      services: { limits },
      answer: (topic, { brief, session }) => {
        if (topic !== "critic") return reply(topic === "author tasks" ? largeDraft() : ANSWERS[topic]);
        calls += 1;
        sessions.push(session);
        const { number } = brief.part;
        // The same finding, once graver than the other time.
        return reply(number > 2 ? CRITIQUE : objection("K1", number === 1 ? "critical" : "low"));
      },
    });
    const view = must(await rig.plan(request({ text: "Do the things.", mode: "quick" })));
    expect(new Set(sessions)).toEqual(new Set([null]));
    expect(calls).toBe(partsToJudge(largeDraft(), parseSpec("Do the things."), WINDOW).length);
    expect(view).toMatchObject({ status: "waiting", findings: { critic: { critical: 1 } } });
  });

  it("give the revising author whole what the findings are about, and an index of the rest", async () => {
    const prompts: string[] = [];
    const { tasks, ...about } = largeDraft();
    const unquoted = { ...about, tasks: tasks.map((task) => ({ ...task, requirements: [], quotes: [] })) };
    const rig = planningRig(plan, {
      services: { limits },
      served: ["author", "critic"],
      answer: (topic, { brief }) => {
        if (topic === "author revise") prompts.push(promptFor(brief, "====="));
        if (topic === "critic" && brief.round === 0 && brief.focus?.includes("T57"))
          return reply({
            ...CRITIQUE,
            findings: [{ id: "K1", severity: "high", area: "risk", title: "x", description: "y", nodes: ["T57"] }],
          });
        return reply(topic === "author tasks" ? unquoted : ANSWERS[topic]);
      },
    });
    must(await rig.plan(request({ text: "Do the things.", mode: "quick" })));
    const [prompt = ""] = prompts;
    expect(estimateTokens(prompt)).toBeLessThan(WINDOW);
    expect(prompt).toContain('"Do thing 57. ');
    expect(prompt).toMatch(/of 132 nodes whole, the others as an index only/);
    expect(prompt).toContain("- T119 (F11) Thing 119 [src/thing-119.ts]");
  });
});
