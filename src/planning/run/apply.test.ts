// What a run does to a plan that is there, and to people's work on it.

import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addAll, must, mustFail, type TestPlan } from "../../../test/plan.js";
import { ANSWERS, planForEach, planningRig, type Rig, reply, request, SPEC } from "../../../test/planning.js";
import { start } from "../../plan/claim/start.js";
import { add } from "../../plan/node/add.js";
import { approve } from "../../plan/node/approve.js";
import { drop } from "../../verbs/branch/drop.js";
import { waive } from "../../verbs/branch/waive.js";
import { undo } from "../../verbs/history/take-back.js";
import { edit } from "../../verbs/node/edit.js";
import { next } from "../../verbs/task/next.js";
import { OUTLINE } from "../roles/agents.js";
import { exportRun } from "./present.js";
import { readRun } from "./stored-run.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

type Said = Readonly<Record<string, unknown>>;

const rigWith = (said: Said = {}): Rig =>
  planningRig(plan, { answer: (topic) => reply(Object.hasOwn(said, topic) ? said[topic] : ANSWERS[topic]) });

const TASKS = (ANSWERS["author tasks"] as { tasks: Said[] }).tasks;

const MINE = {
  id: "MINE",
  tier: "task",
  title: "Mine",
  body: "Do mine.",
  parent: "FEAT-001",
  files: ["src/mine.sh", "test/mine.sh"],
  checks: [{ run: "sh test/mine.sh" }],
} as const;

const ofNode = (mode: "revise" | "expand" | "review", node: string) =>
  request({ mode, kind: "node", text: undefined, source: null, node });

/** RUN-001, with FEAT-001 and three tasks, approved. */
async function planned(): Promise<Rig> {
  const rig = rigWith();
  must(await rig.plan(request()));
  must(await rig.approve("RUN-001"));
  return rig;
}

async function revised(revision: object, node = "FEAT-001"): Promise<{ rig: Rig; run: string; status: string }> {
  const rig = rigWith({ "author revise": revision });
  const view = must(await rig.plan(ofNode("revise", node)));
  return { rig, run: view.id, status: view.status };
}

const findingsOf = async (run: string): Promise<string[]> => {
  const items = await plan.store.read(async (reader) => {
    const found = await reader.items("artifact", { owner: run, state: "findings" });
    return Promise.all(found.map(({ fields }) => reader.document(fields.hash)));
  });
  return items.flatMap((text) =>
    (JSON.parse(text ?? "{}") as { findings: { code?: string; where?: string }[] }).findings.map(
      ({ code = "", where = "" }) => `${code} ${where}`,
    ),
  );
};

