// How a submodule lies in a worktree. The git that looks has a git folder of its own, made for this one look: it shares only the
// objects with that of the submodule, so nothing that anybody configured there runs.

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settingsOf, succeeded } from "../git.js";
import { pipesAtTop } from "../pipes.js";
import { headCommit } from "../repository.js";
import { gitOverFiles } from "../worker-traps.js";
import { ownName, requireWorkingTree, type WorkingTree, withIndex } from "../working-tree.js";
import { type Gitlink, gitlinksOf } from "./gitlinks.js";
import { isPlainFolder, ownModule } from "./module.js";

export type SubmoduleState =
  /** There is no such folder: it was removed, or something else is there. */
  | { readonly kind: "gone" }
  /** An empty folder: it is not checked out. */
  | { readonly kind: "empty" }
  /** Files without a repository. */
  | { readonly kind: "files" }
  /** A repository that git itself did not put there, or something that we may not read. */
  | { readonly kind: "foreign" }
  /** `head`: the commit that is checked out. `isChanged`: the files differ from it. */
  | { readonly kind: "checked-out"; readonly head: string; readonly isChanged: boolean };

export async function lookAt(tree: WorkingTree, { path, commit }: Gitlink): Promise<SubmoduleState> {
  if (!isPlainFolder(tree.path, path)) return { kind: "gone" };
  const folder = join(tree.path, path);
  const names = namesIn(folder);
  if (names?.length === 0) return { kind: "empty" };
  const module = ownModule(tree, folder);
  if (module === undefined) return { kind: names?.includes(".git") === false ? "files" : "foreign" };
  const inside = { path: folder, gitDir: module, commonDir: module };
  const head = headCommit({ ...inside, top: folder, main: folder }) ?? commit;
  return { kind: "checked-out", head, isChanged: await isChanged(tree, inside, head) };
}

function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

const STATUS = ["status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=all"];

async function isChanged(tree: WorkingTree, inside: WorkingTree, head: string): Promise<boolean> {
  if (pipesAtTop(inside.path).length > 0) return true;
  const gitDir = ownName(join(tree.gitDir, "planwright-look"));
  const objects = join(inside.gitDir, "objects");
  try {
    makeGitFolder(gitDir, head, (await settingsOf(tree.path, tree.gitDir)).plain);
    const asked = await withIndex(inside, (index) =>
      gitOverFiles({ ...inside, gitDir }, STATUS, { index, objects }, () => {
        throw new Error(`${inside.path} has a pipe where git reads a file`);
      }),
    );
    return !succeeded(asked) || asked.stdout !== "";
  } catch {
    // What cannot be looked at must not pass for unchanged.
    return true;
  } finally {
    rmSync(gitDir, { recursive: true, force: true });
  }
}

/** The least that git takes for a repository, at a commit. */
function makeGitFolder(path: string, head: string, plain: Readonly<Record<string, string>>): void {
  for (const name of ["objects", "refs"]) mkdirSync(join(path, name), { recursive: true });
  const isLong = head.length === 64;
  const core = Object.entries(plain).map(
    ([name, value]) => `\t${name.slice("core.".length)} = ${JSON.stringify(value)}`,
  );
  const lines = ["[core]", `\trepositoryformatversion = ${isLong ? 1 : 0}`, "\tbare = false", ...core];
  if (isLong) lines.push("[extensions]", "\tobjectformat = sha256");
  writeFileSync(join(path, "config"), `${lines.join("\n")}\n`);
  writeFileSync(join(path, "HEAD"), `${head}\n`);
}

/** Submodules of a commit, or of the one that is checked out, that are not as they were checked out. Empty if there is no commit. */
export async function changedSubmodules(path: string, commit?: string): Promise<string[]> {
  const tree = requireWorkingTree(path);
  const from = commit ?? headCommit({ ...tree, top: path, main: path });
  const changed: string[] = [];
  for (const link of from === null ? [] : await gitlinksOf(tree, from)) {
    const state = await lookAt(tree, link);
    if (state.kind === "foreign" || (state.kind === "checked-out" && state.isChanged)) changed.push(link.path);
  }
  return changed;
}
