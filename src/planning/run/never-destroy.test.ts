// Planning adds, and takes nothing away that you did not agree to lose.

import { describe, expect, it } from "vitest";
import { addAll, must, mustFail, type TestPlan } from "../../../test/plan.js";
import {
  ANSWERS,
  CLARIFICATION,
  planForEach,
  planningRig,
  type Rig,
  reply,
  request,
  SPEC,
  withAnswers,
} from "../../../test/planning.js";
import { start } from "../../plan/claim/start.js";
import { drop } from "../../verbs/branch/drop.js";
import { undo } from "../../verbs/history/take-back.js";
import { edit } from "../../verbs/node/edit.js";
import { promote } from "../../verbs/node/promote.js";

let plan: TestPlan;

planForEach((made) => {
  plan = made;
});

type Said = Readonly<Record<string, unknown>>;
const TASKS = (ANSWERS["author tasks"] as { tasks: Said[] }).tasks;

const rigWith = (said: Said = {}): Rig =>
  planningRig(plan, { answer: (topic) => reply(Object.hasOwn(said, topic) ? said[topic] : ANSWERS[topic]) });

const below = (parent: string): object => ({
  ...(ANSWERS["author tasks"] as object),
  features: [],
  tasks: [{ ...TASKS[0], parent, requirements: [], behaviours: [] }],
});

describe("expanding a feature that somebody works on", () => {
  it("keeps the work, unless you confirm that it goes, and says so in the summary", async () => {
    const rig = rigWith();
    must(await rig.plan(request()));
    must(await rig.approve());
    must(await start(plan.as("agent:w"), { reference: "TASK-00001" }));
    const instead = { ...TASKS[0], id: "T9", parent: "FEAT-001", title: "Greet politely" };
    const again = rigWith({ "author revise": { removed: ["TASK-00001"], tasks: [instead] } });
    const view = must(await again.ask("expand", { reference: "FEAT-001", level: "lenient" }));
    expect(view).toMatchObject({
      status: "ready",
      drops: { ids: ["TASK-00001"], claimed: ["TASK-00001"] },
    });
    expect(again.requests.find(({ brief }) => brief.revise)?.brief).toMatchObject({
      draft: { tasks: [{ id: "TASK-00001" }, { id: "TASK-00002" }, { id: "TASK-00003" }] },
      settled: expect.arrayContaining([{ id: "TASK-00001", state: "agent:w works on it" }]),
    });
    expect(mustFail(await again.approve("RUN-002")).reason).toBe("needs-yes");
    expect((await plan.view("TASK-00001")).status).toBe("in_progress");
  });
});

describe("two runs of one spec", () => {
  it("know of each other, and only one of them can be added", async () => {
    const rig = rigWith();
    must(await rig.plan(request()));
    const second = must(await rig.plan(request()));
    expect(second).toMatchObject({ id: "RUN-002", alsoOpen: ["RUN-001"] });
    expect(rig.progress.findLast(({ type }) => type === "started")).toMatchObject({ alsoOpen: ["RUN-001"] });
    must(await rig.approve("RUN-001"));
    expect(mustFail(await rig.approve("RUN-002"))).toMatchObject({
      reason: "duplicate",
      details: { run: "RUN-001" },
      next: [{ operation: "plan.start", input: { revise: "RUN-001" } }, { operation: "plan.diff" }],
    });
    expect(mustFail(await rig.apply("RUN-002")).reason).toBe("duplicate");
    must(await undo(plan));
    expect(must(await rig.approve("RUN-002")).added).toContain("FEAT-002");
  });

  it("are the same by their words, and by the node that they expand", async () => {
    const rig = rigWith({ "author tasks": below("STORY-A") });
    const words = request({ kind: "idea", source: null, text: "Greet people in Latin." });
    must(await rigWith().plan(words));
    expect(must(await rigWith().plan(words)).alsoOpen).toEqual(["RUN-001"]);
    must(await rig.ask("expand", { reference: "STORY-A", level: "lenient" }));
    expect(must(await rig.ask("expand", { reference: "STORY-A", level: "lenient" }))).toMatchObject({
      id: "RUN-004",
      alsoOpen: ["RUN-003"],
    });
    must(await rig.approve("RUN-003"));
    expect(mustFail(await rig.approve("RUN-004")).message).toContain("RUN-003 planned STORY-A too");
  });

  it("are of no concern to a revision that began later", async () => {
    const rig = rigWith({ "author revise": {} });
    must(await rig.plan(request()));
    must(await rig.approve());
    const view = must(await rig.plan(request({ mode: "revise", text: undefined, earlier: "RUN-001" })));
    expect(must(await rig.approve(view.id))).toMatchObject({ added: [], dropped: [] });
  });
});

