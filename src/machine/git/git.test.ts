import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository } from "../../../test/git-repository.js";
import { git, problemOf } from "./git.js";

/** For the time of a test. */
function setEnvironment(changes: Record<string, string | undefined>): void {
  const before = { ...process.env };
  onTestFinished(() => {
    process.env = before;
  });
  process.env = { ...before, ...changes };
}

it("asks the repository that it is told, wherever a hook has pointed git", async () => {
  const [here, elsewhere] = [makeRepository(), makeRepository({ "other.txt": "" })];
  setEnvironment({
    GIT_DIR: join(elsewhere.path, ".git"),
    GIT_WORK_TREE: elsewhere.path,
    GIT_INDEX_FILE: join(elsewhere.path, ".git/index"),
  });
  expect((await git(here.path, ["ls-files"])).stdout).toBe("a.txt\n");
});

it("takes names as they are, runs no hook, signs nothing", async () => {
  const { path, git: plain } = makeRepository({ "*": "star\n", a: "a\n" });
  const hook = join(path, ".git/hooks/post-commit");
  writeFileSync(hook, "#!/bin/sh\necho ran > hooked\n");
  chmodSync(hook, 0o755);
  plain("config", "commit.gpgSign", "true");
  plain("config", "gpg.program", "false");
  expect((await git(path, ["ls-files", "--", "*"])).stdout).toBe("*\n");
  const { exitCode } = await git(path, ["commit", "--allow-empty", "-m", "ours"], { commits: true });
  expect([exitCode, plain("status", "--porcelain")]).toEqual([0, ""]);
});

it("is somebody who commits even where nobody has said who they are, and only there", async () => {
  const { path, git: plain } = makeRepository();
  setEnvironment({
    HOME: path,
    XDG_CONFIG_HOME: path,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    EMAIL: undefined,
  });
  const commit = async (): Promise<string> => {
    await git(path, ["commit", "--allow-empty", "-m", "x"], { commits: true });
    return plain("log", "-1", "--format=%an %ae %cn %ce");
  };
  expect(await commit()).toBe("planwright planwright@localhost planwright planwright@localhost");
  plain("config", "user.name", "Ada");
  plain("config", "user.email", "ada@example.org");
  expect(await commit()).toBe("Ada ada@example.org Ada ada@example.org");
});

it("hands over its input, and says in one line what was wrong", async () => {
  const { path, git: plain } = makeRepository();
  const { stdout } = await git(path, ["cat-file", "--batch-check=%(objecttype)"], { input: "HEAD\nHEAD^{tree}\n" });
  expect(stdout).toBe("commit\ntree\n");
  expect(problemOf(await git(path, ["rev-parse", "--verify", "nothing"]))).toBe("Needed a single revision");
  expect(problemOf(await git(join(path, "absent"), ["status"]))).toContain("ENOENT");
  // A program that does not read what it is given is not our end.
  expect((await git(path, ["rev-parse", "HEAD"], { input: "x".repeat(1_000_000) })).stdout.trim()).toBe(
    plain("rev-parse", "HEAD"),
  );
});
