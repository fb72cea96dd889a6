// Whether there is a way to see that the work is done, and whether it can be run and may be.

import { dangerIn, pathWithin } from "../../machine/checks/dangers.js";
import { isShell, readCommands, type ShellCommand } from "../../machine/checks/shell-words.js";
import { inferProfile } from "../../model/node/profile.js";
import { finding } from "../contracts/findings.js";
import type { DraftTask } from "../contracts/plan-draft.js";
import { type LintContext, type LintRule, names, quoted } from "./rules.js";

const workHasChecks: LintRule = ({ work, asStated = false }) => {
  const without = work.filter(({ checks }) => checks.length === 0);
  const grade = without.length === work.length || asStated ? ({ grade: "warning" } as const) : {};
  if ("grade" in grade && without.length > 1) {
    const ids = names(without.map(({ id }) => id));
    const say = `${work.length - without.length} of ${work.length} tasks have a check. Nothing can show that these are done: ${ids}.`;
    return [finding("P-CHECK", "plan", say, grade)];
  }
  return without.map(({ id, title }) =>
    finding("P-CHECK", id, `${id} ${quoted(title)} has no check: nothing can show that it is done.`, grade),
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
    hasTool: look.hasTool,
    files: filesAround(look),
    // A plan that changes the manifest may bring scripts of its own.
    scripts: look.draft.tasks.some(({ files }) => files.some(({ path }) => path === "package.json"))
      ? undefined
      : look.scripts,
  };
  for (const [id, run, missing] of judgeChecks(look, (run, cwd) => missingFor(run, cwd, around))) {
    for (const { kind, name } of missing) {
      const check = `The check ${quoted(run)} of ${id}`;
      yield kind === "tool"
        ? finding("P-TOOL", id, `${check} needs ${name}, which is not installed here.`, {
            suggestion: `Install ${name}, or check with a program that is there.`,
          })
        : finding("P-SCRIPT", id, `${check} runs ${name}, which neither the repository nor the plan has.`);
    }
  }
};

/** Each check with what is judged about it. Many tasks have the same check: it is looked at once. */
function* judgeChecks<T>(
  { draft }: LintContext,
  judge: (run: string, cwd: string) => T,
): Iterable<[task: string, run: string, judged: T]> {
  const seen = new Map<string, T>();
  for (const { id, checks } of draft.tasks) {
    for (const { run, cwd = "" } of checks) {
      const key = `${cwd}\n${run}`;
      const judged = seen.get(key) ?? judge(run, cwd);
      seen.set(key, judged);
      yield [id, run, judged];
    }
  }
}

const checksAreHarmless: LintRule = function* (look) {
  for (const [id, run, danger] of judgeChecks(look, (run, cwd) => dangerIn(run, cwd) ?? "")) {
    if (danger !== "") yield finding("P-DANGER", id, `The check ${quoted(run)} of ${id} ${danger}.`);
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
  return [finding("P-TESTS", "plan", say, checked || asStated ? { grade: "warning" } : {})];
};

interface ToolSource extends Pick<LintContext, "hasTool"> {
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
  if (name.includes("/") && !/^[/~]/.test(name)) return lacksFile(name, here, around);
  return around.hasTool(name) ? undefined : { kind: "tool", name };
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
