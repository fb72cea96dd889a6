// What a worker has changed: the difference between a commit and the files in its worktree. The worker's own commits, its
// index and its HEAD do not matter. Only the files count.

import { rmSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { statOf } from "./files.js";
import { type GitOptions, gitOutput, problemOf, settingsOf, splitList, succeeded } from "./git.js";
import { commitTree } from "./merge.js";
import { pipesAtTop, pipesSentence } from "./pipes.js";
import { headCommit } from "./repository.js";
import {
  type CommitFor,
  checkedOut,
  type FoundSubmodule,
  findSubmodules,
  PATTERNS,
  rememberGitlinks,
  settleSubmodules,
  updateIndex,
} from "./submodules.js";
import { gitOverFiles, mendHead, requireWorkingTree, type WorkingTree, withIndex } from "./working-tree.js";

export interface Entry {
  readonly path: string;
  /** A: added, M: modified, T: changed its type, D: deleted. */
  readonly status: string;
  readonly mode: string;
  readonly blob: string;
}

/** The commits of submodules count, what lies in them does not. */
export const RAW = ["--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty"];

/** Reads `:100644 100644 <blob> <blob> M`, then the path, each ended by a zero byte. */
export function parseRaw(output: string): Entry[] {
  const parts = output.split("\0");
  const entries: Entry[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [, mode = "", , blob = "", status = ""] = (parts[i] ?? "").split(" ");
    entries.push({ path: parts[i + 1] ?? "", status, mode, blob });
  }
  return entries;
}

/** What differs between two commits or trees. */
export async function entriesBetween(cwd: string, from: string, to: string, options?: GitOptions): Promise<Entry[]> {
  const args = ["diff-tree", "-r", ...RAW, "--end-of-options", from, to, "--"];
  return parseRaw(await gitOutput(cwd, args, `git cannot compare ${from} and ${to}`, options));
}

/** Cut after `limit` characters. `whole` is false if it was cut. */
export async function diffText(
  cwd: string,
  from: string,
  to: string,
  limit: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const args = ["diff", "--no-color", "--end-of-options", from, to, "--"];
  const text = await gitOutput(cwd, args, `git cannot compare ${from} and ${to}`);
  return { text: text.slice(0, limit), whole: text.length <= limit };
}

/** Paths relative to the top of the worktree, sorted. */
export interface Changes {
  readonly created: readonly string[];
  readonly modified: readonly string[];
  readonly deleted: readonly string[];
}

export type ChangeCommit =
  | { readonly commit: string; readonly tree: string; readonly changes: Changes; readonly bytes: number }
  | { readonly nothing: true }
  | { readonly problem: string };

const LINK = "120000";
const REPOSITORY = "160000";

/** The worker has to fix its files. Any other error is git's. */
class BadChangeSet extends Error {}

const ask = (tree: WorkingTree, args: readonly string[], options: GitOptions = {}): Promise<string> =>
  gitOutput(tree.path, args, `git ${args[0]} failed in ${tree.path}`, { gitDir: tree.gitDir, ...options });

const pathsOf = (entries: readonly Entry[], ...statuses: string[]): string[] =>
  entries.filter(({ status }) => statuses.includes(status)).map(({ path }) => path);

const sortOut = (entries: readonly Entry[]): Changes => ({
  created: pathsOf(entries, "A").sort(),
  modified: pathsOf(entries, "M", "T").sort(),
  deleted: pathsOf(entries, "D").sort(),
});

/** Makes one commit on top of `base` with exactly the change set. The worktree, its index and its branch stay as they are. */
export async function commitChangeSet(
  path: string,
  base: string,
  message: string,
  tooLarge?: TooLarge,
): Promise<ChangeCommit> {
  const tree = requireWorkingTree(path);
  return withIndex(tree, async (index): Promise<ChangeCommit> => {
    const problem = tooLarge && (await largeFiles(tree, index, tooLarge));
    if (problem) return { problem };
    const staged = await stageAll(tree, index, base).catch(problemWith);
    return "problem" in staged ? staged : commitEntries(tree, staged, base, message);
  });
}

/** Why so many files of so many bytes are not taken; null if they are. */
export type TooLarge = (files: number, bytes: number) => string | null;

/** New files are looked at before git reads them: a file of a terabyte would keep it busy for hours. */
async function largeFiles(tree: WorkingTree, index: string, tooLarge: TooLarge): Promise<string | null> {
  const args = [PATTERNS, "ls-files", "--others", "--exclude-standard", "-z"];
  const listed = await gitOverFiles(tree, args, { index }, refusePipes);
  // What is wrong with the folder, the next git says.
  const files = succeeded(listed) ? splitList(listed.stdout).filter((path) => !path.endsWith("/")) : [];
  const sizes = files.map((path) => statOf(join(tree.path, path))?.size ?? 0);
  return tooLarge(
    files.length,
    sizes.reduce((sum, size) => sum + size, 0),
  );
}

/** The same for a tree that is written already. */
export async function changesOf(
  tree: WorkingTree,
  base: string,
  written: string,
  message: string,
): Promise<ChangeCommit> {
  const entries = await entriesBetween(tree.path, base, written, { gitDir: tree.gitDir });
  return commitEntries(tree, { entries, written }, base, message);
}

/** What differs between two commits. */
export const changesBetween = async (root: string, from: string, to: string): Promise<Changes> =>
  sortOut(await entriesBetween(root, from, to));

/** A change that the worker has to fix is data; any other error is git's, and is thrown. */
export function problemWith(error: unknown): { readonly problem: string } {
  if (error instanceof BadChangeSet) return { problem: error.message };
  throw error;
}

interface StagedTree {
  /** What differs from the base. */
  readonly entries: readonly Entry[];
  /** The tree of all files. */
  readonly written: string;
}

async function commitEntries(
  tree: WorkingTree,
  { entries, written }: StagedTree,
  base: string,
  message: string,
): Promise<ChangeCommit> {
  if (entries.length === 0) return { nothing: true };
  const problem = misplaced(entries) ?? (await strayLink(tree, entries)) ?? (await filtered(tree, entries));
  if (problem !== undefined) return { problem };
  const commit = await commitTree(tree.path, written, [base], message, { gitDir: tree.gitDir });
  rememberGitlinks(
    tree,
    base,
    commit,
    entries.map(({ path }) => path),
  );
  return { commit, tree: written, changes: sortOut(entries), bytes: sizeOf(tree.path, entries) };
}

function refusePipes(paths: readonly string[]): void {
  if (paths.length > 0) throw new BadChangeSet(pipesSentence(paths));
}

/** No commit would hold it, and it would be lost with the worktree. */
const changedInside = (path: string): string =>
  `${path} is a submodule, and something in it was changed. Undo that: a change inside of a submodule belongs into its own repository.`;

function refuseInSubmodules({ gitDir, commonDir }: WorkingTree, submodules: readonly FoundSubmodule[]): void {
  for (const { path, state } of submodules) {
    if (state.kind === "foreign") throw new BadChangeSet(ownRepository(path));
    // In the main checkout, nothing is lost with it.
    const isLost = state.kind === "files" && gitDir !== commonDir;
    if (isLost || (state.kind === "checked-out" && state.isChanged)) throw new BadChangeSet(changedInside(path));
  }
}

/** Changed files that a filter of the repository would rewrite. Without it, they would be committed in the wrong form. */
async function filtered(tree: WorkingTree, entries: readonly Entry[]): Promise<string | undefined> {
  const { filters: off } = await settingsOf(tree.path, tree.gitDir);
  const changed = entries.filter(({ status }) => status !== "D").map(({ path }) => path);
  if (off.size === 0 || changed.length === 0) return undefined;
  const input = changed.map((path) => `${path}\0`).join("");
  const found = splitList(await ask(tree, ["check-attr", "-z", "--stdin", "filter"], { input }));
  for (let i = 0; i + 2 < found.length; i += 3) {
    const [path = "", , filter = ""] = found.slice(i, i + 3);
    if (off.has(filter)) {
      return `${path} goes through the git filter "${filter}". Planwright does not run filters on a worker's files. Leave this file as it was.`;
    }
  }
  return undefined;
}

/** Three git commands in one start: starting two less saves 5 ms of an attempt, while nothing else in the engine runs. */
const STAGE = `!stage() { base=$1; shift; git add --all "$@" && git diff-index --cached ${RAW.join(" ")} "$base" -- && git write-tree; }; stage`;

/** Puts all files into the index and the tree. Also lists what differs from the base. Changes inside of submodules are refused or left alone. */
export async function stageAll(
  tree: WorkingTree,
  index: string,
  base: string,
  insideSubmodules: "refuse" | "leave" = "refuse",
): Promise<StagedTree> {
  refusePipes(pipesAtTop(tree.path));
  const submodules = await findSubmodules(tree, base);
  if (insideSubmodules === "refuse") refuseInSubmodules(tree, submodules);
  const leaveOut = await settleSubmodules(tree, index, submodules, checkedOut);
  const args = [PATTERNS, "-c", `alias.planwright-stage=${STAGE}`, "planwright-stage", base, ...leaveOut];
  const result = await gitOverFiles(tree, args, { index }, refusePipes);
  if (succeeded(result)) {
    const listed = result.stdout.lastIndexOf("\0") + 1;
    return { entries: parseRaw(result.stdout.slice(0, listed)), written: result.stdout.slice(listed).trim() };
  }
  const asGit = /invalid path '(.+)'/.exec(result.output)?.[1];
  if (asGit !== undefined) throw new BadChangeSet(likeGit(asGit));
  const nested = /'(.+)\/' does not have a commit checked out/.exec(result.output)?.[1];
  if (nested !== undefined) throw new BadChangeSet(ownRepository(nested));
  // The worker can fix a file that may not be read, but not a full disk.
  throw /permission denied/i.test(result.output) ? new BadChangeSet(problemOf(result)) : new Error(problemOf(result));
}

/** The sizes of the files as they are on the disk: asking git for each would take another start. */
const sizeOf = (path: string, entries: readonly Entry[]): number =>
  entries
    .filter(({ status }) => status !== "D")
    .reduce((sum, entry) => sum + (statOf(join(path, entry.path))?.size ?? 0), 0);

const ownRepository = (path: string): string =>
  `${path} is a git repository of its own. Remove its .git folder, or the whole folder if it is not part of the work.`;

const likeGit = (path: string): string =>
  `${path} would be a part of git's own folder, at least where names are read without regard to case. Remove it.`;

/** Other repositories and files of the plan never belong to a change set. */
function misplaced(entries: readonly Entry[]): string | undefined {
  for (const { path, mode, status } of entries) {
    if (mode === REPOSITORY) return status === "M" ? changedInside(path) : ownRepository(path);
    const parts = path.toLowerCase().split("/");
    if (parts.includes(".git")) {
      return likeGit(path);
    }
    if (parts.includes(".planwright")) {
      return `${path} belongs to the plan. Restore it: the plan is not changed through files.`;
    }
  }
  return undefined;
}

async function strayLink(tree: WorkingTree, entries: readonly Entry[]): Promise<string | undefined> {
  const links = entries.filter(({ mode }) => mode === LINK);
  if (links.length === 0) return undefined;
  const input = links.map(({ blob }) => `${blob}\n`).join("");
  const targets = await ask(tree, ["cat-file", "--batch=%(objectsize)"], { input });
  let rest = Buffer.from(targets);
  for (const { path } of links) {
    const end = rest.indexOf("\n");
    const size = Number(rest.subarray(0, end).toString());
    const target = rest.subarray(end + 1, end + 1 + size).toString();
    if (leadsOut(path, target)) {
      return `${path} is a symbolic link to ${target}, which is outside of the worktree. Link to a path inside, or use a file.`;
    }
    rest = rest.subarray(end + 1 + size + 1);
  }
  return undefined;
}

/** `..` is fine only at the start and not past the top: after a name that is itself a link it could lead anywhere. */
function leadsOut(path: string, target: string): boolean {
  if (/^([/\\]|[a-z]:)/i.test(target)) return true;
  const steps = target.split("/").filter((step) => step !== "" && step !== ".");
  const down = steps.findIndex((step) => step !== "..");
  const [up, names] = down === -1 ? [steps.length, []] : [down, steps.slice(down)];
  return up > path.split("/").length - 1 || names.some((step) => step === ".." || step.toLowerCase() === ".git");
}

/**
 * A commit of all files on top of HEAD, or HEAD if nothing changed. Touches nothing else, except that a broken HEAD
 * becomes `standsOn`.
 */
export async function snapshot(path: string, standsOn?: string): Promise<string> {
  const tree = requireWorkingTree(path);
  if (standsOn !== undefined) mendHead(tree, standsOn);
  const head = headCommit({ top: path, main: path, ...tree });
  return withIndex(tree, async (index) => {
    // If the index cannot be read, start without one. That is only slower.
    await stageWhole(tree, index, head).catch(() => {
      rmSync(index, { force: true });
      return stageWhole(tree, index, head);
    });
    const written = (await ask(tree, ["write-tree"], { index })).trim();
    const known = head === null ? "" : await ask(tree, ["rev-parse", "--verify", "--end-of-options", `${head}^{tree}`]);
    if (head !== null && known.trim() === written) return head;
    const parents = head === null ? [] : [head];
    return commitTree(path, written, parents, "Save uncommitted files\n", { gitDir: tree.gitDir });
  });
}

/** Only a submodule that is as it was checked out needs no saving: its commit says it all. */
const unlessChanged: CommitFor = (submodule) => {
  const { state, commit } = submodule;
  const isSaved = state.kind === "empty" || (state.kind === "checked-out" && !state.isChanged && state.head === commit);
  return isSaved ? commit : undefined;
};

/**
 * Which files are not as in a commit, looked at as a snapshot does: also inside of nested repositories and of submodules. Ignored ones
 * do not count. `base` is the commit that the worktree began from. Touches nothing.
 */
export async function changedSince(path: string, commit: string, base: string): Promise<string[]> {
  const tree = requireWorkingTree(path);
  return withIndex(tree, async (index) => {
    await stageWhole(tree, index, base, refusePipes);
    const args = ["diff-index", "--cached", "--name-only", "--no-renames", "-z", "--end-of-options", commit, "--"];
    return splitList(await ask(tree, args, { index }));
  });
}

/** A pipe has no content that could be kept. */
function removePipes({ path }: WorkingTree, pipes: readonly string[]): void {
  // Those in git's own folder are not of the worktree.
  const inTree = pipes.filter((each) => !each.startsWith(".git/") && !isAbsolute(each));
  for (const each of inTree) rmSync(join(path, each), { force: true });
}

/** Stages files of nested repositories, too: git alone would record only their commit. */
async function stageWhole(
  tree: WorkingTree,
  index: string,
  head: string | null,
  onPipes = (pipes: readonly string[]): void => removePipes(tree, pipes),
): Promise<void> {
  onPipes(pipesAtTop(tree.path));
  const submodules = head === null ? [] : await findSubmodules(tree, head);
  const leaveOut = await settleSubmodules(tree, index, submodules, unlessChanged);
  // Git lists a nested repository as a name that ends with a slash.
  const nested = splitList((await gitOverFiles(tree, UNTRACKED, { index }, onPipes)).stdout).filter((name) =>
    name.endsWith("/"),
  );
  // Git takes the files of a folder that has a tracked file. This one does not exist, so `add` removes it again.
  const placeholders = nested.map((folder) => `100644 ${"0".repeat(39)}1 0\t${folder}planwright-placeholder\0`);
  await updateIndex(tree, index, placeholders);
  const add = [PATTERNS, "add", "--all", "--ignore-errors", ...leaveOut];
  const added = await gitOverFiles(tree, add, { index }, onPipes);
  // 1: git could not read some files and added all others.
  if (added.exitCode !== 0 && added.exitCode !== 1) throw new Error(problemOf(added));
}

const UNTRACKED = ["ls-files", "--others", "--exclude-standard", "-z"];
