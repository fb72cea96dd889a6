import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository, write } from "../../../test/git-repository.js";
import { git, settingsOf } from "./git.js";
import { mayRunDrivers, settingsIn, withRule } from "./rule.js";
import { addWorktree } from "./worktree.js";

it.each<[string, string]>([
  ["status --porcelain", "status --ignore-submodules=dirty --porcelain"],
  ["--no-optional-locks status", "--no-optional-locks status --ignore-submodules=dirty"],
  ["-c a.b=c diff HEAD", "-c a.b=c diff --ignore-submodules=dirty --no-ext-diff --no-textconv HEAD"],
  ["diff-index --cached HEAD", "diff-index --ignore-submodules=dirty --cached HEAD"],
  ["show HEAD:a", "show --no-ext-diff --no-textconv HEAD:a"],
  ["ls-files -z", "ls-files -z"],
  ["--version", "--version"],
])("git %s becomes git %s", (typed, started) => {
  expect(withRule(typed.split(" ")).join(" ")).toBe(started);
});

it("takes every command that it does not know for one that runs drivers", () => {
  const commands = ["add", "checkout", "write-tree", "planwright-stage", "rev-parse", "cat-file", "--version"];
  expect(commands.filter((command) => mayRunDrivers(["-c", "x.y=z", command]))).toEqual(commands.slice(0, 4));
});

it("finds drivers wherever they come from, except Git LFS as its authors wrote it", () => {
  const list = [
    ["system", "file:/etc/gitconfig", "filter.lfs.process\ngit-lfs filter-process"],
    ["local", "file:.git/config", "filter.a.b.clean\n./x"],
    ["local", "file:.git/config", "merge.lock.driver\n./y %A"],
    ["global", "file:/home/a/.gitconfig", "diff.word.textconv\n./z"],
    ["local", "file:.git/config", "core.ignorecase"],
    ["local", "file:.git/config", "core.pager\n./p"],
  ];
  expect(settingsIn(`${list.flat().join("\0")}\0`)).toEqual({
    off: {
      "filter.a.b.clean": "",
      "filter.a.b.smudge": "",
      "filter.a.b.process": "",
      "filter.a.b.required": "false",
      "merge.lock.driver": "false",
      "diff.word.command": "",
      "diff.word.textconv": "",
    },
    filters: new Set(["a.b"]),
    plain: { "core.ignorecase": "true" },
  });
});

/** Settings that name a filter, in a file of their own. */
const more = '[filter "x"]\n\tclean = ./x.sh\n';

it.each<[string, (git: (...args: string[]) => string) => unknown]>([
  ["for worktrees only", (git) => git("config", "includeIf.gitdir:**/worktrees/**.path", "../more")],
  ["for a branch only", (git) => git("config", "includeIf.onbranch:side.path", "../more")],
])("finds drivers in settings that are included %s", async (_, include) => {
  const { path, around, git: plain } = makeRepository();
  write(path, { more });
  include(plain);
  const worktree = join(around, "tree");
  expect(await addWorktree(path, worktree, plain("rev-parse", "HEAD"))).toEqual({ ok: true });
  const gitDir = join(path, ".git/worktrees/tree");
  await settingsOf(worktree, gitDir);
  expect((await settingsOf(path)).filters).toEqual(new Set());
  await git(worktree, ["checkout", "-q", "-b", "side"], { gitDir });
  expect((await settingsOf(worktree, gitDir)).filters).toEqual(new Set(["x"]));
});

it("notices a file of settings that appears or changes", async () => {
  const { path, git: plain } = makeRepository();
  plain("config", "include.path", "../more");
  expect((await settingsOf(path)).filters).toEqual(new Set());
  write(path, { more });
  expect((await settingsOf(path)).filters).toEqual(new Set(["x"]));
  plain("config", "filter.y.clean", "./y.sh");
  expect((await settingsOf(path)).filters).toEqual(new Set(["x", "y"]));
});

it("is the git of an absolute folder, also where the PATH names a folder of the worktree", async () => {
  const { path } = makeRepository();
  writeFileSync(join(path, "git"), "#!/bin/sh\ntouch ran\n");
  chmodSync(join(path, "git"), 0o755);
  const before = process.env["PATH"];
  onTestFinished(() => {
    process.env["PATH"] = before;
  });
  process.env["PATH"] = `.:${before}`;
  // The alias is run by a shell that looks for git itself.
  const { stdout } = await git(path, ["-c", "alias.twice=!git rev-parse HEAD && git", "twice", "rev-parse", "HEAD"]);
  expect(stdout.trim().split("\n")).toHaveLength(2);
  expect(existsSync(join(path, "ran"))).toBe(false);
});

it("takes no other parents for a commit, whatever info/grafts says, and does not complain", async () => {
  const { path, git: plain, commit } = makeRepository();
  commit({ "b.txt": "b\n" });
  write(path, { ".git/info/grafts": `${plain("rev-parse", "HEAD")}\n` });
  const { stdout, output } = await git(path, ["rev-list", "--count", "HEAD"]);
  expect([stdout, output]).toEqual(["2\n", "2\n"]);
});

it("takes no object for another, whatever refs/replace says", async () => {
  const { path, git: plain, commit } = makeRepository();
  const first = plain("rev-parse", "HEAD");
  plain("replace", commit({ "b.txt": "b\n" }), first);
  expect((await git(path, ["ls-tree", "--name-only", "HEAD"])).stdout).toBe("a.txt\nb.txt\n");
});
