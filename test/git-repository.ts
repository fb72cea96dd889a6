// A real repository in a temporary folder, with one commit, and git itself at hand.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

const IDENTITY = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a", GIT_COMMITTER_NAME: "a", GIT_COMMITTER_EMAIL: "a@a" };

/** What git says; an error if it fails. */
export function gitIn(cwd: string, ...args: string[]): string {
  const child = spawnSync("git", args, { cwd, encoding: "utf8", env: { ...process.env, ...IDENTITY } });
  if (child.status !== 0) throw new Error(`git ${args.join(" ")}: ${child.stderr}`);
  return child.stdout.replace(/\n$/, "");
}

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
    git("add", "-A");
    git("commit", "-q", "--allow-empty", "-m", message);
    return git("rev-parse", "HEAD");
  };
  git("init", "-q", "-b", "main");
  commit(files, "begin");
  return { around, path, git, commit };
}
