// The submodules of a commit. They come from its tree alone: `.gitmodules`, the index and the files in a worktree are a worker's.

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { leastSettings, settingsText } from "./config-text.js";
import { git, gitOutput, problemOf, settingsOf, splitList, succeeded } from "./git.js";
import { pipesAtTop } from "./pipes.js";
import { forgetOldest, headCommit, isCommit } from "./repository.js";
import {
  gitOverFiles,
  isPlainFolder,
  ownModule,
  ownName,
  rememberIndex,
  requireWorkingTree,
  type WorkingTree,
  withIndex,
} from "./working-tree.js";

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

/** The key is repository and commit: neither ever changes. */
const known = new Map<string, readonly Gitlink[]>();
const COMMITS_REMEMBERED = 200;

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
  forgetOldest(known, COMMITS_REMEMBERED);
  return links;
}

/** What a commit of ours has that changes these paths of its parent: no change of ours adds a submodule. Saves a git. */
export function rememberGitlinks(
  { commonDir }: WorkingTree,
  parent: string,
  commit: string,
  changed: readonly string[],
) {
  const before = known.get(`${commonDir}\0${parent}`);
  const gone = new Set(changed);
  if (before)
    known.set(
      `${commonDir}\0${commit}`,
      before.filter(({ path }) => !gone.has(path)),
    );
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

// How a submodule lies in a worktree. The git that looks has a git folder of its own, made for this one look: it shares only the
// objects with that of the submodule, so nothing that anybody configured there runs.

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
  writeFileSync(join(path, "config"), settingsText(leastSettings(head, plain)));
  writeFileSync(join(path, "HEAD"), `${head}\n`);
}

/** Submodules of a commit, or of the one that is checked out, that are not as they were checked out. Empty if there is no commit. */
export async function changedSubmodules(path: string, commit?: string): Promise<string[]> {
  const tree = requireWorkingTree(path);
  const from = commit ?? headCommit({ ...tree, top: path, main: path });
  const submodules = from === null ? [] : await findSubmodules(tree, from);
  return submodules
    .filter(({ state }) => state.kind === "foreign" || (state.kind === "checked-out" && state.isChanged))
    .map((submodule) => submodule.path);
}

// Submodules in an index. `git add` asks every submodule that the index names for its state, by a git that obeys the settings there.
// So submodules are looked at before and left out of what git adds.

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
  // A worker may have added some, so they only say what git must not look into. An index that git cannot read has none; the next git
  // that needs it says so.
  const listed = await git(tree.path, ["ls-files", "--stage", "-z"], { gitDir: tree.gitDir, index });
  const there = new Map(linksIn(listed.stdout, IN_INDEX).map(({ path, commit }) => [path, commit]));
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
  const args = ["update-index", "-z", "--index-info"];
  await gitOutput(tree.path, args, `git cannot change an index of ${tree.path}`, options);
}

/** For `git add` with what `settleSubmodules` returned. */
export const PATTERNS = "--no-literal-pathspecs";

// Checks out the submodules of a worktree, from the main checkout's copy where there is one, so that no network is needed.

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
    const problem = await initOne(tree, link, name, hasCopy ? copy : undefined);
    if (problem !== undefined) return `the submodule ${link.path} could not be initialised: ${problem}`;
  }
  return undefined;
}

/** `copy`: the main checkout's own. */
async function initOne(tree: WorkingTree, link: Gitlink, name: string, copy: string | undefined) {
  const state = await lookAt(tree, link);
  if (state.kind === "checked-out" && state.head === link.commit && !state.isChanged) return undefined;
  if (state.kind === "gone") return `${join(tree.path, link.path)} is not a folder`;
  if (tree.gitDir !== tree.commonDir) startAfresh(tree, link, name);
  // The URL of the main checkout's copy counts for this call only: the settings are shared by all worktrees.
  const settings = copy === undefined ? {} : { "protocol.file.allow": "always", [`submodule.${name}.url`]: copy };
  const args = ["submodule", "update", "--init", "-f", "--checkout", "--", link.path];
  const updated = await git(tree.path, args, { settings, gitDir: tree.gitDir });
  if (!succeeded(updated)) return problemOf(updated);
  const folder = join(tree.path, link.path);
  const module = isPlainFolder(tree.path, link.path) ? ownModule(tree, folder) : undefined;
  // Later, changes are looked for from here on.
  if (module !== undefined) rememberIndex({ path: folder, gitDir: module, commonDir: module });
  return undefined;
}

/** What an earlier worker left in a worktree of ours, its settings included, goes. The main checkout is never touched. */
function startAfresh({ path, gitDir }: WorkingTree, link: Gitlink, name: string): void {
  const folder = join(path, link.path);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  rmSync(join(gitDir, "modules", name), { recursive: true, force: true });
}
