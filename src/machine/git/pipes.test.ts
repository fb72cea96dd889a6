import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRepository } from "../../../test/git-repository.js";
import { commitFiles } from "./files.js";
import { git, gitOutput, problemOf } from "./git.js";
import { runGit, WaitsForPipes } from "./pipes.js";
import { withSafeConfig } from "./safe-config.js";
import { workingTreeAt } from "./working-tree.js";

function makePipe(...path: string[]): void {
  mkdirSync(dirname(join(...path)), { recursive: true });
  rmSync(join(...path), { force: true });
  execFileSync("mkfifo", [join(...path)]);
}

const STATUS = ["status", "--porcelain"];

describe("git never waits for a pipe", () => {
  const IN_TREE = [".gitignore", "a/b/.gitignore"];
  const IN_GIT = ["HEAD", "config", "index", "info/exclude", "info/sparse-checkout", "packed-refs", "refs/heads/other"];

  /** A repository with a pipe of this name, and what git says when it is asked for its status or its branches. */
  async function asked(name: string): Promise<{ path: string; problem: string }> {
    const { path, git: own } = makeRepository();
    own("config", "core.sparseCheckout", "true");
    makePipe(path, name);
    const result = await git(path, name.includes("/refs/") ? ["for-each-ref"] : STATUS);
    expect([result.exitCode, result.pipes]).toEqual([null, [name]]);
    return { path, problem: problemOf(result) };
  }

  it("in the working tree", async () => {
    const all = await Promise.all(IN_TREE.map(asked));
    expect(all.map(({ problem }) => problem)).toEqual(
      IN_TREE.map((name) => `${name} is a pipe or a device, and git would wait for it. Remove it.`),
    );
  });

  it("in its own folder, and the next one is not even started", async () => {
    for (const { path } of await Promise.all(IN_GIT.map((name) => asked(`.git/${name}`))))
      await expect(gitOutput(path, STATUS, "no")).rejects.toThrow(WaitsForPipes);
  });

  it("in a folder below the top, and names them all", async () => {
    const { path } = makeRepository({ "sub/a.txt": "a" });
    for (const name of [".gitignore", "sub/.gitignore", "sub/.gitattributes"]) makePipe(path, name);
    const { pipes } = await git(join(path, "sub"), STATUS);
    expect(new Set(pipes)).toEqual(new Set([".gitignore", "sub/.gitignore", "sub/.gitattributes"]));
  });

  it("in a linked worktree, whose own part of the repository is elsewhere", async () => {
    const { path, around, git: own } = makeRepository();
    const worktree = join(around, "slot");
    own("worktree", "add", "-q", worktree);
    const gitDir = workingTreeAt(worktree)?.gitDir ?? "";
    makePipe(path, ".git/info/exclude");
    const shared = join(path, ".git/info/exclude");
    for (const options of [{}, { gitDir }]) {
      expect((await git(worktree, STATUS, options)).pipes).toEqual([shared]);
    }
    rmSync(shared);
    makePipe(gitDir, "index");
    expect((await git(worktree, STATUS, { gitDir })).pipes).toEqual([join(gitDir, "index")]);
  });

  it("not even for the user's own hooks and settings", async () => {
    const { path } = makeRepository();
    makePipe(path, ".gitattributes");
    expect(await commitFiles(path, ["a.txt"], "again")).toEqual({ problem: expect.stringContaining("is a pipe") });
    rmSync(join(path, ".gitattributes"));
    makePipe(path, ".git/config");
    const folder = join(path, ".planwright/running/git");
    await expect(withSafeConfig(folder, async () => "done")).rejects.toMatchObject({
      failure: { kind: "refused", reason: "pipe-in-the-way" },
    });
  });
});

describe("a git that takes long goes on", () => {
  it("where there is no pipe that it reads", async () => {
    const { path, git: own } = makeRepository();
    makePipe(path, "mine");
    own("worktree", "add", "-q", join(path, "slots/one"));
    makePipe(path, "slots/one/.gitignore");
    own("init", "-q", "nested");
    makePipe(path, "nested/.gitignore");
    const args = ["-c", "alias.slow=!sleep 3; echo done; :", "slow"];
    expect((await runGit({ cwd: path, args })).stdout).toBe("done\n");
  });

  it("until it is canceled", async () => {
    const { path } = makeRepository();
    const stop = new AbortController();
    const running = runGit({
      cwd: path,
      args: ["-c", "alias.slow=!echo on; sleep 600", "slow"],
      signal: stop.signal,
      onText: () => stop.abort(),
    });
    expect(await running).toMatchObject({ endedBy: "cancel", stdout: "on\n" });
    expect((await running).pipes).toBeUndefined();
    expect(await runGit({ cwd: path, args: STATUS, signal: AbortSignal.abort() })).toMatchObject({ endedBy: "cancel" });
  });
});
