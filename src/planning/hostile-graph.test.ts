// Plans that are well written and reach for what is not theirs: ids of others, parents that are settled, cycles,
// revisions of another branch. Nothing but the run's own nodes ever changes, and nothing that is settled.

import { describe, expect, it } from "vitest";
import { type Aftermath, type Hostile, withHostileFolder, withstand } from "../../test/hostile.js";
import { addAll, task as node } from "../../test/plan.js";
import { ANSWERS, DRAFT, SPEC } from "../../test/planning.js";

withHostileFolder();

type Task = Record<string, unknown>;
const [T1, T2, T3] = DRAFT.tasks as [Task, Task, Task];

const plan = (changes: object, more: Partial<Hostile> = {}): Hostile => ({
  topic: "author tasks",
  says: { ...DRAFT, ...changes },
  ...more,
});
const tasks = (...list: object[]): Hostile => plan({ tasks: list });
const first = (changes: object): Hostile => tasks({ ...T1, ...changes }, T2, T3);
const called = (id: string): Hostile => tasks({ ...T1, id }, { ...T2, dependsOn: [id] }, T3);

/** FEAT-B is revised: B-1 and B-2 are open in it, OLD-1 is archived. */
const revises = (revision: object, more: Partial<Hostile> = {}): Hostile => ({
  topic: "author revise",
  says: revision,
  request: { mode: "revise", kind: "node", text: undefined, source: null, node: "FEAT-B", level: "lenient" },
  ...more,
});
const written = (id: string, more: object = {}): object => ({
  ...T1,
  id,
  parent: "FEAT-B",
  behaviours: [],
  requirements: [],
  ...more,
});

const idsOf = ({ added }: Aftermath): string[] => added.map(({ id }) => id);

describe("ids", () => {
  it.each([
    "MISSION",
    "INBOX",
    "BUGS",
    "FEAT-A",
    "STORY-A",
    "A-DONE",
    "A-OPEN",
    "a-open",
    "A-DROPPED",
    "STORY-OLD",
    "FEAT-A-LAND",
    "FEAT-B-LAND",
    "RUN-001",
    "TASK-00001",
    "constructor",
    "toString",
    "hasOwnProperty",
    "valueOf",
  ])("%s as the id of a new task becomes a new id, and what had it stays", async (id) => {
    const end = await withstand(called(id));
    expect(end.applied).toBe("applied");
    expect(idsOf(end).filter((each) => each.startsWith("TASK-"))).toEqual(["TASK-00001", "TASK-00002", "TASK-00003"]);
  });

  it.each([
    ["a leading digit", "019f"],
    ["a path", "../FEAT-A"],
    ["a focus token", "--active"],
    ["__proto__", "__proto__"],
    ["an invisible character", "T\u200b1"],
    ["a letter of another script", "Т1"],
    ["a line break", "T1\n"],
    ["shell", "T1;id"],
    ["spaces", "T 1"],
    ["65 characters", "T".repeat(65)],
    ["nothing", ""],
    ["a number", 7],
    ["an object", { toString: "T1" }],
  ])("with %s are sent back", async (_, id) => {
    expect((await withstand(first({ id }))).view.stopped).toBe("unreadable");
  });

  it.each<[string, Hostile]>([
    ["two tasks with one id", tasks(T1, { ...T2, id: "T1", dependsOn: [] }, T3)],
    ["two tasks whose ids differ in case alone", tasks(T1, { ...T2, id: "t1", dependsOn: [] }, T3)],
    [
      "a feature and a task with one id",
      plan({ features: [{ id: "T1", title: "F" }], tasks: [{ ...T1, parent: "T1" }] }),
    ],
    ["a feature and a story with one id", plan({ stories: [{ id: "F1", feature: "F1", title: "S" }] })],
  ])("%s are found, and refused when they are applied all the same", async (_, hostile) => {
    const end = await withstand(hostile);
    expect([...end.codes]).toContain("P-ID");
    expect(end.applied).toBe("duplicate-id");
  });
});

