import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Given, look, SPEC } from "../../../test/lint-input.js";
import { draft, drafts, file, map, task } from "../../../test/plan-draft.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { fixDraft } from "./fix.js";

describe("lint --fix", () => {
  const repair = (plan: PlanDraft, given: Given = {}) => fixDraft(plan, look(plan, given).findings, given);

  it("repairs everything mechanical in one pass, and tells what", () => {
    const { profile: _, ...bare } = task("T2", {
      parent: "f1",
      title: " Make T2 ",
      dependsOn: ["t1", "T1", "F1", "T2", "task-9"],
      files: [file("src/t3.ts"), file("src/t3.ts")],
      quotes: ["“The lamp is green.”"],
      behaviours: ["b1"],
      checks: [{ run: "npm test" }, { run: "npm test" }],
    });
    const plan = draft([task("T1"), bare, task("T3")]);
    const given = { existing: new Set(["TASK-9"]), spec: SPEC, map: map(["B1"]) };
    const { draft: repaired, fixed } = repair(plan, given);
    expect(repaired.tasks[1]).toEqual(
      task("T2", {
        dependsOn: ["T1", "TASK-9"],
        files: [file("src/t3.ts")],
        quotes: ["The lamp is green."],
        behaviours: ["B1"],
        profile: "backend",
      }),
    );
    expect(repaired.tasks[2]?.dependsOn).toEqual(["T2"]);
    expect([...new Set(fixed.map(({ code }) => code))].sort()).toEqual([
      "P-BEHAVIOUR-ID",
      "P-DEPENDENCY",
      "P-KINSHIP",
      "P-OVERLAP",
      "P-PARENT",
      "P-PROFILE",
      "P-QUOTE",
      "P-REPEAT",
      "P-SPACES",
    ]);
    expect(look(repaired, given).findings.filter(({ fixable }) => fixable)).toEqual([]);
  });

  it("leaves alone what nobody complained about, and what needs a judgement", () => {
    const plan = draft([task("T1", { dependsOn: ["T9"], title: " x " })]);
    expect(fixDraft(plan, [])).toEqual({ draft: plan, fixed: [] });
    const { draft: repaired, fixed } = repair(plan);
    expect(fixed.map(({ code }) => code)).toEqual(["P-SPACES"]);
    expect(repaired.tasks[0]?.dependsOn).toEqual(["T9"]);
  });

  it("changes nothing the second time, leaves nothing that it could repair, and adds no error", () => {
    fc.assert(
      fc.property(drafts({ wild: true }), (plan) => {
        const before = look(plan);
        const once = fixDraft(plan, before.findings).draft;
        const after = look(once);
        expect(after.findings.filter(({ fixable }) => fixable)).toEqual([]);
        expect(fixDraft(once, after.findings).draft).toEqual(once);
        expect(fixDraft(once, before.findings).draft).toEqual(once);
        expect(after.stats.grades.error).toBeLessThanOrEqual(before.stats.grades.error);
      }),
      { numRuns: 300 },
    );
  });
});
