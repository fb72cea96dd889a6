import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draft, drafts, file, task } from "../../../test/plan-draft.js";
import { findCycle } from "../../model/order/cycle.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { sequence } from "./sequence.js";
import { shapeOf } from "./shape.js";

const on = (id: string, ...dependsOn: string[]) => task(id, { dependsOn, files: [] });
const touching = (id: string, ...paths: string[]) => task(id, { files: paths.map((path) => file(path)) });
const twoFeatures = { features: ["F1", "F2"].map((id) => ({ id, title: id, body: "" })) };

describe("sequence", () => {
  it("puts tasks into waves and finds the longest chain", () => {
    const found = sequence(draft([on("T1"), on("T2", "T1"), on("T3", "T1"), on("T4", "T2", "T3")]));
    expect(found.waves).toEqual([["T1"], ["T2", "T3"], ["T4"]]);
    expect(found.criticalPath).toEqual(["T1", "T2", "T4"]);
    expect([found.hours, found.totalHours]).toEqual([6, 8]);
    expect(found.added).toEqual([]);
  });

  it("counts an hour for a task without an estimate", () => {
    const { estimateHours: _, ...bare } = task("T1");
    expect(sequence(draft([bare])).hours).toBe(1);
  });

  it("orders tasks that touch the same files, and says why", () => {
    const found = sequence(
      draft([touching("T1", "a.ts", "b.ts"), touching("T2", "a.ts", "b.ts"), touching("T3", "a.ts")]),
    );
    expect(found.added).toEqual([
      { task: "T2", on: "T1", why: "both touch a.ts, b.ts" },
      { task: "T3", on: "T2", why: "both touch a.ts" },
    ]);
    expect(found.waves).toEqual([["T1"], ["T2"], ["T3"]]);
  });

  it("adds nothing where an order is there already, however long the way", () => {
    const chain = [touching("T1", "a.ts"), on("T2", "T1"), task("T3", { dependsOn: ["T2"], files: [file("./a.ts")] })];
    expect(sequence(draft(chain)).added).toEqual([]);
  });

  it("knows that a folder holds its files, and leaves files beside one another alone", () => {
    const found = sequence(
      draft([
        touching("T1", "src/a.ts"),
        touching("T2", "src/b.ts"),
        touching("T3", "src/**"),
        touching("T4", "src/a.ts"),
      ]),
    );
    expect(found.added.map(({ task, on }) => `${task} after ${on}`)).toEqual([
      "T3 after T2",
      "T3 after T1",
      "T4 after T3",
    ]);
    expect(found.waves).toEqual([["T1", "T2"], ["T3"], ["T4"]]);
  });

  it("leaves gates and reviews alone: they change no files", () => {
    const review = task("T2", { kind: "review", files: [file("a.ts")] });
    expect(sequence(draft([touching("T1", "a.ts"), review])).added).toEqual([]);
  });

  it("puts the steel thread and what it needs first", () => {
    const found = sequence(
      draft([on("T1"), on("T2"), task("T3", { dependsOn: ["T2"], steelThread: true, files: [] }), on("T4")]),
    );
    expect(found.steelThread).toEqual(["T3"]);
    expect(found.order).toEqual(["T2", "T3", "T1", "T4"]);
    expect(found.waves).toEqual([["T2", "T1", "T4"], ["T3"]]);
  });

  it("lets the steel thread go first where files overlap", () => {
    const found = sequence(draft([touching("T1", "a.ts"), { ...touching("T2", "a.ts"), steelThread: true }]));
    expect(found.added).toEqual([{ task: "T1", on: "T2", why: "both touch a.ts" }]);
  });

  it("waits for the landing of another feature", () => {
    const tasks = [on("T1"), on("T2", "T1"), task("T3", { parent: "F2", dependsOn: ["T1"], files: [] })];
    expect(sequence(draft(tasks, twoFeatures)).waves).toEqual([["T1"], ["T2"], ["T3"]]);
  });

  it("does not wait for a landing where nothing lands: gates, and features that the plan has already", () => {
    const gate = task("T1", { kind: "gate", files: [] });
    const later = [gate, on("T2", "T1"), task("T3", { parent: "F2", dependsOn: ["T1"], files: [] })];
    expect(sequence(draft(later, twoFeatures)).waves).toEqual([["T1"], ["T2", "T3"]]);
    const around = [
      task("T1", { parent: "FEAT-9", files: [] }),
      task("T2", { parent: "STORY-1", dependsOn: ["T1"], files: [] }),
    ];
    expect(sequence(draft(around, { features: [] })).waves).toEqual([["T1"], ["T2"]]);
  });

  it("takes a story apart: what waits for it waits for all of its tasks", () => {
    const stories = [{ id: "S1", feature: "F1", title: "S", body: "" }];
    const tasks = [
      task("T1", { parent: "S1", files: [] }),
      task("T2", { parent: "S1", dependsOn: ["T1"], files: [] }),
      on("T3", "S1"),
    ];
    expect(sequence(draft(tasks, { stories })).waves).toEqual([["T1"], ["T2"], ["T3"]]);
  });

  it("keeps tasks apart that no edge can order, because each feature would wait for the other", () => {
    // T1 and T4 touch a.ts. F2 cannot land before G1 is done, which waits for T1; F1 not before G2, which waits for T4.
    const tasks = [
      touching("T1", "a.ts"),
      task("G1", { kind: "gate", dependsOn: ["T1"], files: [] }),
      task("T2", { dependsOn: ["G2"], files: [] }),
      task("T4", { parent: "F2", files: [file("a.ts")] }),
      task("G2", { parent: "F2", kind: "gate", dependsOn: ["T4"], files: [] }),
      task("T5", { parent: "F2", dependsOn: ["G1"], files: [] }),
    ];
    const found = sequence(draft(tasks, twoFeatures));
    expect(found.added).toEqual([]);
    expect(found.unordered).toEqual([{ tasks: ["T1", "T4"], paths: ["a.ts"] }]);
    expect(found.waves.some((wave) => wave.includes("T1") && wave.includes("T4"))).toBe(false);
  });

  it("puts what waits for itself last, and names it", () => {
    const found = sequence(draft([on("T1", "T2"), on("T2", "T1"), on("T3", "T2"), on("T4")]));
    expect(found.waves).toEqual([["T4"], expect.arrayContaining(["T1", "T2", "T3"])]);
    expect(found.cyclic).toEqual(["T1", "T2"]);
  });

  it("is empty for an empty plan", () => {
    const found = sequence(draft([], { features: [] }));
    expect([found.waves, found.order, found.criticalPath, found.hours]).toEqual([[], [], [], 0]);
  });
});

