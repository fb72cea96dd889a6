// After what only a person may do, after runs, and now and then while a daemon runs: notes the end of the log in git, so that
// `verify` knows if the log was rewritten, and makes the backup of the day.

import { noteLogHead } from "../../machine/git/log-head.js";
import { findRepository } from "../../machine/git/repository.js";
import type { Environment } from "../../machine/process/environment.js";
import type { Context } from "../../plan/base/context.js";
import { makeDailyBackup } from "./backups.js";

/** A note that could not be made is made next time. */
export async function keepSafe(context: Context, env: Environment, onNotice?: (notice: string) => void): Promise<void> {
  const { store, root } = context;
  if (findRepository(root)) {
    const end = await store.read((reader) => reader.link());
    if (end) await noteLogHead(root, end);
  }
  await makeDailyBackup(context, env, onNotice);
}
