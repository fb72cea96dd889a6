// The user's own git settings, as git has them without what this program sets for its own calls.

import { join, relative, resolve } from "node:path";
import { isInside } from "../../base/paths.js";
import { isExecutable } from "../process/environment.js";
import { git, linesOf, succeeded } from "./git.js";
import { findRepository } from "./repository.js";

/** The value that counts for the user. Null if it is not set. */
export async function userConfig(
  cwd: string,
  key: string,
  type: "bool" | "path" | null = null,
): Promise<string | null> {
  const typed = type === null ? [] : [`--type=${type}`];
  const asked = await git(cwd, ["config", "--show-scope", ...typed, "--get-all", key], { hooks: true });
  if (!succeeded(asked)) return null;
  const values = linesOf(asked.stdout).filter((line) => !line.startsWith("command\t"));
  return values.at(-1)?.replace(/^\w+\t/, "") ?? null;
}

// The user's hooks: where they are, and which of those that look at commits may run.

const COMMIT_HOOKS = ["pre-commit", "commit-msg", "pre-merge-commit"] as const;
export type CommitHook = (typeof COMMIT_HOOKS)[number];

/** `inProject`: the folder's path in the working tree, if it is a part of the project: then work may change it. */
export async function findHooks(root: string) {
  const repository = findRepository(root);
  const top = repository?.top ?? root;
  const set = await userConfig(root, "core.hooksPath", "path");
  const folder = set === null ? join(repository?.commonDir ?? root, "hooks") : resolve(top, set);
  const inside = relative(top, folder);
  const isOutside = !isInside(folder, top) || isInside(folder, join(top, ".git")) || repository?.commonDir === top;
  const names = COMMIT_HOOKS.filter((name) => isExecutable(join(folder, name)));
  return { folder, names, inProject: isOutside ? null : inside };
}
