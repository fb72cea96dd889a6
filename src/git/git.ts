// The one door to git: never a shell, never a question, never the hooks, the index or the repository of whoever
// started this program. What it says is in one language, and file names are names, not patterns.

import { join } from "node:path";
import { inherit } from "../process/inherit.js";
import { type RunResult, run } from "../process/run.js";
import { Starter } from "../process/starter.js";
import { writeOwnConfig } from "./own-config.js";

export interface GitOptions {
  /** For its standard input. */
  readonly input?: string;
  /** The folder is the top of this one's working tree, whatever its `.git` says. */
  readonly gitDir?: string;
  /** Another index than the working tree's own. */
  readonly index?: string;
  /** The repository's hooks run: people expect them where something leaves the machine. */
  readonly hooks?: boolean;
  /** It makes a commit, so somebody has to be its author. */
  readonly commits?: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

const NO_HOOKS = ["-c", "core.hooksPath=/dev/null"];

const CONFIG = [
  "core.fsmonitor=false",
  "core.splitIndex=false",
  "commit.gpgSign=false",
  "gc.auto=0",
  "maintenance.auto=false",
  "protocol.ext.allow=never",
  "advice.detachedHead=false",
  "advice.addEmbeddedRepo=false",
].flatMap((setting) => ["-c", setting]);

/** A hook or an alias sets these for itself. */
const ELSEWHERE = Object.fromEntries(
  [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_QUARANTINE_PATH",
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
  ].map((name) => [name, undefined]),
);

const ALWAYS = { ...ELSEWHERE, GIT_TERMINAL_PROMPT: "0", GIT_LITERAL_PATHSPECS: "1", LC_ALL: "C" };

const NAME = "planwright";
const EMAIL = "planwright@localhost";

/** For people who have told git nothing about themselves. */
const NOBODY = {
  GIT_AUTHOR_NAME: NAME,
  GIT_AUTHOR_EMAIL: EMAIL,
  GIT_COMMITTER_NAME: NAME,
  GIT_COMMITTER_EMAIL: EMAIL,
};

/** Lists of files are long. */
const KEEP = 256_000_000;
const TIMEOUT_MS = 600_000;

let starter: Starter | undefined;
let ownConfig: Promise<string> | undefined;

/**
 * For a program that starts git thousands of times beside workers. What is on its way lies in this folder, and so do the
 * settings that hold from now on, whatever is written into the home folder.
 */
export function startGitThrough(folder: string): void {
  starter ??= new Starter(folder, inherit(ALWAYS));
  // The name says whose it is: what a killed program left is removed by the next.
  ownConfig ??= writeOwnConfig(join(folder, `${process.pid}-config`), folder);
}

export async function git(cwd: string, args: readonly string[], options: GitOptions = {}): Promise<RunResult> {
  const { gitDir, index, hooks = false, commits = false, input, signal, timeoutMs = TIMEOUT_MS } = options;
  const place = gitDir === undefined ? [] : [`--git-dir=${gitDir}`, `--work-tree=${cwd}`];
  // Without a name of one's own git would make one up from the host.
  const named = commits ? ["-c", "user.useConfigOnly=true"] : [];
  const all = [...place, ...(hooks ? [] : NO_HOOKS), ...CONFIG, ...named, ...args];
  // What leaves the machine needs their credentials.
  const config = hooks ? undefined : await ownConfig;
  const start = (identity: Readonly<Record<string, string>>): Promise<RunResult> => {
    const own = {
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
      ...(config === undefined ? {} : { GIT_CONFIG_GLOBAL: config }),
      ...identity,
    };
    const through =
      signal || hooks
        ? undefined
        : starter?.run({ command: "git", args: all, cwd, env: own, input, timeoutMs, keep: KEEP });
    if (through) return through;
    return run({
      command: "git",
      args: all,
      cwd,
      env: inherit({ ...ALWAYS, ...own }),
      timeoutMs,
      keep: KEEP,
      ...(input === undefined ? {} : { input }),
      ...(signal ? { signal } : {}),
    });
  };
  const result = await start({});
  return commits && result.exitCode === 128 && /identity unknown|no (email|name) was given/i.test(result.output)
    ? start(NOBODY)
    : result;
}

/** What git said was wrong, in one line. */
export function problemOf({ output, endedBy, exitCode }: RunResult): string {
  const lines = output.split("\n").filter((line) => /^(fatal|error): /.test(line));
  const said = (lines.length > 0 ? lines.join(" ") : output.trim()).replaceAll(/\b(fatal|error): /g, "");
  return said === "" ? `git ended by ${endedBy}, exit ${exitCode}` : said;
}

export const succeeded = ({ exitCode }: RunResult): boolean => exitCode === 0;
