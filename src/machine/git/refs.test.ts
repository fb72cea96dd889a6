import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { gitIn, makeRepository } from "../../../test/git-repository.js";
import { needs, needsProc } from "../../../test/needs.js";
import { removeStaleLocks } from "./ref-locks.js";
import {
  attemptBranch,
  createRef,
  featureBranch,
  featureOfBranch,
  keptRef,
  listRefs,
  moveRefs,
  readHead,
  readRef,
  shortName,
} from "./refs.js";

const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 100 }),
  fc.constantFrom(
    "",
    ".",
    "..",
    "a.lock",
    "-x",
    "@",
    "a@{1}",
    "a..b",
    "a/b",
    "a%2fb",
    "$(rm)",
    "a b\n'\"",
    "é",
    "FEAT-1.",
  ),
);

describe("the name of a branch", () => {
  it("is one that git takes, whatever the id", () => {
    const ids = [...new Set(fc.sample(hostile, 300))];
    const names = ids.flatMap((id) => [featureBranch(id), attemptBranch(id), keptRef(id)]);
    expect(new Set(names).size).toBe(names.length);
    const script = 'while IFS= read -r name; do git check-ref-format "$name" || echo "$name"; done';
    const { stdout, status } = spawnSync("sh", ["-c", script], { input: `${names.join("\n")}\n`, encoding: "utf8" });
    expect([status, stdout]).toEqual([0, ""]);
  });

  it("differs where ids differ", () => {
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        expect(featureBranch(a) === featureBranch(b)).toBe(Buffer.from(a).equals(Buffer.from(b)));
      }),
    );
  });

  it("tells the id, as far as that is short and made of characters", () => {
    fc.assert(
      fc.property(
        hostile.map((id) => Buffer.from(id).toString()),
        (id) => {
          expect(featureOfBranch(featureBranch(id))).toBe(id === "" || featureBranch(id).includes("%%") ? null : id);
        },
      ),
    );
    expect(featureOfBranch("refs/heads/planwright/feature/%ff")).toBeNull();
    expect(featureOfBranch("refs/heads/planwright/feature/a%41")).toBeNull();
  });

  it("is the id itself where that is plain, and fits a file system where it is long", () => {
    expect(shortName(featureBranch("FEAT-001"))).toBe("planwright/feature/FEAT-001");
    expect(shortName(attemptBranch("ATT-00001"))).toBe("planwright/attempt/ATT-00001");
    expect(keptRef("ATT-00001")).toBe("refs/planwright/kept/ATT-00001");
    expect(featureBranch("é".repeat(500)).length).toBeLessThan(230);
  });
});

const isRoot = process.getuid?.() === 0;

