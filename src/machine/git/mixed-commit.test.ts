import { expect, it } from "vitest";
import { makeRepository } from "../../../test/git-repository.js";
import { commitWith } from "./mixed-commit.js";

it("has the named files as the other commit has them, and the rest as it was", async () => {
  const repository = makeRepository({ "a.txt": "1\n", "b.txt": "1\n", "was-file": "1\n", "gone.txt": "1\n" });
  const { path, git } = repository;
  const old = git("rev-parse", "HEAD").trim();
  git("rm", "-q", "was-file", "gone.txt");
  repository.commit({ "a.txt": "2\n", "b.txt": "2\n", "was-file/now-folder": "2\n", "new.txt": "2\n" });
  const now = git("rev-parse", "HEAD").trim();
  const paths = ["a.txt", "was-file", "was-file/now-folder", "new.txt", "gone.txt"];
  const mixed = await commitWith(path, now, { from: old, paths });
  const files = (commit: string): string => git("ls-tree", "-r", commit);
  const [inOld, inMixed] = [files(old), files(mixed)];
  expect(inMixed.replace(/.*\tb\.txt/, "")).toBe(inOld.replace(/.*\tb\.txt/, ""));
  expect(git("show", `${mixed}:b.txt`).trim()).toBe("2");
  expect(git("status", "--porcelain")).toBe("");
  expect(git("rev-parse", "HEAD").trim()).toBe(now);
});
