import { dirname } from "node:path";
import { expect, it } from "vitest";
import { makeRepository } from "../../../test/git-repository.js";
import { commitTree, contains, mergeTrees, treeOf } from "./merge.js";

function begin() {
  const repository = makeRepository({ a: "1\n2\n3\n4\n5\n", "odd\nname": "x\n" });
  const base = repository.git("rev-parse", "HEAD");
  const ours = repository.commit({ a: "one\n2\n3\n4\n5\n", "odd\nname": "ours\n" });
  repository.git("checkout", "-q", "-b", "theirs", base);
  const theirs = repository.commit({ a: "1\n2\n3\n4\nfive\n" });
  const against = repository.commit({ "odd\nname": "theirs\n" });
  return { repository, base, ours, theirs, against, ...repository };
}

it("merges what does not meet, and names what does", async () => {
  const { path, git, ours, theirs, against } = begin();
  const status = git("status", "--porcelain");
  const merged = await mergeTrees(path, ours, theirs);
  if (!("tree" in merged)) throw new Error("a conflict");
  expect(git("show", `${merged.tree}:a`)).toBe("one\n2\n3\n4\nfive");
  expect(await mergeTrees(path, ours, against)).toEqual({ conflicts: ["odd\nname"] });
  expect(git("status", "--porcelain")).toBe(status);
  await expect(mergeTrees(path, ours, "f".repeat(40))).rejects.toThrow("git cannot merge");
});

it("makes commits, and knows their trees and what contains them", async () => {
  const { path, git, base, ours, theirs } = begin();
  const tree = await treeOf(path, theirs);
  expect(tree).toBe(git("rev-parse", `${theirs}^{tree}`));
  const message = '-x "$(id)"\n\nPlanwright-Task: TASK-1\n';
  const made = await commitTree(path, tree, [ours, theirs], message);
  expect(git("log", "-1", "--format=%P|%T|%B", made)).toBe(`${ours} ${theirs}|${tree}|${message}`);
  const inside = (branch: string, commit: string) => contains(path, branch, commit);
  expect(await Promise.all([inside(made, base), inside("refs/heads/main", theirs), inside(ours, ours)])).toEqual([
    true,
    false,
    true,
  ]);
  expect(await inside("refs/heads/main", "f".repeat(40))).toBe(false);
  // Nobody could look, so nobody may say that it is missing.
  await expect(contains(dirname(path), ours, base)).rejects.toThrow("git cannot tell");
  await expect(treeOf(path, "nothing")).rejects.toThrow("no commit nothing");
  await expect(commitTree(path, "f".repeat(40), [ours], "x")).rejects.toThrow("git cannot commit");
});