describe("a plan that is revised", () => {
  it("stays as it is, however often nothing is changed, also while somebody works on it", async () => {
    await planned();
    expect(must(await next(plan.as("agent:w"), {}))).toHaveLength(1);
    const all = ["FEAT-001", "TASK-00001", "TASK-00002", "TASK-00003"];
    const before = await Promise.all(all.map((id) => plan.view(id)));
    for (let time = 0; time < 3; time++) {
      const { rig, run } = await revised({});
      expect(must(await rig.diff(run))).toMatchObject({ added: [], changed: [], dropped: [], approves: [] });
      const applied = must(await rig.approve(run));
      expect(applied).toMatchObject({ added: [], changed: [], dropped: [], approved: [] });
    }
    expect(await Promise.all(all.map((id) => plan.view(id)))).toEqual(before);
  });

  it("is not changed by another order of the same files", async () => {
    await planned();
    const files = (TASKS[0] as { files: object[] }).files.toReversed();
    const again = { ...TASKS[0], id: "TASK-00001", parent: "FEAT-001", files };
    const { rig, run } = await revised({ tasks: [again] });
    expect(must(await rig.diff(run)).changed).toEqual([]);
    expect(must(await rig.approve(run)).changed).toEqual([]);
  });

  it("shows exactly what it does: additions, changes, drops and approvals", async () => {
    await planned();
    const revision = {
      removed: ["TASK-00003"],
      tasks: [
        { ...TASKS[1], id: "TASK-00002", parent: "FEAT-001", title: "Greet everybody", dependsOn: ["TASK-00001"] },
        { ...TASKS[2], id: "T1", parent: "FEAT-001", title: "Remember it in a file" },
      ],
    };
    const { rig, run } = await revised(revision);
    const diff = must(await rig.diff(run));
    expect(mustFail(await rig.approve(run)).reason).toBe("needs-yes");
    const applied = must(await rig.approve(run, { yes: true }));
    expect(diff.added.map(({ id }) => id)).toEqual(["T1"]);
    expect(diff.changed.map(({ id }) => id)).toEqual(applied.changed);
    expect(diff.dropped.map(({ id }) => id)).toEqual(applied.dropped);
    expect(diff.approves?.map((id) => (id === "T1" ? "TASK-00004" : id)).sort()).toEqual([...applied.approved].sort());
    expect([applied.changed, applied.dropped, applied.added]).toEqual([["TASK-00002"], ["TASK-00003"], ["TASK-00004"]]);
  });

  it("may use a short id again that the run before it used", async () => {
    await planned();
    const rig = rigWith({
      "author revise": { tasks: [{ ...TASKS[2], id: "T1", parent: "FEAT-001", title: "Forget the name" }] },
    });
    const again = request({ mode: "revise", kind: "node", text: undefined, source: null, earlier: "RUN-001" });
    const view = must(await rig.plan(again));
    expect(must(await rig.approve(view.id))).toMatchObject({ added: ["TASK-00004"], changed: [] });
    expect((await plan.view("TASK-00001")).title).toBe("Greet by name");
  });
});

describe("what people do while a plan is revised", () => {
  const TITLE = { tasks: [{ ...TASKS[0], id: "TASK-00001", parent: "FEAT-001", title: "Greet loudly" }] };

  it("is never overwritten: an edit since then refuses the run, with the way on", async () => {
    await planned();
    const { rig, run } = await revised(TITLE);
    must(await edit(plan, { reference: "TASK-00001", title: "Greet softly" }));
    for (const approve of [true, false]) {
      expect(mustFail(await rig.apply(run, { approve }))).toMatchObject({
        reason: "plan-moved",
        message: expect.stringContaining("TASK-00001"),
        next: [{ operation: "plan.start", input: { revise: "FEAT-001" } }],
      });
    }
    expect((await plan.view("TASK-00001")).title).toBe("Greet softly");
  });

  it("is never undone by a draft that does not mention it", async () => {
    await planned();
    const { rig, run } = await revised(TITLE);
    must(await edit(plan, { reference: "TASK-00003", body: "By hand." }));
    expect(mustFail(await rig.approve(run)).message).toContain("TASK-00003");
  });

  it("is never dropped: a task added since then refuses the run", async () => {
    await planned();
    const { rig, run } = await revised(TITLE);
    await addAll(plan, [MINE]);
    expect(mustFail(await rig.approve(run))).toMatchObject({ details: { moved: ["MINE"] } });
    const again = await revised({});
    must(await again.rig.approve(again.run));
    expect((await plan.view("MINE")).status).toBe("planned");
  });

  it("holds nothing up when it is ordinary work, and keeps what was dropped", async () => {
    await planned();
    const { rig, run } = await revised(TITLE);
    must(await start(plan.as("agent:w"), { reference: "TASK-00001" }));
    must(await drop(plan, { references: ["TASK-00003"] }));
    expect(must(await rig.approve(run))).toMatchObject({ changed: ["TASK-00001"], dropped: [] });
    expect((await plan.view("TASK-00003")).status).toBe("dropped");
    expect((await plan.view("TASK-00001")).claim).not.toBeNull();
  });
});

