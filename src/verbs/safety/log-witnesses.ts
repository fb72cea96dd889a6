// What knows how far the log of a plan went, outside of its own folder: the note in git, and the backups.

import { readLogHead } from "../../machine/git/housekeeping/log-head.js";
import { findRepository } from "../../machine/git/repository.js";
import type { Environment } from "../../machine/process/environment.js";
import { identityIn } from "../../store/dialects/sqlite/plan-identity.js";
import type { LogWitness } from "../../store/log-witness.js";
import { backupFiles } from "./backups.js";

/** Each takes a millisecond, and the newest knows the most. */
const BACKUPS_ASKED = 10;

/** `first`: of the plan at hand. Backups of another plan, which was here before, say nothing about it. */
export async function logWitnesses(
  root: string,
  env: Environment | undefined,
  first: string | undefined,
): Promise<LogWitness[]> {
  const noted = findRepository(root) ? await readLogHead(root) : null;
  const backups = (env ? backupFiles(root, env) : []).slice(0, BACKUPS_ASKED).flatMap(({ file }): LogWitness[] => {
    const found = identityIn(file);
    return found && found.first === first ? [{ ...found, source: `the backup ${file}` }] : [];
  });
  return [...(noted ? [{ ...noted, source: "the git repository" }] : []), ...backups];
}
