import { describe, expect, it } from "vitest";
import { TEST_FILES } from "../../config/execution-settings.js";
import type { ChangeSet } from "./attempt.js";
import { changeScopeOf, isTestFile, keepsTests, type ScopedTask, type ScopeFacts } from "./change-scope.js";

const RULES = { testFiles: TEST_FILES, protectedFiles: ["deploy/**"] };
const FACTS: ScopeFacts = {
  keepsTests: keepsTests(["test/old.test.ts", "src/a/old.test.ts", "root.test.ts"], RULES),
  harmless: new Set(["sub/package.json"]),
  programs: ["scripts/behind-npm-test.mjs"],
};
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

type Case = [string, Partial<ChangeSet>, Partial<ScopedTask>, string[], string[]];

const scopeOf = (changes: Partial<ChangeSet>, rest: Partial<ScopedTask>) =>
  changeScopeOf(changed(changes), task(rest), RULES, FACTS);

describe("the scope of a change", () => {
  it.each<Case>([
    ["is inside the footprint", { modified: ["src/a.ts"], created: ["src/b.ts"] }, {}, [], []],
    ["has an outside", { modified: ["lib/a.ts"], created: ["lib/b.ts"] }, {}, ["lib/b.ts", "lib/a.ts"], []],
    ["may add tests where there are some", { created: ["test/new/a.test.ts", "new.test.ts"] }, {}, [], []],
    ["may not add tests elsewhere", { created: ["lib/a.test.ts"] }, {}, ["lib/a.test.ts"], []],
    ["protects tests that exist", { modified: ["test/a.test.ts"] }, {}, ["test/a.test.ts"], ["test/a.test.ts"]],
    ["protects tests from deletion", { deleted: ["test/a.test.ts"] }, {}, ["test/a.test.ts"], ["test/a.test.ts"]],
    ["leaves tests in the footprint alone", { modified: ["test/a.test.ts"] }, { files: ["test/**"] }, [], []],
    ["leaves a judge in the footprint alone", { created: ["conftest.py"] }, { files: ["conftest.py"] }, [], []],
    ["protects CI", { modified: [".github/x.yml"] }, {}, [".github/x.yml"], [".github/x.yml"]],
    [
      "protects new CI, whatever its name",
      { created: [".github/x.test.yml"] },
      {},
      [".github/x.test.yml"],
      [".github/x.test.yml"],
    ],
    ["protects lock files", { modified: ["package-lock.json"] }, {}, ["package-lock.json"], ["package-lock.json"]],
    ["protects what the settings name, new or not", { created: ["deploy/x"] }, {}, ["deploy/x"], ["deploy/x"]],
    ["does not protect a new lock file", { created: ["package-lock.json"] }, {}, ["package-lock.json"], []],
    ["protects package files", { modified: ["package.json"] }, {}, ["package.json"], ["package.json"]],
    ["does not protect harmless edits of them", { modified: ["sub/package.json"] }, {}, ["sub/package.json"], []],
    [
      "protects names of modules that are new",
      { created: ["json.py"], modified: ["abc.py"] },
      {},
      ["json.py", "abc.py"],
      ["json.py"],
    ],
    [
      "protects files on the path of a check, new ones too",
      { modified: ["scripts/check.mjs"], created: ["tools/go.sh"] },
      { checks: [{ run: "node ./scripts/check.mjs --all" }, { run: "sh 'go.sh'", cwd: "./tools/" }] },
      ["tools/go.sh", "scripts/check.mjs"],
      ["tools/go.sh", "scripts/check.mjs"],
    ],
    [
      "protects what package scripts of a check start",
      { modified: ["scripts/behind-npm-test.mjs"] },
      {},
      ["scripts/behind-npm-test.mjs"],
      ["scripts/behind-npm-test.mjs"],
    ],
    [
      "does not take a new file that a check only looks at for a judge",
      { created: ["out.txt"] },
      { checks: [{ run: "test -f out.txt" }] },
      ["out.txt"],
      [],
    ],
    ["has no outside without a footprint", { modified: ["a.ts"], created: ["b.ts"] }, { files: [] }, [], []],
    [
      "protects the judge without a footprint, too",
      { modified: ["test/a.test.ts", "package.json"], deleted: ["tools/go.sh"], created: ["test/b.test.ts", ".npmrc"] },
      { files: [], checks: [{ run: "test -s a.ts && sh tools/go.sh" }] },
      [],
      [".npmrc", "test/a.test.ts", "package.json", "tools/go.sh"],
    ],
    [
      "takes a new file that the check names for the work, without a footprint",
      { created: ["greet.mjs"] },
      { files: [], checks: [{ run: "node greet.mjs | grep hello" }] },
      [],
      [],
    ],
    [
      "does not take a file that a check only looks at for the judge, without a footprint",
      { modified: ["README.md", "a.txt"] },
      { files: [], checks: [{ run: "grep -q usage README.md && ! test -s a.txt" }] },
      [],
      [],
    ],
  ])("%s", (_, changes, rest, outside, protectedFiles) => {
    expect(scopeOf(changes, rest)).toMatchObject({ outside, protectedFiles });
  });

  it("tells what steers every judge from what judges this work", () => {
    const changes = { modified: ["test/a.test.ts", "yarn.lock"], created: ["conftest.py"] };
    expect(scopeOf(changes, {}).steering).toEqual(["conftest.py"]);
  });

  it("counts as tests those that are where tests are, and those of the footprint", () => {
    const created = ["test/a.test.ts", "lib/b.test.ts", "src/c.test.ts", ".claude/test/SKILL.md", "src/d.ts"];
    expect(scopeOf({ created, modified: ["lib/old.test.ts"] }, {}).tests).toEqual([
      "test/a.test.ts",
      "src/c.test.ts",
      "lib/old.test.ts",
    ]);
  });
});
