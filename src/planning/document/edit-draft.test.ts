import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draft, drafts, task } from "../../../test/plan-draft.js";
import { sequence } from "../draft/sequence.js";
import { closestTo, editDraft, mergeEdits } from "./edit-draft.js";
import { planDocument } from "./plan-document.js";

describe("mergeEdits", () => {
  it("changes nothing where the document was not edited, however old it is", () => {
    fc.assert(
      fc.property(drafts(), drafts(), (now, old) => {
        expect(mergeEdits(now, old, old)).toEqual(now);
      }),
    );
  });

  it("is the edited plan where nothing else changed", () => {
    fc.assert(
      fc.property(drafts(), fc.nat(), (plan, at) => {
        const [first] = plan.tasks.slice(at % Math.max(1, plan.tasks.length));
        const tasks = plan.tasks
          .map((each) => (each === first ? { ...each, title: "Other words" } : each))
          .toReversed();
        expect(mergeEdits(plan, plan, { ...plan, overview: "New.", tasks })).toEqual({
          ...plan,
          overview: "New.",
          tasks,
        });
      }),
    );
  });

  it("takes the person's changes, keeps the newer ones, and removes what the person took out", () => {
    const old = draft([task("T1"), task("T2", { dependsOn: ["T1"] })]);
    const now = draft([
      task("T1", { title: "Newer" }),
      task("T2", { dependsOn: ["T1"] }),
      task("T3", { dependsOn: ["T2"] }),
    ]);
    const body = "My words.";
    const merged = mergeEdits(now, old, { ...old, tasks: [{ ...task("T1"), body }] });
    expect(merged.tasks).toEqual([{ ...task("T1", { title: "Newer" }), body }, task("T3", { dependsOn: [] })]);
    const { profile: _, ...without } = task("T1", { profile: "backend" });
    const cleared = mergeEdits(
      draft([task("T1", { profile: "backend" })]),
      draft([task("T1", { profile: "backend" })]),
      draft([without]),
    );
    expect(cleared.tasks).toEqual([without]);
  });
});

it("finds the version that was edited", () => {
  expect(closestTo("a\nb\nmine", ["a\nb\nc", "x\ny", "a\nz"])).toBe("a\nb\nc");
  expect(closestTo("a", [])).toBeUndefined();
  // Edited from B back to A: as near to the one as to the other.
  expect(closestTo("A\nB", ["A", "B"])).toBe("B");
  const [old, now] = ["<!-- planwright plan RUN-001 a1 -->\nA", "<!-- planwright plan RUN-001 b2 -->\nB"];
  expect(closestTo("<!-- planwright plan RUN-001 b2 -->\nA", [old, now])).toBe(now);
  expect(closestTo("<!-- planwright plan RUN-001 a1 -->\nB", [old, now])).toBe(old);
});

it("refuses an edit that is no plan any more, with the place of each trouble", () => {
  const plan = draft([task("T1", { checks: [{ run: "true" }] })]);
  const document = planDocument({ draft: plan, sequence: sequence(plan), findings: [] });
  expect(editDraft(plan, document)).toMatchObject({ ok: true, value: { draft: plan } });
  const broken = document
    .replace(/^# .*$/m, `# ${"x".repeat(300)}`)
    .replace("Check: `true`", "Check: `true` in `../up`");
  const problems = [expect.stringMatching(/^title: /), expect.stringMatching(/^tasks\.0\.checks\.0\.cwd: /)];
  expect(editDraft(plan, broken)).toMatchObject({ ok: false, error: { reason: "bad-plan", details: { problems } } });
});
