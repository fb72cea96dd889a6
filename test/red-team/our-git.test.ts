// Threat: a worker leaves files that make our own git, which runs outside of its sandbox, start a program or wait for ever.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commitChangeSet, snapshot } from "../../src/machine/git/change-set.js";
import { mergeTrees } from "../../src/machine/git/merge.js";
import { withSafeConfig } from "../../src/machine/git/safe-config.js";
import { addWorktree, resetWorktree, restoreFiles } from "../../src/machine/git/worktree.js";
import { gitIn, makeRepository, type TestRepository, write } from "../git-repository.js";

interface Site extends TestRepository {
  /** A worker's. */
  readonly worktree: string;
  readonly base: string;
  /** Exists once a program of the worker ran outside. */
  readonly proof: string;
  /** Everything that an engine's git does with the files of a worktree. */
  readonly engine: () => Promise<Awaited<ReturnType<typeof commitChangeSet>>>;
}

async function makeSite(
  files: Readonly<Record<string, string>>,
  prepare?: (made: TestRepository) => void,
): Promise<Site> {
  const repository = makeRepository(files);
  prepare?.(repository);
  const { path, around, git } = repository;
  const base = git("rev-parse", "HEAD");
  const worktree = join(around, "slot-1");
  const safely = <T>(work: () => Promise<T>): Promise<T> => withSafeConfig(join(path, ".planwright/running/git"), work);
  await safely(() => addWorktree(path, worktree, base));
  const engine = () =>
    safely(async () => {
      const made = await commitChangeSet(worktree, base, "work");
      await snapshot(worktree);
      await restoreFiles(worktree, base);
      await resetWorktree(worktree, base, { keep: [] });
      return made;
    });
  return { ...repository, worktree, base, proof: join(around, "escaped"), engine };
}

/** A script that shows that it ran, and passes its input on. */
const script = (proof: string): string => `#!/bin/sh\ntouch '${proof}'\ncat\n`;

const executable = (file: string, text: string): void => {
  write(join(file, ".."), { [file.split("/").at(-1) as string]: text });
  chmodSync(file, 0o755);
};

describe("a submodule that a worker replaces by a repository of its own", () => {
  /** `sub` is a submodule that is not checked out in the worktree. */
  const withSubmodule = (): Promise<Site> =>
    makeSite({ "a.txt": "a\n" }, ({ around, path, git, commit }) => {
      const other = join(around, "other");
      mkdirSync(other);
      gitIn(other, "init", "-q", "-b", "main");
      write(other, { "b.txt": "b\n" });
      gitIn(other, "add", "-A");
      gitIn(other, "commit", "-qm", "b");
      gitIn(path, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "sub");
      git("commit", "-qm", "submodule");
      commit({});
    });

  /** A clone at the very commit that is recorded, so that git asks it for its state; its settings start a program. */
  function replace({ worktree, around, proof }: Site): void {
    const sub = join(worktree, "sub");
    rmSync(sub, { recursive: true, force: true });
    gitIn(worktree, "clone", "-q", join(around, "other"), "sub");
    executable(join(sub, ".git/evil.sh"), script(proof));
    write(sub, { ".git/info/attributes": "*.txt filter=evil\n" });
    for (const name of ["filter.evil.clean", "filter.evil.smudge", "core.fsmonitor"]) {
      gitIn(sub, "config", name, join(sub, ".git/evil.sh"));
    }
    // As long as before: only its content tells, and that goes through the filter.
    write(sub, { "b.txt": "c\n" });
  }

  it("is refused, and nothing of it runs, also when its work is saved and its worktree cleaned", async () => {
    const site = await withSubmodule();
    replace(site);
    write(site.worktree, { "a.txt": "work\n" });
    expect(await site.engine()).toEqual({ problem: expect.stringMatching(/^sub is a git repository of its own/) });
    expect(existsSync(site.proof)).toBe(false);
    expect(existsSync(join(site.worktree, "sub/.git"))).toBe(false);
  });

  it("is refused when its .git is a file that points elsewhere", async () => {
    const site = await withSubmodule();
    replace(site);
    const away = join(site.worktree, "away");
    spawnSync("mv", [join(site.worktree, "sub/.git"), away]);
    write(site.worktree, { "sub/.git": `gitdir: ${away}\n` });
    expect(await site.engine()).toMatchObject({ problem: expect.stringContaining("sub") });
    expect(existsSync(site.proof)).toBe(false);
  });

  it("is fine as it is, and the rest of the work is committed", async () => {
    const site = await withSubmodule();
    write(site.worktree, { "a.txt": "work\n" });
    expect(await site.engine()).toMatchObject({ changes: { created: [], modified: ["a.txt"], deleted: [] } });
  });
});

