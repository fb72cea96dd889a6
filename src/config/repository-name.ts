// By what trust knows a repository: its first commit, wherever the repository lies and whatever the folder is called. Decision 41 says
// what that means for forks, shallow clones and several first commits.

import { statSync } from "node:fs";
import { join, relative } from "node:path";
import { isRecord } from "../base/json.js";
import { realPath } from "../base/paths.js";
import { findPlainFile } from "../base/plain-file.js";
import { askGit } from "../machine/git/ask-git.js";
import { findRepository, headCommit, isCommit, type Repository } from "../machine/git/repository.js";
import type { Environment } from "../machine/process/environment.js";
import { ownFile, writeOwnFile } from "./state-folder.js";

export interface RepositoryName {
  /** Undefined if git cannot tell the first commit: then nothing is trusted. */
  readonly name: string | undefined;
  /** What it was called before it had a commit. */
  readonly before: string;
}

export function nameRepository(root: string, env: Environment): RepositoryName {
  const repository = findRepository(root);
  if (repository === undefined) return { name: folderName(root), before: folderName(root) };
  const before = folderName(repository.gitDir);
  const head = headCommit(repository);
  if (head === null) return { name: before, before };
  const first = firstCommit(root, env, head, repository);
  // A workspace may be a folder of its repository.
  const inside = relative(realPath(repository.top), realPath(root));
  return { name: first === undefined || inside === "" ? first : `${first}:${inside}`, before };
}

/** This very folder, and not another one that takes its place. */
function folderName(path: string): string {
  const { dev, ino, birthtimeMs } = statSync(path);
  return `folder:${dev}:${ino}:${birthtimeMs}`;
}

/** The oldest of the first parents; in a shallow clone, the oldest that is there. */
function firstCommit(
  root: string,
  env: Environment,
  head: string,
  { commonDir, gitDir }: Repository,
): string | undefined {
  const path = ownFile(root, env, "first-commits.json");
  const known = path === undefined ? {} : readKnown(path);
  // It changes only when a shallow clone gets more commits, or fewer.
  const shallow = findPlainFile(join(commonDir, "shallow"));
  const key =
    shallow === undefined
      ? head
      : `${head} ${process.getBuiltinModule("node:crypto").createHash("sha256").update(shallow).digest("hex")}`;
  const found = known[key] ?? askGit(gitDir, ["rev-list", "--first-parent", "--max-parents=0", head])?.trim();
  if (found === undefined || !isCommit(found)) return undefined;
  if (path !== undefined && known[key] === undefined) {
    const kept = [...Object.entries(known), [key, found]].slice(-MOST_KNOWN);
    writeOwnFile(path, `${JSON.stringify(Object.fromEntries(kept))}\n`);
  }
  return found;
}

const MOST_KNOWN = 200;

function readKnown(path: string): Readonly<Record<string, string>> {
  try {
    const known: unknown = JSON.parse(findPlainFile(path) ?? "{}");
    return isRecord(known) ? (known as Record<string, string>) : {};
  } catch {
    return {};
  }
}
