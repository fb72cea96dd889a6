// Starts git: without a shell, without questions, and never in a repository that the environment names. It runs nothing that the
// repository configures (`rule.ts`). Its messages are in English, and it takes file names literally.

import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { absolutePath, commandEnvironment, inherit } from "../process/environment.js";
import type { RunResult } from "../process/run.js";
import { allowedFolder } from "./allowed-settings.js";
import { type GitResult, runGit, WaitsForPipes } from "./pipes.js";
import { isGitThere } from "./program.js";
import { findRepository } from "./repository.js";
import {
  LIST,
  mayRunDrivers,
  NO_HOOKS,
  OFF,
  type RepositorySettings,
  repositorySettings,
  UNATTENDED,
  withRule,
} from "./rule.js";
import { safeConfigFile } from "./safe-config.js";

export interface GitOptions {
  /** For its standard input. */
  readonly input?: string | undefined;
  /** The repository whose working tree `cwd` is, whatever its `.git` says. */
  readonly gitDir?: string;
  /** An index file other than the working tree's own. */
  readonly index?: string;
  /** A folder of objects other than the repository's own. */
  readonly objects?: string;
  /** Settings for this call, by their full names. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Run the repository's own filters. Only in a checkout of the user: a worker may have written their programs. */
  readonly drivers?: boolean;
  /** Run the repository's hooks and read all of the user's settings: users expect that for a push. */
  readonly hooks?: boolean;
  /** It makes a commit, which needs an author. */
  readonly commits?: boolean;
  /** The author of the change, if it is not the committer. */
  readonly author?: CommitAuthor;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CommitAuthor {
  readonly name: string;
  readonly email: string;
  /** ISO 8601. */
  readonly date: string;
}

/** A hook or an alias that started us may have set these. */
const UNSET = Object.fromEntries(
  `GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
   GIT_NAMESPACE GIT_PREFIX GIT_QUARANTINE_PATH GIT_EXTERNAL_DIFF GIT_DIFF_OPTS
   GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS`
    .split(/\s+/)
    .map((name) => [name, undefined]),
);

const ALWAYS = { ...UNSET, GIT_TERMINAL_PROMPT: "0", GIT_LITERAL_PATHSPECS: "1", LC_ALL: "C" };

const NAME = "planwright";
const EMAIL = "planwright@localhost";

/** For commits of users who have not set user.name and user.email. */
const FALLBACK_IDENTITY = {
  GIT_AUTHOR_NAME: NAME,
  GIT_AUTHOR_EMAIL: EMAIL,
  GIT_COMMITTER_NAME: NAME,
  GIT_COMMITTER_EMAIL: EMAIL,
};

const authorVariables = ({ name, email, date }: CommitAuthor): Readonly<Record<string, string>> => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: email,
  GIT_AUTHOR_DATE: date,
});

/** Lists of files may be long. */
const KEEP = 256_000_000;
const TIMEOUT_MS = 600_000;

export async function git(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<GitResult> {
  const { hooks = false, drivers = hooks, commits = false } = options;
  const { place, gitDir, shared } = placeOf(cwd, options);
  const { author, input, signal, timeoutMs = TIMEOUT_MS } = options;
  // Without this, git makes up an email address from the host name.
  const named = commits ? ["-c", "user.useConfigOnly=true"] : [];
  const all = [...place, ...(hooks ? [] : NO_HOOKS), ...OFF, ...named, ...withRule(args)];
  const off = drivers || !mayRunDrivers(args) ? {} : (await settingsOf(cwd, gitDir)).off;
  const start = (identity: Readonly<Record<string, string>>): Promise<GitResult> => {
    const env = ownEnvironment(hooks, {
      ...variablesFor(options),
      ...(shared === undefined ? {} : { GIT_COMMON_DIR: shared }),
      ...settingsInEnvironment({ ...off, ...options.settings }),
      ...identity,
      ...(author === undefined ? {} : authorVariables(author)),
    });
    return runGit({ args: all, cwd, gitDir, env, timeoutMs, keep: KEEP, input, signal });
  };
  const result = await start({});
  if (isMissing(result) && existsSync(cwd)) throw new NoGit();
  return commits && result.exitCode === 128 && /identity unknown|no (email|name) was given/i.test(result.output)
    ? start(FALLBACK_IDENTITY)
    : result;
}

/** Nothing about the repository is known without git, so no answer passes for one. */
class NoGit extends Error {
  readonly failure = {
    kind: "refused",
    reason: "git-missing",
    message: "git is in no folder of PATH. Install git 2.38 or newer, or add its folder to PATH.",
  } as const;

  constructor() {
    super("git is in no folder of PATH");
  }
}

const isMissing = ({ endedBy, output, pipes }: GitResult): boolean =>
  endedBy === "not-started" && pipes === undefined && output.includes("ENOENT");

/** Throws if there is no git to start. */
export function requireGit(): void {
  if (!isGitThere(inherit({})["PATH"])) throw new NoGit();
}

interface GitPlace {
  /** For the command line. */
  readonly place: readonly string[];
  readonly gitDir: string | undefined;
  /** The folder with the settings that count, if git is not to take them from the repository itself. */
  readonly shared: string | undefined;
}

/** Git itself would take the git folder that it finds in a worktree, which may be a worker's own, and all settings that it finds. */
function placeOf(cwd: string, { gitDir: given, hooks = false, drivers = false }: GitOptions): GitPlace {
  const found = given === undefined ? findRepository(cwd) : { top: cwd, main: cwd, gitDir: given };
  // A bare repository by another name than usual would lie around us, and we did not mean it.
  if (found === undefined) return { place: NO_BARE, gitDir: undefined, shared: undefined };
  const { top, main, gitDir } = found;
  const shared = hooks ? undefined : allowedFolder({ gitDir, filters: drivers });
  const isLent = top !== main && isFolder(join(top, ".git"));
  if (given === undefined && !isLent && shared === undefined) return { place: [], gitDir: undefined, shared };
  return { place: [`--git-dir=${gitDir}`, ...(top === gitDir ? [] : [`--work-tree=${top}`])], gitDir, shared };
}

const NO_BARE = ["-c", "safe.bareRepository=explicit"];

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function variablesFor({ index, objects, hooks = false }: GitOptions): Readonly<Record<string, string | undefined>> {
  // A push needs the user's credentials, so it reads the user's own settings.
  const config = hooks ? undefined : safeConfigFile();
  return {
    ...ALWAYS,
    ...(hooks ? {} : UNATTENDED),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: objects }),
    ...(config === undefined ? {} : { GIT_CONFIG_GLOBAL: config }),
  };
}

