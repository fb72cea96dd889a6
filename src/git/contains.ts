// Does the main branch contain these commits?

import { git } from "./git.js";
import { readRef } from "./refs.js";
import { findRepository, headBranch } from "./repository.js";

/** The branch that work lands on: `main`, else `master`, else what is checked out. */
export async function mainBranch(cwd: string): Promise<string> {
  for (const branch of ["main", "master"]) {
    if ((await readRef(cwd, `refs/heads/${branch}`)) !== null) return branch;
  }
  return "HEAD";
}

/** Its full name; null if there is none to move, because nothing is checked out by name. */
export async function mainRef(cwd: string): Promise<string | null> {
  const branch = await mainBranch(cwd);
  if (branch !== "HEAD") return `refs/heads/${branch}`;
  const repository = findRepository(cwd);
  return repository === undefined ? null : headBranch({ ...repository, gitDir: repository.commonDir });
}

/** How many commits fit on one command line with room to spare. */
const AT_ONCE = 500;

/** Those that are missing from the branch, or unknown to the repository. */
export async function missingFrom(cwd: string, branch: string, commits: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (let i = 0; i < commits.length; i += AT_ONCE) {
    const batch = commits.slice(i, i + AT_ONCE);
    const { exitCode, stdout } = await git(cwd, ["rev-list", "--no-walk=unsorted", ...batch, "--"]);
    const known = new Set(exitCode === 0 ? stdout.split("\n") : []);
    const outside = await git(cwd, ["rev-list", ...batch.filter((commit) => known.has(commit)), `^${branch}`, "--"]);
    const absent = new Set(outside.stdout.split("\n"));
    missing.push(...batch.filter((commit) => !known.has(commit) || absent.has(commit)));
  }
  return missing;
}
