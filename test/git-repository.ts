// A real repository in a temporary folder, with one commit, and git itself at hand.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

const IDENTITY = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@a" };

/** Runs a program and returns its output; throws if it fails. */
function outputOf(cwd: string, command: string, args: readonly string[]): string {
  const child = spawnSync(command, args, { cwd, encoding: "utf8", env: { ...process.env, ...IDENTITY } });
  if (child.status !== 0) throw new Error(`${command} ${args.join(" ")}: ${child.stderr}`);
  return child.stdout.replace(/\n$/, "");
}

export const gitIn = (cwd: string, ...args: string[]): string => outputOf(cwd, "git", args);

/** A shell starts git in a third of the time that a test worker takes, because it has little memory to copy. */
const COMMIT = 'git add -A && git commit -q --allow-empty -m "$0" && git rev-parse HEAD';
const commitAll = (cwd: string, message: string): string => outputOf(cwd, "sh", ["-c", COMMIT, message]);
const initAndCommit = (cwd: string, message: string): string =>
  outputOf(cwd, "sh", ["-c", `git init -q -b main && ${COMMIT}`, message]);

export function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

export interface TestRepository {
  /** A folder around it, for worktrees and remotes. */
  readonly around: string;
  readonly path: string;
  readonly git: (...args: string[]) => string;
  /** Writes files and commits everything; the commit. */
  readonly commit: (files: Readonly<Record<string, string>>, message?: string) => string;
}

export function makeRepository(files: Readonly<Record<string, string>> = { "a.txt": "a\n" }): TestRepository {
  const around = realpathSync(mkdtempSync(join(tmpdir(), "planwright-git-")));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const path = join(around, "repo");
  mkdirSync(path);
  const git = (...args: string[]): string => gitIn(path, ...args);
  const commit = (files: Readonly<Record<string, string>>, message = "work"): string => {
    write(path, files);
    return commitAll(path, message);
  };
  write(path, files);
  initAndCommit(path, "begin");
  return { around, path, git, commit };
}
