// Which commits a branch lacks.

import { git, problemOf, succeeded } from "./git.js";
import { findRepository } from "./repository.js";

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
