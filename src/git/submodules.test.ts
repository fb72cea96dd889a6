import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitIn, makeRepository } from "../../test/git-repository.js";
import { commitChangeSet } from "./change-set.js";
import { changedSubmodules, initSubmodules } from "./submodules.js";
import { addWorktree, resetWorktree } from "./worktree.js";

async function withSubmodule(): Promise<{ path: string; worktree: string; base: string }> {
  const library = makeRepository({ "lib.txt": "1\n" });
  const { path, around, git } = makeRepository();
  git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library.path, "libs/one");
  git("commit", "-qm", "library");
  // What worked once must work without the remote.
  git("config", "submodule.libs/one.url", "/nowhere");
  const base = git("rev-parse", "HEAD");
  const worktree = join(around, "tree");
  expect(await addWorktree(path, worktree, base)).toEqual({ ok: true });
  expect(existsSync(join(worktree, "libs/one/lib.txt"))).toBe(false);
  expect(await initSubmodules(worktree)).toBeUndefined();
  return { path, worktree, base };
}

it("submodules are checked out in a worktree, without a network and without changing the user's settings", async () => {
  const { path, worktree, base } = await withSubmodule();
  expect(existsSync(join(worktree, "libs/one/lib.txt"))).toBe(true);
  expect(gitIn(path, "config", "submodule.libs/one.url")).toBe("/nowhere");
  expect(await changedSubmodules(worktree)).toEqual([]);
  writeFileSync(join(worktree, "a.txt"), "changed\n");
  expect(await commitChangeSet(worktree, base, "work")).toMatchObject({ changes: { modified: ["a.txt"] } });
  // A pooled worktree stays usable.
  expect(await resetWorktree(worktree, base, { keep: [] })).toEqual({ ok: true });
  expect(await initSubmodules(worktree)).toBeUndefined();
  expect(existsSync(join(worktree, "libs/one/lib.txt"))).toBe(true);
});

it.each<[string, (lib: string) => unknown]>([
  ["a changed file", (lib) => writeFileSync(join(lib, "lib.txt"), "2\n")],
  ["a new file", (lib) => writeFileSync(join(lib, "new.txt"), "2\n")],
  [
    "a commit",
    (lib) => {
      writeFileSync(join(lib, "lib.txt"), "2\n");
      gitIn(lib, "commit", "-qam", "mine");
    },
  ],
])("%s inside of a submodule is refused and never lost in silence", async (_, change) => {
  const { worktree, base } = await withSubmodule();
  change(join(worktree, "libs/one"));
  expect(await commitChangeSet(worktree, base, "work")).toMatchObject({ problem: expect.stringContaining("libs/one") });
});

it("a submodule that cannot be checked out is one clear sentence", async () => {
  const { path, git } = makeRepository({
    ".gitmodules": '[submodule "gone"]\n\tpath = gone\n\turl = /nowhere/at/all\n',
  });
  git("update-index", "--add", "--cacheinfo", `160000,${git("rev-parse", "HEAD")},gone`);
  git("commit", "-qm", "gone");
  expect(await initSubmodules(path)).toMatch(/^the submodule gone could not be initialised: /);
});
