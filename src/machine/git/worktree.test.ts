import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { gitIn, makeRepository, type TestRepository, write } from "../../../test/git-repository.js";
import { type ChangeCommit, commitChangeSet } from "./change-set.js";
import { addWorktree, listWorktrees, pruneWorktrees, removeWorktree, resetWorktree } from "./worktree.js";

async function begin(): Promise<{ repository: TestRepository; first: string; second: string; path: string }> {
  const repository = makeRepository({ a: "1", "src/b": "1", old: "1", ".gitignore": "node_modules\n*.log\n" });
  const first = repository.git("rev-parse", "HEAD");
  rmSync(join(repository.path, "old"));
  const second = repository.commit({ a: "2", "src/new": "2" });
  const path = join(repository.path, ".slots", "slot 1");
  write(repository.path, { ".slots/.gitignore": "*\n" });
  expect(await addWorktree(repository.path, path, first)).toEqual({ ok: true });
  return { repository, first, second, path };
}

const isExactly = (path: string, commit: string): void => {
  expect(gitIn(path, "status", "--porcelain", "--ignored")).toBe("");
  expect(gitIn(path, "rev-parse", "HEAD")).toBe(commit);
  expect(gitIn(path, "rev-parse", "--show-toplevel")).toBe(path);
  // Without the index's help.
  rmSync(gitIn(path, "rev-parse", "--git-path", "index"));
  gitIn(path, "reset", "-q");
  expect(gitIn(path, "status", "--porcelain")).toBe("");
};

describe("a new worktree", () => {
  it("is the commit, and git takes it for one that it made", async () => {
    const { repository, first } = await begin();
    const paths = ["one/slot-1", "two/slot-1"].map((name) => join(repository.around, name));
    const added = await Promise.all(paths.map((path) => addWorktree(repository.path, path, first)));
    expect(added).toEqual([{ ok: true }, { ok: true }]);
    repository.git("worktree", "prune");
    const listed = repository.git("worktree", "list", "--porcelain");
    for (const path of paths) {
      isExactly(path, first);
      expect(listed).toContain(`worktree ${path}\nHEAD ${first}\ndetached`);
    }
    expect(repository.git("fsck")).toBe("");
    expect(readdirSync(join(repository.path, ".git")).filter((name) => name.startsWith("planwright"))).toEqual([]);
  });

  it("is none of a commit that is not there, and leaves nothing behind", async () => {
    const { repository } = await begin();
    const path = join(repository.around, "slot-2");
    expect(await addWorktree(repository.path, path, "1".repeat(40))).toEqual({ problem: expect.any(String) });
    expect(existsSync(path)).toBe(false);
    expect(repository.git("worktree", "list")).not.toContain("slot-2");
  });
});

