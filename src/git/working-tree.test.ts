import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepository } from "../../test/git-repository.js";
import { rememberIndex, restoreIndex, setHead, type WorkingTree, workingTreeAt } from "./working-tree.js";

const MANY = Array.from({ length: 20 });

it("several at once at one tree do not get into each other's way", async () => {
  const { path, git } = makeRepository({ a: "1" });
  const tree = workingTreeAt(path) as WorkingTree;
  const commit = git("rev-parse", "HEAD");
  await Promise.all(MANY.map(() => setHead(tree, commit)));
  expect(readFileSync(join(tree.gitDir, "HEAD"), "utf8")).toBe(`${commit}\n`);
  for (const copy of [rememberIndex, restoreIndex]) {
    expect(await Promise.all(MANY.map(() => copy(tree)))).toEqual(MANY.map(() => true));
  }
  expect(git("status", "--porcelain")).toBe("");
});
