// The folder in which an agent of a planning run reads: a worktree at a commit, thrown away with whatever the agent wrote into
// it. Where there is no commit yet, or no git, it holds a copy of the files. Nothing ever comes back into your checkout.

import { constants, lstatSync, mkdirSync } from "node:fs";
import { copyFile, lstat, mkdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { messageOf } from "../../base/errors.js";
import type { Programs } from "../../machine/git/removals.js";
import { findRepository } from "../../machine/git/repository.js";
import { initSubmodules } from "../../machine/git/submodules.js";
import { addWorktree, changedInWorktree, resetWorktree } from "../../machine/git/worktree.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import {
  letGoOfReadingFolder,
  setReadingFolderAside,
  takeReadingFolder,
} from "../../plan/repository/reading-folders.js";
import { type Project, walkFolder } from "../project.js";

export type ReadingFolder = Awaited<ReturnType<typeof openReadingFolder>>;

/** Larger files are not copied: no agent reads them as text. */
const MAX_COPY_BYTES = 5_000_000;

/** What the folder held before the agent came. */
type FolderContents = { readonly commit: string } | { readonly copies: ReadonlyMap<string, string> };

export async function openReadingFolder(context: Context, run: string, programs: Programs) {
  const { root } = context;
  const path = await takeReadingFolder(context, run, programs);
  let laid: FolderContents | undefined;
  return {
    /** Makes it exactly what the project has; where to start an agent. */
    layOut: async (project: Project): Promise<Result<string>> => {
      try {
        laid = await layOut(root, path, project, laid !== undefined);
        return ok(placeIn(root, path));
      } catch (error) {
        const why = messageOf(error).replace(/(?<![.\s])[.\s]*$/, "");
        const message = `Agents need a folder to read in, and ${path} could not be made: ${why}. The setting execution.worktrees names another place.`;
        return refused("no-worktree", message);
      }
    },
    written: async (): Promise<readonly string[]> => (laid === undefined ? [] : writtenIn(path, laid)),
    letGo: (): void => letGoOfReadingFolder(path),
  };
}

/** The workspace may be a folder of its repository. */
function placeIn(root: string, path: string): string {
  const place = join(path, relative(findRepository(root)?.top ?? root, root));
  mkdirSync(place, { recursive: true });
  return place;
}

/** `isOurs`: this process made what is there; otherwise a process that was killed did. */
async function layOut(root: string, path: string, project: Project, isOurs: boolean): Promise<FolderContents> {
  const { commit } = project;
  if (commit !== null && isOurs && (await resetWorktree(path, commit, { keep: [] })).ok) {
    await initSubmodules(path, { network: false });
    return { commit };
  }
  if (lstatSync(path, { throwIfNoEntry: false })) setReadingFolderAside(root, path);
  // Made before git knows of it, so that nobody takes it for one that is gone.
  mkdirSync(path, { recursive: true });
  if (commit === null) return { copies: await copyFiles(root, path, await project.files()) };
  const added = await addWorktree(root, path, commit);
  if (!added.ok) throw new Error(added.problem);
  await initSubmodules(path, { network: false });
  return { commit };
}

const stampOf = async (file: string): Promise<string> => {
  const found = await lstat(file).catch(() => undefined);
  return found ? `${found.mtimeMs} ${found.size} ${found.mode}` : "absent";
};

/** Plain files only: a link may lead anywhere. */
async function copyFiles(from: string, to: string, files: readonly string[]): Promise<Map<string, string>> {
  const copies = new Map<string, string>();
  for (const file of files) {
    const found = await lstat(join(from, file)).catch(() => undefined);
    if (!found?.isFile() || found.size > MAX_COPY_BYTES) continue;
    const copy = join(to, file);
    await mkdir(dirname(copy), { recursive: true });
    // Somebody may delete it at this moment.
    const copied = await copyFile(join(from, file), copy, constants.COPYFILE_FICLONE).then(
      () => true,
      () => false,
    );
    if (copied) copies.set(file, await stampOf(copy));
  }
  return copies;
}

async function writtenIn(path: string, laid: FolderContents): Promise<readonly string[]> {
  // If git cannot tell, the agent broke what git keeps there.
  if ("commit" in laid) return (await changedInWorktree(path, laid.commit)) ?? [".git"];
  const written: string[] = [];
  for (const file of new Set([...laid.copies.keys(), ...(await walkFolder(path))])) {
    if (laid.copies.get(file) !== (await stampOf(join(path, file)))) written.push(file);
  }
  return written.sort();
}