describe("a pooled worktree is exactly a commit again", () => {
  it.each<[string, (path: string) => void]>([
    ["with nothing done", () => {}],
    [
      "after files of every kind",
      (path) => {
        write(path, {
          a: "x",
          "new/deep/er": "x",
          "x.log": "x",
          "node_modules/m/index.js": "x",
          "-rf": "x",
          "a b\n'": "x",
        });
        unlinkSync(join(path, "src/b"));
        symlinkSync("/etc", join(path, "l"));
        mkdirSync(join(path, "empty/er"), { recursive: true });
      },
    ],
    [
      "after a file became a folder, and a folder a link",
      (path) => {
        rmSync(join(path, "a"));
        write(path, { "a/b/c": "x", "outside/b": "do not touch" });
        rmSync(join(path, "src"), { recursive: true });
        symlinkSync("outside", join(path, "src"));
      },
    ],
    [
      "after repositories in it, beside and among its files",
      (path) => {
        for (const name of ["nested", "src"]) {
          mkdirSync(join(path, name), { recursive: true });
          gitIn(join(path, name), "init", "-q");
          write(join(path, name), { f: "x" });
          gitIn(join(path, name), "add", "-A");
          gitIn(join(path, name), "commit", "-qm", "x");
        }
      },
    ],
    [
      "after marks that hide changes",
      (path) => {
        gitIn(path, "update-index", "--assume-unchanged", "a");
        gitIn(path, "update-index", "--skip-worktree", "src/b");
        write(path, { a: "x", "src/b": "x" });
      },
    ],
    [
      "in the middle of a merge",
      (path) => {
        write(path, { a: "mine" });
        gitIn(path, "commit", "-qam", "mine");
        expect(() => gitIn(path, "merge", "main")).toThrow("git merge main");
      },
    ],
    [
      "in the middle of a rebase",
      (path) => {
        write(path, { a: "mine" });
        gitIn(path, "commit", "-qam", "mine");
        expect(() => gitIn(path, "rebase", "main")).toThrow("could not apply");
      },
    ],
    [
      "with its index locked by a dead program",
      (path) => write(gitIn(path, "rev-parse", "--git-dir"), { "index.lock": "" }),
    ],
    ["with its index broken", (path) => write(gitIn(path, "rev-parse", "--git-dir"), { index: "junk" })],
    [
      "with its index broken, and nothing remembered",
      (path) => {
        const gitDir = gitIn(path, "rev-parse", "--git-dir");
        write(gitDir, { index: "junk" });
        rmSync(join(gitDir, "planwright-index"));
      },
    ],
    ["with HEAD broken", (path) => write(gitIn(path, "rev-parse", "--git-dir"), { HEAD: "junk" })],
    ["with HEAD nowhere", (path) => gitIn(path, "symbolic-ref", "HEAD", "refs/heads/never")],
    ["without its .git", (path) => rmSync(join(path, ".git"))],
    [
      "with a .git of its own",
      (path) => {
        rmSync(join(path, ".git"));
        gitIn(path, "init", "-q");
        gitIn(path, "add", "-A");
        gitIn(path, "commit", "-qm", "x");
      },
    ],
    [
      "with everything gone but the folder",
      (path) => {
        rmSync(path, { recursive: true });
        mkdirSync(path);
      },
    ],
  ])("%s", async (_, deed) => {
    const { repository, first, second, path } = await begin();
    const untouched = (): unknown => [
      repository.git("status", "--porcelain", "--ignored"),
      repository.git("rev-parse", "main"),
      repository.git("symbolic-ref", "HEAD"),
    ];
    const before = untouched();
    deed(path);
    expect(await resetWorktree(path, first, { keep: [] })).toEqual({ ok: true });
    isExactly(path, first);
    deed(path);
    expect(await resetWorktree(path, second, { keep: [] })).toEqual({ ok: true });
    isExactly(path, second);
    expect(untouched()).toEqual(before);
  });

  it("on a new branch, leaving the one before where its work is", async () => {
    const { repository, first, second, path } = await begin();
    expect(await resetWorktree(path, first, { branch: "refs/heads/planwright/attempt/A", keep: [] })).toEqual({
      ok: true,
    });
    expect(gitIn(path, "symbolic-ref", "HEAD")).toBe("refs/heads/planwright/attempt/A");
    write(path, { a: "mine" });
    gitIn(path, "commit", "-qam", "mine");
    const mine = gitIn(path, "rev-parse", "HEAD");
    expect(await resetWorktree(path, second, { branch: "refs/heads/planwright/attempt/B", keep: [] })).toEqual({
      ok: true,
    });
    isExactly(path, second);
    expect(repository.git("rev-parse", "planwright/attempt/A")).toBe(mine);
    expect(await resetWorktree(path, second, { branch: "refs/heads/planwright/attempt/A", keep: [] })).toEqual({
      problem: expect.stringContaining("already exists"),
    });
    expect(repository.git("rev-parse", "planwright/attempt/A")).toBe(mine);
  });

  it("and keeps what it is told to, by that very name", async () => {
    const { first, path } = await begin();
    const odd = "[a]* b";
    write(path, {
      "node_modules/m": "x",
      "src/node_modules/m": "x",
      "deep/cache/c": "x",
      "deep/other": "x",
      [`${odd}/x`]: "x",
      "a b/x": "x",
      "x.log": "x",
    });
    const kept = ["node_modules", "deep/cache/", odd];
    expect(await resetWorktree(path, first, { keep: kept })).toEqual({ ok: true });
    const there = (name: string): boolean => existsSync(join(path, name));
    expect(["node_modules/m", "deep/cache/c", `${odd}/x`].map(there)).toEqual([true, true, true]);
    expect(["src/node_modules", "deep/other", "a b", "x.log"].map(there)).toEqual([false, false, false, false]);
    // What is kept and not ignored shows up as created; carried paths are ignored ones.
    const { changes } = (await commitChangeSet(path, first, "kept")) as Extract<ChangeCommit, { commit: string }>;
    expect(changes.created).toEqual([`${odd}/x`, "deep/cache/c"].toSorted());
  });

  it("but never touches what is not a linked worktree", async () => {
    const { repository, first } = await begin();
    write(repository.path, { precious: "x", "plain/f": "x" });
    for (const folder of [repository.path, join(repository.path, "plain"), repository.around]) {
      expect(await resetWorktree(folder, first, { keep: [] })).toEqual({
        problem: expect.stringContaining("is not a worktree"),
      });
    }
    expect(readFileSync(join(repository.path, "precious"), "utf8")).toBe("x");
    expect(repository.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
  });

  it("says so if there is no such commit", async () => {
    const { path } = await begin();
    expect(await resetWorktree(path, "f".repeat(40), { keep: [] })).toHaveProperty("problem");
  });
});

describe("worktrees", () => {
  it("names the checkout of a repository whose git folder lies elsewhere, and not that folder", async () => {
    const repository = makeRepository({ a: "1" });
    gitIn(repository.path, "init", "-q", "--separate-git-dir", join(repository.around, "gd"));
    expect((await listWorktrees(repository.path)).map(({ path }) => path)).toEqual([repository.path]);
  });

  it("are listed with what they have checked out, under any name", async () => {
    const { repository, first, second, path } = await begin();
    const odd = join(repository.around, "new\nline");
    await addWorktree(repository.path, odd, second);
    await resetWorktree(odd, second, { branch: "refs/heads/x", keep: [] });
    const [main, ...linked] = await listWorktrees(path);
    expect(main).toEqual({ path: repository.path, head: second, branch: "refs/heads/main" });
    expect(linked.toSorted((a, b) => (a.path > b.path ? -1 : 1))).toEqual([
      { path, head: first, branch: null },
      { path: odd, head: second, branch: "refs/heads/x" },
    ]);
  });

  it.each<[string, (path: string, gitDir: string) => void]>([
    ["whole", () => {}],
    ["without their folder", (path) => rmSync(path, { recursive: true })],
    ["without their .git", (path) => rmSync(join(path, ".git"))],
    ["unknown to the repository", (_, gitDir) => rmSync(gitDir, { recursive: true })],
    ["locked", (path) => gitIn(path, "worktree", "lock", path)],
    ["changed", (path) => write(path, { x: "x" })],
  ])("are removed %s, and made again", async (_, deed) => {
    const { repository, first, path } = await begin();
    deed(path, gitIn(path, "rev-parse", "--absolute-git-dir"));
    expect(await removeWorktree(repository.path, path)).toEqual({ ok: true });
    expect([existsSync(path), (await listWorktrees(repository.path)).length]).toEqual([false, 1]);
    expect(await removeWorktree(repository.path, path)).toEqual({ ok: true });
    expect(await addWorktree(repository.path, path, first)).toEqual({ ok: true });
    isExactly(path, first);
  });

  it("are not removed if they are repositories", async () => {
    const { repository } = await begin();
    const other = makeRepository();
    for (const path of [repository.path, other.path]) {
      expect(await removeWorktree(repository.path, path)).toEqual({ problem: `${path} is a repository of its own.` });
    }
    expect(await removeWorktree(repository.around, other.path)).toHaveProperty("problem");
    expect(existsSync(join(repository.path, "a"))).toBe(true);
  });

  it("are not made over something", async () => {
    const { repository, first } = await begin();
    const path = join(repository.around, "taken");
    write(path, { precious: "x" });
    expect(await addWorktree(repository.path, path, first)).toEqual({
      problem: expect.stringContaining("already exists"),
    });
  });

  it("are forgotten when they are gone, and only ours", async () => {
    const { repository, first, path } = await begin();
    const elsewhere = join(repository.around, "elsewhere");
    const stays = join(repository.path, ".slots/stays");
    for (const each of [elsewhere, stays]) await addWorktree(repository.path, each, first);
    rmSync(path, { recursive: true });
    rmSync(elsewhere, { recursive: true });
    await pruneWorktrees(repository.path, join(repository.path, ".slots"));
    expect((await listWorktrees(repository.path)).map((each) => each.path)).toEqual([
      repository.path,
      elsewhere,
      stays,
    ]);
    await pruneWorktrees(makeRepository().path, repository.path);
  });

  it("leave nothing behind where a git wrote on after they were removed, and nothing of one that is just being made goes", async () => {
    const { repository } = await begin();
    const known = join(repository.path, ".git/worktrees");
    write(known, { "stray/HEAD": "x", "stray/index": "x", "young/locked": "initializing" });
    await pruneWorktrees(repository.path, join(repository.path, ".slots"));
    expect([existsSync(join(known, "stray")), existsSync(join(known, "young"))]).toEqual([false, true]);
  });
});

it("is made although another one is just being made", async () => {
  const repository = makeRepository({ a: "1" });
  const bin = join(repository.around, "bin");
  const real = (process.env["PATH"] ?? "").split(":").find((folder) => existsSync(join(folder, "git"))) ?? "";
  // As git says it when it finds a worktree of which the first files are not written yet; the first two times.
  const script = [
    "#!/bin/sh",
    `case " $* " in *" worktree add "*) if mkdir "${bin}/$(ls ${bin} | wc -l | tr -d ' ')" && [ "$(ls ${bin} | wc -l)" -lt 4 ]; then`,
    `  echo "fatal: failed to read .git/worktrees/slot-2/commondir: Success" >&2; exit 128; fi;; esac`,
    `exec "${join(real, "git")}" "$@"`,
  ];
  write(repository.around, { "bin/git": `${script.join("\n")}\n` });
  chmodSync(join(bin, "git"), 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(await addWorktree(repository.path, join(repository.around, "slot-1"), "HEAD")).toEqual({ ok: true });
  expect(readdirSync(bin).length).toBe(4);
});

it("is made and listed although a git that was killed left one half made", async () => {
  const repository = makeRepository({ a: "1" });
  const [first, second] = [join(repository.around, "slot-1"), join(repository.around, "slot-2")];
  await addWorktree(repository.path, first, "HEAD");
  const half = join(repository.path, ".git/worktrees/slot-1/commondir");
  writeFileSync(half, "");
  await expect(listWorktrees(repository.path)).rejects.toThrow("failed to read");
  utimesSync(half, 0, 0);
  expect(await addWorktree(repository.path, second, "HEAD")).toEqual({ ok: true });
  expect((await listWorktrees(repository.path)).map(({ path }) => path)).toEqual([repository.path, second]);
});
