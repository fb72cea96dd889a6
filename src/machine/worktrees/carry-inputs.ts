// What carried folders and set-up commands were made from, as one short text: the same text, the same result.

import { createHash } from "node:crypto";
import { constants, existsSync } from "node:fs";
import { cp, lstat, mkdir, readdir, realpath, rm, stat, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, resolve, sep } from "node:path";
import { messageOf } from "../../base/errors.js";
import { isInside } from "../../base/paths.js";
import { readPlainBytes } from "../../base/plain-file.js";
import { git } from "../git/git.js";
import { run } from "../process/run.js";

/** They say exactly what is installed. */
const LOCKS = `package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock Cargo.lock
  poetry.lock uv.lock pdm.lock Pipfile.lock requirements.txt Gemfile.lock composer.lock go.sum mix.lock pubspec.lock
  gradle.lockfile packages.lock.json`.split(/\s+/);

/** They say roughly what is installed, and what happens then. */
const MANIFESTS =
  `package.json .npmrc .nvmrc .tool-versions Cargo.toml pyproject.toml setup.py Gemfile composer.json go.mod
  mix.exs pom.xml build.gradle build.gradle.kts`.split(/\s+/);

export const digest = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

function contents(file: string): string {
  // Most of those that are asked for are not there, and to look is cheaper than to fail.
  if (!existsSync(file)) return "";
  try {
    return digest(readPlainBytes(file).toString("latin1"));
  } catch {
    return "";
  }
}

const hashAll = (files: readonly string[]): string => digest(...files.map(contents));

/** The folders from that of a path up to the top: a workspace keeps one lock file for all of its packages. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === dirname(folder) ? [folder] : [folder, ...foldersOf(folder)];
}

/** The lock files that decide what is in a carried path. */
export const locksOf = (tree: string, path: string): string =>
  hashAll(foldersOf(path).flatMap((folder) => LOCKS.map((name) => join(tree, folder, name))));

export const NOTHING = "nothing";

/** What there is to carry: nothing, a folder, which its lock files describe, or a file as it is. */
export async function sourceOf(path: string): Promise<string> {
  const found = existsSync(path) ? await stat(path).catch(() => undefined) : undefined;
  if (found === undefined) return NOTHING;
  return found.isDirectory() ? "a folder" : contents(path);
}

/** The words of a command that are files of the tree: a script that it starts, a list that it reads. */
const filesNamedIn = (tree: string, command: string): string[] =>
  command
    .split(/[\s"'();|&<>=]+/)
    .filter((word) => word !== "" && !word.includes("\0"))
    .map((word) => resolve(tree, word))
    .filter((file) => file !== tree && isInside(file, tree));

/** Everything that set-up commands are taken to depend on. */
export const setupInputs = (tree: string, commands: readonly string[]): string =>
  digest(
    ...commands,
    process.version,
    hashAll([...LOCKS, ...MANIFESTS].map((name) => join(tree, name))),
    hashAll(commands.flatMap((command) => filesNamedIn(tree, command))),
  );

/** What tools leave in such a folder while they run. It is not carried: the next attempt could not tell whether it was tampered with. */
export const CACHES = [".cache", ".vite", ".vite-temp", ".vitest", ".turbo", ".parcel-cache", ".tmp"];

export async function removeCaches(folder: string): Promise<void> {
  for (const name of CACHES) await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}

/**
 * Everything that is in a carried path: names, sizes and times of each file. Nobody but the system can set the time of the last
 * change (ctime), so whatever a worker wrote there shows, however it covers its tracks.
 */
export async function stateOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  const visit = async (at: string, name: string): Promise<void> => {
    const found = await lstat(at, { bigint: true }).catch(() => undefined);
    if (found === undefined) return;
    const { mode, size, mtimeNs, ctimeNs, ino } = found;
    // A folder changes its times when a cache in it is removed; its entries are listed anyway.
    const said = found.isDirectory() ? [mode] : [mode, size, mtimeNs, ctimeNs, ino];
    hash.update(`${JSON.stringify(name)} ${said.join(" ")}\n`);
    if (!found.isDirectory()) return;
    const entries = await readdir(at).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a < b ? -1 : 1))) await visit(join(at, entry), `${name}/${entry}`);
  };
  await visit(path, "");
  return hash.digest("hex");
}

