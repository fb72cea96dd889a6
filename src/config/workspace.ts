// Finds the workspace: from any folder below it, and from any linked worktree of its repository.

import { existsSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { isInside } from "../base/paths.js";
import { findRepository, type Repository } from "../machine/git/repository.js";

export const STORE_FOLDER = ".planwright";
export const STORE_FILE = "plan.db";

export interface Workspace {
  /** The folder that holds `.planwright`. */
  readonly root: string;
  readonly store: string;
  /** Around the current folder; a linked worktree has its own HEAD. */
  readonly repository: Repository | undefined;
}

const at = (root: string, repository: Repository | undefined): Workspace => ({
  root,
  store: `${root}${sep}${STORE_FOLDER}${sep}${STORE_FILE}`,
  repository,
});

/** Where a folder of a linked worktree lies in the main one. */
function inMainTree(folder: string, repository: Repository | undefined): string {
  if (!repository || repository.top === repository.main) return folder;
  return isInside(folder, repository.top) ? resolve(repository.main, relative(repository.top, folder)) : folder;
}

/** The workspace around a folder; undefined if there is none. */
export function findWorkspace(folder: string): Workspace | undefined {
  const repository = findRepository(folder);
  for (let here = resolve(folder); ; here = dirname(here)) {
    const workspace = at(inMainTree(here, repository), repository);
    if (existsSync(workspace.store)) return workspace;
    if (dirname(here) === here) return undefined;
  }
}

/**
 * A path that was typed in a folder, as one of the workspace: in `packages/a`, `src/x.ts` is `packages/a/src/x.ts`. What
 * leads out of the workspace stays as it is, and is refused like any other.
 */
export function pathInWorkspace(folder: string, typed: string): string {
  const workspace = findWorkspace(folder);
  if (!workspace) return typed;
  const here = inMainTree(resolve(folder), workspace.repository);
  const whole = inMainTree(resolve(here, typed), workspace.repository);
  const path = relative(workspace.root, whole);
  if (path === "" || !isInside(whole, workspace.root)) return typed;
  // A slash at the end says that it is a folder.
  return path.split(sep).join("/") + (/[/\\]$/.test(typed) ? "/" : "");
}

/** A plan's folder without its plan: the file was removed. */
export function findLostPlan(folder: string): string | undefined {
  const { root, store } = proposeWorkspace(folder);
  const wasThere = existsSync(`${root}${sep}${STORE_FOLDER}${sep}.gitignore`);
  return wasThere && !existsSync(store) ? store : undefined;
}

/** Where `init` makes one: the top of the main working tree, or the folder itself without git. */
export function proposeWorkspace(folder: string): Workspace {
  const repository = findRepository(folder);
  return at(repository?.main ?? resolve(folder), repository);
}