describe("parents", () => {
  it.each<[string, Hostile, string, string]>([
    ["that nobody knows", first({ parent: "NOWHERE" }), "P-PARENT", "unknown-id"],
    ["named by a word of a title", first({ parent: "Inbo" }), "P-PARENT", "unknown-id"],
    ["that is another task", first({ parent: "T2" }), "P-PARENT", "invariant"],
    ["that is itself", first({ parent: "T1" }), "P-PARENT", "invariant"],
    [
      "of a story: a story",
      plan({
        stories: [
          { id: "S1", feature: "S2", title: "s" },
          { id: "S2", feature: "S1", title: "t" },
        ],
      }),
      "P-PARENT",
      "invariant",
    ],
    [
      "of a feature: its own task",
      plan({ features: [{ id: "F1", title: "F", parent: "T1" }] }),
      "P-PARENT",
      "invariant",
    ],
  ])("%s", async (_, hostile, code, reason) => {
    const end = await withstand(hostile);
    expect([...end.codes]).toContain(code);
    expect(end.applied).toBe(reason);
  });

  it.each(["STORY-OLD", "FEAT-GONE", "A-DROPPED", "A-DONE", "FEAT-B-LAND"])(
    "%s of the plan, which holds nothing new, are found, and refused when they are applied all the same",
    async (parent) => {
      const end = await withstand(first({ parent, steelThread: true }));
      expect([...end.codes]).toContain("P-PARENT");
      expect(["settled", "invariant"]).toContain(end.applied);
    },
  );

  it("in the inbox hold it as all that is in there: nothing of it runs", async () => {
    const end = await withstand(first({ parent: "INBOX" }));
    expect(end.applied).toBe("applied");
    expect(end.added.find(({ title }) => title === T1["title"])?.shelved).toBe(true);
  });

  it("of another branch get a task that nobody has approved", async () => {
    const end = await withstand(first({ parent: "FEAT-A" }));
    expect(end.applied).toBe("applied");
  });
});

describe("features", () => {
  it.each(["FEAT-A", "STORY-A", "A-OPEN"])("below %s are found, and refused", async (parent) => {
    const end = await withstand(plan({ features: [{ id: "F1", title: "Below", parent }] }));
    expect([[...end.codes].includes("P-PARENT"), end.applied]).toEqual([true, "invariant"]);
  });
});

describe("dependencies", () => {
  const on = (...dependsOn: string[]): Hostile => first({ dependsOn });
  const ring = (size: number): Hostile =>
    tasks(
      ...Array.from({ length: size }, (_, i) => ({
        ...T1,
        id: `R${i}`,
        files: [{ path: `src/r${i}.sh`, action: "create" }],
        dependsOn: [`R${(i + 1) % size}`],
      })),
    );
  const crossed = plan({
    features: [
      { id: "F1", title: "One" },
      { id: "F2", title: "Two" },
    ],
    tasks: [
      { ...T1, dependsOn: ["T2"] },
      { ...T2, parent: "F2", dependsOn: [] },
      { ...T3, parent: "F2", dependsOn: ["T1"] },
    ],
  });

  it.each<[string, Hostile, string, string]>([
    ["on itself", on("T1"), "P-KINSHIP", "invariant"],
    ["on what contains it", on("F1"), "P-KINSHIP", "invariant"],
    ["on what waits for it", on("T2"), "P-CYCLE", "invariant"],
    ["in a ring of three", ring(3), "P-CYCLE", "invariant"],
    ["in a ring of a thousand", ring(1_000), "P-CYCLE", "invariant"],
    ["across features in a ring of landings", crossed, "P-CYCLE", "invariant"],
    ["on nobody", on("NOBODY"), "P-DEPENDENCY", "unknown-id"],
    ["on a word of a title", on("Inbox", "Featur"), "P-DEPENDENCY", "unknown-id"],
    ["on prototypes", on("constructor", "toString"), "P-DEPENDENCY", "unknown-id"],
  ])("%s are found, and refused when they are applied all the same", async (_, hostile, code, reason) => {
    const end = await withstand(hostile);
    expect([...end.codes]).toContain(code);
    expect(end.applied).toBe(reason);
  });

  it("on the mission, which contains it, are refused", async () => {
    expect((await withstand(on("MISSION"))).applied).toBe("invariant");
  });

  it("on the landing of another feature only wait", async () => {
    expect((await withstand(on("FEAT-A-LAND"))).applied).toBe("applied");
  });

  it("that are 100,000 are sent back", async () => {
    const end = await withstand(on(...Array.from({ length: 100_000 }, (_, i) => `X${i}`)));
    expect(end.view.stopped).toBe("unreadable");
  });
});