// Brings one ignored path from the main checkout into a worktree: by copying, which costs next to nothing where the
// file system shares what is the same, or by links.

interface CarryPath {
  /** The main checkout. */
  readonly root: string;
  readonly worktree: string;
  /** Relative to both. */
  readonly path: string;
  readonly by: "copy" | "link";
  readonly signal?: AbortSignal | undefined;
}

/** Nothing if it was carried, else why not. */
type Problem = string | undefined;

const isKept = (path: string): boolean => [".git", ".planwright", "."].includes(path.split(sep)[0] ?? "");

/** Where it would go; undefined if that is no place for it. */
async function destination({ worktree, path }: Pick<CarryPath, "worktree" | "path">): Promise<string | undefined> {
  const clean = normalize(path);
  if (path === "" || path.includes("\0") || isAbsolute(clean) || isKept(clean)) return undefined;
  const to = join(worktree, clean);
  if (!isInside(to, worktree)) return undefined;
  // A folder on the way may be a link that leads out.
  for (let folder = dirname(to); ; folder = dirname(folder)) {
    const real = await realpath(folder).catch(() => undefined);
    if (real !== undefined) return isInside(real, await realpath(worktree)) ? to : undefined;
  }
}

/** What git would take for work must not be put there. A path with tracked files in it is not ignored either. */
async function isIgnored(
  { worktree, path }: Pick<CarryPath, "worktree" | "path">,
  isFolder: boolean,
): Promise<boolean> {
  const asked = isFolder ? `${normalize(path)}/` : normalize(path);
  const { exitCode } = await git(worktree, ["--no-literal-pathspecs", "check-ignore", "-q", "--", asked]);
  return exitCode === 0;
}

export async function carryPath(what: CarryPath): Promise<Problem> {
  const to = await destination(what);
  if (to === undefined) return `${JSON.stringify(what.path)} is not a path inside the worktree`;
  const from = await realpath(join(what.root, what.path)).catch(() => undefined);
  const found = from === undefined ? undefined : await lstat(from);
  if (found === undefined && !existsSync(to)) return undefined;
  if (!(await isIgnored(what, found?.isDirectory() ?? true))) {
    return `${what.path} is not ignored by git, so it would count as work`;
  }
  await rm(to, { recursive: true, force: true });
  if (from === undefined || found === undefined) return undefined;
  await mkdir(dirname(to), { recursive: true });
  if (what.by === "copy") return copyFolder(from, to, what.signal);
  return found.isDirectory() ? linkEach(from, to) : symlink(from, to).then(() => undefined);
}

/**
 * A folder with a link for each entry, not one link: patterns such as `node_modules/` ignore folders only, and a package
 * manager that empties the folder removes links, not what they lead to.
 */
async function linkEach(from: string, to: string): Promise<Problem> {
  await mkdir(to);
  for (const name of await readdir(from)) await symlink(join(from, name), join(to, name));
  return undefined;
}

/** Whether there is a folder to carry, and a place for it where git takes nothing for work. */
export async function isCarriedFolder(what: Pick<CarryPath, "root" | "worktree" | "path">): Promise<boolean> {
  const found = await stat(join(what.root, what.path)).catch(() => undefined);
  return found?.isDirectory() === true && (await destination(what)) !== undefined && (await isIgnored(what, true));
}

export async function copyFolder(from: string, to: string, signal: AbortSignal | undefined): Promise<Problem> {
  const args = ["-a", "--reflink=auto", "--", from, to];
  const copied = await run({ command: "cp", args, ...(signal ? { signal } : {}) });
  if (copied.exitCode === 0) return undefined;
  if (copied.endedBy === "cancel") return "it was canceled";
  // Only some systems have a `cp` that can do this.
  try {
    await rm(to, { recursive: true, force: true });
    const mode = constants.COPYFILE_FICLONE;
    await cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode });
    return undefined;
  } catch (error) {
    return `${to} could not be copied: ${messageOf(error)}`;
  }
}
