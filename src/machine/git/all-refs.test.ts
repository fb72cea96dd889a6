import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepository, type TestRepository } from "../../../test/git-repository.js";
import { readAllRefs } from "./refs.js";

function refsOf({ path, git }: TestRepository): { ours: string[]; gits: string[] } {
  const found = readAllRefs(join(path, ".git")) ?? new Map<string, string>();
  const gits = git("for-each-ref", "--format=%(objectname) %(refname)").split("\n");
  return { ours: [...found].map(([ref, commit]) => `${commit} ${ref}`).sort(), gits: gits.sort() };
}

it("are those that git lists: loose, packed, both, symbolic, and none that leads nowhere", () => {
  const repository = makeRepository({ a: "1" });
  const { path, git } = repository;
  git("branch", "packed");
  git("branch", "packed-and-moved");
  git("tag", "-a", "-m", "a tag", "v1");
  git("pack-refs", "--all");
  git("commit", "-q", "--allow-empty", "-m", "two");
  git("branch", "-f", "packed-and-moved");
  git("branch", "a/folder/of/its/own");
  git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/packed");
  writeFileSync(join(path, ".git/refs/heads/held.lock"), "");
  const { ours, gits } = refsOf(repository);
  expect(ours).toEqual(gits);
  expect(ours).toHaveLength(6);
  git("symbolic-ref", "refs/remotes/origin/gone", "refs/heads/nowhere");
  git("symbolic-ref", "refs/remotes/origin/round", "refs/remotes/origin/round");
  expect(refsOf(repository).ours).toEqual(ours);
});

it("are never taken for gone where they could not be read", () => {
  const { path } = makeRepository({ a: "1" });
  const git = join(path, ".git");
  mkdirSync(join(git, "packed-refs"));
  expect(() => readAllRefs(git)).toThrow("is not a file");
  rmSync(join(git, "packed-refs"), { recursive: true });
  rmSync(join(git, "refs"), { recursive: true });
  expect(() => readAllRefs(git)).toThrow("ENOENT");
});

it("are for git to list where they are kept in another way", () => {
  const { path } = makeRepository({ a: "1" });
  mkdirSync(join(path, ".git/reftable"));
  expect(readAllRefs(join(path, ".git"))).toBeUndefined();
});

it.each<[string, (refs: string) => void]>([
  ["a link to a ref", (refs) => symlinkSync("main", join(refs, "heads/link"))],
  ["a link to a folder", (refs) => symlinkSync("heads", join(refs, "linked"))],
  ["a link to itself", (refs) => symlinkSync("loop", join(refs, "heads/loop"))],
  ["a pipe", (refs) => void execFileSync("mkfifo", [join(refs, "heads/pipe")])],
])("are for git to list where there is %s", (_, put) => {
  const { path } = makeRepository({ a: "1" });
  put(join(path, ".git/refs"));
  expect(readAllRefs(join(path, ".git"))).toBeUndefined();
});

it("are read in a branch's own folder of that name too, which may go at any moment", () => {
  const repository = makeRepository({ a: "1" });
  repository.git("branch", "refs/x");
  const { ours, gits } = refsOf(repository);
  expect(ours).toEqual(gits);
});
