// A commit with some files as another one has them: to run checks with the old tests, or with only the new ones.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { gitOutput, splitList } from "./git.js";
import { commitTree } from "./merge.js";
import { ownName, requireWorkingTree } from "./working-tree.js";

export interface FilesFrom {
  readonly from: string;
  /** Those that are not in that commit are left out. */
  readonly paths: readonly string[];
}

/** How many paths fit on one command line. */
const AT_ONCE = 200;

/** The commit is on no branch. */
export async function commitWith(root: string, commit: string, { from, paths }: FilesFrom): Promise<string> {
  const index = ownName(join(requireWorkingTree(root).gitDir, "planwright-mixed"));
  const ask = (args: readonly string[], input?: string): Promise<string> =>
    gitOutput(root, args, `git cannot put files of ${from} into ${commit}`, {
      index,
      ...(input !== undefined && { input }),
    });
  try {
    await ask(["read-tree", commit]);
    const there = new Map<string, string>();
    for (let i = 0; i < paths.length; i += AT_ONCE) {
      const listed = await ask(["ls-tree", "-r", "-z", "--full-tree", from, "--", ...paths.slice(i, i + AT_ONCE)]);
      for (const entry of splitList(listed)) there.set(entry.slice(entry.indexOf("\t") + 1), entry);
    }
    const gone = paths.filter((path) => !there.has(path)).map((path) => `0 ${"0".repeat(commit.length)}\t${path}\0`);
    // What goes makes room: a folder may be where a file was.
    await ask(
      ["update-index", "-z", "--index-info"],
      [...gone, ...[...there.values()].map((entry) => `${entry}\0`)].join(""),
    );
    const tree = (await ask(["write-tree"])).trim();
    return await commitTree(root, tree, [commit], "Checks with other files\n");
  } finally {
    rmSync(index, { force: true });
    rmSync(`${index}.lock`, { force: true });
  }
}
