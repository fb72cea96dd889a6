// Submodules of a worktree. They are checked out from the main checkout's copy where there is one, so that no network is
// needed. What a worker changes inside of one is no part of any commit, so it is found and refused.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { git, problemOf, splitList, succeeded } from "./git.js";
import { findRepository, repositoryAt } from "./repository.js";

interface Submodule {
  readonly name: string;
  readonly path: string;
}

async function submodulesOf(worktree: string): Promise<Submodule[]> {
  if (!existsSync(join(worktree, ".gitmodules"))) return [];
  const args = ["config", "-z", "--file", ".gitmodules", "--get-regexp", String.raw`^submodule\..*\.path$`];
  const asked = await git(worktree, args);
  return splitList(asked.stdout).flatMap((entry) => {
    const [key = "", path = ""] = entry.split("\n");
    return path === "" ? [] : [{ name: key.slice("submodule.".length, -".path".length), path }];
  });
}

/**
 * Checks out every submodule at the commit that the worktree names; without the network, those that the main checkout has. Returns
 * what went wrong, if anything did.
 */
export async function initSubmodules(worktree: string, { network = true } = {}): Promise<string | undefined> {
  for (const { name, path } of await submodulesOf(worktree)) {
    const copy = join(findRepository(worktree)?.commonDir ?? "", "modules", name);
    if (!network && !existsSync(copy)) continue;
    // The URL of the main checkout's copy counts for this call only: the settings are shared by all worktrees.
    const from = existsSync(copy) ? ["-c", "protocol.file.allow=always", "-c", `submodule.${name}.url=${copy}`] : [];
    const updated = await git(worktree, [...from, "submodule", "update", "--init", "-f", "--", path]);
    if (!succeeded(updated)) return `the submodule ${path} could not be initialised: ${problemOf(updated)}`;
  }
  return undefined;
}

/** Submodules in which something differs from the commit that the worktree names. */
export async function changedSubmodules(worktree: string): Promise<string[]> {
  const changed: string[] = [];
  for (const { path } of await submodulesOf(worktree)) {
    const folder = join(worktree, path);
    const repository = repositoryAt(folder);
    if (!repository) continue;
    const asked = await git(folder, ["status", "--porcelain", "-z", "--ignore-submodules=all"], {
      gitDir: repository.gitDir,
    });
    if (!succeeded(asked) || asked.stdout !== "") changed.push(path);
  }
  return changed;
}
