// Files that decide what a check does, whoever reads them: settings of test runners, compilers and package managers, CI, instructions
// of agents, and names that are loaded in place of a module. They steer a judge also when they are new.

import { matchesGlob } from "../conflict/glob.js";

const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** A pattern without a slash matches in every folder, and a folder stands for everything in it. All in lower case. */
const STEERING = words(`
  planwright.json .planwright
  .github .gitlab .gitlab-ci.yml .circleci .buildkite .ci .travis.yml jenkinsfile .jenkins azure-pipelines.yml .azure-pipelines
  bitbucket-pipelines.yml appveyor.yml .appveyor.yml .drone.yml .woodpecker* .cirrus.yml .gitea .forgejo
  agents.md agent.md agents.override.md claude.md claude.local.md gemini.md qwen.md copilot-instructions.md .claude .codex .cursor
  .cursorrules .gemini .qwen .opencode opencode.json opencode.jsonc .copilot .agents .agent .aider* .windsurf .windsurfrules
  .clinerules .roo .roorules .kiro .junie .continue .goose .goosehints .mcp.json mcp.json .vscode .idea .devcontainer
  .gitattributes .gitmodules .gitconfig .editorconfig .husky .githooks lefthook.* .lefthook.* .pre-commit-config.yaml
  .lintstagedrc* lint-staged.config.*
  .npmrc .yarnrc* .yarn .pnpmfile.* pnpm-workspace.yaml .pnp.* bunfig.toml deno.json deno.jsonc lerna.json nx.json turbo.json
  rush.json .nvmrc .node-version .tool-versions .mise* mise.toml .envrc .env .env.* .python-version .ruby-version .sdkmanrc
  node_modules
  vitest.config.* vitest.workspace.* vite.config.* jest.config.* jest.setup.* jest-setup.* jest-preset.* vitest.setup.* setuptests.* .mocharc* mocha.opts karma.conf.* ava.config.* .taprc
  jasmine.json cypress.config.* cypress.json playwright.config.* wdio.conf.* .nycrc* nyc.config.* .c8rc* testem.* web-test-runner*
  babel.config.* .babelrc* .swcrc tsconfig*.json jsconfig.json webpack.config.* rollup.config.* rspack.config.* esbuild.config.*
  .browserslistrc eslint.config.* .eslintrc* .eslintignore .prettierrc* prettier.config.* .prettierignore .stylelintrc* biome.json
  biome.jsonc .oxlintrc.json knip.* .jscpd* .madgerc .commitlintrc* commitlint.config.*
  conftest.py pytest.ini .pytest.ini pytest.toml .pytest.toml tox.ini tox.toml setup.cfg setup.py noxfile.py .coveragerc .flake8
  mypy.ini .mypy.ini .pylintrc pylintrc ruff.toml .ruff.toml pyrightconfig.json .pdm* poetry.toml uv.toml pip.conf .pip pixi.toml
  hatch.toml environment.yml __pypackages__ site-packages .venv venv *.pth *.egg-info *.dist-info *.egg-link sitecustomize* usercustomize*
  requirements*.txt constraints*.txt
  makefile gnumakefile bsdmakefile *.mk justfile .justfile taskfile.* rakefile *.rake magefile.go dodo.py tasks.py earthfile
  meson.build meson_options.txt cmakelists.txt cmakepresets.json cmakeuserpresets.json ctesttestfile.cmake build.bazel .bazelrc
  workspace.bazel module.bazel buck .buckconfig
  cargo.toml go.mod pipfile .cargo build.rs rust-toolchain* clippy.toml .clippy.toml rustfmt.toml .config/nextest.toml
  go.work go.work.sum .golangci.* vendor/modules.txt
  gemfile .bundle .rspec .rubocop* .simplecov minitest.rb rspec.rb minitest/*_plugin.rb **/minitest/*_plugin.rb
  composer.json phpunit* .phpunit* phpstan* psalm.xml pest.php
  pom.xml .mvn mvnw mvnw.cmd gradlew gradlew.bat *.gradle *.gradle.kts gradle.properties gradle/wrapper junit-platform.properties testng.xml
  build.sbt project/*.sbt .scalafix.conf
  directory.build.* directory.packages.props nuget.config global.json *.runsettings
  spec/support/jasmine.* config/tsconfig tslint.json stylelint.config.* dprint.json .dprint.json rome.json .xo-config.* next.config.* svelte.config.* astro.config.*
  tailwind.config.* postcss.config.* .postcssrc* pdm.toml .condarc .pdbrc tests/__init__.py test/__init__.py
  cloudbuild.yaml cloudbuild.yml codecov.yml .codecov.yml renovate.json renovate.json5 .renovaterc* .git-hooks hooks/pre-commit hooks/pre-push hooks/commit-msg
  build.xml workspace sconstruct sconscript wscript cabal.project makefile.pl build.pl flake.nix shell.nix default.nix project.json .jvmopts .gdbinit .lldbinit
  .busted .clang-tidy dockerfile dockerfile.* containerfile docker-compose.* compose.yml compose.yaml tiltfile
  mix.exs .formatter.exs package.swift pubspec.yaml dart_test.yaml build.zig .proverc dune-project phpcs.xml .hspec rebar.config
`);

