import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gitIn, makeRepository, type TestRepository, write } from "../../../test/git-repository.js";
import { type ChangeCommit, commitChangeSet, snapshot } from "./change-set.js";
import { addWorktree } from "./worktree.js";

const HOSTILE = [
  "a b",
  "it's",
  'say "x"',
  "new\nline",
  "-rf",
  "--",
  "é ü 漢",
  "$(touch pwned)",
  "`id`",
  "*",
  ":(top)x",
  "#c",
  "!n",
  "t\tb",
  "\\n",
];

interface Work {
  readonly repository: TestRepository;
  readonly path: string;
  readonly base: string;
}

async function begin(files: Readonly<Record<string, string>>): Promise<Work> {
  const repository = makeRepository(files);
  const base = repository.git("rev-parse", "HEAD");
  const path = join(repository.around, "slot 1");
  expect(await addWorktree(repository.path, path, base)).toEqual({ ok: true });
  return { repository, path, base };
}

const committed = (result: ChangeCommit): Extract<ChangeCommit, { commit: string }> => {
  if (!("commit" in result)) throw new Error(JSON.stringify(result));
  return result;
};

const filesOf = (repository: TestRepository, commit: string): string[] =>
  repository
    .git("ls-tree", "-r", "-z", "--name-only", commit)
    .split("\0")
    .filter((name) => name !== "");