describe("a node that is expanded", () => {
  const below = (parent: string) => ({
    "author tasks": {
      ...(ANSWERS["author tasks"] as object),
      features: [],
      tasks: [{ ...TASKS[0], parent, requirements: [] }],
    },
  });

  it("drops nothing, and is approved with its land task", async () => {
    const rig = rigWith(below("FEAT-A"));
    const view = must(await rig.plan(ofNode("expand", "FEAT-A")));
    const diff = must(await rig.diff(view.id));
    expect(diff.dropped).toEqual([]);
    const applied = must(await rig.approve(view.id));
    expect(applied.dropped).toEqual([]);
    expect(applied.approved).toEqual(expect.arrayContaining(["FEAT-A", "TASK-00001"]));
    expect(diff.approves?.map((id) => (id === "T1" ? "TASK-00001" : id)).sort()).toEqual([...applied.approved].sort());
    expect((await plan.view("TASK-00001")).status).toBe("ready");
    expect((await plan.view("FEAT-A-LAND")).approval).not.toBeNull();
  });

  it("has its land task approved also when it was approved before that", async () => {
    must(await approve(plan, { references: ["FEAT-A"] }));
    const rig = rigWith(below("STORY-A"));
    const view = must(await rig.plan(ofNode("expand", "STORY-A")));
    must(await rig.approve(view.id));
    expect((await plan.view("FEAT-A-LAND")).approval).not.toBeNull();
  });

  it("keeps the draft below itself", async () => {
    const rig = rigWith(below("INBOX"));
    const view = must(await rig.plan({ ...ofNode("expand", "FEAT-A"), level: "lenient" }));
    expect(view.status).toBe("waiting");
    expect(await findingsOf(view.id)).toContain("P-OUTSIDE T1");
  });
});

describe("an approval", () => {
  it("is given to what the run made or changed, and to nothing else", async () => {
    await planned();
    await addAll(plan, [MINE]);
    const { rig, run } = await revised({
      tasks: [{ ...TASKS[2], id: "T9", parent: "FEAT-001", title: "Forget the name" }],
    });
    expect(must(await rig.diff(run)).approves).toEqual(["T9"]);
    expect(must(await rig.approve(run)).approved).toEqual(["TASK-00004"]);
    expect((await plan.view("MINE")).approval).toBeNull();
  });

  it("is never given to what is in the inbox", async () => {
    must(await add(plan, [{ input: { id: "SHELVED", title: "Some day", parent: "INBOX" }, where: "line 1" }]));
    const rig = rigWith({
      "author revise": { tasks: [{ ...TASKS[0], id: "SHELVED", parent: "INBOX", requirements: [], behaviours: [] }] },
    });
    const view = must(await rig.plan(ofNode("revise", "SHELVED")));
    expect(must(await rig.diff(view.id)).approves).toEqual([]);
    expect(must(await rig.approve(view.id))).toMatchObject({ changed: ["SHELVED"], approved: [] });
  });

  it("writes the plan again with its own ids and who approved it, and is taken back as one", async () => {
    const rig = await planned();
    const text = async (): Promise<string> => {
      const { artifacts } = must(await rig.show("RUN-001"));
      return plan.store.read(async (reader) => {
        const item = await reader.item("artifact", artifacts.plan ?? "");
        return (item && (await reader.document(item.fields.hash))) ?? "";
      });
    };
    expect(await text()).toContain("Approved by human:ada on 2026-01-01.");
    expect(await text()).toContain("TASK-00002 Greet the world");
    expect(await text()).not.toMatch(/\bT[123]\b/);
    must(await undo(plan));
    expect(await text()).toContain("Waits for approval.");
  });
});