describe("refs", () => {
  it("are read loose, packed, symbolic, or not at all", async () => {
    const { path, git } = makeRepository();
    const sha = git("rev-parse", "HEAD");
    git("branch", "packed");
    git("pack-refs", "--all");
    git("branch", "loose");
    git("symbolic-ref", "refs/heads/other", "refs/heads/packed");
    const read = (name: string): Promise<string | null> => readRef(path, `refs/heads/${name}`);
    expect(await Promise.all(["loose", "packed", "other", "main", "none"].map(read))).toEqual([
      sha,
      sha,
      sha,
      sha,
      null,
    ]);
  });

  it("are made once", async () => {
    const { path, git } = makeRepository();
    const sha = git("rev-parse", "HEAD");
    expect(await createRef(path, featureBranch("F"), sha)).toEqual({ ok: true });
    expect(await createRef(path, featureBranch("F"), sha)).toMatchObject({
      problem: expect.stringContaining("already exists"),
    });
    expect(await listRefs(path, "refs/heads/planwright")).toEqual(new Map([[featureBranch("F"), sha]]));
    expect(await listRefs(path, "refs/nothing")).toEqual(new Map());
  });

  it("move together, or not at all", async () => {
    const { path, git, commit } = makeRepository();
    const first = git("rev-parse", "HEAD");
    const second = commit({ b: "b" });
    const [a, b, c] = ["refs/heads/a", "refs/heads/b", "refs/heads/c"] as const;
    const all = async (): Promise<(string | null)[]> => Promise.all([a, b, c].map((ref) => readRef(path, ref)));
    const start = [
      { ref: a, to: first, from: null },
      { ref: b, to: first },
      { ref: c, to: null, from: null },
    ];
    expect(await moveRefs(path, start)).toEqual({ ok: true });
    expect(await all()).toEqual([first, first, null]);
    const move = { ref: a, to: second, from: first };
    for (const wrong of [
      { ref: b, to: second, from: second },
      { ref: b, to: null, from: second },
      { ref: b, to: second, from: null },
      { ref: b, to: null, from: null },
      { ref: c, to: first, from: first },
      { ref: b, to: "f".repeat(40), from: first },
    ]) {
      expect(await moveRefs(path, [move, wrong])).toHaveProperty("problem");
      expect(await all()).toEqual([first, first, null]);
    }
    const right = [move, { ref: b, to: first, from: first }, { ref: c, to: null }];
    expect(await moveRefs(path, right)).toEqual({ ok: true });
    expect(await moveRefs(path, [{ ref: b, to: null, from: first }])).toEqual({ ok: true });
    expect(await all()).toEqual([second, null, null]);
  });

  it.each([
    ["of ours", "refs/heads/planwright/feature/F", 31],
    ["that others move too", "refs/heads/side", 11],
  ])("%s move although a killed git has left a lock", async (_, ref, age) => {
    const { path, git } = makeRepository();
    const sha = git("rev-parse", "HEAD");
    const lock = join(path, ".git", `${ref}.lock`);
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, "");
    const then = Date.now() / 1000 - age;
    utimesSync(lock, then, then);
    expect(await createRef(path, ref, sha)).toEqual({ ok: true });
    expect([await readRef(path, ref), existsSync(lock)]).toEqual([sha, false]);
  });

  // Elsewhere nobody can tell whether a git program runs.
  it("keep the lock of a git that works in any worktree", needsProc, async () => {
    const { path, git, around } = makeRepository();
    const linked = join(around, "linked");
    git("worktree", "add", "-q", "--detach", linked);
    const lock = join(path, ".git/HEAD.lock");
    const then = Date.now() / 1000 - 11;
    for (const cwd of [path, linked]) {
      writeFileSync(lock, "");
      utimesSync(lock, then, then);
      const child = spawn("git", ["cat-file", "--batch-check"], { cwd });
      onTestFinished(() => void child.kill());
      child.stdin.write("HEAD\n");
      await new Promise((answered) => child.stdout.once("data", answered));
      removeStaleLocks(path);
      expect(existsSync(lock)).toBe(true);
      child.stdin.end();
      await new Promise((ended) => child.once("close", ended));
      removeStaleLocks(path);
      expect(existsSync(lock)).toBe(false);
    }
  });

  it(
    "go without a lock whose user has no git at work",
    needs(isRoot, "only root can start programs of others"),
    async () => {
      const { path, around } = makeRepository();
      const lock = join(path, ".git/HEAD.lock");
      const then = Date.now() / 1000 - 11;
      writeFileSync(lock, "");
      utimesSync(lock, then, then);
      chmodSync(around, 0o755);
      // By its name it is a git, and others may not see where it works unless they are root.
      symlinkSync("/bin/sleep", join(around, "git-waits"));
      const child = spawn(join(around, "git-waits"), ["600"], { cwd: path, uid: 65_534, gid: 65_534 });
      onTestFinished(() => void child.kill());
      await once(child, "spawn");
      removeStaleLocks(path);
      expect(existsSync(lock)).toBe(false);
    },
  );

  it("wait for a git that is at work", async () => {
    const { path, git } = makeRepository();
    const sha = git("rev-parse", "HEAD");
    const lock = join(path, ".git/refs/heads/side.lock");
    writeFileSync(lock, "");
    const made = createRef(path, "refs/heads/side", sha);
    // It has failed once before this is gone: it asks git first.
    setImmediate(() => rmSync(lock));
    expect(await made).toEqual({ ok: true });
  });
});

it("reads what is checked out here: a linked worktree has its own, and there may be nothing yet", async () => {
  const repository = makeRepository();
  const first = repository.git("rev-parse", "HEAD");
  const linked = join(repository.around, "linked");
  repository.git("worktree", "add", "-q", "--detach", linked);
  const second = repository.commit({ "b.txt": "b\n" });
  expect([await readHead(repository.path), await readHead(linked)]).toEqual([second, first]);
  // With reftable, the file HEAD says nothing.
  mkdirSync(join(repository.path, ".git/reftable"));
  expect([await readHead(repository.path), await readHead(linked)]).toEqual([second, first]);
  const young = join(repository.around, "young");
  gitIn(repository.around, "init", "-q", young);
  expect(await readHead(young)).toBeNull();
  mkdirSync(join(young, ".git/reftable"));
  expect([await readHead(young), await readHead(repository.around)]).toEqual([null, null]);
});
