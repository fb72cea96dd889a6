import { describe, expect, it } from "vitest";
import { must, type TestPlan } from "../../test/plan.js";
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
  said,
} from "../../test/planning.js";
import { answer } from "../actions/answer.js";
import { remember } from "../actions/memory.js";
import { next } from "../actions/next.js";
import { record } from "../actions/record.js";
import { approveRecords } from "../actions/records.js";
import { undo } from "../actions/undo.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

const withAnswers = (changes: Readonly<Record<string, unknown>>): Answer => {
  const queues = new Map(
    Object.entries(changes).map(([topic, words]) => [
      topic,
      Array.isArray(words) ? [...(words as unknown[])] : [words],
    ]),
  );
  return (topic) => {
    const queue = queues.get(topic);
    return said(queue && queue.length > 0 ? queue.shift() : ANSWERS[topic]);
  };
};

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
    const view = must(await rig.planner.plan(request(), rig.hooks));
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
      coverage: 100,
      calls: 6,
      tokens: 720,
      verdict: "approve",
      next: "planwright approve RUN-001",
    });
    expect(await ids()).toEqual(before);

    const applied = must(await rig.planner.apply("RUN-001", true));
    expect(applied.added).toEqual(["FEAT-001", "TASK-00001", "TASK-00002", "TASK-00003", "FEAT-001-LAND"]);
    expect(applied.approved).toEqual(applied.added);
    expect((await plan.view("TASK-00001")).status).toBe("ready");
    expect((await plan.view("FEAT-001-LAND")).reason).toBe("deps-pending");
    expect((await plan.view("TASK-00002")).status).toBe("blocked");
    const [first] = must(await next(plan.as("agent:w"), {}));
    expect(first?.task.id).toBe("TASK-00001");
    expect(must(await rig.planner.show("RUN-001", false)).status).toBe("finished");
  });

  it("takes the whole plan back with one undo", async () => {
    const rig = planningRig(plan);
    must(await rig.planner.plan(request(), rig.hooks));
    const before = await ids();
    must(await rig.planner.apply("RUN-001", true));
    must(await undo(plan));
    expect(await ids()).toEqual(before);
    expect(must(await rig.planner.show("RUN-001", false)).status).toBe("ready");
    must(await rig.planner.apply("RUN-001", true));
    expect(await ids()).toContain("FEAT-002");
  });

  it("waits for answers without a process, and gives them to the author", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }) });
    const waiting = must(await rig.planner.plan(request(), rig.hooks));
    expect(waiting).toMatchObject({ status: "waiting", escalations: ["ESC-001"] });
    expect(rig.asked).toEqual(["clarifier"]);
    const again = must(await rig.planner.resume(undefined, {}, rig.hooks));
    expect([again.status, rig.asked.length]).toEqual(["waiting", 1]);
    must(await answer(plan, { id: "ESC-001", option: "latin", note: "of course" }));
    const done = must(await rig.planner.resume("run-001", {}, rig.hooks));
    expect(done.status).toBe("ready");
    const author = rig.requests.find(({ brief }) => brief.role === "author");
    expect(author?.brief.answers).toEqual([
      { question: "In which language does it greet?", answer: "Latin", note: "of course" },
    ]);
    expect(author?.brief.records.map(({ record }) => record.title)).toEqual(["It runs in a terminal."]);
  });

  it("takes the defaults when it is told to, and when nobody answers in time", async () => {
    const defaults = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }) });
    expect(must(await defaults.planner.plan(request({ defaults: true }), defaults.hooks)).status).toBe("ready");
    const limits = { ...defaults.services.limits, answerHours: 1 };
    const slow = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }), services: { limits } });
    expect(must(await slow.planner.plan(request(), slow.hooks)).status).toBe("waiting");
    plan.pass(3_600_001);
    expect(must(await slow.planner.resume(undefined, {}, slow.hooks)).status).toBe("ready");
  });

  it("revises on the critic's word, sends only the latest feedback, and asks nobody", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ critic: objection("K1", "high") }) });
    const view = must(await rig.planner.plan(request(), rig.hooks));
    expect(rig.asked.slice(4)).toEqual(["critic", "author revise", "critic", "overviewer"]);
    expect(view).toMatchObject({ status: "ready", revisions: 1 });
    const revised = rig.requests.find(({ brief }) => brief.revise);
    expect(revised?.brief.feedback.map(({ source }) => source)).toEqual(["critic"]);
    expect(revised?.session).toBe("session-1");
    expect(rig.requests.find(({ brief }) => brief.role === "overviewer")?.session).toBeNull();
    expect(view.counts?.decisions).toBe(1);
    must(await rig.planner.apply(undefined, false));
    expect((await plan.view("TASK-00001")).body).toContain("names with spaces");
    expect((await plan.view("TASK-00001")).status).toBe("planned");
  });

  it("asks a person when the same problems are there again, and starts over on request", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ critic: [objection("K1", "high"), objection("K1", "high")] }),
    });
    const stuck = must(await rig.planner.plan(request(), rig.hooks));
    expect(stuck.status).toBe("waiting");
    const [key = ""] = stuck.escalations;
    must(await answer(plan, { id: key, option: "start-over" }));
    expect(must(await rig.planner.resume(undefined, {}, rig.hooks)).status).toBe("ready");
  });

  it("accepts a plan as it is without approving it", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ critic: objection("K1", "critical") }) });
    const [key = ""] = must(await rig.planner.plan(request(), rig.hooks)).escalations;
    must(await answer(plan, { id: key, option: "accept" }));
    const view = must(await rig.planner.resume(undefined, {}, rig.hooks));
    expect(view).toMatchObject({ status: "ready", accepted: "critic" });
    expect(await ids()).not.toContain("FEAT-001");
  });

  it("lets no agent approve or apply", async () => {
    const rig = planningRig(plan.as("agent:x"));
    must(await rig.planner.plan(request(), rig.hooks));
    expect(await rig.planner.apply("RUN-001", true)).toMatchObject({ ok: false, error: { reason: "needs-person" } });
    expect(await rig.planner.apply("RUN-001", false)).toMatchObject({ ok: false, error: { reason: "needs-person" } });
  });

  it("sends a reply that does not fit back, and halts after the second repair", async () => {
    const repaired = planningRig(plan, {
      answer: withAnswers({ "author tasks": [{ title: 7 }, ANSWERS["author tasks"]] }),
    });
    expect(must(await repaired.planner.plan(request(), repaired.hooks)).status).toBe("ready");
    const again = repaired.requests.filter(({ brief }) => brief.stage === "tasks");
    expect(again[1]?.brief.problems[0]).toMatch(/^title: /);

    const hopeless = planningRig(plan, { answer: withAnswers({ clarifier: ["no", "no", "no"] }) });
    const view = must(await hopeless.planner.plan(request(), hopeless.hooks));
    expect(view).toMatchObject({ status: "halted", stopped: "unreadable", calls: 3 });
    const shown = must(await hopeless.planner.show(view.id, true));
    expect(shown.roleCalls.every(({ error }) => error !== null && !error.settled)).toBe(true);
    expect(must(await hopeless.planner.resume(undefined, {}, hopeless.hooks)).status).toBe("ready");
    expect(
      must(await hopeless.planner.show(view.id, true)).roleCalls.every(({ error }) => error?.settled !== false),
    ).toBe(true);
  });

  it("stops at a time limit with the command that goes on, and asks a person after a crash", async () => {
    const timeout = reply(undefined, { ending: "timeout", message: "30 minutes are over." });
    const slow = planningRig(plan, { answer: withAnswers({ "author files": timeout }) });
    const halted = must(await slow.planner.plan(request(), slow.hooks));
    expect(halted).toMatchObject({ status: "halted", stopped: "timeout", next: `planwright plan resume ${halted.id}` });
    expect(slow.progress.find(({ type }) => type === "failed")).toMatchObject({
      recovery: expect.stringContaining("--timeout-minutes"),
    });
    must(await slow.planner.resume(undefined, { timeoutMs: 5000 }, slow.hooks));
    expect(slow.asked.filter((topic) => topic === "author capabilities")).toHaveLength(1);

    const crash = reply(undefined, { ending: "crashed", message: "it died" });
    const broken = planningRig(plan, { answer: withAnswers({ critic: crash }) });
    const [key = ""] = must(await broken.planner.plan(request(), broken.hooks)).escalations;
    must(await answer(plan, { id: key, option: "skip" }));
    expect(must(await broken.planner.resume(undefined, {}, broken.hooks))).toMatchObject({
      status: "ready",
      verdict: "approve-with-notes",
    });
  });

  it("stops before it costs more than it may", async () => {
    const rig = planningRig(plan);
    const view = must(await rig.planner.plan(request({ maxCostUsd: 0.02 }), rig.hooks));
    expect(view).toMatchObject({ status: "halted", stopped: "over-budget", calls: 2 });
    expect(must(await rig.planner.resume(undefined, { maxCostUsd: 5 }, rig.hooks)).status).toBe("ready");
  });

  it("asks no role twice for an answer that is stored, wherever it was stopped", async () => {
    for (let stopAt = 1; stopAt <= 6; stopAt++) {
      let calls = 0;
      const dying: Answer = (topic) => {
        if (++calls === stopAt) throw new Error("killed");
        return reply(ANSWERS[topic]);
      };
      const rig = planningRig(plan, { answer: dying });
      await expect(rig.planner.plan(request(), rig.hooks)).rejects.toThrow("killed");
      const after = planningRig(plan);
      const view = must(await after.planner.resume(undefined, {}, after.hooks));
      expect(view.status).toBe("ready");
      expect([...rig.asked.slice(0, stopAt - 1), ...after.asked]).toEqual([
        "clarifier",
        "author capabilities",
        "author files",
        "author tasks",
        "critic",
        "overviewer",
      ]);
      must(await after.planner.abort(view.id));
    }
  });

  it("is driven by one process at a time", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }) });
    let inner: unknown;
    const busy = planningRig(plan, {
      services: { process: "here/2" },
      answer: async (topic) => {
        const other = planningRig(plan, { services: { process: "here/3", isAlive: () => true } });
        inner ??= await other.planner.resume(undefined, {}, other.hooks);
        return reply(ANSWERS[topic]);
      },
    });
    must(await busy.planner.plan(request(), busy.hooks));
    expect(inner).toMatchObject({ ok: false, error: { reason: "driven-elsewhere" } });
    expect(rig.asked).toEqual([]);
  });

  it("keeps the spec byte for byte, and every role call with what it cost", async () => {
    const rig = planningRig(plan);
    const text = `\uFEFF${SPEC}\r\n`;
    must(await rig.planner.plan(request({ text }), rig.hooks));
    const { roleCalls, artifacts } = must(await rig.planner.show("RUN-001", true));
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
    must(await rig.planner.plan(request(), rig.hooks));
    expect(rig.progress).toContainEqual(
      expect.objectContaining({ type: "answered", summary: expect.objectContaining({ role: "critic", against: 1 }) }),
    );
  });
});