it("refuses to add a node below a parent that has one of the same name", async () => {
  await addAll(plan, [{ id: "MINE", tier: "feature", title: "greeter  " }]);
  const rig = rigWith();
  must(await rig.plan(request()));
  expect(mustFail(await rig.approve())).toMatchObject({
    reason: "duplicate",
    details: { node: "MINE", draft: "FEAT-001" },
  });
});

describe("an approval that was undone", () => {
  it("can be planned again from the same file, and approved", async () => {
    const rig = rigWith();
    must(await rig.plan(request()));
    must(await rig.approve());
    must(await undo(plan));
    const again = must(await rig.plan(request()));
    must(await rig.abort("RUN-001"));
    const { added } = must(await rig.approve(again.id));
    expect(added).toEqual(expect.arrayContaining(["FEAT-002", "TASK-00004"]));
  });

  it("leaves a run whose own draft is revised, because nothing of it is in the plan", async () => {
    const rig = rigWith();
    must(await rig.plan(request()));
    must(await rig.approve());
    must(await undo(plan));
    const view = must(await rig.plan(request({ mode: "revise", text: undefined, earlier: "RUN-001" })));
    expect(rig.requests.findLast(({ brief }) => brief.revise)?.brief.draft?.tasks).toHaveLength(3);
    expect(must(await rig.approve(view.id)).added).toEqual(expect.arrayContaining(["FEAT-002", "TASK-00006"]));
  });
});

describe("a plan that is no longer there", () => {
  const spec = { text: SPEC, path: "docs/spec.md" };

  it("is not revised when its file is planned again, whatever revisions began in between", async () => {
    const rig = rigWith({ "author revise": {} });
    must(await rig.ask("plan.start", { source: spec }));
    must(await rig.approve());
    expect(must(await rig.ask("plan.start", { source: spec })).mode).toBe("revise");
    must(await rig.abort("RUN-002"));
    must(await undo(plan));
    // The run is back: what came before it goes only by its number.
    const refusal = mustFail(await undo(plan));
    must(await undo(plan, String(refusal.next?.at(-1)?.input["operation"])));
    expect((await rig.list()).map(({ id, status }) => `${id} ${status}`)).toContain("RUN-001 ready");
    expect(must(await rig.ask("plan.start", { source: spec }))).toMatchObject({ mode: "new", counts: { tasks: 3 } });
  });

  it("is planned as new once it was dropped", async () => {
    const rig = rigWith({ "author revise": {} });
    must(await rig.ask("plan.start", { source: spec }));
    must(await rig.approve());
    must(await drop(plan, { references: ["FEAT-001"], reason: "no" }));
    expect(must(await rig.ask("plan.start", { source: spec }))).toMatchObject({ mode: "new", counts: { tasks: 3 } });
  });
});

describe("what is no branch to plan", () => {
  it.each([
    ["MISSION", "tier", "plan.start"],
    ["INBOX", "inbox", "list"],
    ["FEAT-A-LAND", "land-task", "plan.start"],
  ])("%s is refused with what to do instead", async (source, reason, operation) => {
    await addAll(plan, [{ id: "A", title: "Task A", parent: "STORY-A" }]);
    const rig = rigWith();
    for (const asked of [{ source }, { revise: source }]) {
      const failed = mustFail(await rig.ask("plan.start", asked));
      expect(failed).toMatchObject({ kind: "refused", reason });
      expect(failed.next?.[0]?.operation).toBe(operation);
    }
    expect(await rig.list()).toEqual([]);
  });

  it.each([
    ["lsit", "plan.list"],
    ["shwo", "plan.show"],
    ["414", "status"],
    ["abrot", "status"],
  ])("%s is no idea", async (source, operation) => {
    const failed = mustFail(await rigWith().ask("plan.start", { source }));
    expect(failed).toMatchObject({ kind: "absent", reason: "not-found" });
    expect(failed.next?.[0]?.operation).toBe(operation);
  });

  it("./nope is a file that is not there", async () => {
    expect(mustFail(await rigWith().ask("plan.start", { source: "./nope" })).reason).toBe("no-file");
  });
});

