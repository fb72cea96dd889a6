// The submodules of a commit. They come from its tree alone: `.gitmodules`, the index and the files in a worktree are a worker's.

import { git, gitOutput, splitList } from "../git.js";
import { isCommit } from "../repository.js";
import type { WorkingTree } from "../working-tree.js";

export interface Gitlink {
  readonly path: string;
  /** The commit of the submodule. */
  readonly commit: string;
}

/** How `ls-tree` and `ls-files --stage` list a submodule. */
const IN_TREE = /(?:^|\0)160000 commit ([0-9a-f]+)\t([^\0]+)/g;
const IN_INDEX = /(?:^|\0)160000 ([0-9a-f]+) \d\t([^\0]+)/g;

const linksIn = (list: string, pattern: RegExp): Gitlink[] =>
  [...list.matchAll(pattern)].map(([, commit = "", path = ""]) => ({ path, commit }));

/** By repository and commit: neither ever changes. */
const known = new Map<string, readonly Gitlink[]>();
const MOST_KNOWN = 200;

export async function gitlinksOf(
  { path, gitDir, commonDir }: WorkingTree,
  commit: string,
): Promise<readonly Gitlink[]> {
  const key = `${commonDir}\0${commit}`;
  const found = known.get(key);
  if (found) return found;
  const args = ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit];
  const links = linksIn(await gitOutput(path, args, `git cannot list the files of ${commit}`, { gitDir }), IN_TREE);
  if (isCommit(commit)) known.set(key, links);
  for (const oldest of known.keys()) {
    if (known.size <= MOST_KNOWN) break;
    known.delete(oldest);
  }
  return links;
}

/** Those of an index. A worker may have added some, so they only say what git must not look into. */
export async function gitlinksIn({ path, gitDir }: WorkingTree, index: string): Promise<readonly Gitlink[]> {
  // An index that git cannot read has none; the next git that needs it says so.
  return linksIn((await git(path, ["ls-files", "--stage", "-z"], { gitDir, index })).stdout, IN_INDEX);
}

/** A name is a path below `modules` of the repository, and must not lead out of there. */
const isSound = (name: string): boolean =>
  name !== "" && !name.split("/").some((step) => step === "" || step === "." || step === ".." || step === ".git");

/** By path: the names that `.gitmodules` of the commit gives to its submodules. */
export async function namesOf({ path, gitDir }: WorkingTree, commit: string): Promise<ReadonlyMap<string, string>> {
  const key = String.raw`^submodule\..*\.path$`;
  const asked = await git(path, ["config", "-z", "--blob", `${commit}:.gitmodules`, "--get-regexp", key], { gitDir });
  const names = splitList(asked.stdout).map((entry): [string, string] => {
    const [name = "", at = ""] = entry.split("\n");
    return [at, name.slice("submodule.".length, -".path".length)];
  });
  return new Map(names.filter(([, name]) => isSound(name)));
}
