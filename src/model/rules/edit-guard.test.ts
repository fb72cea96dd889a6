import { describe, expect, it } from "vitest";
import { type EditedFile, type EditSituation, judgeEdit, policyFor } from "./hooks.js";

const RULES = { testFiles: ["*.test.*"], protectedFiles: [] };

const file = (path: string, rest: Partial<EditedFile> = {}): EditedFile => ({
  path,
  tree: "main",
  exists: true,
  ...rest,
});

const TASK = { id: "T-1", files: ["src/a.ts"], checks: [] };
const OTHER = { id: "T-2", files: ["src/b.ts"], checks: [] };
const FREE = { id: "T-3", files: [], checks: [] };

const judged = (rest: Partial<EditSituation>): string => {
  const verdict = judgeEdit({ files: [], claimed: [], hasWork: true, rules: RULES, ...rest });
  return "files" in verdict ? `${verdict.kind} ${verdict.files.join(" ")}` : verdict.kind;
};

describe("an edit", () => {
  it.each<[string, Partial<EditSituation>, string]>([
    ["in the footprint fits", { files: [file("src/a.ts")], claimed: [TASK] }, "fits"],
    ["outside of it does not", { files: [file("src/b.ts")], claimed: [TASK] }, "outside src/b.ts"],
    ["names only what is outside", { files: [file("src/a.ts"), file("x")], claimed: [TASK] }, "outside x"],
    ["in the footprint of one of two tasks fits", { files: [file("src/b.ts")], claimed: [TASK, OTHER] }, "fits"],
    ["fits a task without a footprint", { files: [file("src/b.ts")], claimed: [FREE] }, "fits"],
    ["of a new test fits", { files: [file("src/b.test.ts", { exists: false })], claimed: [TASK] }, "fits"],
    ["of an old test does not", { files: [file("src/b.test.ts")], claimed: [TASK] }, "outside src/b.test.ts"],
    [
      "in a linked worktree is held against the task too",
      { files: [file("x", { tree: "linked" })], claimed: [TASK] },
      "outside x",
    ],
    [
      "elsewhere is no business of the plan",
      { files: [file("/tmp/x", { tree: "elsewhere" })], claimed: [TASK] },
      "fits",
    ],
    ["without a claim is noticed in the main checkout", { files: [file("x")] }, "unclaimed"],
    ["without a claim is free in a linked worktree", { files: [file("x", { tree: "linked" })] }, "fits"],
    ["without a claim is free while there is no work", { files: [file("x")], hasWork: false }, "fits"],
    [
      "never touches the store",
      { files: [file(".planwright/plan.db")], claimed: [FREE] },
      "plan-files .planwright/plan.db",
    ],
    [
      "never touches the store, without a plan's work either",
      { files: [file(".planwright")], hasWork: false },
      "plan-files .planwright",
    ],
    ["may touch what is only called alike", { files: [file(".planwright-notes")], claimed: [FREE] }, "fits"],
  ])("%s", (_, situation, verdict) => {
    expect(judged(situation)).toBe(verdict);
  });

  it("has the consequence that is configured, and the store is always protected", () => {
    const policies = { footprint: "ask", mainCheckout: "note" } as const;
    expect(policyFor({ kind: "outside", files: [], tasks: [] }, policies)).toBe("ask");
    expect(policyFor({ kind: "unclaimed" }, policies)).toBe("note");
    expect(policyFor({ kind: "fits" }, policies)).toBe("off");
    expect(policyFor({ kind: "plan-files", files: [] }, { footprint: "off", mainCheckout: "off" })).toBe("refuse");
  });
});
