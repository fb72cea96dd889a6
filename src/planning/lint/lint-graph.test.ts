import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addAll, makePlan, must, type TestPlan } from "../../../test/plan.js";
import { planningRig } from "../../../test/planning.js";
import { undo } from "../../verbs/history/take-back.js";
import { verifyPlan } from "../../verbs/history/verify.js";
import { lintPlan } from "./lint-graph.js";

let plan: TestPlan;

beforeEach(async () => {
  plan = await makePlan([
    { id: "A", title: "First", parent: "STORY-A", files: ["src/a.ts"], checks: [{ run: "sh test/a.sh" }] },
    {
      id: "B",
      title: "Second",
      parent: "STORY-A",
      files: ["src/a.ts"],
      checks: [{ run: "sh test/b.sh" }, { run: "sh test/b.sh" }],
    },
  ]);
});
afterEach(() => plan.store.close());

const codes = (findings: readonly { readonly code: string }[]): string[] =>
  [...new Set(findings.map(({ code }) => code))].sort();

describe("lint of the plan that is there", () => {
  it("finds what is wrong with its form, by level, and changes nothing", async () => {
    const { services } = planningRig(plan);
    const strict = must(await lintPlan(services, { level: "strict" }));
    expect(codes(strict.findings)).toEqual(expect.arrayContaining(["P-OVERLAP", "P-REPEAT"]));
    expect(codes(must(await lintPlan(services, { level: "lenient" })).findings)).toEqual([]);
    expect([strict.fixed, strict.op]).toEqual([[], null]);
  });

  it("fixes what is mechanical in one operation that can be undone, and nothing the second time", async () => {
    const { services } = planningRig(plan);
    const fixed = must(await lintPlan(services, { reference: "FEAT-A", level: "strict", fix: true }));
    expect(codes(fixed.fixed)).toEqual(expect.arrayContaining(["P-OVERLAP", "P-REPEAT"]));
    expect((await plan.view("B")).checks).toHaveLength(1);
    expect(must(await lintPlan(services, { reference: "FEAT-A", level: "strict", fix: true })).op).toBeNull();
    must(await undo(plan));
    expect((await plan.view("B")).checks).toHaveLength(2);
    expect(must(await verifyPlan(plan)).differences).toEqual([]);
  });

  it("says nothing about features that nobody has filled yet, and looks only where it is asked to", async () => {
    const { services } = planningRig(plan);
    await addAll(plan, [{ id: "FEAT-B", tier: "feature", title: "Empty", parent: "MISSION" }]);
    const { findings } = must(await lintPlan(services, { reference: "FEAT-B", level: "strict" }));
    expect(findings.filter(({ grade }) => grade === "error")).toEqual([]);
    expect(await lintPlan(services, { reference: "NOPE", level: "strict" })).toMatchObject({
      ok: false,
      error: { kind: "absent" },
    });
  });
});
