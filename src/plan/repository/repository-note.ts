// What `init` saw of the repository, kept beside the plan.

import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { findRepository } from "../../machine/git/repository.js";

/** A file and no row of the store: some ask while they read the store, and cannot read it a second time. */
const NOTE = "repository.json";

/** What `init` saw. */
export function notedBranch(folder: string): string | null {
  try {
    const { mainBranch } = JSON.parse(readPlainFile(join(folder, NOTE))) as { mainBranch?: unknown };
    return typeof mainBranch === "string" && mainBranch !== "" ? mainBranch : null;
  } catch {
    return null;
  }
}

/** `init` saw a repository, and there is none now. */
export const hasLostRepository = (root: string): boolean =>
  notedBranch(join(root, ".planwright")) !== null && findRepository(root) === undefined;

/** A later `init` in a repository that has moved on does not change where work lands. */
export function noteMainBranch(folder: string, mainBranch: string | null): void {
  if (mainBranch === null || notedBranch(folder) !== null) return;
  const file = join(folder, NOTE);
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ mainBranch })}\n`);
    renameSync(draft, file);
  } catch {
    // A full disk is reported by what writes the plan. Without the note the branch is found like that of an older plan.
  }
}
