// Puts all files of a working tree into an index. `git add` asks every submodule that the index names for its state, by a git that
// obeys the settings there. So submodules are looked at before (`submodules/look.ts`) and left out of what git adds.

import { gitOutput } from "./git.js";
import { type Gitlink, gitlinksIn, gitlinksOf } from "./submodules/gitlinks.js";
import { lookAt, type SubmoduleState } from "./submodules/look.js";
import type { WorkingTree } from "./working-tree.js";

export interface FoundSubmodule extends Gitlink {
  readonly state: SubmoduleState;
}

/** The submodules of a commit, as they lie in the working tree. */
export async function findSubmodules(tree: WorkingTree, commit: string): Promise<FoundSubmodule[]> {
  const found: FoundSubmodule[] = [];
  for (const link of await gitlinksOf(tree, commit)) found.push({ ...link, state: await lookAt(tree, link) });
  return found;
}

/** Of a submodule that is there, the commit that an index should have. Undefined if its folder is to be added like any other. */
export type CommitFor = (submodule: FoundSubmodule) => string | undefined;

/** The commit that is checked out, or the one that is recorded where none is. */
export const checkedOut: CommitFor = ({ commit, state }) => (state.kind === "checked-out" ? state.head : commit);

/**
 * Makes an index name the submodules of a commit and no others. Returns what `git add --all` needs after it to look into none of
 * them; the pathspecs in it are not literal.
 */
export async function settleSubmodules(
  tree: WorkingTree,
  index: string,
  submodules: readonly FoundSubmodule[],
  commitFor: CommitFor,
): Promise<readonly string[]> {
  const wanted = new Map<string, string>();
  // Git notices by itself that a folder is gone, and cannot look into it.
  const gone = new Set(submodules.filter(({ state }) => state.kind === "gone").map(({ path }) => path));
  for (const each of submodules) {
    const commit = gone.has(each.path) ? undefined : commitFor(each);
    if (commit !== undefined) wanted.set(each.path, commit);
  }
  const there = new Map((await gitlinksIn(tree, index)).map(({ path, commit }) => [path, commit]));
  const lines = [
    ...[...there]
      .filter(([path]) => !wanted.has(path) && !gone.has(path))
      .map(([path, commit]) => removal(path, commit)),
    ...[...wanted].filter(([path, commit]) => there.get(path) !== commit).map(([path, commit]) => entry(path, commit)),
  ];
  await updateIndex(tree, index, lines);
  return wanted.size === 0 ? [] : ["--", ".", ...[...wanted.keys()].map((path) => `:(exclude,literal)${path}`)];
}

const entry = (path: string, commit: string): string => `160000 ${commit}\t${path}\0`;

/** The mode 0 takes an entry out of an index. */
const removal = (path: string, commit: string): string => `0 ${"0".repeat(commit.length)}\t${path}\0`;

export async function updateIndex(tree: WorkingTree, index: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  const options = { gitDir: tree.gitDir, index, input: lines.join("") };
  await gitOutput(
    tree.path,
    ["update-index", "-z", "--index-info"],
    `git cannot change an index of ${tree.path}`,
    options,
  );
}

/** For `git add` with what `settleSubmodules` returned. */
export const PATTERNS = "--no-literal-pathspecs";
