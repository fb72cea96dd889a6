// What counts of a repository's own settings: a list of names that start no program and lead to no other place. Git takes these settings
// from the folder that all worktrees share, and no option says otherwise. So where a file holds more than the list allows, git is shown
// another shared folder: the same objects and branches by links, and a file with what is allowed (decision 45).

import { lstatSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { namesInFolder } from "../../base/paths.js";
import { findPlainFile } from "../../base/plain-file.js";
import { type Setting, settingsInText, settingsText } from "./config-text.js";
import { forgetOldest, readLine } from "./repository.js";

/** How files are written here, as git found out when it made the repository. */
export const HOW_FILES_ARE: readonly string[] =
  `core.filemode core.symlinks core.ignorecase core.precomposeunicode core.longpaths core.autocrlf core.eol`.split(" ");

/** Who makes commits. */
export const IDENTITY: readonly string[] =
  `user.name user.email author.name author.email committer.name committer.email`.split(" ");

/** Without Git LFS, git would take a pointer to a large file for its content. */
export const LARGE_FILES: ReadonlySet<string> = new Set([
  "filter.lfs.clean\ngit-lfs clean -- %f",
  "filter.lfs.smudge\ngit-lfs smudge -- %f",
  "filter.lfs.process\ngit-lfs filter-process",
  "filter.lfs.required\ntrue",
]);

const ALLOWED: ReadonlySet<string> = new Set([
  ...HOW_FILES_ARE,
  ...IDENTITY,
  ...`core.repositoryformatversion core.bare core.safecrlf core.hidedotfiles core.protecthfs core.protectntfs
    core.logallrefupdates core.sharedrepository core.excludesfile core.trustctime core.checkstat core.untrackedcache
    core.sparsecheckout core.sparsecheckoutcone core.bigfilethreshold i18n.commitencoding gc.auto gc.autopacklimit
    merge.renames merge.renamelimit merge.directoryrenames remote.pushdefault`.split(/\s+/),
]);

/** By the section and the key around a name. */
const ALLOWED_IN: ReadonlySet<string> = new Set(
  `remote.url remote.pushurl remote.fetch remote.promisor remote.partialclonefilter
   branch.remote branch.merge branch.pushremote url.insteadof url.pushinsteadof submodule.url submodule.active`.split(
    /\s+/,
  ),
);

/** Git refuses a repository with an extension that it does not know, and should. Settings of one worktree are put with the others. */
const isExtension = (name: string): boolean => name.startsWith("extensions.") && name !== OF_WORKTREE;
const OF_WORKTREE = "extensions.worktreeconfig";

function isAllowed({ name, value }: Setting, filters: boolean): boolean {
  if (ALLOWED.has(name) || isExtension(name) || LARGE_FILES.has(`${name}\n${value ?? "true"}`)) return true;
  const [first, last] = [name.indexOf("."), name.lastIndexOf(".")];
  if (filters && name.startsWith("filter.")) return true;
  return first !== last && ALLOWED_IN.has(`${name.slice(0, first)}${name.slice(last)}`);
}

const isTrue = (value: string | null): boolean => value === null || /^(?:true|yes|on|[1-9]\d*)$/i.test(value);

/** Undefined if all of it is allowed. */
function allowedText(gitDir: string, commonDir: string, filters: boolean): string | undefined {
  const shared = settingsInText(findPlainFile(join(commonDir, "config")) ?? "");
  const hasOwn = shared.some(({ name, value }) => name === OF_WORKTREE && isTrue(value));
  const own = hasOwn ? settingsInText(findPlainFile(join(gitDir, "config.worktree")) ?? "") : [];
  const all = [...shared, ...own];
  const allowed = all.filter((setting) => isAllowed(setting, filters));
  return allowed.length === all.length ? undefined : settingsText(allowed);
}

export interface AllowedInput {
  readonly gitDir: string;
  /** The filters of the repository count, too: in a person's own checkout. */
  readonly filters?: boolean;
}

/** The shared folder that git is to take. Undefined if it may take the repository's own: everything in its settings is allowed. */
export function allowedFolder({ gitDir, filters = false }: AllowedInput): string | undefined {
  const commonDir = resolve(gitDir, readLine(join(gitDir, "commondir")) ?? ".");
  const text = allowedText(gitDir, commonDir, filters);
  if (text === undefined) return undefined;
  const folder = folderFor(`${filters}\0${gitDir}`);
  if (findPlainFile(join(folder, "config")) !== text || namesInFolder(folder).length <= LINKED.length)
    makeFolder(folder, commonDir, text);
  return folder;
}

/** What worktrees share. Not among them: hooks, settings, and remotes as git once kept them. */
const LINKED = ["HEAD", "objects", "refs", "reftable", "packed-refs", "shallow", "logs", "info", "worktrees"];

/** Git makes these when it needs them, but not at the end of a link. */
const MADE = ["logs", "worktrees"];

function makeFolder(folder: string, commonDir: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of MADE) {
    try {
      mkdirSync(join(commonDir, name), { recursive: true });
    } catch {
      // A repository that is read-only gets no new worktree either.
    }
  }
  for (const name of LINKED) {
    const link = join(folder, name);
    if (lstatSync(link, { throwIfNoEntry: false }) === undefined) symlinkSync(join(commonDir, name), link);
  }
  const draft = join(folder, "config.new");
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, join(folder, "config"));
}

let around: string | undefined;
const folders = new Map<string, string>();
const MOST_FOLDERS = 1_000;
let made = 0;

/** In a folder of this process alone, where no confined worker is. */
function folderFor(key: string): string {
  const known = folders.get(key);
  if (known !== undefined) return known;
  if (around === undefined || lstatSync(around, { throwIfNoEntry: false }) === undefined) {
    const own = mkdtempSync(join(tmpdir(), "planwright-git-"));
    process.once("exit", () => rmSync(own, { recursive: true, force: true }));
    folders.clear();
    around = own;
  }
  const folder = join(around, String(++made));
  folders.set(key, folder);
  forgetOldest(folders, MOST_FOLDERS);
  return folder;
}

/** A path that git made from the shared folder that it was shown, as it is in the repository. */
export function inRepository(path: string, commonDir: string): string {
  if (around === undefined || !path.startsWith(`${around}/`)) return path;
  const rest = path
    .slice(around.length + 1)
    .split("/")
    .slice(1)
    .join("/");
  return rest === "" ? (commonDir.endsWith("/.git") ? dirname(commonDir) : commonDir) : join(commonDir, rest);
}
