// The one rule for every git that we start: it runs nothing that a repository configures, and never looks into a submodule.
// A worker can write the files of its worktree, and may put a repository of its own anywhere in it. Only a push and a signature
// run the user's own hooks and programs.

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { HOW_FILES_ARE, LARGE_FILES } from "./allowed-settings.js";
import { forgetOldest, readLine } from "./repository.js";

/** Each of these settings could name a program, or let git descend into another repository. */
export const OFF: readonly string[] = [
  "core.fsmonitor=false",
  "core.alternateRefsCommand=",
  "core.splitIndex=false",
  "submodule.recurse=false",
  "status.submoduleSummary=false",
  "diff.submodule=short",
  "log.showSignature=false",
  "commit.gpgSign=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "protocol.ext.allow=never",
  "advice.detachedHead=false",
  "advice.addEmbeddedRepo=false",
].flatMap((setting) => ["-c", setting]);

export const NO_HOOKS: readonly string[] = ["-c", "core.hooksPath=/dev/null"];

/** Without an editor or a pager; no object or parent of a commit is replaced by another one. */
export const UNATTENDED: Readonly<Record<string, string>> = {
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_PAGER: "cat",
  GIT_NO_REPLACE_OBJECTS: "1",
  // Of a file that is there, git would say that it is deprecated.
  GIT_GRAFT_FILE: "/dev/null/none",
};

/** Git asks a submodule for its state by a git of its own, which obeys the settings there. A later option may only narrow this. */
const NO_SUBMODULES = "--ignore-submodules=dirty";
const NO_PROGRAMS = ["--no-ext-diff", "--no-textconv"];

/** What a command must be told, because no setting switches it off. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  status: [NO_SUBMODULES],
  "diff-files": [NO_SUBMODULES],
  "diff-index": [NO_SUBMODULES],
  diff: [NO_SUBMODULES, ...NO_PROGRAMS],
  show: NO_PROGRAMS,
  log: NO_PROGRAMS,
};

/** These look at no file and write no index, so no filter or driver is ever run for them. Git looks at files when it writes an index. */
const WITHOUT_DRIVERS: ReadonlySet<string> = new Set(
  `cat-file check-attr check-ignore check-ref-format commit-tree config count-objects diff-tree for-each-ref gc log
   ls-files ls-tree merge-base remote repack rev-list rev-parse symbolic-ref update-ref --version`.split(/\s+/),
);

/** Where the command is, after options such as `-c name=value`. */
function commandAt(args: readonly string[]): number {
  let at = 0;
  while (at < args.length && args[at]?.startsWith("-") && args[at] !== "--version") at += args[at] === "-c" ? 2 : 1;
  return at;
}

/** The arguments of git with the options that its command needs. */
export function withRule(args: readonly string[]): readonly string[] {
  const at = commandAt(args);
  const options = OPTIONS[args[at] ?? ""] ?? [];
  return [...args.slice(0, at + 1), ...options, ...args.slice(at + 1)];
}

/** Whether git may run a filter or a driver for it. */
export const mayRunDrivers = (args: readonly string[]): boolean =>
  !WITHOUT_DRIVERS.has(args[commandAt(args)] ?? "") && !args.includes("--no-filters");

// Filters and drivers that the settings of a repository name. Each of them runs a program, which may be a script in the files of the
// repository, and a worker can change those. So they are listed and switched off, wherever they come from.

/** A driver that would run a program: `filter.crypt`, `merge.lock`. */
const DRIVER = /^((filter|merge|diff)\.(.+))\.(clean|smudge|process|required|driver|command|textconv)$/;

const PLAIN: ReadonlySet<string> = new Set(HOW_FILES_ARE);

export interface RepositorySettings {
  /** Settings that switch the drivers off, by their full names. */
  readonly off: Readonly<Record<string, string>>;
  /** The filters among them, as `.gitattributes` names them. */
  readonly filters: ReadonlySet<string>;
  /** Those of its own settings that say how files are written. */
  readonly plain: Readonly<Record<string, string>>;
}

export const LIST = ["config", "--list", "--show-scope", "--show-origin", "--includes", "-z"];

