// What the repository says about the work behind a question: which branch has it, and whether its checks pass there.

import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../base/errors.js";
import { type CheckSettings, runChecks } from "../../machine/checks/run-checks.js";
import { git } from "../../machine/git/git.js";
import { contains, missingFrom } from "../../machine/git/merge.js";
import { featureBranch, readRef, shortName } from "../../machine/git/refs.js";
import { findRepository, headCommit } from "../../machine/git/repository.js";
import { changedSubmodules } from "../../machine/git/submodules.js";
import { addWorktree, removeWorktree } from "../../machine/git/worktree.js";
import type { Check, CheckResult } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../base/context.js";
import { requireMainBranch } from "../repository/main-branch.js";

export interface GitBranch {
  readonly name: string;
  readonly tip: string;
}

export type Evidence = ReturnType<typeof gitEvidence>;

const NOTHING: Evidence = {
  commitOf: async () => null,
  branchOf: async () => null,
  branchWith: async () => null,
  mainWith: async () => null,
  check: async () => [],
};

/** How checks run in a tree: in which sandbox, and what of their output is not kept. */
export type CheckedIn = Pick<CheckSettings, "wrap" | "redact">;

/** Brings what git does not keep into a tree of the project, where that is possible. */
export type Equip = (path: string) => Promise<Result<CheckedIn>>;

/** Without a repository nothing is known. */
export const evidenceOf = (context: Context, equip?: Equip): Evidence =>
  findRepository(context.root) === undefined || context.head() === null ? NOTHING : gitEvidence(context, equip);

function gitEvidence(context: Context, equip: Equip | undefined) {
  const { root } = context;
  const main = async (): Promise<GitBranch | null> => {
    const found = await requireMainBranch(context);
    return found.ok ? { name: found.value.name, tip: found.value.commit } : null;
  };
  const own = async (feature: string | null): Promise<GitBranch | null> => {
    if (feature === null) return null;
    const ref = featureBranch(feature);
    const tip = await readRef(root, ref);
    return tip === null ? null : { name: shortName(ref), tip };
  };
  return {
    /** The commit behind a ref such as that of work that was kept. */
    commitOf: (ref: string) => readRef(root, ref),
    /** The feature's own branch, or the main one; null without a repository. */
    branchOf: async (feature: string | null) => (await own(feature)) ?? main(),
    /** The one that has the commit: the feature's own, or the main one. */
    branchWith: async (commit: string, feature: string | null) => {
      for (const branch of [await own(feature), await main()]) {
        if (branch && (await contains(root, branch.tip, commit))) return branch;
      }
      return null;
    },
    /** The main branch, if it has all of them. */
    mainWith: async (commits: readonly string[]) => {
      const branch = await main();
      return branch && (await missingFrom(root, branch.tip, commits)).length === 0 ? branch : null;
    },
    /** Runs checks on a commit, as it is. */
    check: (commit: string, checks: readonly Check[]) => checkOn(context, commit, checks, equip),
  };
}

/**
 * The same evidence with a memory. After `recall` it repeats what it said and asks git nothing more: everybody who wants to write waits
 * for an operation. `isComplete` is false once it was asked something new.
 */
export function rememberEvidence(evidence: Evidence) {
  let isRecalling = false;
  let isComplete = true;
  const remember = <Asked extends readonly unknown[], Said>(ask: (...asked: Asked) => Promise<Said | null>) => {
    const known = new Map<string, Said | null>();
    return async (...asked: Asked): Promise<Said | null> => {
      const key = JSON.stringify(asked);
      if (!known.has(key) && isRecalling) isComplete = false;
      else if (!known.has(key)) known.set(key, await ask(...asked));
      return known.get(key) ?? null;
    };
  };
  return {
    evidence: {
      ...evidence,
      commitOf: remember(evidence.commitOf),
      branchOf: remember(evidence.branchOf),
      branchWith: remember(evidence.branchWith),
      mainWith: remember(evidence.mainWith),
    },
    recall: (): void => {
      isRecalling = true;
    },
    isComplete: () => isComplete,
  };
}

/**
 * In a tree that goes afterwards. Where a tree cannot be equipped, the main checkout will do if it is the very commit: it has
 * what git does not keep.
 */
async function checkOn(context: Context, commit: string, checks: readonly Check[], equip: Equip | undefined) {
  const { root, settings } = context;
  const env = await context.commandEnvironment();
  const run = (cwd: string, how: CheckedIn = {}): Promise<CheckResult[]> =>
    runChecks(checks, { cwd, timeoutS: settings.checkTimeoutS, env, ...how });
  if (equip === undefined && (await isCheckedOut(root, commit))) return run(root);
  const path = await freshPlace(context);
  const added = await addWorktree(root, path, commit);
  try {
    if (!added.ok) return checks.map((check) => notRun(check, `there is no worktree for it: ${added.problem}`));
    const equipped = equip === undefined ? ok({}) : await equip(path);
    if (!equipped.ok) return checks.map((check) => notRun(check, equipped.error.message));
    return await run(path, equipped.value);
  } finally {
    await removeWorktree(root, path);
  }
}

async function isCheckedOut(root: string, commit: string): Promise<boolean> {
  const repository = findRepository(root);
  if (!repository || headCommit(repository) !== commit) return false;
  const { exitCode, stdout } = await git(root, ["status", "--porcelain", "-z", "--untracked-files=no"], {
    drivers: true,
  });
  return exitCode === 0 && stdout === "" && (await changedSubmodules(repository.top)).length === 0;
}

/** Named after the process, so that what a killed one left behind is found and goes. */
async function freshPlace(context: Context): Promise<string> {
  const { root } = context;
  const folder = join(await context.worktreesFolder(), "triage");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    if (!isRunning(Number(name.split("-")[0]))) await removeWorktree(root, join(folder, name));
  }
  for (let i = 1; ; i++) {
    const path = join(folder, `${process.pid}-${i}`);
    if (!existsSync(path)) return path;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

const notRun = ({ run }: Check, problem: string): CheckResult => ({
  run,
  passed: false,
  outcome: `not run: ${problem}`,
  durationMs: 0,
  output: "",
});
