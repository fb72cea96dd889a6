// Threat: a worker names a repository of its own as a submodule, or puts one where a submodule belongs. Our own git, which runs
// outside of the worker's sandbox, would then start the programs that this repository's settings name.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { dirtyFilesIn } from "../../src/engine/watch/main-checkout.js";
import { changedSince, commitChangeSet, snapshot } from "../../src/machine/git/change-set.js";
import { findRepository } from "../../src/machine/git/repository.js";
import { withSafeConfig } from "../../src/machine/git/safe-config.js";
import { initSubmodules } from "../../src/machine/git/submodules.js";
import {
  addWorktree,
  changedInWorktree,
  resetWorktree,
  restoreFiles,
  settleOn,
} from "../../src/machine/git/worktree.js";
import { gitIn, makeRepository, type TestRepository, write } from "../git-repository.js";
import { SANDBOX_MODES } from "../needs-sandbox.js";
import { fileTask, openShop } from "../shop.js";

interface Site extends TestRepository {
  /** A worker's. */
  readonly worktree: string;
  readonly base: string;
  /** The git folder of the worktree. */
  readonly gitDir: string;
  /** Exists once a program of the worker ran outside. */
  readonly canary: string;
}

const safely = <T>({ path }: TestRepository, work: () => Promise<T>): Promise<T> =>
  withSafeConfig(join(path, ".planwright/running/git"), work);

const allow = ["-c", "protocol.file.allow=always"];

/** A library with a submodule of its own, at `libs/one` in the repository. */
async function makeSite(): Promise<Site> {
  const inner = makeRepository({ "inner.txt": "1\n" });
  const library = makeRepository({ "lib.txt": "1\n" });
  gitIn(library.path, ...allow, "submodule", "add", "-q", inner.path, "inner");
  library.git("commit", "-qm", "inner");
  const repository = makeRepository({ "a.txt": "a\n", ".gitignore": "ignored/\n" });
  const { path, around, git } = repository;
  gitIn(path, ...allow, "submodule", "add", "-q", library.path, "libs/one");
  git("commit", "-qm", "library");
  const base = git("rev-parse", "HEAD");
  const worktree = join(around, "worktrees", "slot-1");
  await safely(repository, async () => {
    expect(await addWorktree(path, worktree, base)).toEqual({ ok: true });
    expect(await initSubmodules(worktree)).toBeUndefined();
  });
  const gitDir = findRepository(worktree)?.gitDir as string;
  return { ...repository, worktree, base, gitDir, canary: join(around, "escaped") };
}

