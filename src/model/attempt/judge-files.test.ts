import { describe, expect, it } from "vitest";
import { editSteers, isLockFile, shadowsModule, steersJudge, steersPartly } from "./judge-files.js";

describe("files that steer a judge", () => {
  it.each(
    `conftest.py src/conftest.py tests/CONFTEST.PY pytest.ini tox.ini setup.cfg setup.py pyproject.toml vitest.config.mts jest.config.cjs
     .mocharc.yml karma.conf.js ava.config.mjs package.json packages/a/package.json .npmrc .yarnrc.yml Makefile GNUmakefile sub/makefile
     rules.mk justfile tsconfig.json tsconfig.build.json babel.config.json .babelrc .github/workflows/evil.test.yml .gitlab-ci.yml
     Jenkinsfile .circleci/config.yml .claude/skills/test/SKILL.md packages/a/.claude/settings.json AGENTS.md docs/CLAUDE.md .cursorrules
     .gitattributes sub/.gitattributes .editorconfig .gitmodules node_modules/vitest/index.js test/node_modules/chai/index.js
     sitecustomize.py lib/usercustomize.py evil.pth evil.egg-info/entry_points.txt planwright.json .env .nvmrc pnpm-workspace.yaml
     Cargo.toml .cargo/config.toml go.mod go.work pom.xml build.gradle.kts Gemfile .rspec phpunit.xml.dist Directory.Build.props
     spec/support/jasmine.mjs config/tsconfig/base.json cloudbuild.yaml codecov.yml renovate.json build.xml WORKSPACE SConstruct wscript
     cabal.project Makefile.PL flake.nix shell.nix project.json .git-hooks/pre-commit hooks/pre-commit Dockerfile docker-compose.yml
     Tiltfile .jvmopts .pdbrc .gdbinit .lldbinit .busted tslint.json stylelint.config.js dprint.json rome.json .xo-config.json .clang-tidy
     pdm.toml .condarc next.config.mjs svelte.config.js astro.config.mjs tailwind.config.js postcss.config.js tests/__init__.py`
      .trim()
      .split(/\s+/),
  )("%s", (path) => {
    expect(steersJudge(path)).toBe(true);
  });

  it.each(
    "src/a.ts README.md src/package.ts docs/config.md test/a.test.ts src/contest.py lib/toxic.py environment.ts src/make.ts src/workspace.ts src/hooks/use.ts".split(
      " ",
    ),
  )("but not %s", (path) => {
    expect(steersJudge(path)).toBe(false);
  });

  it.each([
    ["package-lock.json", true],
    ["sub/Cargo.lock", true],
    ["lock.json", false],
  ])("a lock file %s: %s", (path, expected) => {
    expect(isLockFile(path)).toBe(expected);
  });
});

describe("names that shadow a module", () => {
  it.each([
    ["json.py", true],
    ["src/pytest.py", true],
    ["tests/random/__init__.py", true],
    ["_pytest/main.pyc", true],
    ["socket.cpython-312-x86_64-linux-gnu.so", true],
    ["src/app/json.py", false],
    ["json.ts", false],
    ["json/data.txt", false],
    ["src/greeting.py", false],
  ])("%s: %s", (path, expected) => {
    expect(shadowsModule(path)).toBe(expected);
  });

  it("also where a check runs", () => {
    expect(shadowsModule("backend/json.py")).toBe(false);
    expect(shadowsModule("backend/json.py", ["backend"])).toBe(true);
    expect(shadowsModule("backend/app/json.py", ["backend"])).toBe(false);
  });
});

describe("an edit of a file that steers only partly", () => {
  it.each<[string, string | undefined, string | undefined, boolean]>([
    ["package.json", '{"name":"a","version":"1"}', '{"name":"a","version":"2","license":"MIT"}', false],
    ["package.json", undefined, '{"type":"module"}', false],
    ["package.json", '{"name":"a"}', '{"name":"chai"}', true],
    ["test/package.json", undefined, '{"name":"chai","exports":"./fake.js"}', true],
    ["package.json", "{}", '{"imports":{"#check":"./fake.js"}}', true],
    ["package.json", "{}", '{"browser":{"chai":"./fake.js"}}', true],
    ["package.json", "{}", '{"bin":{"vitest":"./fake.js"}}', true],
    ["package.json", '{"main":"real.js"}', '{"main":"fake.js"}', true],
    ["package.json", '{"scripts":{"test":"x"}}', '{"scripts":{"test":"true"}}', true],
    ["package.json", "{}", '{"jest":{"testMatch":[]}}', true],
    ["package.json", "{}", '{"devDependencies":{"vitest":"file:evil"}}', true],
    ["package.json", '{"scripts":{}}', undefined, true],
    ["sub/package.json", "{}", "{", true],
    ["package.json", "[]", "null", true],
    ["pyproject.toml", '[project]\nversion = "1"\n', '[project]\nversion = "2"\n\nname = "a"\n', false],
    ["pyproject.toml", undefined, '[project]\nname = "a"\n', false],
    ["pyproject.toml", "[project]\n", '[project]\n[tool.pytest.ini_options]\naddopts = "-p evil"\n', true],
    ["pyproject.toml", "[project]\n", '[project]\nentry-points.pytest11.x = "evil"\n', true],
    ["pyproject.toml", "[project]\n", '[project]\ndependencies = ["evil"]\n', true],
    ["pyproject.toml", '[tool.x]\nversion = "1"\n', '[tool.x]\nversion = "2"\n', true],
    ["pyproject.toml", "", 'version = "2"\n', true],
    ["pyproject.toml", "[project]\n[tool.x]\nstrict = true\n", "[tool.x]\n[project]\nstrict = true\n", true],
  ])("%s from %s to %s steers: %s", (path, before, after, expected) => {
    expect(steersPartly(path)).toBe(true);
    expect(editSteers(path, before, after)).toBe(expected);
  });

  it("is not asked about other files", () => {
    expect(steersPartly("tsconfig.json")).toBe(false);
  });
});