const covers = (a: string, b: string): boolean => a === b || (a.endsWith("/") && b.startsWith(a));
const overlap = (one: PlanDraft["tasks"][number], other: PlanDraft["tasks"][number]): boolean =>
  one.kind === "work" &&
  other.kind === "work" &&
  one.files.some((a) => other.files.some((b) => covers(a.path, b.path) || covers(b.path, a.path)));

const isAcyclic = (plan: PlanDraft): boolean => {
  const { ids, waits } = shapeOf(plan);
  return findCycle(ids.keys(), (nr) => waits[nr] as readonly number[]) === undefined;
};

const withAdded = (plan: PlanDraft, added: ReturnType<typeof sequence>["added"]): PlanDraft => ({
  ...plan,
  tasks: plan.tasks.map((each) => ({
    ...each,
    dependsOn: [...each.dependsOn, ...added.filter(({ task }) => task === each.id).map(({ on }) => on)],
  })),
});

describe("sequence of any plan", () => {
  it("never makes a cycle where there was none", () => {
    fc.assert(
      fc.property(drafts(), (plan) => {
        fc.pre(isAcyclic(plan));
        expect(isAcyclic(withAdded(plan, sequence(plan).added))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it("never puts two tasks with a common file into one wave, and every task into exactly one", () => {
    fc.assert(
      fc.property(drafts(), (plan) => {
        fc.pre(isAcyclic(plan));
        const { waves, order } = sequence(plan);
        const byId = new Map(plan.tasks.map((each) => [each.id, each]));
        for (const wave of waves) {
          const members = wave.map((id) => byId.get(id) as PlanDraft["tasks"][number]);
          for (const [at, one] of members.entries()) {
            for (const other of members.slice(at + 1)) expect(overlap(one, other)).toBe(false);
          }
        }
        expect(waves.flat().sort()).toEqual(plan.tasks.map(({ id }) => id).sort());
        expect([...order].sort()).toEqual(plan.tasks.map(({ id }) => id).sort());
      }),
      { numRuns: 400 },
    );
  });

  it("orders every task after what it waits for", () => {
    fc.assert(
      fc.property(drafts(), (plan) => {
        fc.pre(isAcyclic(plan));
        const { order } = sequence(plan);
        for (const { id, dependsOn } of plan.tasks) {
          for (const other of dependsOn) expect(order.indexOf(other)).toBeLessThan(order.indexOf(id));
        }
      }),
    );
  });

  it("has nothing to add once its edges are in, unless they let others be ordered", () => {
    fc.assert(
      fc.property(drafts(), (plan) => {
        fc.pre(isAcyclic(plan));
        const first = sequence(plan);
        fc.pre(first.unordered.length === 0);
        expect(sequence(withAdded(plan, first.added)).added).toEqual([]);
      }),
    );
  });

  it("ends for any plan, however broken", () => {
    fc.assert(
      fc.property(drafts({ wild: true }), (plan) => {
        expect(sequence(plan).order).toHaveLength(plan.tasks.length);
      }),
    );
  });
});
