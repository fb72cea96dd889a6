import { describe, expect, it } from "vitest";
import { namedFiles, packageFolders, scriptPrograms } from "./check-programs.js";

describe("the files on the path of a check", () => {
  it.each([
    [{ run: "node ./scripts/check.mjs --all" }, "scripts/check.mjs"],
    [{ run: "sh 'go.sh'", cwd: "./tools/" }, "tools/go.sh"],
    [{ run: "cd tools && cd deep && sh go.sh" }, "tools/deep/go.sh"],
    [{ run: "pytest tests/test_a.py::test_b" }, "tests/test_a.py"],
    [{ run: "python3 -m tools.check" }, "tools/check.py"],
    [{ run: "python -q -m tools" }, "tools/__main__.py"],
    [{ run: "cd sub; python -m check" }, "sub/check/__init__.py"],
  ])("%j names %s", (check, path) => {
    expect(namedFiles(check, "all")).toContain(path);
    expect(namedFiles(check, "programs")).toContain(path);
  });

  it("are not those that it only looks at", () => {
    const check = { run: "grep -q usage README.md && ! test -s a.txt" };
    expect(namedFiles(check, "all")).toContain("README.md");
    expect(namedFiles(check, "programs")).toEqual([]);
  });
});

describe("the programs behind package scripts", () => {
  const scripts: Record<string, Record<string, unknown>> = {
    "": {
      pretest: "sh scripts/prepare.sh",
      test: "npm run -s lint && node --test scripts/check.mjs && npm test",
      lint: "./tools/lint.sh src/index.ts; esbuild src/main.ts",
      broken: 1,
      unit: "vitest run --config 'settings/unit.ts' -c=a.json && mocha -r hooks/all.cjs src/a.js",
    },
    sub: { check: "bash check.sh" },
  };
  const programs = (run: string, cwd?: string): string[] =>
    scriptPrograms([{ run, ...(cwd !== undefined && { cwd }) }], (folder) => scripts[folder] ?? {});

  it.each(["npm test", "npm t", "npm --silent run test", "yarn test", "pnpm run test", "true && bun run test"])(
    "%s",
    (run) => {
      expect(programs(run).toSorted()).toEqual(["scripts/check.mjs", "scripts/prepare.sh", "tools/lint.sh"]);
    },
  );

  it("have settings and files that they load first", () => {
    expect(programs("npm run unit")).toEqual(["settings/unit.ts", "a.json", "hooks/all.cjs"]);
  });

  it("are looked for where the check runs", () => {
    expect(programs("npm run check", "sub")).toEqual(["sub/check.sh"]);
    expect(programs("cd sub && npm run check")).toEqual(["sub/check.sh"]);
    expect(packageFolders([{ run: "cd sub && npm test" }, { run: "npm test" }])).toEqual(["sub", ""]);
  });

  it.each(["npm", "npm run nothing", "npm run broken", "npm run toString", "make test"])("%s has none", (run) => {
    expect(programs(run)).toEqual([]);
  });
});
