import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draft, drafts, file, map, task } from "../../../test/plan-draft.js";
import type { PlanDraft, PlanRevision } from "../contracts/plan-draft.js";
import { mergeDrafts, mergeMaps, reviseDraft } from "./merge.js";
import { diffDraft, draftOf, type PlanNode, withDraftDetails } from "./plan-nodes.js";

const revision = (more: Partial<PlanRevision> = {}): PlanRevision => ({
  initiatives: [],
  features: [],
  stories: [],
  tasks: [],
  removed: [],
  responses: [],
  ...more,
});
const revised = (plan: PlanDraft, more: Partial<PlanRevision>): PlanDraft => {
  const result = reviseDraft(plan, revision(more));
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const ids = (plan: PlanDraft): string[] => plan.tasks.map(({ id }) => id);

describe("reviseDraft", () => {
  const plan = draft([task("T1"), task("T2", { dependsOn: ["T1"] }), task("T3", { dependsOn: ["T2"] })]);

  it("puts changed nodes in their old place, new ones last, and keeps the rest", () => {
    const after = revised(plan, { tasks: [task("T9"), task("t1", { title: "Again" })], title: "A better lamp" });
    expect(after.tasks.map(({ title }) => title)).toEqual(["Again", "Make T2", "Make T3", "Make T9"]);
    expect([after.title, after.overview]).toEqual(["A better lamp", plan.overview]);
    expect(after.tasks[1]).toBe(plan.tasks[1]);
  });

  it("lets whoever waited for a removed task wait for what that one waited for", () => {
    expect(revised(plan, { removed: ["T2"] }).tasks[1]).toEqual(task("T3", { dependsOn: ["T1"] }));
    expect(revised(plan, { removed: ["T1", "T2"] }).tasks).toEqual([task("T3")]);
  });

  it("takes a restated task at its word", () => {
    const after = revised(plan, { removed: ["T1"], tasks: [task("T2", { dependsOn: ["T1"] })] });
    expect(after.tasks[0]?.dependsOn).toEqual(["T1"]);
  });

  it("removes what is inside of what goes, unless it moved out", () => {
    const nested = draft([task("T1", { parent: "S1" }), task("T2", { parent: "S1" }), task("T3", { parent: "F2" })], {
      features: [
        { id: "F1", title: "1", body: "" },
        { id: "F2", title: "2", body: "" },
      ],
      stories: [{ id: "S1", feature: "F1", title: "S", body: "" }],
      decisions: [{ id: "D1", title: "d", choice: "c", because: "", alternatives: [], tasks: ["T1", "T3"] }],
    });
    const after = revised(nested, { removed: ["F1"], tasks: [task("T2", { parent: "F2" })] });
    expect([ids(after), after.stories, after.features.map(({ id }) => id)]).toEqual([["T2", "T3"], [], ["F2"]]);
    expect(after.decisions[0]?.tasks).toEqual(["T3"]);
  });

  it("removes the features of an initiative with it, unless they moved out", () => {
    const grouped = draft([task("T1"), task("T2", { parent: "F2" })], {
      initiatives: [{ id: "I1", title: "Light", body: "" }],
      features: [
        { id: "F1", title: "1", body: "", parent: "I1" },
        { id: "F2", title: "2", body: "", parent: "i1" },
      ],
    });
    const after = revised(grouped, {
      removed: ["I1"],
      features: [{ id: "F2", title: "2", body: "", parent: "MISSION" }],
    });
    expect([after.initiatives, after.features.map(({ id }) => id), ids(after)]).toEqual([[], ["F2"], ["T2"]]);
  });

  it.each([
    [{ removed: ["T9"] }, /removes T9, which the draft does not have/],
    [{ removed: ["T1"], tasks: [task("T1")] }, /both changes and removes T1/],
    [{ tasks: [task("T4"), task("t4")] }, /two nodes with the id t4/],
  ])("refuses %#", (more, message) => {
    const result = reviseDraft(plan, revision(more));
    expect(result.ok ? "" : result.error.message).toMatch(message);
  });

  it("changes nothing when nothing is revised, and keeps the order of any plan whatever is removed", () => {
    fc.assert(
      fc.property(drafts(), fc.nat(), (any, pick) => {
        expect(revised(any, {})).toEqual(any);
        fc.pre(any.tasks.length > 0);
        const gone = any.tasks[pick % any.tasks.length]?.id as string;
        const after = revised(any, { removed: [gone] });
        expect(ids(after)).toEqual(ids(any).filter((id) => id !== gone));
        expect(after.tasks.flatMap(({ dependsOn }) => dependsOn)).not.toContain(gone);
      }),
    );
  });
});

const node = (id: string, tier: PlanNode["tier"], parent: string | null, more: Partial<PlanNode> = {}): PlanNode => ({
  id,
  tier,
  kind: tier === "task" ? "work" : null,
  title: `Title of ${id}`,
  body: "",
  parent,
  dependsOn: [],
  files: [],
  symbols: [],
  checks: [],
  profile: null,
  priority: null,
  estimateHours: null,
  settled: false,
  ...more,
});

const PLAN: readonly PlanNode[] = [
  node("MISSION", "mission", null, { title: "Light", body: "For all." }),
  node("FEAT-001", "feature", "MISSION"),
  node("STORY-0001", "story", "FEAT-001"),
  node("TASK-00001", "task", "STORY-0001", { settled: true }),
  node("TASK-00002", "task", "STORY-0001", {
    dependsOn: ["TASK-00001"],
    files: ["src/a.ts"],
    checks: [{ run: "npm test", expect: "exit 0" }],
    profile: "backend",
    priority: 1,
    estimateHours: 3,
  }),
  node("TASK-00003", "task", "FEAT-001", { kind: "land" }),
  node("TASK-00004", "task", "FEAT-001", { kind: "gate" }),
];

describe("draftOf", () => {
  it("shows open features, stories and tasks, and nothing else", () => {
    const plan = draftOf(PLAN);
    expect([plan.title, plan.overview]).toEqual(["Light", "For all."]);
    expect(plan.features).toEqual([{ id: "FEAT-001", title: "Title of FEAT-001", body: "", parent: "MISSION" }]);
    expect(plan.stories.map(({ id, feature }) => [id, feature])).toEqual([["STORY-0001", "FEAT-001"]]);
    expect(plan.tasks.map(({ id, kind }) => [id, kind])).toEqual([
      ["TASK-00002", "work"],
      ["TASK-00004", "gate"],
    ]);
    expect(plan.tasks[0]).toMatchObject({
      dependsOn: ["TASK-00001"],
      files: [{ path: "src/a.ts", action: "modify" }],
      estimateHours: 3,
    });
  });

  it("is an empty plan for an empty graph", () => {
    expect(draftOf([])).toMatchObject({ title: "Plan", tasks: [] });
  });

  it("remembers what the graph does not keep", () => {
    const earlier = draft([
      task("task-00002", { quotes: ["q"], steelThread: true, files: [file("src/a.ts")], sizeReason: "so" }),
    ]);
    const [first] = withDraftDetails(draftOf(PLAN), earlier).tasks;
    expect(first).toMatchObject({
      title: "Title of TASK-00002",
      quotes: ["q"],
      steelThread: true,
      sizeReason: "so",
      files: [{ action: "create" }],
    });
  });
});

describe("diffDraft", () => {
  it("finds no change in the plan itself", () => {
    const diff = diffDraft(PLAN, draftOf(PLAN));
    expect([diff.added, diff.changed, diff.dropped]).toEqual([[], [], []]);
    expect(diff.kept.map(({ id }) => id)).toEqual(["FEAT-001", "STORY-0001", "TASK-00002", "TASK-00004", "TASK-00001"]);
  });

  it("tells what is added, changed with its fields, and dropped; what is settled stays", () => {
    const plan = draftOf(PLAN);
    const tasks = [
      {
        ...task("TASK-00002", {
          parent: "story-0001",
          title: "New",
          body: "",
          files: [file("src/b.ts")],
          checks: [{ expect: "exit 0", run: "npm test" }],
          estimateHours: 3,
          dependsOn: ["task-00001"],
        }),
      },
      task("TASK-00001", { title: "Touch what is done" }),
      task("T1"),
    ];
    const diff = diffDraft(PLAN, { ...plan, tasks });
    expect(diff.added.map(({ id }) => id)).toEqual(["T1"]);
    expect(diff.changed).toEqual([
      {
        id: "TASK-00002",
        tier: "task",
        title: "New",
        fields: [
          { field: "title", before: "Title of TASK-00002", after: "New" },
          { field: "files", before: ["src/a.ts"], after: ["src/b.ts"] },
        ],
      },
    ]);
    expect(diff.dropped.map(({ id }) => id)).toEqual(["TASK-00004"]);
    expect(diff.kept.map(({ id }) => id)).toContain("TASK-00001");
  });
});

describe("mergeDrafts", () => {
  const feature = (id: string, title: string, body = "") => ({ id, title, body });

  it("keeps ids, renames only those that collide, and follows the new names", () => {
    const one = draft([task("T1"), task("T2", { dependsOn: ["T1"] })]);
    const two = draft([task("T1", { parent: "F1" }), task("T3", { parent: "F1", dependsOn: ["T1", "T2"] })], {
      features: [feature("F1", "Shade")],
      decisions: [{ id: "D01", title: "d", choice: "c", because: "", alternatives: [], tasks: ["T1"] }],
    });
    const merged = mergeDrafts([one, two]);
    expect(ids(merged)).toEqual(["T1", "T2", "P2-T1", "T3"]);
    expect(merged.tasks[3]).toMatchObject({ parent: "P2-F1", dependsOn: ["P2-T1", "T2"] });
    expect(merged.decisions[0]?.tasks).toEqual(["P2-T1"]);
  });

  it("makes one feature of those with the same title", () => {
    const one = draft([task("T1")], { features: [feature("F1", "Lamp", "One.")], goals: ["Light"] });
    const two = draft([task("T2", { parent: "F7" })], {
      features: [feature("F7", " lamp ", "Two.")],
      goals: ["light", "Warmth"],
    });
    const merged = mergeDrafts([one, two]);
    expect(merged.features).toEqual([feature("F1", "Lamp", "One.\n\nTwo.")]);
    expect(merged.tasks.map(({ parent }) => parent)).toEqual(["F1", "F1"]);
    expect(merged.goals).toEqual(["light", "Warmth"]);
  });

  it("makes one initiative of those with the same title, and keeps its features in it", () => {
    const part = (id: string, inside: string) =>
      draft([task(`T-${inside}`, { parent: inside })], {
        initiatives: [feature(id, "Light")],
        features: [{ ...feature(inside, `Feature ${inside}`), parent: id }],
      });
    const merged = mergeDrafts([
      part("I1", "F1"),
      part("I9", "F2"),
      draft([], { initiatives: [feature("I1", "Dark")] }),
    ]);
    expect(merged.initiatives.map(({ id, title }) => `${id} ${title}`)).toEqual(["I1 Light", "P3-I1 Dark"]);
    expect(merged.features.slice(0, 2).map(({ parent }) => parent)).toEqual(["I1", "I1"]);
  });

  it("gives every node of any parts an id of its own, and loses none", () => {
    fc.assert(
      fc.property(fc.array(drafts(), { minLength: 1, maxLength: 4 }), (parts) => {
        const merged = mergeDrafts(parts);
        expect(merged.tasks).toHaveLength(parts.flatMap(({ tasks }) => tasks).length);
        const all = [...merged.features, ...merged.stories, ...merged.tasks].map(({ id }) => id);
        expect(new Set(all).size).toBe(all.length);
        expect(mergeDrafts([parts[0] as PlanDraft]).tasks).toEqual(parts[0]?.tasks);
      }),
    );
  });
});

describe("mergeMaps", () => {
  it("joins domains by name, renames what collides, and keeps one steel thread", () => {
    const merged = mergeMaps([map(["B1"]), map(["B1", "B2"])]);
    expect(merged.domains).toHaveLength(1);
    expect(
      merged.domains[0]?.capabilities.map(({ id, behaviours }) => [id, behaviours.map((each) => each.id)]),
    ).toEqual([
      ["C1", ["B1"]],
      ["P2-C1", ["P2-B1", "B2"]],
    ]);
    expect(merged.flows.map(({ id, steps, steelThread }) => [id, steps, steelThread])).toEqual([
      ["FL1", ["B1"], true],
      ["P2-FL1", ["P2-B1", "B2"], false],
    ]);
  });

  it("leaves its parts as they were", () => {
    const parts = [map(["B1"]), map(["B2"])];
    const before = structuredClone(parts);
    mergeMaps(parts);
    expect(parts).toEqual(before);
  });
});
