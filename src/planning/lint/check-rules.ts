// Whether there is a way to see that the work is done, and whether it can be run and may be.

import { dangerIn, pathWithin } from "../../machine/checks/dangers.js";
import { isShell, readCommands, type ShellCommand } from "../../machine/checks/shell-words.js";
import { inferProfile } from "../../model/node/profile.js";
import type { LintFinding } from "../contracts/findings.js";
import type { DraftTask } from "../contracts/plan-draft.js";
import { finding, type LintContext, type LintRule, names, quoted } from "./rules.js";

const workHasChecks: LintRule = ({ work, asStated = false }) => {
  const without = work.filter(({ checks }) => checks.length === 0);
  const none = without.length === work.length;
  if ((none || asStated) && without.length > 1) {
    const ids = names(without.map(({ id }) => id));
    const say = `${work.length - without.length} of ${work.length} tasks have a check. Nothing can show that these are done: ${ids}.`;
    return [
      finding("P-CHECK", "plan", say, "Add a command to each that exits with 0 when it is done.", { grade: "warning" }),
    ];
  }
  return without.map(({ id, title }) =>
    finding(
      "P-CHECK",
      id,
      `${id} ${quoted(title)} has no check: nothing can show that it is done.`,
      "Add a command that exits with 0 when it is done.",
      none || asStated ? { grade: "warning" } : {},
    ),
  );
};

/** What the repository has and what the plan makes; undefined if the repository was not read. */
function filesAround({ repositoryFiles, draft, files }: LintContext): ReadonlySet<string> | undefined {
  if (!repositoryFiles) return undefined;
  const planned = [...draft.tasks.flatMap((task) => task.files), ...(files?.crossCutting ?? [])];
  const mapped = (files?.behaviours ?? []).flatMap((entry) => [...entry.files.map(({ path }) => path), ...entry.tests]);
  return new Set([...repositoryFiles, ...planned.map(({ path }) => path.replace(/^(\.\/)+/, "")), ...mapped]);
}

const checksCanRun: LintRule = function* (look) {
  const around: ToolSource = {
    hasTool: remembered((name) => look.hasTool(name)),
    files: filesAround(look),
    // A plan that changes the manifest may bring scripts of its own.
    scripts: look.draft.tasks.some(({ files }) => files.some(({ path }) => path === "package.json"))
      ? undefined
      : look.scripts,
  };
  const seen = new Map<string, ReturnType<typeof missingFor>>();
  for (const task of look.draft.tasks) {
    for (const { run, cwd = "" } of task.checks) {
      const key = `${cwd}\n${run}`;
      const missing = seen.get(key) ?? missingFor(run, cwd, around);
      seen.set(key, missing);
      for (const { kind, name } of missing) yield kind === "tool" ? noTool(task, run, name) : noScript(task, run, name);
    }
  }
};

const noTool = ({ id }: DraftTask, run: string, name: string): LintFinding =>
  finding(
    "P-TOOL",
    id,
    `The check ${quoted(run)} of ${id} needs ${name}, which is not installed here.`,
    `Install ${name}, or check with a program that is there.`,
  );

const noScript = ({ id }: DraftTask, run: string, name: string): LintFinding =>
  finding(
    "P-SCRIPT",
    id,
    `The check ${quoted(run)} of ${id} runs ${name}, which neither the repository nor the plan has.`,
    "Name a file that is there, or add it to the files of the task that makes it.",
  );

function remembered(ask: (name: string) => boolean): (name: string) => boolean {
  const answers = new Map<string, boolean>();
  return (name) => {
    const answer = answers.get(name) ?? ask(name);
    answers.set(name, answer);
    return answer;
  };
}

const checksAreHarmless: LintRule = function* ({ draft }) {
  const seen = new Map<string, string>();
  for (const task of draft.tasks) {
    for (const { run, cwd = "" } of task.checks) {
      const key = `${cwd}\n${run}`;
      const danger = seen.get(key) ?? dangerIn(run, cwd) ?? "";
      seen.set(key, danger);
      if (danger === "") continue;
      const say = `The check ${quoted(run)} of ${task.id} ${danger}.`;
      yield finding(
        "P-DANGER",
        task.id,
        say,
        "A check looks; let it run inside the workspace and change nothing outside.",
      );
    }
  }
};

const TESTS =
  /\b(tests?|specs?|pytest|jest|vitest|mocha|rspec|ctest|tox|nox|phpunit|junit|verify|check|e2e|ava|bats)\b|^test:/i;

const isTest = (task: DraftTask): boolean =>
  task.profile === "test" ||
  task.checks.some(({ run }) => TESTS.test(run)) ||
  task.files.some(({ path, layer }) => layer === "test" || inferProfile([path]) === "test");

