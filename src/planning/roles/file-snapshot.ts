// The files of a working tree at one moment, and the way back to them. Neither the index nor the branch is touched. Ignored
// files are not looked at.

import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseRaw, RAW } from "../../git/diff.js";
import { git, gitOutput, succeeded } from "../../git/git.js";
import { findRepository } from "../../git/repository.js";
import { type WorkingTree, withIndex, workingTreeAt } from "../../git/working-tree.js";

/** The mode of a nested repository: its files are not in the snapshot. */
const REPOSITORY = "160000";
const OURS = /(^|\/)\.planwright\//;

const treeOf = (path: string): WorkingTree | undefined => {
  const top = findRepository(path)?.top;
  return top === undefined ? undefined : workingTreeAt(top);
};

const writeTree = (tree: WorkingTree): Promise<string | undefined> =>
  withIndex(tree, async (index) => {
    const options = { gitDir: tree.gitDir, index };
    if (!succeeded(await git(tree.path, ["add", "--all"], options))) return undefined;
    const written = await git(tree.path, ["write-tree"], options);
    return succeeded(written) ? written.stdout.trim() : undefined;
  });

/** The id of a git tree with every file; undefined where there is no repository. */
export async function snapshotFiles(path: string): Promise<string | undefined> {
  const tree = treeOf(path);
  return tree && writeTree(tree);
}

/** Makes the files those of the snapshot again, and copies what differs to `copies` first. The answer lists what differed. */
export async function restoreSnapshot(path: string, snapshot: string, copies: string): Promise<string[]> {
  const tree = treeOf(path);
  const now = tree && (await writeTree(tree));
  if (!tree || now === undefined || now === snapshot) return [];
  const args = ["diff-tree", "-r", ...RAW, snapshot, now, "--"];
  const listed = await gitOutput(tree.path, args, "git cannot compare the files", { gitDir: tree.gitDir });
  const differing = parseRaw(listed).filter(({ mode, path: file }) => mode !== REPOSITORY && !OURS.test(file));
  for (const { path: file, status } of differing) {
    if (status !== "D") cpSync(join(tree.path, file), join(copies, file), { recursive: true });
    if (status === "A") rmSync(join(tree.path, file), { force: true });
  }
  const back = differing.filter(({ status }) => status !== "A").map(({ path: file }) => file);
  if (back.length > 0) await checkOut(tree, snapshot, back);
  return differing.map(({ path: file }) => file).sort();
}

const checkOut = (tree: WorkingTree, snapshot: string, files: readonly string[]): Promise<void> =>
  withIndex(tree, async (index) => {
    const options = { gitDir: tree.gitDir, index };
    await gitOutput(tree.path, ["read-tree", snapshot], "git cannot read the files as they were", options);
    const input = `${files.join("\0")}\0`;
    await gitOutput(tree.path, ["checkout-index", "-f", "-z", "--stdin"], "git cannot put the files back", {
      ...options,
      input,
    });
  });
