import { describe, expect, it } from "vitest";
import { PROTECTED_FILES, TEST_FILES } from "../../config/execution-settings.js";
import type { ChangeSet } from "./attempt.js";
import { changeScopeOf, isTestFile, type ScopedTask } from "./change-scope.js";

const RULES = { testFiles: TEST_FILES, protectedFiles: PROTECTED_FILES };
const changed = (rest: Partial<ChangeSet>): ChangeSet => ({ created: [], modified: [], deleted: [], ...rest });
const task = (rest: Partial<ScopedTask> = {}): ScopedTask => ({ files: ["src/**"], checks: [], ...rest });

describe("test files", () => {
  it.each([
    ["src/a.test.ts", true],
    ["src/a_test.go", true],
    ["tests/test_a.py", true],
    ["pkg/test_a.py", true],
    ["app/__tests__/a.js", true],
    ["src/main/ATest.java", true],
    ["spec/a_spec.rb", true],
    ["src/a.ts", false],
    ["src/latest.ts", false],
    ["src/contest/a.ts", false],
  ])("%s: %s", (path, expected) => {
    expect(isTestFile(path, RULES)).toBe(expected);
  });
});

describe("the scope of a change", () => {
  it.each<[string, Partial<ChangeSet>, Partial<ScopedTask>, string[], string[]]>([
    ["is inside the footprint", { modified: ["src/a.ts"], created: ["src/b.ts"] }, {}, [], []],
    ["has an outside", { modified: ["lib/a.ts"], created: ["lib/b.ts"] }, {}, ["lib/b.ts", "lib/a.ts"], []],
    ["may add tests anywhere", { created: ["test/a.test.ts"] }, {}, [], []],
    ["protects tests that exist", { modified: ["test/a.test.ts"] }, {}, ["test/a.test.ts"], ["test/a.test.ts"]],
    ["protects tests from deletion", { deleted: ["test/a.test.ts"] }, {}, ["test/a.test.ts"], ["test/a.test.ts"]],
    ["leaves tests in the footprint alone", { modified: ["test/a.test.ts"] }, { files: ["test/**"] }, [], []],
    [
      "protects CI",
      { modified: [".github/workflows/ci.yml"] },
      {},
      [".github/workflows/ci.yml"],
      [".github/workflows/ci.yml"],
    ],
    ["protects lock files", { modified: ["package-lock.json"] }, {}, ["package-lock.json"], ["package-lock.json"]],
    ["protects the settings", { modified: ["planwright.json"] }, {}, ["planwright.json"], ["planwright.json"]],
    ["does not protect what is new", { created: ["package-lock.json"] }, {}, ["package-lock.json"], []],
    ["protects scripts of packages", { modified: ["package.json"] }, {}, ["package.json"], ["package.json"]],
    [
      "protects files that a check names",
      { modified: ["scripts/check.mjs", "tools/go.sh"] },
      { checks: [{ run: "node ./scripts/check.mjs --all" }, { run: "sh 'go.sh'", cwd: "./tools/" }] },
      ["scripts/check.mjs", "tools/go.sh"],
      ["scripts/check.mjs", "tools/go.sh"],
    ],
    ["has no outside without a footprint", { modified: ["a.ts"], created: ["b.ts"] }, { files: [] }, [], []],
    [
      "protects the judge without a footprint, too",
      { modified: ["test/a.test.ts", "package.json"], deleted: ["tools/go.sh"], created: ["test/b.test.ts"] },
      { files: [], checks: [{ run: "test -s a.ts && sh tools/go.sh" }] },
      [],
      ["test/a.test.ts", "package.json", "tools/go.sh"],
    ],
    [
      "does not take a file that a check only looks at for the judge, without a footprint",
      { modified: ["README.md", "a.txt"] },
      { files: [], checks: [{ run: "grep -q usage README.md && ! test -s a.txt" }] },
      [],
      [],
    ],
  ])("%s", (_, changes, rest, outside, protectedFiles) => {
    const scope = changeScopeOf(changed(changes), task(rest), RULES, (path) => path === "package.json");
    expect(scope).toEqual({ outside, protectedFiles });
  });

  it("does not protect a package file with the same scripts", () => {
    expect(changeScopeOf(changed({ modified: ["package.json"] }), task(), RULES)).toEqual({
      outside: ["package.json"],
      protectedFiles: [],
    });
    expect(
      changeScopeOf(changed({ modified: ["x/run.sh"] }), task({ checks: [{ run: "run.sh", cwd: "." }] }), RULES),
    ).toEqual({
      outside: ["x/run.sh"],
      protectedFiles: [],
    });
  });
});
