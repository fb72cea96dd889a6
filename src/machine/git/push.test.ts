import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitIn, makeRepository, type TestRepository } from "../../../test/git-repository.js";
import { listRemotes, pushBranch, usualRemote } from "./push.js";

function withRemote(): TestRepository & { bare: string } {
  const repository = makeRepository();
  const bare = join(repository.around, "remote.git");
  gitIn(repository.around, "init", "-q", "--bare", "remote.git");
  repository.git("remote", "add", "hub", bare);
  return { ...repository, bare };
}

it("pushes a commit under a name, tells what the remote said, and never overwrites", async () => {
  const { path, bare, git, commit } = withRemote();
  const hook = join(bare, "hooks/post-receive");
  writeFileSync(hook, "#!/bin/sh\necho 'Open a review: https://example.org/new'\n");
  chmodSync(hook, 0o755);
  const first = git("rev-parse", "HEAD");
  expect(await pushBranch(path, "hub", "refs/heads/x", first)).toEqual({
    said: ["Open a review: https://example.org/new"],
  });
  expect(gitIn(bare, "rev-parse", "x")).toBe(first);
  const second = commit({ b: "b" });
  expect(await pushBranch(path, "hub", "refs/heads/x", second)).toHaveProperty("said");
  expect(await pushBranch(path, "hub", "refs/heads/x", first)).toHaveProperty("problem");
  expect(gitIn(bare, "rev-parse", "x")).toBe(second);
  expect(await pushBranch(path, "--upload-pack=x", "refs/heads/x", first)).toHaveProperty("problem");
});

it("runs the hooks that people have set up for a push", async () => {
  const { path, git } = withRemote();
  const hook = join(path, ".git/hooks/pre-push");
  writeFileSync(hook, "#!/bin/sh\necho 'error: not on a Friday' >&2\nexit 1\n");
  chmodSync(hook, 0o755);
  expect(await pushBranch(path, "hub", "refs/heads/x", git("rev-parse", "HEAD"))).toEqual({
    problem: expect.stringContaining("not on a Friday"),
  });
});

it("finds the remote that git would use, and shows no password", async () => {
  const { path, bare, git } = withRemote();
  expect(await usualRemote(path, "main")).toBe("hub");
  git("remote", "add", "other", "https://ada:secret@example.org/x.git");
  expect(await usualRemote(path, "main")).toBeNull();
  expect(await listRemotes(path)).toEqual([
    { name: "hub", url: bare },
    { name: "other", url: "https://example.org/x.git" },
  ]);
  git("remote", "add", "origin", "x");
  expect(await usualRemote(path, "main")).toBe("origin");
  git("config", "branch.main.remote", "other");
  expect(await usualRemote(path, "main")).toBe("other");
});
