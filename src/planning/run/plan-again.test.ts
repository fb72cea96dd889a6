import { describe, expect, it } from "vitest";
import { must, type TestPlan } from "../../../test/plan.js";
import { ANSWERS, objection, planForEach, planningRig, reply, request, withAnswers } from "../../../test/planning.js";
import { changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import { answer } from "../../plan/answer/answer.js";
import { act } from "../../plan/base/context.js";
import { remember } from "../../verbs/lesson/add.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

describe("planning what is there", () => {
  it("shows what a revision would change before it does", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    must(await rig.approve());
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
      await again.plan(request({ mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-001" })),
    );
    expect(again.asked).toEqual(["clarifier", "author revise", "critic", "overviewer"]);
    const diff = must(await again.diff(view.id));
    expect(diff.added.map(({ id }) => id)).toEqual(["T9"]);
    expect(diff.dropped.map(({ id }) => id)).toEqual(["TASK-00002"]);
    expect(diff.kept.map(({ id }) => id)).toContain("TASK-00001");
    expect(view.drops).toEqual({ ids: ["TASK-00002"], claimed: [] });
    const applied = must(await again.approve(view.id, { yes: true }));
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
    must(await rig.plan(request()));
    must(await rig.approve());
    const first = { ...tasks[0], id: "TASK-00001", parent: "FEAT-001", requirements: ["REQ-1", "REQ-2"] };
    const revision = { removed: ["TASK-00002"], tasks: [first] };
    const again = planningRig(plan, { answer: withAnswers({ "author revise": revision }) });
    const branch = request({ mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-001" });
    const view = must(await again.plan(branch));
    expect(must(await again.diff(view.id)).dropped.map(({ id }) => id)).toEqual(["TASK-00002"]);
    expect(must(await again.approve(view.id, { yes: true })).dropped).toEqual(["TASK-00002"]);
    expect((await plan.view("TASK-00003")).status).toBe("ready");
  });

  it("begins at a stage only when what it needs is there", async () => {
    const rig = planningRig(plan, {
      answer: withAnswers({ "author capabilities": reply(undefined, { ending: "timeout" }) }),
    });
    must(await rig.plan(request()));
    for (const [from, needed] of [
      ["files", "capability-map"],
      ["review", "draft"],
    ] as const) {
      const refused = await rig.plan(request({ text: undefined, from, earlier: "RUN-001" }));
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
    const lessons = async (clean: boolean): Promise<readonly string[] | undefined> => {
      const rig = planningRig(plan);
      must(await rig.plan(request({ clean })));
      return rig.requests[0]?.brief.lessons;
    };
    expect(await lessons(false)).toEqual(["Greeting people by name needs quotes around the name."]);
    expect(await lessons(true)).toEqual([]);
  });

  it("changes nothing when the author changes nothing, and what was approved stays approved", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    must(await rig.approve());
    const before = await plan.view("TASK-00001");
    const again = planningRig(plan, { answer: withAnswers({ "author revise": {} }) });
    const node = { mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-001" } as const;
    const view = must(await again.plan(request(node)));
    expect(must(await again.diff(view.id))).toMatchObject({ added: [], changed: [], dropped: [] });
    expect(must(await again.apply(view.id))).toMatchObject({ added: [], changed: [], dropped: [] });
    expect(await plan.view("TASK-00001")).toMatchObject({ status: "ready", body: before.body });
  });

  it("never resets what is done or approved, and changes nothing outside of its branch", async () => {
    const hostile = {
      ...(ANSWERS["author tasks"] as object),
      features: [{ id: "FEAT-A", title: "Taken over" }],
      tasks: [{ ...((ANSWERS["author tasks"] as { tasks: object[] }).tasks[0] as object), parent: "FEAT-A" }],
    };
    const rig = planningRig(plan, { answer: withAnswers({ "author tasks": hostile }), served: ["author"] });
    must(await rig.plan(request({ mode: "quick", level: "lenient", text: "Greet somebody." })));
    const view = must(await rig.show());
    if (view.status === "waiting") must(await answer(plan, { id: view.questions[0]?.id ?? "", option: "accept" }));
    must(await rig.resume());
    must(await rig.approve());
    expect((await plan.view("FEAT-A")).title).toBe("Feature A");
    expect((await plan.view("FEAT-001")).title).toBe("Taken over");
  });

  it("expands initiatives, features and stories, and refuses the rest", async () => {
    const below = {
      ...(ANSWERS["author tasks"] as object),
      features: [],
      tasks: [{ ...((ANSWERS["author tasks"] as { tasks: object[] }).tasks[0] as object), parent: "STORY-A" }],
    };
    const rig = planningRig(plan, { answer: withAnswers({ "author tasks": below }) });
    const expand = (node: string) =>
      rig.plan(request({ mode: "expand", kind: "node", text: undefined, source: null, node }));
    expect(await expand("MISSION")).toMatchObject({ ok: false, error: { kind: "refused" } });
    const view = must(await expand("STORY-A"));
    expect(view.status).toBe("ready");
    const applied = must(await rig.apply(view.id));
    expect((await plan.view(applied.added[0] ?? "")).parent).toBe("STORY-A");
    expect(await expand(applied.added[0] ?? "")).toMatchObject({ ok: false, error: { reason: "tier" } });
  });

  it("holds the landing of the features that it may change, until it is over; a review holds none", async () => {
    const planned = async (): Promise<string[]> =>
      plan.store.read(async (reader) => {
        const found: string[] = [];
        for (const [nr, runs] of await reader.planning()) found.push(`${(await reader.idOf(nr)) ?? ""} ${runs.join()}`);
        return found;
      });
    const rig = planningRig(plan);
    const about = { kind: "node", text: undefined, source: null, level: "lenient" } as const;
    must(await rig.plan(request()));
    expect(await planned()).toEqual([]);
    must(await rig.approve());
    must(await rig.plan(request({ ...about, mode: "review", node: "FEAT-001" })));
    expect(await planned()).toEqual([]);
    must(await rig.plan(request({ ...about, mode: "revise", node: "FEAT-001" })));
    expect(await planned()).toEqual(["FEAT-001 RUN-003"]);
    must(await rig.abort("RUN-003"));
    expect(await planned()).toEqual([]);
    must(await rig.plan(request({ mode: "revise", earlier: "RUN-001", text: undefined })));
    expect(await planned()).toEqual(["FEAT-001 RUN-004"]);
  });

  it("ends the wait for a new plan when a person approves it, also where it adds nothing", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ "author revise": {} }) });
    must(await rig.plan(request()));
    must(await rig.approve());
    const awaits = async (): Promise<boolean> =>
      (await plan.store.read((reader) => reader.byId("FEAT-001")))?.awaitsPlan !== null;
    const mark = { awaitsPlan: { by: "human:ada", at: 1, reason: "too large" } };
    must(
      await act(plan, "replan", async (writer) => {
        const node = await writer.byId("FEAT-001");
        return ok({ sentence: "", changes: node ? changeNode(node, mark) : [], value: null });
      }),
    );
    expect(await awaits()).toBe(true);
    const about = { mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-001" } as const;
    const { id } = must(await rig.plan(request({ ...about, level: "lenient" })));
    must(await rig.approve(id));
    expect(await awaits()).toBe(false);
  });

  it("reviews a plan without touching it", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ critic: objection("K1", "high") }) });
    const view = must(
      await rig.plan(
        request({ mode: "review", kind: "node", text: undefined, source: null, node: "FEAT-A", level: "lenient" }),
      ),
    );
    expect(view).toMatchObject({ status: "finished", mode: "review" });
    expect(rig.asked).not.toContain("author revise");
  });

  it("goes on from a stage with the artifacts of an earlier run", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    const again = planningRig(plan);
    const view = must(await again.plan(request({ text: undefined, from: "tasks", earlier: "RUN-001" })));
    expect(again.asked).toEqual(["author tasks", "critic", "overviewer"]);
    expect(view.status).toBe("ready");
  });

  it("sends a person's wishes to the author", async () => {
    const rig = planningRig(plan);
    must(await rig.plan(request()));
    const view = must(await rig.revise("RUN-001", "smaller tasks"));
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
    const view = must(await rig.plan(request({ text, level: "lenient" })));
    expect(seen.size).toBe(40);
    expect(rig.asked.filter((topic) => topic === "author capabilities").length).toBeGreaterThan(1);
    expect(view).toMatchObject({
      coverage: { planned: 100, leftOut: 0, notUnderstood: 0 },
      counts: { features: 1, tasks: 40 },
    });
    expect(view.sections.length).toBeGreaterThanOrEqual(40);
  });
});
