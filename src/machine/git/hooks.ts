// The user's hooks: where they are, and which of those that look at commits may run.

import { accessSync, constants, existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { findRepository } from "./repository.js";
import { userConfig } from "./user-config.js";

const COMMIT_HOOKS = ["pre-commit", "commit-msg", "pre-merge-commit"] as const;
export type CommitHook = (typeof COMMIT_HOOKS)[number];

export interface CommitHooks {
  readonly folder: string;
  readonly names: readonly CommitHook[];
  /** The folder's path in the working tree, if it is a part of the project: then work may change it. */
  readonly inProject: string | null;
}

export async function findHooks(root: string): Promise<CommitHooks> {
  const repository = findRepository(root);
  const top = repository?.top ?? root;
  const set = await userConfig(root, "core.hooksPath", "path");
  const folder = set === null ? join(repository?.commonDir ?? root, "hooks") : resolve(top, set);
  const inside = relative(top, folder);
  const isOutside =
    inside.startsWith("..") || inside === ".git" || inside.startsWith(".git/") || repository?.commonDir === top;
  const names = COMMIT_HOOKS.filter((name) => mayRun(join(folder, name)));
  return { folder, names, inProject: isOutside ? null : inside };
}

function mayRun(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
