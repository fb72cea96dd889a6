import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { addAll, addInbox, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import type { NodeInput } from "../../model/node/content.js";
import { drop } from "../../verbs/branch/drop.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { complete } from "../../verbs/task/hand-in.js";
import { next } from "../../verbs/task/next.js";
import { add } from "./add.js";
import { approve } from "./approve.js";

const tryAdd = (plan: TestPlan, ...nodes: NodeInput[]) =>
  add(
    plan,
    nodes.map((input, i) => ({ input, where: `line ${i + 1}` })),
  );

const operations = (plan: TestPlan) => plan.store.read((reader) => reader.operations({ limit: 1000 }));

describe("add", () => {
  it("mints ids per tier and puts what has no parent where it belongs", async () => {
    const plan = await makePlan();
    await addInbox(plan);
    const added = await addAll(plan, [
      { title: "An idea" },
      { title: "A story idea", tier: "story" },
      { title: "A feature", tier: "feature" },
      { title: "An initiative", tier: "initiative" },
    ]);
    expect(added).toEqual(["TASK-00001", "STORY-0001", "FEAT-001", "INIT-001"]);
    expect(await plan.view("TASK-00001")).toMatchObject({ parent: "INBOX", kind: "work", reason: "inbox" });
    expect(await plan.view("STORY-0001")).toMatchObject({ parent: "INBOX" });
    expect(await plan.view("FEAT-001")).toMatchObject({ parent: "MISSION" });
    expect(await plan.view("INIT-001")).toMatchObject({ parent: "MISSION" });
  });

  it("says that there is no inbox instead of taking something that sounds like it", async () => {
    const plan = await makePlan([{ id: "FEAT-B", tier: "feature", title: "The inbox of the mail client" }]);
    expect(mustFail(await tryAdd(plan, { title: "An idea" }))).toMatchObject({ kind: "absent", reason: "not-found" });
  });

  it("lets lines refer to each other in any order, in one operation", async () => {
    const plan = await makePlan();
    const before = (await operations(plan)).length;
    await addAll(plan, [
      task("T-2", { parent: "S-B", dependsOn: ["T-1"] }),
      task("T-1", { parent: "S-B" }),
      { id: "S-B", tier: "story", title: "Story B", parent: "F-B" },
      { id: "F-B", tier: "feature", title: "Feature B" },
    ]);
    expect(await plan.view("T-2")).toMatchObject({ parent: "S-B", dependsOn: ["T-1"] });
    expect(await plan.view("F-B-LAND")).toMatchObject({ kind: "land", parent: "F-B" });
    expect((await operations(plan)).length).toBe(before + 1);
  });

  it("never mints an id that somebody chose, whatever they chose it for", async () => {
    const plan = await makePlan();
    await addAll(plan, [{ id: "task-00007", tier: "story", title: "A story", parent: "FEAT-A" }]);
    expect(await addAll(plan, [{ title: "A", parent: "STORY-A" }])).toEqual(["TASK-00008"]);
    await addAll(plan, [
      { id: "TASK-00012", title: "B", parent: "STORY-A" },
      { title: "C", parent: "STORY-A" },
    ]);
    expect((await plan.view("TASK-00013")).title).toBe("C");
  });

  it("gives the land task another name when a chosen id has taken it or fills all 64 characters", async () => {
    const plan = await makePlan();
    await addAll(plan, [
      task("FEAT-B-LAND"),
      { id: "FEAT-B", tier: "feature", title: "Feature B" },
      { id: "F".repeat(64), tier: "feature", title: "Feature F" },
    ]);
    expect(await plan.view("FEAT-B-LAND")).toMatchObject({ kind: "work" });
    expect(await plan.view("FEAT-B-LAND-2")).toMatchObject({ kind: "land", parent: "FEAT-B" });
    expect(await plan.view(`${"F".repeat(50)}-LAND`)).toMatchObject({ kind: "land" });
  });

  it("mints a new land task for work that comes after a landing", async () => {
    const plan = await makePlan([task("T-1", { kind: "gate" })]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await complete(plan, { reference: "T-1" }));
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    await addAll(plan, [task("T-2")]);
    expect(await plan.view("FEAT-A-LAND-2")).toMatchObject({ kind: "land", parent: "FEAT-A" });
  });

  it("infers the profile from the files unless it is given", async () => {
    const plan = await makePlan([
      task("T-1", { files: ["src/server.ts"] }),
      task("T-2", { files: ["src/server.ts"], profile: "data" }),
      task("T-3"),
    ]);
    expect((await plan.view("T-1")).profile).toBe("backend");
    expect((await plan.view("T-2")).profile).toBe("data");
    expect((await plan.view("T-3")).profile).toBeNull();
  });

  it("lets what is added below a frozen node wait with it, also through new nodes between", async () => {
    const plan = await makePlan();
    must(await freeze(plan, { references: ["FEAT-A"], reason: "budget" }));
    await addAll(plan, [
      { id: "S-B", tier: "story", title: "Story B", parent: "FEAT-A" },
      task("T-1", { parent: "S-B" }),
    ]);
    expect(await plan.view("T-1")).toMatchObject({ status: "frozen", freeze: { reason: "budget", from: "FEAT-A" } });
  });

  it("puts nothing below what was dropped", async () => {
    const plan = await makePlan();
    must(await drop(plan, { references: ["STORY-A"], reason: "no need" }));
    const failure = mustFail(await tryAdd(plan, task("T-1")));
    expect(failure).toMatchObject({ kind: "refused", reason: "settled" });
    expect(failure.message).toMatch(/^line 1: STORY-A is dropped/);
  });
});

describe("add of a node that is in the plan", () => {
  it("changes content and never resets progress", async () => {
    const plan = await makePlan([task("T-1", { kind: "gate" }), task("T-2", { dependsOn: ["T-1"] }), task("T-3")]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await complete(plan, { reference: "T-1" }));
    const [claimed] = must(await next(plan.as("agent:bot"), {}));
    const merged = must(
      await tryAdd(
        plan,
        { id: "t-1", title: "Another title", kind: "work" },
        { id: claimed?.task.id as string, title: "Sharper", priority: 1 },
        { id: "T-4", title: "New", parent: "STORY-A" },
      ),
    );
    expect(merged).toMatchObject({ added: ["T-4"], changed: [claimed?.task.id], unchanged: 1 });
    expect(await plan.view("T-1")).toMatchObject({ status: "done", title: "Task T-1", kind: "gate" });
    expect(await plan.view(claimed?.task.id as string)).toMatchObject({
      status: "in_progress",
      title: "Sharper",
      claim: { by: "agent:bot", epoch: 1 },
      attempts: 1,
    });
  });

  it("renames the land task with its feature", async () => {
    const plan = await makePlan([task("T-1")]);
    await addAll(plan, [{ id: "FEAT-A", title: "Sign in" }]);
    expect((await plan.view("FEAT-A-LAND")).title).toBe("Land: Sign in");
  });

  it("takes back a whole node as it was shown and finds nothing to change", async () => {
    const plan = await makePlan([
      task("T-1", { files: ["src/a.ts"], checks: [{ run: "npm test" }], priority: 2 }),
      task("T-2", { dependsOn: ["T-1"] }),
    ]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    const shown: string[] = [];
    for (const id of ["MISSION", "FEAT-A", "STORY-A", "FEAT-A-LAND", "T-1", "T-2"]) {
      shown.push(JSON.stringify(await plan.view(id)));
    }
    const before = (await operations(plan)).length;
    const again = must(await ask(plan, "add", { nodes: shown.map((line) => JSON.parse(line)) }));
    expect(again).toEqual({ op: null, added: [], changed: [], unchanged: 6, inInbox: [] });
    expect((await operations(plan)).length).toBe(before);
    expect(await plan.view("T-1")).toMatchObject({ status: "ready", approval: { stale: false } });
  });

  it("finds it by its UUID, and sees when an id belongs to another node", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    const { uuid } = await plan.view("T-1");
    expect(must(await tryAdd(plan, { uuid, title: "By its UUID" })).changed).toEqual(["T-1"]);
    expect((await plan.view("T-1")).title).toBe("By its UUID");
    const foreign = "01900000-0000-7000-8000-000000000001";
    for (const node of [
      { id: "T-1", uuid: foreign, title: "Of another clone" },
      { id: "T-2", uuid, title: "Crossed" },
      { id: "T-9", uuid, title: "Renamed" },
    ]) {
      expect(mustFail(await tryAdd(plan, node))).toMatchObject({ kind: "refused", reason: "id-taken" });
    }
    expect(must(await tryAdd(plan, { uuid: foreign, title: "New", parent: "STORY-A" })).added).toHaveLength(1);
  });

  it("moves it below the parent that the line names, with that parent's freeze", async () => {
    const plan = await makePlan([{ id: "S-B", tier: "story", title: "Story B", parent: "FEAT-A" }, task("T-1")]);
    must(await freeze(plan, { references: ["S-B"], reason: "later" }));
    must(await tryAdd(plan, { id: "T-1", title: "Task T-1", parent: "S-B" }));
    expect(await plan.view("T-1")).toMatchObject({ parent: "S-B", status: "frozen" });
  });

  it("follows the files with the profile until somebody chose one", async () => {
    const plan = await makePlan([
      task("T-1", { files: ["src/a.ts"] }),
      task("T-2", { files: ["src/a.ts"], profile: "api" }),
    ]);
    await tryAdd(
      plan,
      { id: "T-1", title: "x", files: ["README.md"] },
      { id: "T-2", title: "x", files: ["README.md"] },
    );
    expect((await plan.view("T-1")).profile).toBe("docs");
    expect((await plan.view("T-2")).profile).toBe("api");
  });
});

describe("add refuses", () => {
  const REFUSED: readonly [what: string, kind: string, nodes: NodeInput[]][] = [
    ["one id twice in a batch", "usage", [task("T-1"), task("t-1")]],
    [
      "one UUID twice in a batch",
      "usage",
      [
        task("T-1", { uuid: "01900000-0000-7000-8000-000000000001" }),
        task("T-2", { uuid: "01900000-0000-7000-8000-000000000001" }),
      ],
    ],
    ["an unknown parent", "absent", [task("T-1", { parent: "NOPE" })]],
    ["an unknown dependency", "absent", [task("T-1", { dependsOn: ["NOPE"] })]],
    ["words that match several nodes", "ambiguous", [task("T-1", { parent: "a" })]],
    ["a task that waits for itself", "invariant", [task("T-1", { dependsOn: ["T-1"] })]],
    ["a task that waits for what contains it", "invariant", [task("T-1", { dependsOn: ["FEAT-A"] })]],
    [
      "two that wait for each other",
      "invariant",
      [task("T-1", { dependsOn: ["T-2"] }), task("T-2", { dependsOn: ["T-1"] })],
    ],
    ["a story below a task", "invariant", [task("T-1"), { id: "S", tier: "story", title: "S", parent: "T-1" }]],
    [
      "stories that contain each other",
      "invariant",
      [
        { id: "S-1", tier: "story", title: "S", parent: "S-2" },
        { id: "S-2", tier: "story", title: "S", parent: "S-1" },
      ],
    ],
    ["a mission below something", "invariant", [{ tier: "mission", title: "M", parent: "FEAT-A" }]],
    ["a land task made by hand", "usage", [task("T-1", { kind: "land", parent: "FEAT-A" })]],
    ["a kind for what is not a task", "usage", [{ tier: "story", kind: "work", title: "S", parent: "FEAT-A" }]],
    ["a kind for a story in the plan", "usage", [{ id: "STORY-A", kind: "work", title: "S" }]],
    ["another tier for a node in the plan", "usage", [{ id: "STORY-A", tier: "task", title: "S" }]],
  ];

  it.each(REFUSED)("%s, with nothing written", async (_, kind, nodes) => {
    const plan = await makePlan();
    const before = await operations(plan);
    expect(mustFail(await tryAdd(plan, task("T-0"), ...nodes)).kind).toBe(kind);
    expect(await operations(plan)).toEqual(before);
    expect(mustFail(await tryAdd(plan, task("T-9", { dependsOn: ["T-0"] }))).kind).toBe("absent");
  });

  it("an empty batch", async () => {
    expect(mustFail(await add(await makePlan(), []))).toMatchObject({ kind: "absent", reason: "nothing-to-add" });
  });
});
