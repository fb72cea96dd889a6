// The main branch, and which commits it lacks.

import { git, problemOf, succeeded } from "./git.js";
import { readRef } from "./refs.js";
import { findRepository, headBranch } from "./repository.js";

/** The branch that work lands on: `main`, else `master`, else the checked-out one. */
export async function mainBranch(cwd: string): Promise<string> {
  for (const branch of ["main", "master"]) {
    if ((await readRef(cwd, `refs/heads/${branch}`)) !== null) return branch;
  }
  return "HEAD";
}

/** Its full name. Null if no branch is checked out. */
export async function mainRef(cwd: string): Promise<string | null> {
  const branch = await mainBranch(cwd);
  if (branch !== "HEAD") return `refs/heads/${branch}`;
  const repository = findRepository(cwd);
  return repository === undefined ? null : headBranch({ ...repository, gitDir: repository.commonDir });
}

/** How many commits fit on one command line. */
const AT_ONCE = 500;

/** What git says about an unknown name. Other failures mean that it could not look. */
const UNKNOWN = /bad (revision|object)|unknown revision/i;

/** Null if one of the names is unknown, or if there is no repository. */
async function revisions(cwd: string, args: readonly string[]): Promise<Set<string> | null> {
  const result = await git(cwd, ["rev-list", ...args, "--"]);
  if (succeeded(result)) return new Set(result.stdout.split("\n"));
  if (UNKNOWN.test(result.output) || !findRepository(cwd)) return null;
  throw new Error(`git cannot look at the commits of ${cwd}: ${problemOf(result)}`);
}

/** The commits that the branch lacks or the repository does not know. All of them if there is no such branch. */
export async function missingFrom(cwd: string, branch: string, commits: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (let i = 0; i < commits.length; i += AT_ONCE) {
    const batch = commits.slice(i, i + AT_ONCE);
    const known = await revisions(cwd, ["--no-walk=unsorted", ...batch]);
    const absent = known && (await revisions(cwd, [...batch, `^${branch}`]));
    missing.push(...batch.filter((commit) => !known?.has(commit) || !absent || absent.has(commit)));
  }
  return missing;
}