/** Of these, only some parts steer. */
const PARTLY = words("package.json pyproject.toml");

/** They say what is installed. A new one changes nothing before an install reads it. */
const LOCK_FILES = words(`
  package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock cargo.lock poetry.lock uv.lock pdm.lock
  pipfile.lock gemfile.lock composer.lock go.sum mix.lock gradle.lockfile packages.lock.json pubspec.lock`);

/** Modules that every test run of Python loads by name, and the runners. */
const PYTHON_MODULES = new Set(
  words(`
  pytest _pytest pluggy iniconfig exceptiongroup coverage hypothesis nose nose2 mock tox nox virtualenv setuptools pkg_resources pip
  packaging distutils typing_extensions
  abc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cmath cmd code codecs codeop collections
  compileall concurrent configparser contextlib contextvars copy copyreg csv ctypes curses dataclasses datetime dbm decimal difflib dis
  doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions functools gc genericpath getopt
  getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imp importlib inspect io ipaddress itertools json keyword
  linecache locale logging lzma marshal math mimetypes mmap modulefinder multiprocessing netrc ntpath numbers opcode operator optparse
  os pathlib pdb pickle pickletools pkgutil platform plistlib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc
  queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site
  smtplib socket socketserver sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess
  symtable sys sysconfig syslog tarfile tempfile termios textwrap this threading time timeit token tokenize tomllib trace traceback
  tracemalloc tty types typing unicodedata unittest urllib uuid venv warnings wave weakref wsgiref xml xmlrpc zipapp zipfile zipimport
  zlib zoneinfo`),
);

/** Where Python looks first: the top, the usual source folder, and beside tests. */
const IMPORTED_FROM = new Set(["", "src", "lib", "test", "tests"]);

const matchesAny = (patterns: readonly string[], path: string): boolean =>
  patterns.some((pattern) => matchesGlob(pattern, path));

/** Names are compared without case: some file systems see no difference. */
export const steersJudge = (path: string): boolean => matchesAny([...STEERING, ...PARTLY], path.toLowerCase());

export const isLockFile = (path: string): boolean => matchesAny(LOCK_FILES, path.toLowerCase());

/** Whether Python would load it in place of a module of its own or of a test runner. `folders`: those in which checks run. */
export function shadowsModule(path: string, folders: readonly string[] = []): boolean {
  if (!/\.(?:py|pyc|pyd|so)$/.test(path)) return false;
  const parts = path.split("/");
  const isAtTop = (i: number): boolean => {
    const folder = parts.slice(0, i).join("/");
    return IMPORTED_FROM.has(folder) || folders.includes(folder);
  };
  return parts.some((part, i) => isAtTop(i) && PYTHON_MODULES.has(part.split(".", 1)[0] as string));
}

/**
 * What a package says about itself; every other key of `package.json` may steer a tool that runs here. By its name and exports a package
 * takes the place of one that it imports, and by `bin` that of a program that `npx` starts.
 */
const HARMLESS_KEYS = new Set(
  words(`version description keywords homepage bugs license author contributors maintainers funding repository private
  types typings type files man sideEffects publishConfig`),
);

/** The same in the table `project` of `pyproject.toml`, if it is one plain line. */
const HARMLESS_LINE = /^(?:name|version|description|readme|license|requires-python)\s*=\s*"[^"\\]*"\s*$/;

/** Whether a change of such a file steers anything. `undefined`: there is no such file. */
export function editSteers(path: string, before: string | undefined, after: string | undefined): boolean {
  const read = path.toLowerCase().endsWith("package.json") ? packagePart : projectPart;
  const [old, now] = [read(before ?? ""), read(after ?? "")];
  return old === undefined || now === undefined || old !== now;
}

export const steersPartly = (path: string): boolean => matchesAny(PARTLY, path.toLowerCase());

function packagePart(text: string): string | undefined {
  try {
    const parsed = JSON.parse(text === "" ? "{}" : text) as unknown;
    if (typeof parsed !== "object" || parsed === null) return undefined;
    return JSON.stringify(Object.entries(parsed).filter(([key]) => !HARMLESS_KEYS.has(key)));
  } catch {
    return undefined;
  }
}

/** Each line with its table: a line may be moved into another one. */
function projectPart(text: string): string {
  let table = "";
  const kept: string[] = [];
  for (const line of text.split("\n")) {
    if (/^\s*\[/.test(line)) table = line.trim();
    const isHarmless =
      line.trim() === "" || line.trim() === "[project]" || (table === "[project]" && HARMLESS_LINE.test(line));
    if (!isHarmless) kept.push(`${table} ${line}`);
  }
  return kept.join("\n");
}
