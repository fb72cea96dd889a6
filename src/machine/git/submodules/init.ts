// Checks out the submodules of a worktree, from the main checkout's copy where there is one, so that no network is needed.

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { git, problemOf, succeeded } from "../git.js";
import { headCommit } from "../repository.js";
import { rememberIndex, requireWorkingTree, type WorkingTree } from "../working-tree.js";
import { type Gitlink, gitlinksOf, namesOf } from "./gitlinks.js";
import { lookAt } from "./look.js";
import { isPlainFolder, ownModule } from "./module.js";

/**
 * Checks out every submodule at the commit that the worktree's own commit names; without the network, those that the main checkout
 * has. Returns what went wrong, if anything did.
 */
export async function initSubmodules(worktree: string, { network = true } = {}): Promise<string | undefined> {
  const tree = requireWorkingTree(worktree);
  const head = headCommit({ ...tree, top: worktree, main: worktree });
  const links = head === null ? [] : await gitlinksOf(tree, head);
  if (head === null || links.length === 0) return undefined;
  const names = await namesOf(tree, head);
  for (const link of links) {
    const name = names.get(link.path);
    // Git itself does not know where such a submodule would come from.
    if (name === undefined) continue;
    const copy = join(tree.commonDir, "modules", name);
    const hasCopy = existsSync(copy);
    if (!network && !hasCopy) continue;
    const problem = await initOne(tree, link, { name, copy: hasCopy ? copy : undefined });
    if (problem !== undefined) return `the submodule ${link.path} could not be initialised: ${problem}`;
  }
  return undefined;
}

interface Source {
  readonly name: string;
  /** The main checkout's own. */
  readonly copy: string | undefined;
}

async function initOne(tree: WorkingTree, link: Gitlink, { name, copy }: Source): Promise<string | undefined> {
  const state = await lookAt(tree, link);
  if (state.kind === "checked-out" && state.head === link.commit && !state.isChanged) return undefined;
  if (state.kind === "gone") return `${join(tree.path, link.path)} is not a folder`;
  if (tree.gitDir !== tree.commonDir) startAfresh(tree, link, name);
  // The URL of the main checkout's copy counts for this call only: the settings are shared by all worktrees.
  const settings = copy === undefined ? {} : { "protocol.file.allow": "always", [`submodule.${name}.url`]: copy };
  const args = ["submodule", "update", "--init", "-f", "--checkout", "--", link.path];
  const updated = await git(tree.path, args, { settings, gitDir: tree.gitDir });
  if (!succeeded(updated)) return problemOf(updated);
  remember(tree, link);
  return undefined;
}

/** What an earlier worker left in a worktree of ours, its settings included, goes. The main checkout is never touched. */
function startAfresh({ path, gitDir }: WorkingTree, link: Gitlink, name: string): void {
  const folder = join(path, link.path);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  rmSync(join(gitDir, "modules", name), { recursive: true, force: true });
}

/** Later, changes are looked for from here on. */
function remember(tree: WorkingTree, { path }: Gitlink): void {
  const folder = join(tree.path, path);
  const module = isPlainFolder(tree.path, path) ? ownModule(tree, folder) : undefined;
  if (module !== undefined) rememberIndex({ path: folder, gitDir: module, commonDir: module });
}
