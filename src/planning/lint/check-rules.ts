// Whether there is a way to see that the work is done, and whether it can be run and may be.

import { dangerIn } from "../../machine/checks/dangers.js";
import { inferProfile } from "../../model/node/profile.js";
import type { DraftTask } from "../contracts/plan-draft.js";
import { type LintContext, type LintRule, quoted } from "./context.js";
import type { LintFinding } from "./finding.js";
import { finding, names } from "./rules.js";
import { missingFor, type ToolSource } from "./tools.js";

export const workHasChecks: LintRule = ({ work, asStated = false }) => {
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

export const checksCanRun: LintRule = function* (look) {
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

export const checksAreHarmless: LintRule = function* ({ draft }) {
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

export const somethingTests: LintRule = ({ draft, work, files, asStated = false }) => {
  const mapped = files?.behaviours.some(({ tests }) => tests.length > 0) === true;
  if (work.length === 0 || mapped || draft.tasks.some(isTest) || work.every(isDocumentation)) return [];
  const checked = work.some(({ checks }) => checks.length > 0);
  const say = checked ? "None of the checks tests anything." : "The plan has no test and no check at all.";
  const how = "Add tests to the tasks, and a check that runs them.";
  return [finding("P-TESTS", "plan", say, how, checked || asStated ? { grade: "warning" } : {})];
};