describe("records", () => {
  it("hold a plan back at its approval, unless a reason is given", async () => {
    const rig = planningRig(plan);
    must(await rig.planner.plan(request(), rig.hooks));
    const made = must(
      await record(plan, { kind: "constraint", title: "No store", forbids: { files: ["src/store.*"], words: [] } }),
    );
    must(await approveRecords(plan, [made.record.id]));
    expect(await rig.planner.apply("RUN-001", true)).toMatchObject({
      ok: false,
      error: { reason: "contradicts-record" },
    });
    const { op } = must(await rig.planner.apply("RUN-001", true, "only for a week"));
    const operation = await plan.store.read((reader) => reader.operation(op as number));
    expect(operation?.sentence).toContain("despite CON-001: only for a week");
  });
});

describe("planning what is there", () => {
  it("shows what a revision would change before it does", async () => {
    const rig = planningRig(plan);
    must(await rig.planner.plan(request(), rig.hooks));
    must(await rig.planner.apply(undefined, true));
    const revision = {
      tasks: [
        {
          ...(ANSWERS["author tasks"] as { tasks: object[] }).tasks[2],
          id: "T9",
          parent: "FEAT-001",
          title: "Forget the name",
          requirements: ["REQ-2"],
          files: [
            { path: "src/forget.sh", action: "create" },
            { path: "test/t9.sh", action: "create" },
          ],
          checks: [{ run: "sh test/t9.sh" }],
        },
      ],
      removed: ["TASK-00002"],
    };
    const again = planningRig(plan, { answer: withAnswers({ "author revise": revision }) });
    const view = must(
      await again.planner.plan(
        request({ mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-001" }),
        again.hooks,
      ),
    );
    expect(again.asked).toEqual(["clarifier", "author revise", "critic", "overviewer"]);
    const diff = must(await again.planner.diff(view.id));
    expect(diff.added.map(({ id }) => id)).toEqual(["T9"]);
    expect(diff.dropped.map(({ id }) => id)).toEqual(["TASK-00002"]);
    expect(diff.kept.map(({ id }) => id)).toContain("TASK-00001");
    const applied = must(await again.planner.apply(view.id, true));
    expect(applied).toMatchObject({ added: ["TASK-00004"], dropped: ["TASK-00002"] });
    expect((await plan.view("TASK-00002")).status).toBe("dropped");
    expect((await plan.view("TASK-00001")).approval).not.toBeNull();
  });

  it("touches nothing of the other features of the run that it revises a part of", async () => {
    const draft = ANSWERS["author tasks"] as { tasks: { id: string }[] };
    const tasks = draft.tasks.map((task, i) => ({ ...task, parent: i === 2 ? "F2" : "F1" }));
    const two = {
      ...draft,
      features: [
        { id: "F1", title: "Greeting" },
        { id: "F2", title: "Storage" },
      ],
      tasks,
    };
    const rig = planningRig(plan, { answer: withAnswers({ "author tasks": two }) });
    must(await rig.planner.plan(request(), rig.hooks));
    must(await rig.planner.apply(undefined, true));
    const first = { ...tasks[0], id: "TASK-00001", parent: "FEAT-001", requirements: ["REQ-1", "REQ-2"] };
    const revision = { removed: ["TASK-00002"], tasks: [first] };
    const again = planningRig(plan, { answer: withAnswers({ "author revise": revision }) });
    const branch = request({ mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-001" });
    const view = must(await again.planner.plan(branch, again.hooks));
    expect(must(await again.planner.diff(view.id)).dropped.map(({ id }) => id)).toEqual(["TASK-00002"]);
    expect(must(await again.planner.apply(view.id, true)).dropped).toEqual(["TASK-00002"]);
    expect((await plan.view("TASK-00003")).status).toBe("ready");
  });

  it("begins at a stage only when what it needs is there (TK2)", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ "author capabilities": reply(undefined, { ending: "timeout" }) }),
    });
    must(await rig.planner.plan(request(), rig.hooks));
    for (const [from, needed] of [
      ["files", "capability-map"],
      ["review", "draft"],
    ] as const) {
      const refused = await rig.planner.plan(request({ text: undefined, from, earlier: "RUN-001" }), rig.hooks);
      expect(refused).toMatchObject({ ok: false, error: { reason: "gate", message: expect.stringContaining(needed) } });
    }
  });

  it("learns from earlier work, unless it is told not to", async () => {
    must(
      await remember(plan, {
        text: "Greeting people by name needs quotes around the name.",
        keywords: ["greets", "name"],
      }),
    );
    const memories = async (clean: boolean): Promise<readonly string[] | undefined> => {
      const rig = planningRig(plan);
      must(await rig.planner.plan(request({ clean }), rig.hooks));
      return rig.requests[0]?.brief.memories;
    };
    expect(await memories(false)).toEqual(["Greeting people by name needs quotes around the name."]);
    expect(await memories(true)).toEqual([]);
  });

  it("changes nothing when the author changes nothing, and what was approved stays approved", async () => {
    const rig = planningRig(plan);
    must(await rig.planner.plan(request(), rig.hooks));
    must(await rig.planner.apply(undefined, true));
    const before = await plan.view("TASK-00001");
    const again = planningRig(plan, { answer: withAnswers({ "author revise": {} }) });
    const node = { mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-001" } as const;
    const view = must(await again.planner.plan(request(node), again.hooks));
    expect(must(await again.planner.diff(view.id))).toMatchObject({ added: [], changed: [], dropped: [] });
    expect(must(await again.planner.apply(view.id, false))).toMatchObject({ added: [], changed: [], dropped: [] });
    expect(await plan.view("TASK-00001")).toMatchObject({ status: "ready", body: before.body });
  });

  it("never resets what is done or approved, and changes nothing outside of its branch", async () => {
    const hostile = {
      ...(ANSWERS["author tasks"] as object),
      features: [{ id: "FEAT-A", title: "Taken over" }],
      tasks: [{ ...((ANSWERS["author tasks"] as { tasks: object[] }).tasks[0] as object), parent: "FEAT-A" }],
    };
    const rig = planningRig(plan, { answer: withAnswers({ "author tasks": hostile }), served: ["author"] });
    must(await rig.planner.plan(request({ mode: "quick", level: "lenient", text: "Greet somebody." }), rig.hooks));
    const view = must(await rig.planner.show(undefined, false));
    if (view.status === "waiting") must(await answer(plan, { id: view.escalations[0] ?? "", option: "accept" }));
    must(await rig.planner.resume(undefined, {}, rig.hooks));
    must(await rig.planner.apply(undefined, true));
    expect((await plan.view("FEAT-A")).title).toBe("Feature A");
    expect((await plan.view("FEAT-001")).title).toBe("Taken over");
  });

  it("expands initiatives, features and stories, and refuses the rest (AF13)", async () => {
    const below = {
      ...(ANSWERS["author tasks"] as object),
      features: [],
      tasks: [{ ...((ANSWERS["author tasks"] as { tasks: object[] }).tasks[0] as object), parent: "STORY-A" }],
    };
    const rig = planningRig(plan, { answer: withAnswers({ "author tasks": below }) });
    const expand = (node: string) =>
      rig.planner.plan(request({ mode: "expand", kind: "node", text: undefined, source: null, node }), rig.hooks);
    expect(await expand("MISSION")).toMatchObject({ ok: false, error: { kind: "refused" } });
    const view = must(await expand("STORY-A"));
    expect(view.status).toBe("ready");
    const applied = must(await rig.planner.apply(view.id, false));
    expect((await plan.view(applied.added[0] ?? "")).parent).toBe("STORY-A");
    expect(await expand(applied.added[0] ?? "")).toMatchObject({ ok: false, error: { reason: "tier" } });
  });

  it("reviews a plan without touching it", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ critic: objection("K1", "high") }) });
    const view = must(
      await rig.planner.plan(
        request({ mode: "review", kind: "node", text: undefined, source: null, node: "FEAT-A", level: "lenient" }),
        rig.hooks,
      ),
    );
    expect(view).toMatchObject({ status: "finished", mode: "review" });
    expect(rig.asked).not.toContain("author revise");
  });

  it("goes on from a stage with the artifacts of an earlier run", async () => {
    const rig = planningRig(plan);
    must(await rig.planner.plan(request(), rig.hooks));
    const again = planningRig(plan);
    const view = must(
      await again.planner.plan(request({ text: undefined, from: "tasks", earlier: "RUN-001" }), again.hooks),
    );
    expect(again.asked).toEqual(["author tasks", "critic", "overviewer"]);
    expect(view.status).toBe("ready");
  });

  it("sends a person's wishes to the author", async () => {
    const rig = planningRig(plan);
    must(await rig.planner.plan(request(), rig.hooks));
    const view = must(await rig.planner.requestChanges("RUN-001", "smaller tasks", rig.hooks));
    expect(view.status).toBe("ready");
    expect(rig.requests.findLast(({ brief }) => brief.revise)?.brief.feedback).toMatchObject([
      { source: "person", note: "smaller tasks" },
    ]);
  });

  it("works a spec beyond the window part by part, and covers all of it", async () => {
    const paragraphs = Array.from(
      { length: 40 },
      (_, i) =>
        `## Part ${i + 1}\n\n- REQ-${i + 1} The program does thing number ${i + 1} for the person who asked for it.\n`,
    );
    const text = `# Large\n\n${paragraphs.join("\n")}`;
    const limits = {
      roleTimeoutMinutes: 30,
      windowTokens: 1000,
      answerHours: 0,
      maxCostUsd: null,
      maxTokens: null,
      revisions: 5,
      overviews: 3,
    };
    const seen = new Set<string>();
    const rig = planningRig(plan, {
      services: { limits },
      served: ["author"],
      answer: (topic, { brief }) => {
        const found = brief.spec.statements.map(({ text: quote, requirements }) => ({
          quote,
          id: requirements[0] ?? "",
        }));
        if (topic === "author capabilities") {
          for (const { id } of found) seen.add(id);
          const behaviours = found.map(({ quote, id }, i) => ({
            id: `B${i + 1}`,
            name: id,
            type: "process",
            quote,
            requirements: [id],
          }));
          return reply({
            domains: [
              {
                id: "D1",
                name: `Domain ${found[0]?.id}`,
                capabilities: [{ id: "C1", name: "do", quote: found[0]?.quote, behaviours }],
              },
            ],
            flows: [{ id: "F1", name: "f", steelThread: true, steps: ["B1"] }],
          });
        }
        const behaviours = (brief.map?.domains ?? []).flatMap(({ capabilities }) =>
          capabilities.flatMap((c) => c.behaviours),
        );
        if (topic === "author files")
          return reply({
            behaviours: behaviours.map(({ id }) => ({
              behaviour: id,
              files: [{ path: `src/${id.toLowerCase()}.sh`, action: "create" }],
            })),
          });
        const tasks = behaviours.map(({ id, requirements }, i) => ({
          id: `T${i + 1}`,
          parent: "F1",
          title: `Do ${id}`,
          behaviours: [id],
          requirements,
          files: [
            { path: `src/${id.toLowerCase()}.sh`, action: "create" },
            { path: `test/${id.toLowerCase()}.sh`, action: "create" },
          ],
          checks: [{ run: `sh test/${id.toLowerCase()}.sh` }],
          steelThread: brief.part.number === 1 && i === 0,
          estimateHours: 2,
        }));
        return reply({ title: "Large", overview: "many", features: [{ id: "F1", title: "Everything" }], tasks });
      },
    });
    const view = must(await rig.planner.plan(request({ text, level: "lenient" }), rig.hooks));
    expect(seen.size).toBe(40);
    expect(rig.asked.filter((topic) => topic === "author capabilities").length).toBeGreaterThan(1);
    expect(view).toMatchObject({ coverage: 100, counts: { features: 1, tasks: 40 } });
    expect(view.sections.length).toBeGreaterThanOrEqual(40);
  });
});