describe("revisions", () => {
  it("that remove everything drop what is open in the branch, and nothing else", async () => {
    const end = await withstand(revises({ removed: ["FEAT-B"], responses: [] }, { once: true }));
    expect([...end.codes]).toContain("P-NO-TASKS");
    expect([end.applied, idsOf(end)]).toEqual(["applied", []]);
    expect(end.dropped.toSorted()).toEqual(["B-1", "B-2"]);
  });

  it.each<[string, object]>([
    ["remove a node of another branch", { removed: ["A-OPEN"] }],
    ["remove what is archived", { removed: ["OLD-1"] }],
    ["remove the mission", { removed: ["MISSION"] }],
    ["remove and change the same", { removed: ["B-1"], tasks: [written("b-1")] }],
    ["state a node twice", { tasks: [written("B-1"), written("b-1")] }],
    [
      "state a node as task and story",
      { tasks: [written("X1")], stories: [{ id: "x1", feature: "FEAT-B", title: "s" }] },
    ],
  ])("that %s are sent back", async (_, revision) => {
    expect((await withstand(revises(revision))).view.stopped).toBe("unreadable");
  });

  it.each(["A-OPEN", "A-DONE", "FEAT-A-LAND", "FEAT-B-LAND", "INBOX"])(
    "that write %s make a new task instead of changing that one",
    async (id) => {
      const end = await withstand(revises({ tasks: [written(id, { title: "Taken over" })] }));
      expect(end.applied).toBe("applied");
      expect(end.added.map(({ title }) => title)).toContain("Taken over");
    },
  );

  it.each(["OLD-1", "STORY-OLD"])("that write %s, which is archived, change nothing of it", async (id) => {
    const isStory = id === "STORY-OLD";
    const story = { id, feature: "FEAT-B", title: "Rewritten" };
    const end = await withstand(revises(isStory ? { stories: [story] } : { tasks: [written(id)] }));
    expect(["applied", "bad-value"]).toContain(end.applied);
  });

  it.each(["STORY-OLD", "FEAT-GONE"])("that move a task below %s are refused", async (parent) => {
    const end = await withstand(revises({ tasks: [written("B-1", { parent })] }));
    const reason = parent === "STORY-OLD" ? "settled" : "outside-branch";
    expect([[...end.codes].includes("P-PARENT"), end.applied]).toEqual([true, reason]);
  });

  it.each(["FEAT-B", "B-1"])("that make %s something else are refused", async (id) => {
    const story = { id, feature: "FEAT-A", title: "Now a story" };
    const end = await withstand(revises({ stories: [story], tasks: [written("N1")] }));
    expect(["bad-value", "duplicate-id", "outside-branch"]).toContain(end.applied);
  });

  it("that change what is approved leave the approval behind: it is stale, and nothing runs", async () => {
    const request = { ...revises({}).request, node: "FEAT-A" };
    const end = await withstand(revises({ tasks: [written("A-OPEN", { parent: "STORY-A" })] }, { request }));
    expect(end.applied).toBe("applied");
  });
});

describe("one node", () => {
  it.each(["FEAT-A", "MISSION", "INBOX"])("that is expanded gets nothing into %s", async (parent) => {
    const end = await withstand({
      topic: "author tasks",
      says: { ...DRAFT, features: [], tasks: [{ ...T1, parent, behaviours: [], requirements: [] }] },
      request: { mode: "expand", kind: "node", text: undefined, source: null, node: "FEAT-B", level: "lenient" },
    });
    expect([[...end.codes].includes("P-OUTSIDE"), end.applied]).toEqual([true, "outside-branch"]);
  });
});

describe("parts of a large spec", () => {
  const large = `${SPEC}\n# Large\n\n${Array.from({ length: 12 }, (_, i) => `## Part ${i}\n\n${"The program greets the person by name. ".repeat(40)}\n`).join("\n")}`;

  it("that use each other's ids and go beyond every limit together are merged, read again and applied", async () => {
    const overview = "o".repeat(10_000);
    const long = "L".repeat(64);
    const almost = `${"L".repeat(63)}M`;
    const twins = [
      T1,
      { ...T1, id: "P2-T1", files: [] },
      { ...T1, id: long, files: [] },
      { ...T1, id: almost, files: [] },
    ];
    const goals = Array.from({ length: 30 }, (_, i) => `Goal ${i}`);
    let part = 0;
    const end = await withstand({
      topic: "author tasks",
      // Each part says something else, so that nothing is merged away.
      says: () => ({
        ...DRAFT,
        overview: `${++part} ${overview}`.slice(0, 10_000),
        goals: goals.map((goal) => `${goal} of ${part}`),
        features: [{ id: "F1", title: "Greeter", body: `${part} ${"b".repeat(19_000)}` }],
        tasks: twins.map((each) => ({ ...each, title: `${String(each["id"]).slice(0, 9)} of part ${part}` })),
      }),
      request: { text: large },
      limits: { windowTokens: 1_000 },
    });
    expect(part).toBeGreaterThan(4);
    expect([...end.codes]).not.toContain("P-ID");
    expect(end.applied).toBe("applied");
    expect(end.added.filter(({ tier, kind }) => tier === "task" && kind !== "land")).toHaveLength(4 * part);
    expect(end.added.find(({ tier }) => tier === "feature")?.body.length).toBeGreaterThan(20_000);
  });
});

describe("the answers that everybody else gives", () => {
  it("are what a run without a hostile role applies", async () => {
    for (const topic of ["author capabilities", "author files", "author tasks", "author revise"]) {
      expect((await withstand({ topic, says: ANSWERS[topic] })).applied).toBe("applied");
    }
  });

  it("cannot hurt a plan that already names nodes like prototypes", async () => {
    const prepare = (world: Parameters<NonNullable<Hostile["prepare"]>>[0]) =>
      addAll(world, [node("constructor", { parent: "FEAT-B" }), node("valueOf", { parent: "FEAT-B" })]);
    const end = await withstand(
      revises({ removed: ["constructor"], tasks: [written("valueOf", { title: "Mine" })] }, { prepare, once: true }),
    );
    expect([end.applied, end.dropped]).toEqual(["applied", ["constructor"]]);
  });
});
