import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { makeRepository } from "../../../test/git-repository.js";
import { rememberIndex, restoreIndex, setHead, type WorkingTree, withIndex, workingTreeAt } from "./working-tree.js";

const MANY = Array.from({ length: 20 });

it("several at once at one tree do not get into each other's way", async () => {
  const { path, git } = makeRepository({ a: "1" });
  const tree = workingTreeAt(path) as WorkingTree;
  const commit = git("rev-parse", "HEAD");
  setHead(tree, commit);
  expect(readFileSync(join(tree.gitDir, "HEAD"), "utf8")).toBe(`${commit}\n`);
  for (const copy of [rememberIndex, restoreIndex]) expect(copy(tree)).toBe(true);
  const before = readdirSync(tree.gitDir);
  const seen = MANY.map(() =>
    withIndex(tree, async (index) => {
      await turn();
      return existsSync(index) ? index : "gone";
    }),
  );
  expect(new Set(await Promise.all(seen)).size).toBe(MANY.length);
  expect(readdirSync(tree.gitDir)).toEqual(before);
  expect(git("status", "--porcelain")).toBe("");
});
