// Threat: the settings of a repository name programs. Our git starts none of them, those that nobody thought of included: a list names the
// settings that count, and git is shown no others.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { askGit } from "../../src/machine/git/ask-git.js";
import { commitChangeSet, snapshot } from "../../src/machine/git/change-set.js";
import { git } from "../../src/machine/git/git.js";
import { lendRepository } from "../../src/machine/git/lend.js";
import { addWorktree, listWorktrees, resetWorktree } from "../../src/machine/git/worktree.js";
import { gitIn, makeRepository, type TestRepository, write } from "../git-repository.js";

const PROGRAMS =
  `core.fsmonitor core.pager core.editor core.sshCommand core.askPass core.alternateRefsCommand core.gitProxy
  credential.helper sequence.editor gpg.program gpg.ssh.program gpg.ssh.defaultKeyCommand diff.external diff.evil.textconv
  diff.evil.command filter.evil.clean filter.evil.smudge filter.evil.process merge.evil.driver interactive.diffFilter
  uploadpack.packObjectsHook remote.origin.uploadpack remote.origin.receivepack remote.origin.vcs trailer.x.command
  gc.recentObjectsHook pager.log pager.status browser.x.cmd submodule.x.update alias.status alias.diff alias.add
  alias.cat-file alias.worktree alias.checkout made.up.later`.split(/\s+/);

/** Names each program in a setting, and all of them as hooks. What runs leaves a file in `proof`. */
function plant({ path, around, git: plain }: TestRepository): string {
  const proof = join(around, "proof");
  const hooks = join(around, "hooks");
  for (const folder of [proof, hooks]) mkdirSync(folder);
  const program = (folder: string, name: string): string => {
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\ntouch '${proof}/${name}'\ncat\n`);
    chmodSync(file, 0o755);
    return file;
  };
  for (const name of PROGRAMS) plain("config", name, program(around, name));
  for (const name of ["post-checkout", "post-index-change", "reference-transaction", "pre-commit", "post-commit"]) {
    program(hooks, name);
  }
  plain("config", "core.hooksPath", hooks);
  plain("config", "commit.gpgSign", "true");
  plain("config", "log.showSignature", "true");
  plain("config", "core.worktree", around);
  write(around, { included: `[filter "evil"]\n\tclean = ${join(around, "filter.evil.clean")}\n` });
  plain("config", "include.path", join(around, "included"));
  write(path, { ".git/info/attributes": "* filter=evil diff=evil merge=evil\n" });
  return proof;
}

it("no program that a repository names runs, whatever our git does there", async () => {
  const made = makeRepository({ "a.txt": "a\n", "b.txt": "b\n" });
  const { path, around, git: plain } = made;
  const base = plain("rev-parse", "HEAD");
  const proof = plant(made);
  const worktree = join(around, "slot-1");
  expect(await addWorktree(path, worktree, base)).toEqual({ ok: true });
  write(worktree, { "a.txt": "work\n" });
  await commitChangeSet(worktree, base, "work");
  await snapshot(worktree);
  expect(await resetWorktree(worktree, base, { keep: [] })).toEqual({ ok: true });
  for (const args of [
    ["status", "--porcelain"],
    ["diff"],
    ["log", "-p"],
    ["add", "-A"],
    ["for-each-ref"],
    ["gc", "-q"],
  ]) {
    expect(await git(path, args)).toMatchObject({ exitCode: 0 });
  }
  expect(await git(path, ["commit", "--allow-empty", "-m", "x"], { commits: true })).toMatchObject({ exitCode: 0 });
  expect(askGit(join(path, ".git"), ["rev-list", "--max-parents=0", "HEAD"])?.trim()).toBe(base);
  expect(readdirSync(proof)).toEqual([]);
});

it("what a repository says of its remotes starts no program when an object is missing", async () => {
  const { around, path } = makeRepository({ "a.txt": "a\n", "b.txt": "b\n" });
  const partial = join(around, "partial");
  gitIn(path, "config", "uploadpack.allowFilter", "true");
  gitIn(around, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${path}`, partial);
  const [proof, evil] = [join(around, "ran"), join(around, "evil.sh")];
  writeFileSync(evil, `#!/bin/sh\ntouch '${proof}'\nexec git-upload-pack "$@"\n`);
  chmodSync(evil, 0o755);
  gitIn(partial, "config", "remote.origin.uploadpack", evil);
  // The object comes from the remote all the same.
  expect(await git(partial, ["show", "HEAD:a.txt"])).toMatchObject({ exitCode: 0, stdout: "a\n" });
  expect(existsSync(proof)).toBe(false);
});

it("what a repository says of itself that is harmless counts: who commits, line ends, remotes, long names of commits", async () => {
  const { path, around, git: plain } = makeRepository({ "a.txt": "a\n" });
  plain("config", "core.hooksPath", "/nowhere");
  plain("config", "user.email", "ada@example.org");
  plain("config", "core.autocrlf", "true");
  plain("config", "branch.main.pushRemote", "mine");
  plain("config", "extensions.worktreeConfig", "true");
  plain("config", "--worktree", "user.name", "Ada");
  const config = readFileSync(join(path, ".git/config"), "utf8");
  const ask = async (key: string): Promise<string> => (await git(path, ["config", key])).stdout.trim();
  expect(await Promise.all(["user.email", "user.name", "branch.main.pushremote", "core.hooksPath"].map(ask))).toEqual([
    "ada@example.org",
    "Ada",
    "mine",
    "/dev/null",
  ]);
  const worktree = join(around, "slot-1");
  expect(await addWorktree(path, worktree, plain("rev-parse", "HEAD"))).toEqual({ ok: true });
  expect(readFileSync(join(worktree, "a.txt"), "utf8")).toBe("a\r\n");
  // Git finds the worktree where it is, without us, and nothing of the repository moved.
  expect(gitIn(worktree, "rev-parse", "--git-common-dir")).toBe(join(path, ".git"));
  expect((await listWorktrees(path)).map((each) => each.path)).toEqual([path, worktree]);
  await lendRepository(worktree, { commit: plain("rev-parse", "HEAD"), branch: null, name: "a worker" });
  expect(gitIn(worktree, "status", "--porcelain")).toBe("");
  expect(readFileSync(join(path, ".git/config"), "utf8")).toBe(config);
});

it("a bare repository that lies around a folder without one is not obeyed", async () => {
  const { around, path } = makeRepository();
  const bare = join(around, "planted");
  gitIn(around, "clone", "-q", "--bare", path, bare);
  const inner = join(bare, "inner");
  mkdirSync(inner);
  expect(await git(inner, ["rev-parse", "HEAD"])).toMatchObject({ exitCode: 128 });
  rmSync(inner, { recursive: true });
});