/** `origin`: `file:` and the file, relative to where git was started; other sources have other prefixes. */
function parse(list: string) {
  const words = list.split("\0");
  const found: { scope: string; origin: string; name: string; value: string }[] = [];
  for (let i = 0; i + 2 < words.length; i += 3) {
    const [scope, origin, entry] = words.slice(i, i + 3) as [string, string, string];
    const [name = "", ...value] = entry.split("\n");
    // A name without a value means true.
    found.push({ scope, origin, name, value: value.length === 0 ? "true" : value.join("\n") });
  }
  return found;
}

/** What to switch off, from the output of git with `LIST`. */
export function settingsIn(list: string): RepositorySettings {
  const off: Record<string, string> = {};
  const filters = new Set<string>();
  const plain: Record<string, string> = {};
  for (const { scope, name, value } of parse(list)) {
    if (scope === "local" && PLAIN.has(name)) plain[name] = value;
    const [, driver = "", kind, own = ""] = DRIVER.exec(name) ?? [];
    if (kind === undefined || LARGE_FILES.has(`${name}\n${value}`)) continue;
    if (kind === "filter") {
      filters.add(own);
      Object.assign(off, { [`${driver}.clean`]: "", [`${driver}.smudge`]: "", [`${driver}.process`]: "" });
      off[`${driver}.required`] = "false";
    } else if (kind === "merge") {
      // A driver that fails leaves a conflict, which people see.
      off[`${driver}.driver`] = "false";
    } else Object.assign(off, { [`${driver}.command`]: "", [`${driver}.textconv`]: "" });
  }
  return { off, filters, plain };
}

/** The files that settings come from, or would come from if they were there or their condition were true. */
function sourcesOf(list: string, cwd: string): Set<string> {
  const sources = new Set<string>();
  for (const { origin, name, value } of parse(list)) {
    if (!origin.startsWith("file:")) continue;
    const file = resolve(cwd, origin.slice("file:".length));
    sources.add(file);
    if (/^include(if\..*)?\.path$/s.test(name)) {
      sources.add(value.startsWith("~/") ? join(homedir(), value.slice(2)) : resolve(dirname(file), value));
    }
  }
  return sources;
}

const stampOf = (file: string): string => {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`;
};

const known = new Map<string, ReturnType<typeof ask>>();
const REPOSITORIES_REMEMBERED = 1_000;

interface Question {
  readonly cwd: string;
  /** The git folder whose settings count: conditions depend on it. */
  readonly gitDir: string;
  /** Asks git for the list. */
  readonly list: () => Promise<string>;
}

/** What all worktrees of a repository share. */
const sharedConfig = (gitDir: string): string => join(gitDir, readLine(join(gitDir, "commondir")) ?? ".", "config");

/**
 * Asked again as soon as one of the files changed: a worker without a sandbox can write them while we work. One answer does for all
 * worktrees, unless settings are for some of them only: handing in takes three gits less.
 */
export async function repositorySettings(question: Question): Promise<RepositorySettings> {
  const { gitDir } = question;
  const shared = sharedConfig(gitDir);
  for (const key of [gitDir, shared]) {
    const last = await known.get(key);
    if (last && [...last.stamps].every(([file, stamp]) => stampOf(file) === stamp)) return last.settings;
  }
  const asked = ask(question, shared);
  for (const key of [gitDir, shared]) known.delete(key);
  known.set(gitDir, asked);
  asked.then(
    ({ isForAll }) => isForAll && known.set(shared, asked),
    () => known.delete(gitDir),
  );
  forgetOldest(known, REPOSITORIES_REMEMBERED);
  return (await asked).settings;
}

/** These make settings that count in some worktrees only. */
const FOR_SOME = /\0(?:includeif\.|extensions\.worktreeconfig\n)/i;

async function ask({ cwd, gitDir, list }: Question, shared: string) {
  // Noted before git reads them, so that what is written meanwhile is noticed the next time.
  const own = ["config", "config.worktree", "HEAD"].map((name) => join(gitDir, name));
  const before = new Map([...own, shared].map((file): [string, string] => [file, stampOf(file)]));
  const listed = await list();
  // A branch matters only to settings that are for some branches.
  if (!/\0includeif\.onbranch:/i.test(listed)) before.delete(join(gitDir, "HEAD"));
  const sources = [...sourcesOf(listed, cwd)].filter((file) => !before.has(file));
  const stamps = new Map([...before, ...sources.map((file): [string, string] => [file, stampOf(file)])]);
  return { settings: settingsIn(listed), stamps, isForAll: !FOR_SOME.test(listed) };
}