describe("a filter of the repository whose script is one of its files", () => {
  const withFilter = (): Promise<Site> =>
    makeSite(
      { ".gitattributes": "*.txt filter=tidy\n", "a.txt": "a\n", "b.md": "b\n", "tidy.sh": "#!/bin/sh\ncat\n" },
      (made) => {
        chmodSync(join(made.path, "tidy.sh"), 0o755);
        for (const kind of ["clean", "smudge"]) made.git("config", `filter.tidy.${kind}`, "./tidy.sh");
        made.git("config", "filter.tidy.required", "true");
        made.commit({});
      },
    );

  it("does not run what a worker wrote into it, and the worker's other files are committed", async () => {
    const site = await withFilter();
    executable(join(site.worktree, "tidy.sh"), script(site.proof));
    write(site.worktree, { "b.md": "work\n" });
    expect(await site.engine()).toMatchObject({ changes: { modified: ["b.md", "tidy.sh"] } });
    expect(existsSync(site.proof)).toBe(false);
  });

  it("commits no file in the wrong form: a change that needs the filter is refused by name", async () => {
    const site = await withFilter();
    executable(join(site.worktree, "tidy.sh"), script(site.proof));
    write(site.worktree, { "a.txt": "a secret\n" });
    expect(await site.engine()).toEqual({
      problem: expect.stringMatching(/^a\.txt goes through the git filter "tidy"/),
    });
    expect(existsSync(site.proof)).toBe(false);
  });

  it("does not run a merge driver that a worker wrote: the merge is a conflict", async () => {
    const site = await makeSite({ ".gitattributes": "*.txt merge=own\n", "a.txt": "a\n" }, ({ git, commit, path }) => {
      git("config", "merge.own.driver", "./driver.sh %A");
      executable(join(path, "driver.sh"), "#!/bin/sh\nexit 0\n");
      commit({});
    });
    const { git, commit, path, proof } = site;
    executable(join(path, "driver.sh"), script(proof));
    const ours = commit({ "a.txt": "ours\n" });
    git("reset", "-q", "--hard", "HEAD~1");
    executable(join(path, "driver.sh"), script(proof));
    const theirs = commit({ "a.txt": "theirs\n" });
    const merged = await withSafeConfig(join(path, ".planwright/running/git"), () => mergeTrees(path, ours, theirs));
    expect(merged).toMatchObject({ conflicts: ["a.txt"] });
    expect(existsSync(proof)).toBe(false);
  });
});

describe("a pipe where git reads a file", () => {
  it.each([".gitattributes", ".gitignore"])(
    "is refused at once: %s",
    async (name) => {
      const site = await makeSite({ "a.txt": "a\n" });
      spawnSync("mkfifo", [join(site.worktree, name)]);
      write(site.worktree, { "a.txt": "work\n" });
      expect(await commitChangeSet(site.worktree, site.base, "work")).toEqual({
        problem: `${name} is a pipe or a device, and git would wait for it. Remove it.`,
      });
      const saved = await snapshot(site.worktree);
      expect(site.git("show", `${saved}:a.txt`)).toBe("work");
    },
    20_000,
  );

  it("is found in a folder below, too, and the work can still be saved", async () => {
    const site = await makeSite({ "deep/er/a.txt": "a\n" });
    spawnSync("mkfifo", [join(site.worktree, "deep/er/.gitattributes")]);
    write(site.worktree, { "deep/er/a.txt": "work\n" });
    expect(await commitChangeSet(site.worktree, site.base, "work")).toEqual({
      problem: expect.stringMatching(/^deep\/er\/\.gitattributes is a pipe/),
    });
    expect(readFileSync(join(site.worktree, "deep/er/a.txt"), "utf8")).toBe("work\n");
  });
});
