// Threat: a worker adds or changes a file that decides what its checks do, or what CI and other agents do later.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { fileTask, openShop } from "../shop.js";

const SUITE = {
  "src/a.js": "a\n",
  "test/a.test.sh": "grep -q right src/a.js\n",
  "test/run.sh": "for t in test/*.test.sh; do sh $t || exit 1; done\n",
  "package.json": '{"name":"shop","scripts":{"test":"sh test/run.sh","posttest":"node scripts/report.mjs"}}\n',
  "scripts/report.mjs": "\n",
};

async function judged(written: Readonly<Record<string, string>>, files: readonly string[] = ["src/**"]) {
  const task = fileTask("one", { files, checks: [{ run: "sh test/run.sh" }] });
  const shop = await openShop([task], {
    files: SUITE,
    policy: { fixes: 0, logicRetries: 0, footprint: "note", proof: "note" },
    doing: ({ cwd }) => {
      for (const [path, text] of Object.entries({ "src/a.js": "right\n", ...written })) {
        mkdirSync(dirname(join(cwd, path)), { recursive: true });
        writeFileSync(join(cwd, path), text);
      }
      return {};
    },
  });
  await shop.workThrough();
  const [attempt] = await shop.attempts();
  const asked = await shop.plan.store.read((reader) => reader.items("question", { state: "open" }));
  return {
    state: attempt?.state,
    note: attempt?.note ?? "",
    judges: attempt?.protectedFiles ?? [],
    asked: asked[0]?.fields,
  };
}

const PLANTED = [
  ".github/workflows/evil.test.yml",
  ".claude/skills/test/SKILL.md",
  "AGENTS.md",
  "conftest.py",
  "test/conftest.py",
  "pytest.ini",
  "setup.cfg",
  "vitest.config.ts",
  "jest.config.js",
  ".mocharc.json",
  ".npmrc",
  "Makefile",
  "GNUmakefile",
  "tsconfig.json",
  ".gitattributes",
  ".editorconfig",
  "json.py",
  "test/node_modules/chai/index.js",
];

describe("a new file that steers a judge is never accepted without a person:", () => {
  it.each(PLANTED)("%s, outside of the footprint and without one", async (path) => {
    for (const files of [["src/**"], []]) {
      const { state, judges, asked } = await judged({ [path]: "evil\n" }, files);
      expect({ state, judges }).toEqual({ state: "pending", judges: [path] });
      expect(asked?.context).toContain(`${path} can decide what checks do or what programs obey.`);
      expect(asked?.context).toContain("Strength of proof: strong (red → green).");
    }
  });

  it("unless the footprint names it", async () => {
    expect(await judged({ "tsconfig.json": "{}\n" }, ["src/**", "tsconfig.json"])).toMatchObject({ state: "accepted" });
  });

  it.each([
    ["a script", '{"name":"shop","scripts":{"test":"true"}}\n'],
    ["settings of a test runner", SUITE["package.json"].replace("{", '{"jest":{"testMatch":[]},')],
    [
      "the name of a package that its tests import",
      SUITE["package.json"].replace('"shop"', '"chai","exports":"./a.js"'),
    ],
    [
      "a program in the place of one that npx starts",
      SUITE["package.json"].replace("{", '{"bin":{"vitest":"./a.js"},'),
    ],
    ["another package manager", SUITE["package.json"].replace("{", '{"packageManager":"evil@1",')],
  ])("package.json with %s", async (_, text) => {
    expect(await judged({ "package.json": text })).toMatchObject({ state: "pending", judges: ["package.json"] });
  });

  it("but package.json with another description is", async () => {
    const text = SUITE["package.json"].replace("{", '{"description":"a shop",');
    expect(await judged({ "package.json": text })).toMatchObject({ state: "accepted", judges: [] });
  });
});

describe("a new test", () => {
  it("counts as a test only where the repository keeps tests, or the footprint names it", async () => {
    expect(await judged({ "test/b.test.sh": "true\n" })).toMatchObject({ state: "accepted" });
    expect(await judged({ "lib/b.test.sh": "true\n" }, ["src/**", "lib/b.test.sh"])).toMatchObject({
      state: "accepted",
    });
    const task = fileTask("one", { files: ["src/**"], checks: [{ run: "true" }] });
    const shop = await openShop([task], {
      files: SUITE,
      policy: { fixes: 0, footprint: "ask" },
      doing: ({ cwd }) => {
        mkdirSync(join(cwd, "lib"));
        writeFileSync(join(cwd, "lib/b.test.sh"), "true\n");
        return {};
      },
    });
    await shop.workThrough();
    expect((await shop.attempts())[0]).toMatchObject({ state: "pending", outside: ["lib/b.test.sh"] });
  });
});

it.each([
  ["program", "scripts/report.mjs", SUITE["package.json"]],
  ["file of settings", "settings/unit.json", '{"scripts":{"posttest":"node read.mjs --config settings/unit.json"}}\n'],
])("a %s behind the package script that a check runs is not changed unseen", async (_, path, settings) => {
  const task = fileTask("one", { files: [], checks: [{ run: "npm run posttest" }] });
  const reads =
    'import { readFileSync } from "node:fs";\nprocess.exit(Number(readFileSync("settings/unit.json", "utf8")));\n';
  const shop = await openShop([task], {
    files: {
      ...SUITE,
      "package.json": settings,
      "read.mjs": reads,
      "settings/unit.json": "1\n",
      "scripts/report.mjs": "process.exit(1)\n",
    },
    policy: { fixes: 0, logicRetries: 0 },
    doing: ({ cwd }) => {
      writeFileSync(join(cwd, path), path.endsWith("json") ? "0\n" : "\n");
      return {};
    },
  });
  await shop.workThrough();
  expect((await shop.attempts())[0]).toMatchObject({ state: "pending", protectedFiles: [path] });
});
