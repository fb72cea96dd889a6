import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeRepository, write } from "../../../test/git-repository.js";
import { commitChangeSet } from "./change-set.js";
import { addWorktree, restoreFiles } from "./worktree.js";

const NEW = { "new.txt": "new\n", "a.txt": "changed\n" };

async function begin() {
  const { path: root, around, git } = makeRepository({ "a.txt": "a\n", ".gitignore": "out/\n" });
  const base = git("rev-parse", "HEAD");
  const path = join(around, "slot");
  await addWorktree(root, path, base);
  write(path, NEW);
  const made = await commitChangeSet(path, base, "work\n");
  const text = (file: string): string => readFileSync(join(path, file), "utf8");
  return { path, commit: "commit" in made ? made.commit : "", text };
}

it("puts back what was changed or deleted, and what is new goes; what git ignores stays", async () => {
  const { path, commit, text } = await begin();
  write(path, { "new.txt": "spoilt\n", "a.txt": "spoilt\n", "left/log.txt": "x", "out/built.js": "x" });
  expect(await restoreFiles(path, commit)).toEqual({ ok: true });
  expect([text("new.txt"), text("a.txt"), text("out/built.js")]).toEqual(["new\n", "changed\n", "x"]);
  expect(existsSync(join(path, "left"))).toBe(false);
});

it("does not write files again that are as they should be", async () => {
  const { path, commit } = await begin();
  const stamps = () =>
    Object.keys(NEW).map((file) => [statSync(join(path, file)).ino, statSync(join(path, file)).mtimeMs]);
  const before = stamps();
  expect(await restoreFiles(path, commit)).toEqual({ ok: true });
  expect(stamps()).toEqual(before);
});

it("says what is wrong", async () => {
  const { path } = await begin();
  expect(await restoreFiles(path, "0".repeat(40))).toMatchObject({ problem: expect.any(String) });
});
