// Pipes and devices in the place of files that git reads. Git opens them and waits until a program writes into them, which
// may be never. A worker can make one, so each git that takes long is looked after.

import { lstatSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { isInside } from "../../base/paths.js";
import { inherit } from "../process/environment.js";
import { type RunOptions, type RunResult, run } from "../process/run.js";
import { gitProgram } from "./program.js";
import { findRepository, readLine, repositoryAt } from "./repository.js";

/** Git reads these in any folder of a working tree. */
const READ_IN_TREE: ReadonlySet<string> = new Set([".gitattributes", ".gitignore", ".gitmodules", ".mailmap"]);

/** Every git reads these in its own folder, or almost every. */
const READ_BY_ALL = ["HEAD", "config", "index", "packed-refs", "info/attributes", "info/exclude"];
/** Some read these, and files below these. */
const READ_BY_SOME = ["config.worktree", "commondir", "gitdir", "shallow"];
const READ_BELOW = ["info", "logs", "objects", "refs"];

/** Deeper than any project that people read. */
const DEPTH = 60;

function isSpecial(path: string): boolean {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    return stat !== undefined && (stat.isFIFO() || stat.isSocket() || stat.isCharacterDevice() || stat.isBlockDevice());
  } catch {
    // What we may not look at, git may not open.
    return false;
  }
}

/** Those at the top of a working tree: one look, before git is started. */
export const pipesAtTop = (tree: string): string[] => [...READ_IN_TREE].filter((name) => isSpecial(join(tree, name)));

/** Git reads nothing in any other repository that lies in a working tree, such as a linked worktree. */
function isSubmodule(folder: string): boolean {
  const repository = repositoryAt(folder);
  return repository !== undefined && repository.gitDir === repository.commonDir;
}

/** Those in a folder and below it. Not every name counts in a working tree, where people may have pipes of their own. */
async function pipesBelow(folder: string, counts: (name: string) => boolean, depth = 0): Promise<string[]> {
  const found: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const dotGit = entries.find(({ name }) => name === ".git");
  if (depth > 0 && dotGit && !(dotGit.isFile() && isSubmodule(folder))) return found;
  for (const entry of entries) {
    const here = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== ".git" && depth < DEPTH) found.push(...(await pipesBelow(here, counts, depth + 1)));
    } else if (!entry.isFile() && counts(entry.name) && isSpecial(here)) found.push(here);
  }
  return found;
}

interface GitFolders {
  readonly top: string;
  /** The folder of this working tree, and the one of all if that is another. */
  readonly gitDirs: readonly string[];
}

/** Where a git reads that is started in this folder. */
function placesOf(cwd: string, given: string | undefined): GitFolders | undefined {
  const repository = given === undefined ? findRepository(cwd) : { top: cwd, gitDir: given };
  if (!repository) return undefined;
  const { top, gitDir } = repository;
  const common = readLine(join(gitDir, "commondir"));
  return { top, gitDirs: common === undefined ? [gitDir] : [gitDir, resolve(gitDir, common)] };
}

/** Found in git's own folders by this program: the next git need not wait for them, too. */
const known = new Set<string>();

/** Those that git would wait for, as far as one knows without a search: every git begins with this look. */
function pipesInGit({ top, gitDirs }: GitFolders): string[] {
  const paths = gitDirs.flatMap((folder) => [
    ...READ_BY_ALL.map((name) => join(folder, name)),
    ...[...known].filter((path) => isInside(path, folder)),
  ]);
  return [...new Set(paths)].filter(isSpecial).map((path) => nameIn(top, path));
}

/** Every one that a git may wait for: relative to the working tree where they are in it. */
async function findPipes(places: GitFolders): Promise<string[]> {
  const { top, gitDirs } = places;
  const below = gitDirs.flatMap((folder) => READ_BELOW.map((name) => pipesBelow(join(folder, name), () => true)));
  const rarely = gitDirs.flatMap((folder) => READ_BY_SOME.map((name) => join(folder, name))).filter(isSpecial);
  for (const path of [...rarely, ...(await Promise.all(below)).flat()]) known.add(path);
  const inTree = await pipesBelow(top, (name) => READ_IN_TREE.has(name));
  return [...pipesInGit(places), ...inTree.map((path) => nameIn(top, path))];
}

const nameIn = (top: string, path: string): string => (isInside(path, top) ? relative(top, path) : path);

/** For whoever can remove them. */
export function pipesSentence([first = "", ...others]: readonly string[]): string {
  const more = others.length === 0 ? "" : ` So ${others.length === 1 ? "is" : "are"} ${others.slice(0, 5).join(", ")}.`;
  return `${first} is a pipe or a device, and git would wait for it. Remove it.${more}`;
}

/** Git did not do what it was asked for because of them. The failure is one for people, not a bug. */
export class WaitsForPipes extends Error {
  readonly failure: { readonly kind: "refused"; readonly reason: "pipe-in-the-way"; readonly message: string };

  constructor(readonly pipes: readonly string[]) {
    const message = pipesSentence(pipes);
    super(message);
    this.failure = { kind: "refused", reason: "pipe-in-the-way", message };
  }
}

export interface GitResult extends RunResult {
  /** It was ended because it may have waited for these. */
  readonly pipes?: readonly string[];
}

/** A git that takes longer may wait for a pipe. */
const PATIENCE_MS = 2_000;

export interface GitRunOptions extends Omit<RunOptions, "command"> {
  readonly cwd: string;
  /** The repository, if it is not the one around `cwd`. */
  readonly gitDir?: string | undefined;
}

const waited = (result: RunResult, pipes: readonly string[]): GitResult => ({
  ...result,
  output: `fatal: ${pipesSentence(pipes)}`,
  pipes,
});

const NOT_STARTED: RunResult = {
  endedBy: "not-started",
  exitCode: null,
  signal: null,
  output: "",
  stdout: "",
  durationMs: 0,
};

/** Runs git. If it waits for a pipe, it is ended and has failed. */
export async function runGit({ gitDir, ...options }: GitRunOptions): Promise<GitResult> {
  const command = gitProgram((options.env ?? inherit({}))["PATH"]);
  const places = placesOf(options.cwd, gitDir);
  if (!places) return run({ ...options, command });
  let pipes: readonly string[] = pipesInGit(places);
  if (pipes.length > 0) return waited(NOT_STARTED, pipes);
  const ended = new AbortController();
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, ...(options.signal ? [options.signal] : [])]);
  const watch = async (): Promise<void> => {
    // Less and less often: to look at a large tree is work, too.
    for (let ms = PATIENCE_MS; pipes.length === 0; ms *= 2) {
      await wait(ms, undefined, { signal: ended.signal, ref: false });
      pipes = await findPipes(places);
    }
    stop.abort();
  };
  // It ends with an error when git has ended.
  void watch().catch(() => undefined);
  const result = await run({ ...options, command, signal });
  ended.abort();
  return result.endedBy === "cancel" && pipes.length > 0 ? waited(result, pipes) : result;
}
