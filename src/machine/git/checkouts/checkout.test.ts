import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitIn, makeRepository, type TestRepository, write } from "../../../../test/git-repository.js";
import type { Done } from "../git.js";
import { moveRefs } from "../refs.js";
import { addWorktree } from "../worktree.js";
import { advanceCheckout, checkoutsOf, obstacles, settleCheckout } from "./checkout.js";
import { type Advance, halfMoved, takeLock } from "./half-move.js";

interface Begun extends TestRepository {
  readonly from: string;
  readonly to: string;
}

/** `main` at `from` and checked out; `to` changes, adds, deletes, and makes a file a folder and a folder a file. */
function begin(): Begun {
  const repository = makeRepository({
    "a b": "1",
    gone: "1",
    same: "1",
    "kind/x": "1",
    other: "1",
    "deep/er/gone": "1",
  });
  const from = repository.git("rev-parse", "HEAD");
  for (const name of ["gone", "kind", "other", "deep"]) rmSync(join(repository.path, name), { recursive: true });
  const to = repository.commit({ "a b": "2", "-new\n'": "2", kind: "2", "other/y": "2", "fresh/er/f": "2" });
  repository.git("reset", "-q", "--hard", from);
  return { ...repository, from, to };
}

const move =
  ({ path, from, to }: Begun) =>
  () =>
    moveRefs(path, [{ ref: "refs/heads/main", from, to }]);

/** By a program that comes after a killed one. */
async function settle(advance: Advance): Promise<string[]> {
  expect(
    takeLock(
      advance,
      () => true,
      (holder) => holder === advance.holder,
    ),
  ).toBe("taken");
  return settleCheckout(advance);
}

const isCleanAt = ({ path, git }: TestRepository, commit: string): void => {
  expect([git("rev-parse", "main"), git("status", "--porcelain")]).toEqual([commit, ""]);
  rmSync(join(path, ".git/index"));
  git("reset", "-q");
  expect(git("status", "--porcelain")).toBe("");
  expect(readdirSync(join(path, ".git")).filter((name) => /lock|planwright/.test(name))).toEqual([]);
};