describe("a change set", () => {
  it("tells created, modified and deleted apart, under any name, and leaves ignored files out", async () => {
    const { repository, path, base } = await begin({
      ".gitignore": "ignored*\n",
      kept: "1",
      ...Object.fromEntries(HOSTILE.map((name) => [`old/${name}`, name])),
      ...Object.fromEntries(HOSTILE.map((name) => [`gone/${name}`, name])),
    });
    expect(await commitChangeSet(path, base, "none")).toEqual({ nothing: true });
    write(path, { ignored: "x", ...Object.fromEntries(HOSTILE.map((name) => [name, "new"])) });
    for (const name of HOSTILE) {
      writeFileSync(join(path, "old", name), "other");
      unlinkSync(join(path, "gone", name));
    }
    const expected = {
      created: HOSTILE.toSorted(),
      modified: HOSTILE.map((name) => `old/${name}`).toSorted(),
      deleted: HOSTILE.map((name) => `gone/${name}`).toSorted(),
    };
    const { commit, tree, changes } = committed(await commitChangeSet(path, base, 'Say "hi" $(x)\n\nTrailer: é\n'));
    expect(changes).toEqual(expected);
    expect(repository.git("log", "-1", "--format=%P %T %B", commit)).toBe(
      `${base} ${tree} Say "hi" $(x)\n\nTrailer: é\n`,
    );
    expect(filesOf(repository, commit)).toEqual([...HOSTILE, ".gitignore", "kept", ...expected.modified].toSorted());
  });

  it("is the same whatever the worker did with git in between", async () => {
    const deeds: ((path: string) => void)[] = [
      () => {},
      (path) => gitIn(path, "add", "-A"),
      (path) => {
        gitIn(path, "add", "-A");
        gitIn(path, "commit", "-qm", "mine");
      },
      (path) => {
        gitIn(path, "checkout", "-q", "-b", "mine");
        gitIn(path, "add", "-A");
        gitIn(path, "commit", "-qm", "mine");
        gitIn(path, "checkout", "-q", "--detach");
        gitIn(path, "branch", "-D", "mine");
      },
      (path) => gitIn(path, "symbolic-ref", "HEAD", "refs/heads/never-born"),
      (path) => gitIn(path, "update-index", "--assume-unchanged", "changed"),
      (path) => gitIn(path, "update-index", "--skip-worktree", "changed", "gone"),
      (path) => gitIn(path, "add", "-N", "fresh"),
      (path) => gitIn(path, "rm", "-q", "-r", "--cached", "."),
      (path) => writeFileSync(join(path, ".git"), "gitdir: /nowhere\n"),
      (path) => rmSync(join(path, ".git")),
      (path) => {
        rmSync(join(path, ".git"));
        gitIn(path, "init", "-q");
        gitIn(path, "add", "-A");
        gitIn(path, "commit", "-qm", "mine");
      },
    ];
    const { repository, path, base } = await begin({ changed: "1", gone: "1", same: "1" });
    const status = repository.git("status", "--porcelain");
    const trees = new Set<string>();
    for (const [at, deed] of deeds.entries()) {
      // Inside of the repository, so that git would find the one around it when this one is broken.
      const inside = join(repository.path, ".slots", String(at));
      write(repository.path, { ".slots/.gitignore": "*\n" });
      await addWorktree(repository.path, inside, base);
      write(inside, { changed: "2", fresh: "3" });
      unlinkSync(join(inside, "gone"));
      deed(inside);
      const result = committed(await commitChangeSet(inside, base, "work"));
      expect([at, result.changes]).toEqual([at, { created: ["fresh"], modified: ["changed"], deleted: ["gone"] }]);
      trees.add(result.tree);
    }
    expect(trees.size).toBe(1);
    expect([repository.git("status", "--porcelain"), repository.git("rev-parse", "HEAD")]).toEqual([status, base]);
    expect(await commitChangeSet(path, base, "none")).toEqual({ nothing: true });
  });

  it("sees modes and kinds change", async () => {
    const { repository, path, base } = await begin({ script: "#!/bin/sh\n", file: "x", "folder/f": "x" });
    chmodSync(join(path, "script"), 0o755);
    rmSync(join(path, "file"));
    symlinkSync("folder/f", join(path, "file"));
    rmSync(join(path, "folder/f"));
    write(path, { "folder/f/deeper": "x" });
    const { changes, commit } = committed(await commitChangeSet(path, base, "work"));
    expect(changes).toEqual({ created: ["folder/f/deeper"], modified: ["file", "script"], deleted: ["folder/f"] });
    expect(
      repository
        .git("ls-tree", "-r", commit)
        .split("\n")
        .map((line) => line.slice(0, 6)),
    ).toEqual(["120000", "100644", "100755"]);
  });

  it.each<[string, (path: string) => void, string]>([
    [
      "a link to a place outside",
      (path) => symlinkSync("/etc/passwd", join(path, "l")),
      "l is a symbolic link to /etc",
    ],
    ["a link upwards", (path) => symlinkSync("../../x", join(path, "dir/l")), "dir/l is a symbolic link to ../../x"],
    ["a link through another", (path) => symlinkSync("up/../x", join(path, "dir/l")), "dir/l is a symbolic link"],
    ["a link into .git", (path) => symlinkSync(".git", join(path, "l")), "l is a symbolic link to .git"],
    ["a repository without commits", (path) => gitIn(path, "init", "-q", "nested repo"), "nested repo is a git repo"],
    [
      "a repository with commits",
      (path) => {
        gitIn(path, "init", "-q", "nested");
        gitIn(join(path, "nested"), "commit", "-q", "--allow-empty", "-m", "x");
      },
      "nested is a git repository of its own",
    ],
    [
      "a file of the plan",
      (path) => write(path, { ".planwright/config.json": "{}" }),
      ".planwright/config.json belongs",
    ],
    ["settings of git in other letters", (path) => write(path, { ".GIT/config": "x" }), ".GIT/config would be a part"],
    ["a hook of git in other letters", (path) => write(path, { "sub/.Git/hooks/x": "x" }), "sub/.Git/hooks/x would be"],
    ["a file of a plan below", (path) => write(path, { "sub/.Planwright/x": "{}" }), "sub/.Planwright/x belongs"],
  ])("with %s is refused, and named", async (_, deed, problem) => {
    const { path, base } = await begin({ "dir/up/file": "x" });
    write(path, { good: "work" });
    deed(path);
    expect(await commitChangeSet(path, base, "work")).toEqual({ problem: expect.stringContaining(problem) });
  });

  it("that is too large is refused before git reads it", async () => {
    const { path, base } = await begin({ a: "a" });
    write(path, { small: "x", huge: "" });
    // It has no content on the disk: to read it would take hours.
    truncateSync(join(path, "huge"), 2 ** 40);
    const seen: [number, number][] = [];
    const refused = await commitChangeSet(path, base, "work", (files, bytes) => {
      seen.push([files, bytes]);
      return "too much";
    });
    expect(refused).toEqual({ problem: "too much" });
    expect(seen).toEqual([[2, 2 ** 40 + 1]]);
  });

  it("may have links that stay inside", async () => {
    const { path, base } = await begin({ "dir/file": "x" });
    symlinkSync("../dir/./file", join(path, "dir/a"));
    symlinkSync("dir", join(path, "b"));
    symlinkSync("nowhere yet", join(path, "c\nd"));
    expect(committed(await commitChangeSet(path, base, "work")).changes.created).toEqual(["b", "c\nd", "dir/a"]);
  });

  it("is kept even if HEAD was left empty", async () => {
    const { repository, path, base } = await begin({ a: "a" });
    writeFileSync(join(path, "new"), "new");
    const head = repository.git("-C", path, "rev-parse", "--git-path", "HEAD");
    writeFileSync(head, "");
    const kept = await snapshot(path, base);
    expect(repository.git("ls-tree", "--name-only", kept).split("\n")).toEqual(["a", "new"]);
    expect(repository.git("rev-parse", `${kept}^`)).toBe(base);
  });

  it("cannot be had of a folder that is none", async () => {
    const { repository, base } = await begin({ a: "a" });
    mkdirSync(join(repository.path, "plain"));
    await expect(commitChangeSet(join(repository.path, "plain"), base, "x")).rejects.toThrow("not a worktree");
  });
});

