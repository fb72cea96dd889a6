import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn, makeRepository } from "../../../test/git-repository.js";
import { lendRepository } from "./lend.js";
import { objectFolders } from "./repository.js";
import { addWorktree } from "./worktree.js";

const settingsOf = (repository: string, name: string, value: string): string =>
  gitIn(repository, "config", name, value);

/** `third` borrows from `second`, which borrows from the first, by a relative path. */
function makeBorrowers() {
  const first = makeRepository({ "a.txt": "a\n" });
  const { around, path } = first;
  gitIn(around, "clone", "-q", "--shared", path, "second");
  gitIn(around, "clone", "-q", "--shared", join(around, "second"), "third");
  writeFileSync(join(around, "second/.git/objects/info/alternates"), "# mine\n../../../repo/.git/objects\n");
  writeFileSync(
    join(around, "third/.git/objects/info/alternates"),
    [join(around, "second"), path].map((each) => `${join(each, ".git/objects")}\n`).join(""),
  );
  return { ...first, third: join(around, "third"), base: first.git("rev-parse", "HEAD") };
}

describe("objects that a repository borrows", () => {
  it("are found wherever they are, also where a lender borrows in turn and says so by a relative path", () => {
    const { around, path, third } = makeBorrowers();
    writeFileSync(join(third, ".git/objects/info/alternates"), `"${join(around, "second/.git/objects")}"\n`);
    expect(objectFolders(join(third, ".git"))).toEqual(
      [third, join(around, "second"), path].map((each) => join(each, ".git/objects")),
    );
  });

  it("end no search, also where two borrow from each other", () => {
    const { around, path, third } = makeBorrowers();
    mkdirSync(join(path, ".git/objects/info"), { recursive: true });
    writeFileSync(join(path, ".git/objects/info/alternates"), `${join(third, ".git/objects")}\n`);
    expect(objectFolders(join(third, ".git"))).toHaveLength(3);
    expect(existsSync(join(around, "second"))).toBe(true);
  });

  it("are all there for a worker's git", async () => {
    const { around, path, third, base } = makeBorrowers();
    const worktree = join(around, "slot-1");
    expect(await addWorktree(third, worktree, base)).toEqual({ ok: true });
    await lendRepository(worktree, { commit: base, branch: null, name: "a worker" });
    expect(gitIn(worktree, "log", "--format=%s")).toBe("begin");
    expect(gitIn(worktree, "status", "--porcelain")).toBe("");
    // Even without the one in between, whose relative path git would not follow.
    expect(gitIn(worktree, "count-objects", "-v")).toContain(`alternate: ${join(path, ".git/objects")}`);
  });
});

describe("a repository from which objects are missing until they are needed", () => {
  async function lent() {
    const made = makeRepository({ "a.txt": "old\n" });
    const { path, around, commit } = made;
    const old = made.git("rev-parse", "HEAD");
    const base = commit({ "a.txt": "new\n" });
    settingsOf(path, "uploadpack.allowFilter", "true");
    gitIn(around, "clone", "-q", "--no-checkout", "--filter=blob:none", `file://${path}`, "partial");
    const worktree = join(around, "slot-1");
    expect(await addWorktree(join(around, "partial"), worktree, base)).toEqual({ ok: true });
    await lendRepository(worktree, { commit: base, branch: "refs/heads/work", name: "a worker" });
    return { worktree, old, path };
  }

  it("has all that a worker's git needs for its work", async () => {
    const { worktree } = await lent();
    expect(gitIn(worktree, "status", "--porcelain")).toBe("");
    writeFileSync(join(worktree, "a.txt"), "work\n");
    gitIn(worktree, "commit", "-qam", "work");
    expect(gitIn(worktree, "show", "--format=%s")).toContain("-new\n+work");
    gitIn(worktree, "gc", "-q");
    gitIn(worktree, "fsck");
  });

  it("says where an older object is that the worker's git cannot fetch", async () => {
    const { worktree, old } = await lent();
    expect(() => gitIn(worktree, "show", `${old}:a.txt`)).toThrow(/the repository was cloned without it/);
  });
});
