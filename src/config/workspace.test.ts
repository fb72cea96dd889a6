import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitIn, makeRepository } from "../../test/git-repository.js";
import { pathInWorkspace } from "./workspace.js";

it.each([
  ["in a subfolder", "repo/packages/a", "src/x.ts", "packages/a/src/x.ts"],
  ["with dots", "repo/packages/a", "../b/./y.ts", "packages/b/y.ts"],
  ["at the top", "repo", "src/x.ts", "src/x.ts"],
  ["as a pattern", "repo/packages/a", "src/**", "packages/a/src/**"],
  ["as a folder", "repo/packages/a", "src/", "packages/a/src/"],
  ["in a linked worktree", "tree/packages/a", "x.ts", "packages/a/x.ts"],
  ["that leads out of the workspace", "repo/packages/a", "../../../up", "../../../up"],
  ["outside of the workspace", ".", "src/x.ts", "src/x.ts"],
])("a file that is typed %s never names another file of the workspace", (_, folder, typed, expected) => {
  const { around, path } = makeRepository({ "packages/a/x.ts": "" });
  mkdirSync(join(path, ".planwright"));
  writeFileSync(join(path, ".planwright/plan.db"), "");
  gitIn(path, "worktree", "add", "-q", join(around, "tree"));
  expect(pathInWorkspace(join(around, folder), typed)).toBe(expected);
  expect(pathInWorkspace(join(path, "packages"), join(path, "packages/a/x.ts"))).toBe("packages/a/x.ts");
});