describe("an idea of the inbox", () => {
  const captured = async (): Promise<Rig> => {
    await addAll(plan, [{ id: "IDEA", title: "Greet in Latin", body: "It says salve.", parent: "INBOX" }]);
    const rig = planningRig(plan, { answer: withAnswers({}) });
    must(await rig.ask("plan.start", { source: "IDEA", quick: true, level: "lenient" }));
    return rig;
  };

  it("is planned into features, and leaves the inbox with a link", async () => {
    const rig = await captured();
    expect(rig.requests[0]?.brief).toMatchObject({ node: null, spec: { text: "# Greet in Latin\n\nIt says salve." } });
    expect((await plan.view("IDEA")).status).toBe("planned");
    const applied = must(await rig.approve());
    expect(applied).toMatchObject({ idea: "IDEA", dropped: [] });
    expect(await plan.view("IDEA")).toMatchObject({
      status: "dropped",
      outcome: { reason: "planned as FEAT-001 by RUN-001" },
    });
    must(await undo(plan));
    expect((await plan.view("IDEA")).status).toBe("planned");
  });

  it("stays when you changed it in the meantime", async () => {
    const rig = await captured();
    must(await edit(plan, { reference: "IDEA", body: "It says ave." }));
    expect(must(await rig.approve()).idea).toBeNull();
    expect((await plan.view("IDEA")).status).toBe("planned");
  });

  it("is planned, not expanded", async () => {
    await captured();
    expect(mustFail(await rigWith().ask("expand", { reference: "IDEA" }))).toMatchObject({
      reason: "tier",
      next: [{ operation: "plan.start", input: { source: "IDEA" } }],
    });
  });
});

describe("what people said", () => {
  it("becomes decisions and constraints when the plan is approved, once", async () => {
    const rig = planningRig(plan, { answer: withAnswers({ clarifier: CLARIFICATION }) });
    must(await rig.plan(request({ defaults: true, stack: "plain shell", target: "src" })));
    must(await rig.approve());
    const records = await plan.store.read((reader) => reader.items("record", { state: "active" }));
    const said = records.map(({ fields: { kind, title, body } }) => [kind, title, body]);
    expect(said).toEqual(
      expect.arrayContaining([
        ["decision", "In which language does it greet?", "English (the default was taken)"],
        ["constraint", "Use plain shell", ""],
        ["constraint", "Code goes to src", ""],
      ]),
    );
    const node = { mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-001" } as const;
    const again = planningRig(plan, { answer: withAnswers({ "author revise": {} }) });
    must(await again.plan(request({ ...node, stack: "plain shell" })));
    const titles = again.requests.at(-1)?.brief.records.map(({ record }) => record.title);
    expect(titles).toEqual(expect.arrayContaining(["Use plain shell", "In which language does it greet?"]));
    must(await again.approve("RUN-002"));
    const after = await plan.store.read((reader) => reader.items("record", { state: "active" }));
    expect(after.filter(({ fields }) => fields.title === "Use plain shell")).toHaveLength(1);
  });

  it("about a branch, and what was tried there, reaches its author", async () => {
    const rig = rigWith({ "author revise": {} });
    must(await rig.plan(request()));
    must(await rig.approve());
    must(await promote(plan.as("agent:w"), { from: "TASK-00001", note: "The shell has no arrays.", to: "FEAT-001" }));
    must(await drop(plan, { references: ["TASK-00003"], reason: "it cannot be stored" }));
    must(await promote(plan.as("agent:w"), { from: "TASK-00001", note: "The shell has no floats.", to: "MISSION" }));
    const known = [
      "- MISSION discovery by agent:w: The shell has no floats.",
      "- FEAT-001 discovery by agent:w: The shell has no arrays.",
      "- TASK-00003 was dropped: Remember the name. it cannot be stored",
    ];
    const tried = (): string | undefined =>
      rig.requests
        .findLast(({ brief }) => brief.role === "author")
        ?.brief.materials.find(({ name }) => name === "What was found and tried before")?.text;
    must(await rig.ask("expand", { reference: "FEAT-001", level: "lenient" }));
    expect(tried()?.split("\n")).toEqual(known);
    must(await rig.plan(request({ mode: "revise", text: undefined, earlier: "RUN-001" })));
    expect(tried()?.split("\n")).toEqual(known);
    must(await rig.plan(request({ text: `${SPEC}\n`, source: "other.md" })));
    expect(tried()?.split("\n")).toEqual(known.slice(0, 1));
  });
});

it("counts what planning used, by role, run and day", async () => {
  const rig = rigWith();
  must(await rig.plan(request()));
  const { spending } = must(await rig.ask("stats", {}));
  expect(spending.total).toEqual({ calls: 6, tokens: 720, costUsd: expect.closeTo(0.06) });
  expect(spending.roles[0]).toMatchObject({ of: "author", calls: 3, tokens: 360 });
  expect(spending.runs).toMatchObject([{ of: "RUN-001", tokens: 720 }]);
  expect(spending.days).toMatchObject([{ of: "2026-01-01", tokens: 720 }]);
});