const isDocumentation = ({ files }: DraftTask): boolean =>
  files.length > 0 && inferProfile(files.map(({ path }) => path)) === "docs";

const somethingTests: LintRule = ({ draft, work, files, asStated = false }) => {
  const mapped = files?.behaviours.some(({ tests }) => tests.length > 0) === true;
  if (work.length === 0 || mapped || draft.tasks.some(isTest) || work.every(isDocumentation)) return [];
  const checked = work.some(({ checks }) => checks.length > 0);
  const say = checked ? "None of the checks tests anything." : "The plan has no test and no check at all.";
  const how = "Add tests to the tasks, and a check that runs them.";
  return [finding("P-TESTS", "plan", say, how, checked || asStated ? { grade: "warning" } : {})];
};

interface ToolSource {
  hasTool(name: string): boolean;
  /** Files of the repository and files that the plan makes; nothing if not known. */
  readonly files: ReadonlySet<string> | undefined;
  /** Names of scripts such as `npm run` knows them; nothing if not known. */
  readonly scripts: ReadonlySet<string> | undefined;
}

interface Missing {
  readonly kind: "tool" | "script";
  readonly name: string;
}

const BUILTINS: ReadonlySet<string> = new Set(
  (
    ". : [ [[ alias bg break builtin cd command continue declare dirs echo eval exec exit export false fg getopts hash " +
    "jobs kill let local printf pushd popd pwd read readonly return set shift shopt source test times trap true type " +
    "typeset ulimit umask unalias unset wait (("
  ).split(" "),
);

/** Made by a build, or by installing what the project needs: not there yet, and no reason to worry. */
const MADE = /^(node_modules|dist|build|out|target|bin|\.venv|venv|vendor|\.tox|zig-out|coverage|tmp)\//;

export function missingFor(run: string, cwd: string, around: ToolSource): Missing[] {
  const found = new Map<string, Missing>();
  let here: string | undefined = cwd;
  for (const command of readCommands(run)) {
    if (command.name === "cd") {
      const to: string = command.args[0] ?? "";
      // The value of a variable is not known here.
      here = here === undefined || to.includes("$") || to.startsWith("/") ? undefined : pathWithin(here, to);
    }
    for (const missing of [lacks(command, here, around), lacksScript(command, here, around)]) {
      if (missing) found.set(missing.name, missing);
    }
  }
  return [...found.values()];
}

const unknowable = (word: string): boolean => word === "" || /[$*?{}]/.test(word);

function lacks({ name }: ShellCommand, here: string | undefined, around: ToolSource): Missing | undefined {
  if (unknowable(name) || BUILTINS.has(name)) return undefined;
  if (!name.includes("/")) return around.hasTool(name) ? undefined : { kind: "tool", name };
  if (name.startsWith("/") || name.startsWith("~")) return around.hasTool(name) ? undefined : { kind: "tool", name };
  return lacksFile(name, here, around);
}

function lacksFile(path: string, here: string | undefined, { files }: ToolSource): Missing | undefined {
  if (files === undefined || here === undefined || unknowable(path)) return undefined;
  const full = pathWithin(here, path);
  return full === undefined || files.has(full) || MADE.test(full) || MADE.test(path.replace(/^(\.\/)+/, ""))
    ? undefined
    : { kind: "script", name: full };
}

const INTERPRETERS = /^(node|python[\d.]*|ruby|perl|php|lua|Rscript|tsx|ts-node)$/;

const RUNNERS = /^(npm|pnpm|yarn|bun)$/;

/** `node scripts/x.mjs` needs that file, `npm run x` that script. */
function lacksScript(command: ShellCommand, here: string | undefined, around: ToolSource): Missing | undefined {
  const { name, args } = command;
  if (INTERPRETERS.test(name) || isShell(name)) {
    const [first] = args;
    const isScript =
      first !== undefined && !first.startsWith("-") && /\.[a-z]{1,4}$/i.test(first) && !first.startsWith("/");
    return isScript ? lacksFile(first, here, around) : undefined;
  }
  if (!RUNNERS.test(name) || around.scripts === undefined || here !== "") return undefined;
  const script = args[0] === "run" || args[0] === "run-script" ? args[1] : args[0] === "test" ? "test" : undefined;
  if (script === undefined || script.startsWith("-") || unknowable(script) || around.scripts.has(script))
    return undefined;
  return { kind: "script", name: `${name} run ${script}` };
}

export const CHECK_RULES: readonly LintRule[] = [workHasChecks, checksCanRun, checksAreHarmless, somethingTests];
