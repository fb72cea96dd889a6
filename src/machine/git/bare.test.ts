import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitIn, makeRepository } from "../../../test/git-repository.js";
import { findRepository, headCommit, hiddenBare } from "./repository.js";

it("a bare repository is found by its name, from itself and from its worktrees", () => {
  const { around, path, git } = makeRepository();
  const bare = join(around, "shop.git");
  gitIn(around, "clone", "-q", "--bare", path, bare);
  gitIn(bare, "worktree", "add", "-q", join(around, "tree"), "main");
  expect(findRepository(bare)).toEqual({ top: bare, main: bare, gitDir: bare, commonDir: bare });
  expect(findRepository(join(around, "tree"))).toMatchObject({ main: bare, commonDir: bare });
  expect(headCommit(findRepository(bare) as never)).toBe(git("rev-parse", "HEAD"));
});

it("a hidden bare repository is named until git can find it", () => {
  const { around, path } = makeRepository();
  const bare = join(around, ".bare");
  gitIn(around, "clone", "-q", "--bare", path, bare);
  expect(hiddenBare(around)).toBe(bare);
  writeFileSync(join(around, ".git"), "gitdir: ./.bare\n");
  expect(hiddenBare(around)).toBeUndefined();
  expect(findRepository(around)).toMatchObject({ commonDir: bare });
});