/** A program that shows that it ran, and passes its input on. */
function plantProgram(file: string, canary: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\ntouch '${canary}'\ncat\n`);
  chmodSync(file, 0o755);
}

const SETTINGS = [
  "filter.evil.clean",
  "filter.evil.smudge",
  "filter.evil.process",
  "diff.evil.textconv",
  "diff.evil.command",
  "diff.external",
  "core.fsmonitor",
  "core.sshCommand",
  "core.pager",
  "core.editor",
  "core.alternateRefsCommand",
];

const HOOKS = ["post-checkout", "post-index-change", "reference-transaction", "pre-commit", "post-commit"];

/** Makes the settings of a repository start a program in as many ways as git knows. */
function poison(gitDir: string, canary: string): void {
  const program = join(gitDir, "evil.sh");
  plantProgram(program, canary);
  for (const name of SETTINGS) gitIn(gitDir, "config", "--file", join(gitDir, "config"), name, program);
  for (const hook of HOOKS) plantProgram(join(gitDir, "hooks", hook), canary);
  write(gitDir, { "info/attributes": "* filter=evil diff=evil\n", more: `[core]\n\tfsmonitor = ${program}\n` });
  gitIn(gitDir, "config", "--file", join(gitDir, "config"), "includeIf.gitdir:/.path", join(gitDir, "more"));
}

/** A repository with a changed file whose settings start a program. */
function evilRepository(at: string, canary: string): void {
  mkdirSync(at, { recursive: true });
  gitIn(at, "init", "-q", "-b", "main");
  write(at, { "b.txt": "b\n" });
  gitIn(at, "add", "-A");
  gitIn(at, "commit", "-qm", "b");
  poison(join(at, ".git"), canary);
  // As long as before: only its content tells, and that goes through the filter.
  write(at, { "b.txt": "c\n" });
}

const gitmodules = (...entries: readonly [name: string, path: string][]): string =>
  entries.map(([name, path]) => `[submodule "${name}"]\n\tpath = ${path}\n\turl = ./x\n\tignore = none\n`).join("");

/** A copy of the library that is checked out, as a repository of its own with a changed file. */
function cloneOfLibrary({ gitDir, canary }: Site, at: string): void {
  gitIn(dirname(gitDir), "clone", "-q", join(gitDir, "modules/libs/one"), at);
  poison(join(at, ".git"), canary);
  write(at, { "lib.txt": "2\n" });
}

/** Everything that we do with the files of a worktree, each by itself: one that fails must not save the others. */
async function lookEverywhere(site: Site): Promise<unknown> {
  const { worktree, base, path } = site;
  const orNothing = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
  const inside = async (): Promise<unknown> => {
    const made = await orNothing(commitChangeSet(worktree, base, "work"));
    await orNothing(changedInWorktree(worktree, base));
    await orNothing(changedSince(worktree, base, base));
    await orNothing(dirtyFilesIn(path));
    await orNothing(snapshot(worktree));
    return made;
  };
  const made = await safely(site, inside);
  // As a command outside of an engine does, such as `planwright diff`.
  await inside();
  await safely(site, async () => {
    await orNothing(restoreFiles(worktree, base));
    await orNothing(settleOn(worktree, base));
    await orNothing(resetWorktree(worktree, base, { keep: [] }));
    await orNothing(initSubmodules(worktree));
  });
  return made;
}

/** What a worker in a sandbox can do: it writes into its worktree, and into folders that are nobody's. */
const INSIDE: readonly [string, (site: Site) => unknown][] = [
  [
    "names a repository in its worktree as a submodule",
    ({ worktree, canary }) => {
      evilRepository(join(worktree, "evil"), canary);
      write(worktree, { ".gitmodules": gitmodules(["evil", "evil"]) });
    },
  ],
  [
    "names a repository that git ignores",
    ({ worktree, canary }) => {
      evilRepository(join(worktree, "ignored/evil"), canary);
      write(worktree, { ".gitmodules": gitmodules(["evil", "ignored/evil"]) });
    },
  ],
  [
    "names a repository outside of its worktree",
    ({ worktree, around, canary }) => {
      evilRepository(join(around, "evil"), canary);
      write(worktree, { ".gitmodules": gitmodules(["../evil", "../../evil"], ["x", join(around, "evil")]) });
    },
  ],
  [
    "names a repository through a symbolic link",
    ({ worktree, around, canary }) => {
      evilRepository(join(around, "evil"), canary);
      symlinkSync(join(around, "evil"), join(worktree, "link"));
      write(worktree, { ".gitmodules": gitmodules(["evil", "link"]) });
    },
  ],
  [
    "includes another file from .gitmodules",
    ({ worktree, around, canary }) => {
      evilRepository(join(around, "evil"), canary);
      write(around, { more: gitmodules(["evil", "../../evil"]) });
      write(worktree, { ".gitmodules": `[include]\n\tpath = ${join(around, "more")}\n` });
    },
  ],
  [
    "replaces a submodule by a clone of its own",
    (site) => {
      rmSync(join(site.worktree, "libs/one"), { recursive: true });
      cloneOfLibrary(site, join(site.worktree, "libs/one"));
    },
  ],
  [
    "points a submodule at a repository of its own, on a way that begins in ours",
    (site) => {
      const { worktree, around, path } = site;
      cloneOfLibrary(site, join(around, "evil"));
      writeFileSync(join(worktree, "libs/one/.git"), `gitdir: ${path}/.git/../../evil/.git\n`);
      write(worktree, { "libs/one/lib.txt": "2\n" });
    },
  ],
  [
    "makes the .git of a submodule a symbolic link",
    (site) => {
      const { worktree, around } = site;
      cloneOfLibrary(site, join(around, "evil"));
      rmSync(join(worktree, "libs/one/.git"));
      symlinkSync(join(around, "evil/.git"), join(worktree, "libs/one/.git"));
      write(worktree, { "libs/one/lib.txt": "2\n" });
    },
  ],
  [
    "makes a submodule a symbolic link",
    (site) => {
      const { worktree, around } = site;
      cloneOfLibrary(site, join(around, "evil"));
      rmSync(join(worktree, "libs/one"), { recursive: true });
      symlinkSync(join(around, "evil"), join(worktree, "libs/one"));
    },
  ],
  [
    "makes the folder above a submodule a symbolic link",
    (site) => {
      const { worktree, around } = site;
      cloneOfLibrary(site, join(around, "libs/one"));
      rmSync(join(worktree, "libs"), { recursive: true });
      symlinkSync(join(around, "libs"), join(worktree, "libs"));
    },
  ],
  [
    "puts a repository of its own where a submodule of a submodule belongs",
    ({ worktree, canary }) => {
      const nested = join(worktree, "libs/one/inner");
      rmSync(nested, { recursive: true, force: true });
      const url = readFileSync(join(worktree, "libs/one/.gitmodules"), "utf8").match(/url = (.+)/)?.[1] as string;
      gitIn(worktree, "clone", "-q", url, nested);
      poison(join(nested, ".git"), canary);
      write(nested, { "inner.txt": "2\n" });
    },
  ],
  [
    "puts a repository of its own beside the files of a submodule",
    ({ worktree, canary }) => evilRepository(join(worktree, "libs/one/evil"), canary),
  ],
];

/** What only a worker without a sandbox can do. */
const OUTSIDE: readonly [string, (site: Site) => unknown][] = [
  [
    "changes the settings of a submodule's own git folder",
    ({ worktree, gitDir, canary }) => {
      poison(join(gitDir, "modules/libs/one"), canary);
      write(join(gitDir, "modules/libs/one"), { "objects/info/alternates": "/nowhere\n" });
      write(worktree, { "libs/one/lib.txt": "2\n" });
    },
  ],
  [
    "adds a repository of its own to every index",
    ({ worktree, gitDir, canary }) => {
      evilRepository(join(worktree, "evil"), canary);
      rmSync(join(gitDir, "planwright-index"));
      gitIn(
        worktree,
        "update-index",
        "--add",
        "--cacheinfo",
        `160000,${gitIn(join(worktree, "evil"), "rev-parse", "HEAD")},evil`,
      );
    },
  ],
  [
    "points its worktree at a repository of its own",
    ({ worktree, gitDir, around, canary }) => {
      const own = join(around, "own");
      evilRepository(own, canary);
      const linked = join(own, ".git/worktrees/slot-1");
      write(linked, {
        commondir: "../..\n",
        gitdir: `${worktree}/.git\n`,
        HEAD: readFileSync(join(gitDir, "HEAD"), "utf8"),
      });
      writeFileSync(join(worktree, ".git"), `gitdir: ${linked}\n`);
      write(worktree, { "a.txt": "b\n" });
    },
  ],
  [
    "gives our repository a filter while we work",
    ({ worktree, path, canary }) => {
      plantProgram(join(worktree, "evil.sh"), canary);
      gitIn(path, "config", "filter.evil.clean", "./evil.sh");
      gitIn(path, "config", "filter.evil.smudge", "./evil.sh");
      write(worktree, { ".gitattributes": "* filter=evil\n", "a.txt": "b\n" });
    },
  ],
];

describe("nothing of a worker runs outside of its sandbox if it", () => {
  it.each([...INSIDE, ...OUTSIDE])("%s", async (_, attack) => {
    const site = await makeSite();
    attack(site);
    expect(existsSync(site.canary)).toBe(false);
    await lookEverywhere(site);
    expect(existsSync(site.canary)).toBe(false);
  });
});

/** For a worker: `evil` makes a repository whose settings start a program, and `infect` gives one such settings. */
const functions = (canary: string): string => `
evil() {
  git init -q -b main "$1" && echo b > "$1/b.txt" && git -C "$1" add -A
  git -C "$1" -c user.name=e -c user.email=e@e commit -qm b
  infect "$1/.git"
  echo c > "$1/b.txt"
}
infect() {
  printf '#!/bin/sh\ntouch "${canary}"\ncat\n' > "$1/evil.sh" && chmod +x "$1/evil.sh"
  mkdir -p "$1/info" && echo '* filter=evil' > "$1/info/attributes"
  git config --file "$1/config" filter.evil.clean "$1/evil.sh"
  git config --file "$1/config" core.fsmonitor "$1/evil.sh"
}
`;

/** What it does, what it types, and what becomes of it. */
const TYPED: readonly [string, string, RegExp][] = [
  [
    "names its own repository in .gitmodules",
    'evil "$PWD/evil"; printf \'[submodule "evil"]\\n\\tpath = evil\\n\' >> .gitmodules',
    /evil is a git repository of its own/,
  ],
  [
    "names a repository outside in .gitmodules",
    [
      'evil "$PLANWRIGHT_TMP/evil"',
      'up=$(printf %s "$PWD" | sed "s#/[^/]*#../#g")',
      'printf \'[submodule "evil"]\\n\\tpath = %s\\n\' "$up${PLANWRIGHT_TMP#/}/evil" >> .gitmodules',
    ].join("\n"),
    // A line in a file that nobody acts upon before a person accepts it.
    /\.gitmodules can decide what checks do or what programs obey/,
  ],
  [
    "points a submodule at its own repository",
    [
      'git clone -q libs/one "$PLANWRIGHT_TMP/evil" && infect "$PLANWRIGHT_TMP/evil/.git"',
      "top=$(git rev-parse --path-format=absolute --git-common-dir)",
      'up=$(printf %s "$top" | sed "s#/[^/]*#/..#g")',
      'printf "gitdir: %s%s%s\\n" "$top" "$up" "$PLANWRIGHT_TMP/evil/.git" > libs/one/.git',
      "echo 2 > libs/one/lib.txt",
    ].join("\n"),
    /libs\/one is a git repository of its own/,
  ],
];

describe.each(SANDBOX_MODES)("with the sandbox %s, a worker runs nothing through our git if it", (sandbox, needed) => {
  it.each(TYPED)("%s", needed, async (_name, typed, became) => {
    const library = makeRepository({ "lib.txt": "1\n" });
    const canary = join(library.around, "escaped");
    const body = `\`\`\`sh run\nset -e\n${functions(canary)}\n${typed}\necho one > one.txt\n\`\`\``;
    const policy = { sandbox, fixes: 0, logicRetries: 0 } as const;
    const shop = await openShop([fileTask("one", { body })], { policy });
    const { path } = shop.repository;
    gitIn(path, ...allow, "submodule", "add", "-q", library.path, "libs/one");
    shop.git("commit", "-qm", "library");
    await safely(shop.repository, () => shop.workThrough());
    const [attempt] = await shop.attempts();
    expect(attempt?.failure?.reason ?? attempt?.note).toMatch(became);
    expect(existsSync(canary)).toBe(false);
  });
});