describe("the spec of a plan", () => {
  it("holds when a branch is revised: what it took up stays taken up", async () => {
    await planned();
    const { run, status } = await revised({ removed: ["TASK-00002"] });
    expect(status).not.toBe("ready");
    expect(await findingsOf(run)).toContain("P-REQUIREMENT REQ-2");
  });

  it("is not asked of a branch that never took it up", async () => {
    const draft = ANSWERS["author tasks"] as object;
    const features = [
      { id: "F1", title: "Greeting" },
      { id: "F2", title: "Storage" },
    ];
    const tasks = TASKS.map((task, i) => ({ ...task, parent: i === 2 ? "F2" : "F1" }));
    const rig = rigWith({ "author tasks": { ...draft, features, tasks } });
    must(await rig.plan(request()));
    must(await rig.approve("RUN-001"));
    expect((await revised({}, "FEAT-002")).status).toBe("ready");
  });

  it("has what is quoted, also in a revision of the whole run", async () => {
    await planned();
    const quotes = ["The moon is made of cheese."];
    const wrong = { tasks: [{ ...TASKS[0], id: "TASK-00001", parent: "FEAT-001", quotes }] };
    const rig = rigWith({ "author revise": wrong });
    const again = request({ mode: "revise", kind: "node", text: undefined, source: null, earlier: "RUN-001" });
    const view = must(await rig.plan(again));
    expect(await findingsOf(view.id)).toContain("P-QUOTE TASK-00001");
  });

  it("is asked for as a whole when it has changed, and what is settled counts", async () => {
    await planned();
    must(await waive(plan, { references: ["TASK-00002"], reason: "it is there" }));
    const changed = async (text: string, said: Said) => {
      const rig = rigWith(said);
      const view = must(await rig.plan(request({ mode: "revise", text, earlier: "RUN-001" })));
      return { view, found: await findingsOf(view.id) };
    };
    const same = await changed(`${SPEC}\n`, { "author tasks": {}, "author revise": {} });
    expect(same.found.filter((each) => /P-(REQUIREMENT|BEHAVIOUR|QUOTE) /.test(each))).toEqual([]);
    const more = await changed(`${SPEC}- REQ-4 It says goodbye.\n`, { "author tasks": {}, "author revise": {} });
    expect(more.found).toContain("P-REQUIREMENT REQ-4");
  });

  it("does not ask for what a person dropped", async () => {
    await planned();
    must(await drop(plan, { references: ["TASK-00002"] }));
    const { status } = await revised({});
    expect(status).toBe("ready");
  });
});

it("a plan that says what its spec states is reviewed as such", async () => {
  const tasks = TASKS.map((task, i) => (i === 0 ? { ...task, checks: [] } : task));
  const said = { ...ANSWERS, "author tasks": { ...(ANSWERS["author tasks"] as object), tasks } } as Said;
  const rig = rigWith(said);
  const server = await rig.services.serverFor("author", request());
  const outline = planningRig(plan, {
    answer: (topic) => reply(said[topic]),
    services: { serverFor: async () => server && { ...server, agent: OUTLINE } },
  });
  expect(must(await outline.plan(request({ level: "lenient" }))).status).toBe("ready");
  must(await outline.approve("RUN-001"));
  const review = rigWith();
  const view = must(await review.plan({ ...ofNode("review", "FEAT-001"), level: "lenient" }));
  expect(await findingsOf(view.id)).toEqual([]);
  expect(view.verdict).toBe("approve");
});

describe("documents as files", () => {
  it("are not written over a link that leads out of the workspace, nor over what you edited", async () => {
    await planned();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "planwright-export-")));
    const [root, elsewhere] = [join(folder, "root"), join(folder, "elsewhere")];
    for (const path of [root, elsewhere]) mkdirSync(path);
    symlinkSync(elsewhere, join(root, "docs"));
    const run = must(await plan.store.read((reader) => readRun(reader, "RUN-001")));
    const context = { ...plan, root };
    expect(mustFail(await exportRun(context, run, "docs/plans", false)).reason).toBe("outside");
    const { files } = must(await exportRun(context, run, "plans", false));
    expect(readFileSync(join(root, files[0] ?? ""), "utf8")).toContain("Approved by human:ada");
    must(await exportRun(context, run, "plans", false));
    writeFileSync(join(root, files[0] ?? ""), "My own words.");
    expect(mustFail(await exportRun(context, run, "plans", false))).toMatchObject({
      reason: "edited",
      details: { files: [files[0]] },
    });
    expect(readFileSync(join(root, files[0] ?? ""), "utf8")).toBe("My own words.");
    rmSync(folder, { recursive: true });
  });
});