describe("a checkout", () => {
  it("goes along with its branch", async () => {
    const begun = begin();
    const { path, from, to } = begun;
    write(path, { untracked: "mine" });
    expect(await obstacles(path, from, to)).toEqual({ dirty: [], inTheWay: [], unfinished: null });
    expect(await advanceCheckout({ path, from, to, owner: "ATT-1", holder: "test/1" }, move(begun))).toEqual({
      ok: true,
    });
    expect(readFileSync(join(path, "untracked"), "utf8")).toBe("mine");
    rmSync(join(path, "untracked"));
    isCleanAt(begun, to);
  });

  it("is as it was if the branch did not move", async () => {
    const begun = begin();
    const { path, from, to } = begun;
    expect(
      await advanceCheckout({ path, from, to, owner: "ATT-1", holder: "test/1" }, async () => ({
        problem: "moved meanwhile",
      })),
    ).toEqual({
      problem: "moved meanwhile",
    });
    isCleanAt(begun, from);
  });

  it("is found wherever it is, and nowhere if it is not", async () => {
    const { path, around, from, git } = begin();
    const linked = join(around, "linked");
    await addWorktree(path, linked, from);
    gitIn(linked, "checkout", "-q", "-b", "side");
    expect(await checkoutsOf(linked, "refs/heads/main")).toEqual([path]);
    expect(await checkoutsOf(path, "refs/heads/side")).toEqual([linked]);
    git("checkout", "-q", "--detach");
    expect(await checkoutsOf(path, "refs/heads/main")).toEqual([]);
  });

  it("has obstacles: changes, staged ones, and unknown files in the way, ignored ones too", async () => {
    const { path, from, to, git } = begin();
    write(path, { same: "mine", "-new\n'": "mine", "kind/mine": "x", "fresh/er/f": "x", elsewhere: "x" });
    writeFileSync(join(path, ".git/info/exclude"), "fresh\n");
    write(path, { "a b": "staged" });
    git("add", "a b");
    expect(await obstacles(path, from, to)).toEqual({
      dirty: ["a b", "same"],
      inTheWay: ["-new\n'", "fresh/er/f", "kind/mine"],
      unfinished: null,
    });
    rmSync(join(path, "fresh"), { recursive: true });
    writeFileSync(join(path, "fresh"), "a file where a folder should be");
    expect((await obstacles(path, from, to)).inTheWay).toContain("fresh");
  });

  it("has no obstacle in files that are already what they will become, and keeps them if the branch does not move", async () => {
    const { path, git, commit } = makeRepository({ changed: "1\n", gone: "1\n", staged: "1\n", other: "1\n" });
    const from = git("rev-parse", "HEAD");
    git("rm", "-q", "gone");
    const to = commit({ changed: "2\n", staged: "2\n", "deep/fresh": "2\n" });
    git("reset", "-q", "--hard", from);
    const dirty = (): void => {
      write(path, { changed: "2\n", "deep/fresh": "2\n" });
      rmSync(join(path, "gone"));
    };
    dirty();
    const status = git("status", "--porcelain");
    expect(await obstacles(path, from, to)).toEqual({ dirty: [], inTheWay: [], unfinished: null });
    const advance = { path, from, to, owner: "test", holder: "here/1" };
    expect(await advanceCheckout(advance, async () => ({ problem: "not now" }))).toEqual({ problem: "not now" });
    expect([git("rev-parse", "main"), git("status", "--porcelain")]).toEqual([from, status]);
    const move = async (): Promise<Done> => {
      git("update-ref", "refs/heads/main", to);
      return { ok: true };
    };
    expect(await advanceCheckout(advance, move)).toEqual({ ok: true });
    expect([git("rev-parse", "main"), git("status", "--porcelain")]).toEqual([to, ""]);
  });

  it("has an obstacle in what is staged and differs from what is there", async () => {
    const { path, git, commit } = makeRepository({ a: "1\n" });
    const from = git("rev-parse", "HEAD");
    const to = commit({ a: "2\n" });
    git("reset", "-q", "--hard", from);
    write(path, { a: "staged\n" });
    git("add", "a");
    write(path, { a: "2\n" });
    expect((await obstacles(path, from, to)).dirty).toEqual(["a"]);
  });

  it("has somebody's merge as an obstacle", async () => {
    const { path, from, to, git, commit } = begin();
    git("checkout", "-q", "-b", "side");
    commit({ same: "side" });
    git("checkout", "-q", "main");
    git("merge", "-q", "--no-commit", "--no-ff", "side");
    expect(await obstacles(path, from, to)).toMatchObject({ unfinished: "a merge", dirty: ["same"] });
  });

  it("is not touched while another git program is at work", async () => {
    const begun = begin();
    const { path, from, to } = begun;
    writeFileSync(join(path, ".git/index.lock"), "");
    expect(await advanceCheckout({ path, from, to, owner: "ATT-1", holder: "test/1" }, move(begun))).toEqual({
      problem: expect.stringContaining("at work"),
    });
    await expect(settleCheckout({ path, from, to, owner: "ATT-1", holder: "test/1" })).rejects.toThrow("at work");
    rmSync(join(path, ".git/index.lock"));
    isCleanAt(begun, from);
  });

  it("refuses what came in the way since somebody looked, and is as it was", async () => {
    const begun = begin();
    const { path, from, to, git } = begun;
    write(path, { "a b": "mine" });
    expect(await advanceCheckout({ path, from, to, owner: "ATT-1", holder: "test/1" }, move(begun))).toHaveProperty(
      "problem",
    );
    expect(git("status", "--porcelain")).toBe(' M "a b"');
    git("checkout", "-q", "a b");
    isCleanAt(begun, from);
  });

  it("cannot be committed to while it changes", async () => {
    const begun = begin();
    const { path, from, to, git } = begun;
    const result = await advanceCheckout({ path, from, to, owner: "ATT-1", holder: "test/1" }, async () => {
      expect(() => git("commit", "--allow-empty", "-m", "in between")).toThrow("index.lock");
      return move(begun)();
    });
    expect(result).toEqual({ ok: true });
    isCleanAt(begun, to);
  });
});

