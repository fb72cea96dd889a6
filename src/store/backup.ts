// Whole copies of the plan's file. A copy gets its name when it is complete.

import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { messageOf } from "../base/errors.js";
import type { Database } from "./database.js";
import { StoreFault } from "./fault.js";

export async function backUpTo(db: Pick<Database, "copyTo">, file: string): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(partial, { force: true });
    // Before the plan is in it: nobody else may read it.
    closeSync(openSync(partial, "wx", 0o600));
    await db.copyTo(partial);
    renameSync(partial, file);
  } catch (error) {
    removeQuietly(partial);
    const message = `The backup ${file} cannot be made: ${messageOf(error)}. Nothing was changed. Free some disk space, or make the folder writable.`;
    throw new StoreFault({ kind: "refused", reason: "no-backup", message }, error);
  }
}

function removeQuietly(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The folder is not one, or not ours: there is nothing of us in it.
  }
}
