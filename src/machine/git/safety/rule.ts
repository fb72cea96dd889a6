// The one rule for every git that we start: it runs nothing that a repository configures, and never looks into a submodule.
// A worker can write the files of its worktree, and may put a repository of its own anywhere in it. Only a push and a signature
// run the user's own hooks and programs.

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

/** Without an editor, a pager, or objects that a ref below `refs/replace` puts in the place of others. */
export const UNATTENDED: Readonly<Record<string, string>> = {
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_PAGER: "cat",
  GIT_NO_REPLACE_OBJECTS: "1",
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
const WITHOUT_DRIVERS: ReadonlySet<string> = new Set([
  "cat-file",
  "check-attr",
  "check-ignore",
  "check-ref-format",
  "commit-tree",
  "config",
  "count-objects",
  "diff-tree",
  "for-each-ref",
  "gc",
  "log",
  "ls-files",
  "ls-tree",
  "merge-base",
  "remote",
  "repack",
  "rev-list",
  "rev-parse",
  "symbolic-ref",
  "update-ref",
  "--version",
]);

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
export const mayRunDrivers = (args: readonly string[]): boolean => !WITHOUT_DRIVERS.has(args[commandAt(args)] ?? "");
