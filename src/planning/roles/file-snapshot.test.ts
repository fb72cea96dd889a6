import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { makeRepository, write } from "../../../test/git-repository.js";
import { restoreSnapshot, snapshotFiles } from "./file-snapshot.js";

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "planwright-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

it("puts back what changed, also what was not committed, and keeps a copy; index and ignored files stay", async () => {
  const { path, git } = makeRepository({ "a.txt": "a\n", "b.txt": "b\n", ".gitignore": "out/\n" });
  write(path, { "a.txt": "mine\n", "untracked.txt": "mine\n" });
  git("add", "a.txt");
  const status = git("status", "--short");
  const snapshot = (await snapshotFiles(path)) ?? "";
  write(path, { "a.txt": "theirs\n", "untracked.txt": "theirs\n", "owned/x.txt": "x", "out/built.js": "x" });
  rmSync(join(path, "b.txt"));
  const copies = folder();
  expect(await restoreSnapshot(path, snapshot, copies)).toEqual(["a.txt", "b.txt", "owned/x.txt", "untracked.txt"]);
  const text = (file: string): string => readFileSync(join(path, file), "utf8");
  expect([text("a.txt"), text("b.txt"), text("untracked.txt"), text("out/built.js")]).toEqual([
    "mine\n",
    "b\n",
    "mine\n",
    "x",
  ]);
  expect(existsSync(join(path, "owned/x.txt"))).toBe(false);
  expect(readFileSync(join(copies, "a.txt"), "utf8")).toBe("theirs\n");
  expect(readFileSync(join(copies, "owned/x.txt"), "utf8")).toBe("x");
  expect(git("status", "--short")).toBe(status);
  expect(await restoreSnapshot(path, snapshot, copies)).toEqual([]);
});

it("does nothing without a repository", async () => {
  expect(await snapshotFiles(folder())).toBeUndefined();
});
