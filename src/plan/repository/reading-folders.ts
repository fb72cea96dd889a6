// Folders in which agents that plan read: outside of your checkout, one for each run. A run always gets the same path, because
// some agents find a conversation again only in the folder where it began. Whoever looks next removes what no run uses any more.

import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { namesInFolder } from "../../base/paths.js";
import { type Programs, waitForRemovals, whileRemoving } from "../../machine/git/removals.js";
import { findRepository } from "../../machine/git/repository.js";
import { pruneWorktrees, setWorktreeAside } from "../../machine/git/worktree.js";
import { isDriven } from "../../model/item/planning-run.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";

/** The folder of a run, and the note that git's part of this program keeps beside it. */
const OF_RUN = /^(RUN-\d+)(?:\.repository)?$/;
const ASIDE = /^gone-/;

/** Folders that this very process uses: it does not count itself among the living. */
const inUse = new Set<string>();

const readingFolders = async (context: Context): Promise<string> => join(await context.worktreesFolder(), "planning");

/** The path of a run's folder, which nobody removes until it is let go. The run is driven by this process already. */
export async function takeReadingFolder(context: Context, run: string, programs: Programs): Promise<string> {
  const folder = await readingFolders(context);
  const path = join(folder, run);
  inUse.add(path);
  await waitForRemovals(folder, programs);
  return path;
}

export const letGoOfReadingFolder = (path: string): void => void inUse.delete(path);

/** Moves it away at once, whatever its size, and makes git forget it. */
export function setReadingFolderAside(root: string, path: string): void {
  const to = join(dirname(path), `gone-${randomBytes(6).toString("hex")}-${basename(path)}`);
  if (!findRepository(root)) renameSync(path, to);
  else {
    const moved = setWorktreeAside(root, path, to);
    if (!moved.ok) throw new Error(`${path} could not be removed: ${moved.problem}`);
  }
}

/** What programs that were killed left behind, as full paths. */
export async function abandonedReadingFolders(
  context: Context,
  reader: Reader,
  isAlive: Programs["isAlive"],
): Promise<string[]> {
  const folder = await readingFolders(context);
  const found: string[] = [];
  const names = namesInFolder(folder);
  for (const name of names) {
    const key = OF_RUN.exec(name)?.[1];
    // The note goes with its folder.
    if (key !== undefined && name !== key && names.includes(key)) continue;
    const run = key === undefined ? undefined : await reader.item("run", key);
    const isFree = key !== undefined && !inUse.has(join(folder, key));
    const isUnused = isFree && (run === undefined || !isDriven(run.fields, context.now(), isAlive));
    if (isUnused || ASIDE.test(name)) found.push(join(folder, name));
  }
  return found;
}

/** Removes the folders that no run uses, and what git knows of them. */
export async function removeReadingFolders(context: Context, programs: Programs): Promise<void> {
  const folder = await readingFolders(context);
  const find = (reader: Reader): Promise<string[]> => abandonedReadingFolders(context, reader, programs.isAlive);
  if (namesInFolder(folder).length > 0 && (await context.store.read(find)).length > 0) {
    await whileRemoving(folder, programs, async () => {
      for (const path of await context.store.read(find)) removeOne(context.root, path);
    });
    for (const name of namesInFolder(folder).filter((each) => ASIDE.test(each))) {
      rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 3 });
    }
  }
  await pruneWorktrees(context.root, folder);
}

function removeOne(root: string, path: string): void {
  if (path.endsWith(".repository")) rmSync(path, { force: true });
  else if (!ASIDE.test(basename(path)) && existsSync(path)) setReadingFolderAside(root, path);
}
