// Does the main branch contain these commits?

import { run } from "../process/run.js";

const git = (cwd: string, args: readonly string[]) => run({ command: "git", args, cwd, timeoutMs: 60_000 });

/** The branch that work lands on: `main`, else `master`, else what is checked out. */
export async function mainBranch(cwd: string): Promise<string> {
  for (const branch of ["main", "master"]) {
    const { exitCode } = await git(cwd, ["rev-parse", "--verify", "--quiet", `refs/heads/${branch}`]);
    if (exitCode === 0) return branch;
  }
  return "HEAD";
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
