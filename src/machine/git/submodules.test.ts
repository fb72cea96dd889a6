import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { gitIn, makeRepository } from "../../../test/git-repository.js";
import { commitChangeSet, snapshot } from "./change-set.js";
import { readCheckout } from "./checkouts/checkout-changes.js";
import { changedSubmodules, initSubmodules } from "./submodules.js";
import { addWorktree, changedInWorktree, resetWorktree } from "./worktree.js";

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
  // The main checkout has no copy of it.
  expect(await initSubmodules(path, { network: false })).toBeUndefined();
});

it("a commit inside of a submodule is refused even if it changes no file", async () => {
  const { worktree, base } = await withSubmodule();
  gitIn(join(worktree, "libs/one"), "commit", "-q", "--allow-empty", "-m", "mine");
  expect(await commitChangeSet(worktree, base, "work")).toMatchObject({
    problem: expect.stringMatching(/^libs\/one is a submodule/),
  });
});

it("files in a submodule whose .git is gone are refused and never lost in silence", async () => {
  const { worktree, base } = await withSubmodule();
  rmSync(join(worktree, "libs/one/.git"));
  expect(await commitChangeSet(worktree, base, "work")).toMatchObject({
    problem: expect.stringMatching(/^libs\/one is a submodule/),
  });
});

it("a submodule can be removed, with its line in .gitmodules", async () => {
  const { worktree, base } = await withSubmodule();
  gitIn(worktree, "rm", "-q", "-f", "libs/one");
  expect(await commitChangeSet(worktree, base, "work")).toMatchObject({
    changes: { modified: [".gitmodules"], deleted: ["libs/one"] },
  });
});

it("every other file can be removed beside a submodule", async () => {
  const { worktree, base } = await withSubmodule();
  for (const name of ["a.txt", ".gitmodules"]) rmSync(join(worktree, name));
  expect(await commitChangeSet(worktree, base, "work")).toMatchObject({
    changes: { created: [], modified: [], deleted: [".gitmodules", "a.txt"] },
  });
});

it("what was changed inside of a submodule is in a snapshot, and gone from the next attempt", async () => {
  const { path, worktree, base } = await withSubmodule();
  const lib = join(worktree, "libs/one");
  writeFileSync(join(lib, "lib.txt"), "2\n");
  writeFileSync(join(lib, "new.txt"), "new\n");
  const saved = await snapshot(worktree);
  expect(gitIn(path, "show", `${saved}:libs/one/lib.txt`)).toBe("2");
  expect(gitIn(path, "show", `${saved}:libs/one/new.txt`)).toBe("new");
  expect(await resetWorktree(worktree, base, { keep: [] })).toEqual({ ok: true });
  expect(await initSubmodules(worktree)).toBeUndefined();
  expect(existsSync(join(lib, "new.txt"))).toBe(false);
  expect(await commitChangeSet(worktree, base, "work")).toEqual({ nothing: true });
});

it("a submodule as it was checked out is a commit in a snapshot, not a copy of its files", async () => {
  const { path, worktree, base } = await withSubmodule();
  writeFileSync(join(worktree, "a.txt"), "changed\n");
  const saved = await snapshot(worktree);
  expect(gitIn(path, "rev-parse", `${saved}:libs/one`)).toBe(gitIn(path, "rev-parse", `${base}:libs/one`));
});

it("a submodule that is as it should be is not checked out again", async () => {
  const { worktree } = await withSubmodule();
  const file = join(worktree, "libs/one/lib.txt");
  const before = statSync(file).ino;
  expect(await initSubmodules(worktree)).toBeUndefined();
  expect(statSync(file).ino).toBe(before);
});

it("a look leaves nothing behind", async () => {
  const { path, worktree, base } = await withSubmodule();
  await commitChangeSet(worktree, base, "work");
  await changedSubmodules(path);
  const left = [gitIn(worktree, "rev-parse", "--absolute-git-dir"), join(path, ".git")].flatMap((each) =>
    readdirSync(each),
  );
  expect(left.filter((name) => /planwright-(look|index\.)/.test(name))).toEqual([]);
});

it("a change inside of a submodule of the user's own checkout does not stop a claim", async () => {
  const { path } = await withSubmodule();
  writeFileSync(join(path, "libs/one/lib.txt"), "2\n");
  const head = gitIn(path, "rev-parse", "HEAD");
  expect(await readCheckout(path)).toEqual({ path, head, tree: null });
  expect(await changedSubmodules(path)).toEqual(["libs/one"]);
});

it("what an agent that only reads writes into a submodule is found", async () => {
  const { worktree, base } = await withSubmodule();
  expect(await changedInWorktree(worktree, base)).toEqual([]);
  writeFileSync(join(worktree, "libs/one/new.txt"), "new\n");
  expect(await changedInWorktree(worktree, base)).toEqual(["libs/one"]);
});