describe("a snapshot", () => {
  it("keeps everything, and touches nothing", async () => {
    const { repository, path, base } = await begin({ a: "1", b: "1", ".gitignore": "ignored\n" });
    expect(await snapshot(path)).toBe(base);
    write(path, { a: "2", new: "x", ignored: "x", "nested/f": "precious", "bare-nested/f": "precious" });
    gitIn(path, "add", "a");
    rmSync(join(path, "b"));
    gitIn(join(path, "bare-nested"), "init", "-q");
    gitIn(join(path, "nested"), "init", "-q");
    gitIn(join(path, "nested"), "commit", "-q", "--allow-empty", "-m", "x");
    const before = gitIn(path, "status", "--porcelain");
    const kept = await snapshot(path);
    expect(gitIn(path, "status", "--porcelain")).toBe(before);
    expect(repository.git("rev-parse", `${kept}^`)).toBe(base);
    expect(filesOf(repository, kept)).toEqual([".gitignore", "a", "bare-nested/f", "nested/f", "new"]);
    gitIn(path, "symbolic-ref", "HEAD", "refs/heads/never-born");
    expect(filesOf(repository, await snapshot(path))).toEqual(filesOf(repository, kept));
  });
});

describe("any work", () => {
  const names = fc.constantFrom("a", "b", "d/a", "d/b", "d", "é x", "d/-e");
  const step = fc.oneof(
    fc.record({ do: fc.constant("write" as const), name: names, text: fc.constantFrom("1", "2", "22") }),
    fc.record({ do: fc.constant("remove" as const), name: names }),
    fc.record({ do: fc.constant("move" as const), name: names, to: names }),
    fc.record({
      do: fc.constant("git" as const),
      args: fc.constantFrom(["add", "-A"], ["reset", "-q"], ["commit", "-qam", "x", "--allow-empty"]),
    }),
  );

  it("becomes a commit whose files are those that lie there, and a list that says how they differ", async () => {
    const { repository, path, base } = await begin({ a: "1", "d/a": "1" });
    const perform = (each: typeof step extends fc.Arbitrary<infer S> ? S : never): void => {
      try {
        if (each.do === "write") write(path, { [each.name]: each.text });
        else if (each.do === "remove") rmSync(join(path, each.name), { recursive: true, force: true });
        else if (each.do === "move") renameSync(join(path, each.name), join(path, each.to));
        else gitIn(path, ...each.args);
      } catch {
        // A folder where a file should be: then the step does nothing.
      }
    };
    const lie = (): string[] => gitIn(path, "ls-files", "-z", "--others", "--cached", "--deduplicate").split("\0");
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        for (const each of steps) perform(each);
        const result = await commitChangeSet(path, base, "work");
        const tree = "commit" in result ? result.commit : base;
        // Against a second opinion: git itself, asked plainly.
        gitIn(path, "add", "-A");
        expect(filesOf(repository, tree)).toEqual(
          lie()
            .filter((name) => name !== "")
            .toSorted(),
        );
        expect(gitIn(path, "diff", "--cached", "--name-only", tree)).toBe("");
        const plain = gitIn(path, "diff", "--cached", "--name-status", "--no-renames", "-z", base);
        const listed = "commit" in result ? result.changes : { created: [], modified: [], deleted: [] };
        const flat = [
          ...listed.created.map((name) => `A ${name}`),
          ...listed.modified.map((name) => `M ${name}`),
          ...listed.deleted.map((name) => `D ${name}`),
        ];
        const pairs = plain.split("\0").filter((part) => part !== "");
        const expected = pairs.flatMap((part, at) => (at % 2 === 0 ? [`${part} ${pairs[at + 1]}`] : []));
        expect(flat.toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 25 },
    );
  });
});