const NO_SETTINGS: RepositorySettings = { off: {}, filters: new Set(), plain: {} };

/** What the settings of a repository say that matters to us, and how to switch off the rest. */
export async function settingsOf(cwd: string, gitDir?: string): Promise<RepositorySettings> {
  const found = gitDir ?? findRepository(cwd)?.gitDir;
  if (found === undefined) return NO_SETTINGS;
  // The user's own settings, too: a filter that an engine's copy leaves out is one that did not run.
  const env = ownEnvironment(false, { ...ALWAYS, ...UNATTENDED });
  const args = [`--git-dir=${found}`, ...LIST];
  const list = async (): Promise<string> => (await runGit({ args, cwd, gitDir: found, env, keep: KEEP })).stdout;
  return repositorySettings({ cwd, gitDir: found, list });
}

/** A process that any worker of the same user can look at needs no tokens of ours, except for a push. */
function ownEnvironment(whole: boolean, changes: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
  if (whole) return inherit(changes);
  const all = commandEnvironment(inherit(changes), ["GIT_*", "EMAIL", "SSH_AUTH_SOCK"]);
  const path = all["PATH"];
  return { ...all, LC_ALL: "C", ...(path !== undefined && { PATH: absolutePath(path) }) };
}

/** Unlike `-c`, this takes names with any character in them. */
function settingsInEnvironment(settings: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(settings);
  if (entries.length === 0) return {};
  const named = entries.flatMap(([name, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, name],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(named) };
}

/** Git's error message in one line. */
export function problemOf({ output, endedBy, exitCode }: RunResult): string {
  const lines = output.split("\n").filter((line) => /^(fatal|error): /.test(line));
  const said = (lines.length > 0 ? lines.join(" ") : output.trim()).replaceAll(/\b(fatal|error): /g, "");
  return said === "" ? `git ended by ${endedBy}, exit ${exitCode}` : said;
}

export const succeeded = ({ exitCode }: RunResult): boolean => exitCode === 0;

/** Standard output of a git that must succeed. It throws otherwise: what git could not look for must not pass for missing. */
export async function gitOutput(
  cwd: string,
  args: readonly string[],
  failure: string,
  options: GitOptions = {},
): Promise<string> {
  const result = await git(cwd, args, options);
  if (result.pipes) throw new WaitsForPipes(result.pipes);
  if (!succeeded(result)) throw new Error(`${failure}: ${problemOf(result)}`);
  return result.stdout;
}

export type Done = { readonly ok: true } | { readonly ok?: never; readonly problem: string };

export const done: Done = { ok: true };

export const notDone = (problem: string): Done => ({ problem });

/** Runs git for its effect. */
export async function gitDone(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<Done> {
  const result = await git(cwd, args, options);
  return succeeded(result) ? done : notDone(problemOf(result));
}

/** The entries of a list that `-z` ended with zero bytes. */
export const splitList = (output: string): string[] => output.split("\0").filter((entry) => entry !== "");

/** The lines of an output that are not empty. */
export const linesOf = (output: string): string[] => output.split("\n").filter((line) => line !== "");