describe("a checkout whose program was killed", () => {
  const lock = ({ path, from, to }: Begun): void =>
    writeFileSync(join(path, ".git/index.lock"), `planwright: ATT-1\n${from} ${to}\n`);
  const half = ({ path }: Begun): void => {
    rmSync(join(path, "gone"));
    rmSync(join(path, "kind"), { recursive: true });
    write(path, { "a b": "2", kind: "2" });
  };
  const whole = (begun: Begun): void => {
    const { path } = begun;
    half(begun);
    for (const name of ["deep", "other"]) rmSync(join(path, name), { recursive: true });
    write(path, { "-new\n'": "2", "other/y": "2", "fresh/er/f": "2" });
  };

  it.each<[string, (begun: Begun) => void]>([
    ["before anything", () => {}],
    ["with some files there", half],
    ["with all files there", whole],
  ])("%s is finished, or taken back", async (_, deed) => {
    for (const direction of ["to", "from"] as const) {
      const begun = begin();
      const { path, from, to, git } = begun;
      lock(begun);
      writeFileSync(join(path, ".git/planwright-landing-index"), "half");
      deed(begun);
      git("update-ref", "refs/heads/main", begun[direction]);
      expect(await halfMoved(path)).toEqual([{ path, from, to, owner: "ATT-1", locked: true }]);
      expect(await settle({ path, from, to, owner: "ATT-1", holder: "test/1" })).toEqual([]);
      isCleanAt(begun, begun[direction]);
      expect(await settle({ path, from, to, owner: "ATT-1", holder: "test/1" })).toEqual([]);
      isCleanAt(begun, begun[direction]);
    }
  });

  it("is found again when git was in trouble while it was settled", async () => {
    const begun = begin();
    const { path, from, to, git } = begun;
    lock(begun);
    half(begun);
    git("update-ref", "refs/heads/main", to);
    await expect(settle({ path, from, to: "0".repeat(40), owner: "ATT-1", holder: "test/1" })).rejects.toThrow(
      "bad object",
    );
    expect(await halfMoved(path)).toEqual([{ path, from, to: "0".repeat(40), owner: "ATT-1", locked: false }]);
    await settle({ path, from, to, owner: "ATT-1", holder: "test/1" });
    expect(await halfMoved(path)).toEqual([]);
    isCleanAt(begun, to);
  });

  it("is what its branch is, if the move itself was thrown out of", async () => {
    for (const direction of ["to", "from"] as const) {
      const begun = begin();
      const { path, from, to, git } = begun;
      const thrown = advanceCheckout({ path, from, to, owner: "ATT-1", holder: "test/1" }, async () => {
        git("update-ref", "refs/heads/main", begun[direction]);
        throw new Error("git was killed");
      });
      await expect(thrown).rejects.toThrow("git was killed");
      isCleanAt(begun, begun[direction]);
    }
  });

  it("is what people have put on top of it since", async () => {
    const begun = begin();
    const { path, from, to, git } = begun;
    writeFileSync(join(path, ".git/planwright-landing-half"), `planwright: ATT-1\n${from} ${to}\n`);
    half(begun);
    write(path, { "deep/er/gone": "theirs" });
    git("commit", "-q", "-m", "theirs", "deep/er/gone");
    const theirs = git("rev-parse", "HEAD");
    expect(await settle({ path, from, to, owner: "ATT-1", holder: "test/1" })).toEqual([]);
    isCleanAt(begun, theirs);
  });

  it("is not moved on before it was settled", async () => {
    const begun = begin();
    const { path, from, to, git } = begun;
    writeFileSync(join(path, ".git/planwright-landing-half"), `planwright: ATT-1\n${from} ${to}\n`);
    expect(await advanceCheckout({ path, from, to, owner: "ATT-2", holder: "test/2" }, move(begun))).toEqual({
      problem: expect.stringContaining("half moved"),
    });
    expect([git("rev-parse", "main"), existsSync(join(path, ".git/index.lock"))]).toEqual([from, false]);
    expect(await halfMoved(path)).toMatchObject([{ owner: "ATT-1" }]);
  });

  it("keeps what people have edited since, and names it", async () => {
    const begun = begin();
    const { path, from, to, git } = begun;
    lock(begun);
    half(begun);
    write(path, { "a b": "precious", same: "precious", "fresh/er/f": "precious" });
    git("update-ref", "refs/heads/main", to);
    expect((await settle({ path, from, to, owner: "ATT-1", holder: "test/1" })).toSorted()).toEqual([
      "a b",
      "fresh/er/f",
    ]);
    expect(git("status", "--porcelain").split("\n")).toEqual([' M "a b"', " M fresh/er/f", " M same"]);
    git("checkout", "-q", ".");
    isCleanAt(begun, to);
  });
});

it("counts a branch that is being rebased as checked out, and names the rebase", async () => {
  const repository = makeRepository({ "a.txt": "a\n" });
  const { path, git, commit } = repository;
  const base = git("rev-parse", "HEAD");
  git("branch", "other");
  const ours = commit({ "a.txt": "ours\n" });
  git("checkout", "-q", "other");
  commit({ "a.txt": "theirs\n" });
  git("checkout", "-q", "main");
  expect(() => git("rebase", "-q", "other")).toThrow("git rebase");
  expect(await checkoutsOf(path, "refs/heads/main")).toEqual([path]);
  expect(await checkoutsOf(path, "refs/heads/other")).toEqual([]);
  expect((await obstacles(path, base, ours)).unfinished).toBe("a rebase");
});

it("a lock of a killed program goes to one of those that want it, and not while another that runs takes it", () => {
  const { path, from, to } = begin();
  const by = (holder: string): Advance => ({ path, from, to, owner: "ATT-1", holder });
  const isAtWork = (holder: string): boolean => holder === "test/2" || holder === "test/3";
  const mayLose = (holder: string | null): boolean => holder === "test/1";
  const lock = join(path, ".git/index.lock");
  const text = `planwright: ATT-1\n${from} ${to}\ntest/1\n`;
  writeFileSync(lock, text);
  const other = join(path, ".git/planwright-taking-lock-test%2F3");
  writeFileSync(other, text);
  expect(takeLock(by("test/2"), mayLose, isAtWork)).toBe("busy");
  expect(readFileSync(lock, "utf8")).toBe(text);
  rmSync(other);
  writeFileSync(join(path, ".git/planwright-taking-lock-test%2F4"), text);
  expect(takeLock(by("test/2"), mayLose, isAtWork)).toBe("taken");
  expect(readFileSync(lock, "utf8")).toContain("test/2\n");
  expect(readdirSync(join(path, ".git")).filter((name) => name.startsWith("planwright"))).toEqual([]);
});
