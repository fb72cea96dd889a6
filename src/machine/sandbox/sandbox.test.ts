// What a worker may touch: prevented with the real bubblewrap where it runs, found afterwards where it does not.

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeRepository, type TestRepository, write } from "../../../test/git-repository.js";
import { needsSandbox } from "../../../test/needs-sandbox.js";
import { isPersonsMove, workerName } from "../../engine/watch/our-ref-moves.js";
import {
  findOutsideChanges,
  type RefMove,
  readOutside,
  strayMoves,
  watchedPathsOf,
} from "../../engine/watch/outside.js";
import type { OutsideState, WatchedPaths } from "../../engine/watch/snapshot.js";
import { step } from "../../model/next-step.js";
import { startChild } from "../process/child.js";
import { run } from "../process/run.js";
import { makeAgentFolders } from "./agent-folders.js";
import { bindings, type Sandbox, type SandboxInput, sandboxFor } from "./sandbox.js";

interface Site extends TestRepository {
  readonly worktree: string;
  readonly place: SandboxInput;
}

function makeSite(): Site {
  const repository = makeRepository({ "a.txt": "a\n", ".gitignore": ".planwright/\n" });
  const root = repository.path;
  const worktree = join(root, ".planwright/worktrees/slot-1");
  repository.git("worktree", "add", "-q", "-b", "planwright/attempt/ATT-00001", worktree);
  const env = {
    PATH: process.env["PATH"] ?? "",
    PLANWRIGHT_CACHE: join(root, ".planwright/cache/slot-1"),
    PLANWRIGHT_TMP: join(repository.around, "tmp"),
  };
  for (const folder of [env.PLANWRIGHT_CACHE, env.PLANWRIGHT_TMP, join(root, ".planwright/worktrees/slot-2")]) {
    mkdirSync(folder, { recursive: true });
  }
  write(root, { ".planwright/plan.db": "the plan" });
  return { ...repository, worktree, place: { root, worktree, env } };
}

async function sandboxOf(wish: "auto" | "off" | "require", place: SandboxInput): Promise<Sandbox> {
  const result = await sandboxFor(wish, place);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe("the sandbox", () => {
  it("is a list of words: what is read-only, and what lies over it", async () => {
    const { place, path, worktree } = makeSite();
    const { PLANWRIGHT_CACHE: cache = "", PLANWRIGHT_TMP: tmp = "" } = place.env;
    const also = join(path, ".planwright/worktrees/slot-1-base");
    const twice = (option: string, folder: string): string[] => [option, folder, folder];
    expect(await bindings({ ...place, also: [also] })).toEqual(
      [
        twice("--ro-bind", path),
        twice("--ro-bind", join(path, ".git")),
        twice("--ro-bind", join(path, ".planwright")),
        twice("--ro-bind", dirname(worktree)),
        twice("--bind", worktree),
        twice("--bind", cache),
        twice("--bind", tmp),
        twice("--bind-try", also),
        twice("--ro-bind", join(worktree, ".git")),
        ["--setenv", "GIT_OPTIONAL_LOCKS", "0"],
      ].flat(),
    );
  });

  it("leaves a checkout alone that is around the home folder", async () => {
    const { place, path } = makeSite();
    const own = { ...place, env: { ...place.env, HOME: join(path, "home") } };
    expect(await bindings(own)).not.toContain(path);
  });

  it("can be off", async () => {
    const sandbox = await sandboxOf("off", makeSite().place);
    expect(sandbox).toMatchObject({ kind: "none", why: "execution.sandbox is off" });
    expect(sandbox.wrap("ls", ["-l"])).toEqual({ command: "ls", args: ["-l"] });
  });

  it("is left out where there is none, unless it is required", async () => {
    const { place } = makeSite();
    const bare = { ...place, env: { PATH: "/nowhere" } };
    expect(await sandboxOf("auto", bare)).toMatchObject({ kind: "none", why: expect.stringMatching(/not installed/) });
    expect(await sandboxFor("require", bare)).toMatchObject({
      ok: false,
      error: {
        reason: "no-sandbox",
        message: expect.stringMatching(/not installed.*auto/),
        next: [step("config.set", { key: "execution.sandbox", value: "auto" })],
      },
    });
  });

  it("is left out where it is forbidden, with what it said", async () => {
    const { place, around } = makeSite();
    const bwrap = join(around, "bin/bwrap");
    write(around, { "bin/bwrap": "#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n" });
    chmodSync(bwrap, 0o755);
    const denied = { ...place, env: { PATH: join(around, "bin") } };
    expect((await sandboxOf("auto", denied)).why).toBe("bubblewrap cannot run here: bwrap: No permissions");
    expect(await sandboxFor("require", denied)).toMatchObject({ ok: false, error: { reason: "no-sandbox" } });
  });
});

describe("a look whether there is a sandbox", () => {
  // `npm test` repeats without bubblewrap what started it: see test/sandbox-use.setup.ts.
  it.each(["auto", "require"] as const)("cannot find bubblewrap without starting it: %s", async (wish) => {
    const { place, around } = makeSite();
    const note = join(around, "started");
    write(around, { "bin/bwrap": `#!/bin/sh\n: > '${note}'\n` });
    chmodSync(join(around, "bin/bwrap"), 0o755);
    const noting = { ...place, env: { ...place.env, PATH: join(around, "bin") } };
    expect((await sandboxOf(wish, noting)).kind).toBe("bubblewrap");
    expect(existsSync(note)).toBe(true);
  });
});

describe("in bubblewrap", needsSandbox, () => {
  async function inside(site: Site, script: string): Promise<{ exitCode: number | null; output: string }> {
    const { wrap, kind } = await sandboxOf("require", site.place);
    expect(kind).toBe("bubblewrap");
    return run({ ...wrap("/bin/sh", ["-c", script]), cwd: site.worktree, env: { ...process.env, ...site.place.env } });
  }

  it.each([
    ["its worktree", "echo x > new.txt && echo y >> a.txt && rm a.txt && mkdir -p deep/er"],
    ["its temporary folder", 'echo x > "$PLANWRIGHT_TMP/x"'],
    ["its cache", 'echo x > "$PLANWRIGHT_CACHE/x"'],
    ["the null device", "echo x > /dev/null"],
  ])("a worker may write to %s", async (_, script) => {
    expect(await inside(makeSite(), script)).toMatchObject({ exitCode: 0, output: "" });
  });

  it.each([
    ["the plan", "echo x > ../../plan.db"],
    ["the plan's folder", "mv ../../../.planwright ../../../gone"],
    ["another worktree", "echo x > ../slot-2/x"],
    ["the main checkout", "echo x > ../../../a.txt"],
    ["the repository", "echo x > ../../../.git/x"],
    ["hooks", "echo x > ../../../.git/hooks/post-commit"],
    ["the configuration of git", "git config core.hooksPath /tmp"],
    ["a branch", "git update-ref refs/heads/main HEAD"],
    ["a new branch", "git branch mine"],
    ["its own branch", "git commit -q --allow-empty -m mine"],
    ["the link to its repository", "rm .git"],
    ["the folder of the repository", "mv ../../../.git ../../../gone"],
  ])("a worker may not write to %s", async (_, script) => {
    const site = makeSite();
    const before = site.git("for-each-ref");
    const { exitCode, output } = await inside(site, script);
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(/read-only|busy|permission|unable to/i);
    expect(site.git("for-each-ref")).toBe(before);
    expect(readFileSync(join(site.path, ".planwright/plan.db"), "utf8")).toBe("the plan");
    expect(existsSync(join(site.worktree, ".git"))).toBe(true);
  });

  it.each(["HOME", "XDG_CONFIG_HOME"])(
    "a worker may not change what git and ssh obey in the home folder (%s)",
    async (by) => {
      const site = makeSite();
      const home = join(site.around, "home");
      const config = by === "HOME" ? join(home, ".config") : join(site.around, "xdg");
      write(home, { ".gitconfig": "", ".ssh/config": "" });
      write(config, { "git/config": "" });
      const env = { ...site.place.env, HOME: home, ...(by === "HOME" ? {} : { XDG_CONFIG_HOME: config }) };
      const at = { ...site, place: { ...site.place, env } };
      for (const file of [".gitconfig", ".ssh/config", ".ssh/rc"]) {
        expect((await inside(at, `echo x > "$HOME/${file}"`)).output).toMatch(/read-only/i);
      }
      expect((await inside(at, `echo x > ${config}/git/config`)).output).toMatch(/read-only/i);
      // Nor anything else there: a shell reads .profile the next time that you log in.
      for (const file of [".profile", ".bashrc", ".npmrc", ".config/autostart/x", "bin/git"]) {
        const wrote = await inside(at, `mkdir -p "$(dirname "$HOME/${file}")"; echo x > "$HOME/${file}"`);
        expect(wrote.exitCode).not.toBe(0);
        expect(existsSync(join(home, file))).toBe(false);
      }
    },
  );

  it("an agent may keep its sessions in the home folder, but not change what it obeys outside", async () => {
    const site = makeSite();
    const home = join(site.around, "home");
    write(home, { ".claude/settings.json": "{}", ".claude/sessions/x": "", ".codex/config.toml": "" });
    const at = { ...site, place: { ...site.place, env: { ...site.place.env, HOME: home } } };
    expect((await inside(at, 'echo x > "$HOME/.claude/sessions/y" && echo x > "$HOME/.codex/log"')).exitCode).toBe(0);
    for (const file of [".claude/settings.json", ".codex/config.toml"]) {
      expect((await inside(at, `echo x > "$HOME/${file}"`)).output).toMatch(/read-only/i);
    }
    const cached = await inside(
      at,
      'mkdir -p "$XDG_CACHE_HOME" && echo x > "$XDG_CACHE_HOME/x" && ls "$PLANWRIGHT_CACHE"',
    );
    expect(cached).toMatchObject({ exitCode: 0, output: "xdg\n" });
  });

  it("an agent that never ran before finds the folders that it needs", async () => {
    const site = makeSite();
    const home = join(site.around, "home");
    mkdirSync(home);
    await makeAgentFolders("opencode", home);
    await makeAgentFolders("unheard-of", home);
    expect(readdirSync(home).toSorted()).toEqual([".config", ".local"]);
    const at = { ...site, place: { ...site.place, env: { ...site.place.env, HOME: home } } };
    expect((await inside(at, 'echo x > "$HOME/.local/share/opencode/x"')).exitCode).toBe(0);
    expect((await inside(at, 'echo x > "$HOME/.config/opencode/opencode.json"')).output).toMatch(/read-only/i);
    expect(readFileSync(join(home, ".config/opencode/.gitignore"), "utf8")).toBe("");
    await makeAgentFolders("claude", join(home, ".config/opencode/.gitignore"));
  });

  it("a worker does not see the secret that proves a person", async () => {
    const site = makeSite();
    const home = join(site.around, "home");
    write(home, { ".config/planwright/secret": "hunter2" });
    const at = { ...site, place: { ...site.place, env: { ...site.place.env, HOME: home } } };
    expect((await inside(at, 'cat "$HOME/.config/planwright/secret"')).exitCode).not.toBe(0);
    expect((await inside(at, 'ls -A "$HOME/.config/planwright"')).output).toBe("");
  });

  it.each(["allow", "deny"] as const)("a worker may reach the network by setting: %s", async (network) => {
    const site = makeSite();
    const server = createServer((socket) => socket.end());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const script = `require("node:net").connect(${port}, "127.0.0.1").on("error", () => process.exit(1)).on("close", () => process.exit(0))`;
    const { wrap } = await sandboxOf("require", { ...site.place, network });
    const ran = await run({ ...wrap(process.execPath, ["-e", script]), cwd: site.worktree });
    expect(ran.exitCode === 0).toBe(network === "allow");
  });

  it("a worker may look: at the state, the history, a difference", async () => {
    const site = makeSite();
    const script =
      "echo b > a.txt; git status --porcelain && git diff --stat && git log --oneline -1 && git show HEAD:a.txt";
    const { exitCode, output } = await inside(site, script);
    expect(exitCode).toBe(0);
    expect(output).toMatch(/^ M a\.txt\n a\.txt \| 2 \+-\n/);
  });

  it("what a worker leaves running ends with it", async () => {
    const site = makeSite();
    const { wrap } = await sandboxOf("require", site.place);
    // One that only this test would wait for.
    const sleep = `sleep ${900_000 + process.pid}`;
    const lines: string[] = [];
    const child = startChild({
      command: "/bin/sh",
      args: ["-c", `setsid ${sleep} & echo started; ${sleep}`],
      wrap,
      cwd: site.worktree,
      env: site.place.env,
      onLine: (line) => {
        lines.push(line);
        void child.end();
      },
    });
    await child.exited;
    expect(lines).toEqual(["started"]);
    expect((await run({ command: "pgrep", args: ["-f", sleep] })).stdout).toBe("");
  });

  it("another folder becomes writable once it is there", async () => {
    const site = makeSite();
    const base = `${site.worktree}-base`;
    const { wrap } = await sandboxOf("require", { ...site.place, also: [base] });
    const script = wrap("/bin/sh", ["-c", `echo x > ${base}/x`]);
    expect((await run({ ...script, cwd: site.worktree })).exitCode).not.toBe(0);
    mkdirSync(base);
    expect((await run({ ...script, cwd: site.worktree })).exitCode).toBe(0);
  });
});

describe("without a sandbox, what a worker did outside is found", () => {
  const OWN = "refs/heads/planwright/attempt/ATT-00001";
  const FEATURE = "refs/heads/planwright/feature/FEAT-1";

  /** What is found after the worker, in its worktree, and others, in the main checkout, have done something. */
  async function found(
    worker: string,
    others = "true",
    isOurs: (ref: string, to: string | null) => boolean = () => false,
  ): Promise<string[]> {
    const site = makeSite();
    site.git("branch", "planwright/feature/FEAT-1");
    site.git("branch", "theirs");
    site.git("update-ref", "refs/planwright/kept/ATT-00009", "HEAD");
    const around = watchedPathsOf(site.path, site.worktree) as WatchedPaths;
    const look = (): Promise<OutsideState> => readOutside(around);
    const before = await look();
    const env = {
      ...process.env,
      GIT_AUTHOR_NAME: "w",
      GIT_AUTHOR_EMAIL: "w@w",
      GIT_COMMITTER_EMAIL: "w@w",
    };
    for (const [script, cwd, name] of [
      [worker, site.worktree, workerName("ATT-00001")],
      [others, site.path, "Ada"],
    ] as const) {
      const ran = await run({
        command: "/bin/sh",
        args: ["-c", script],
        cwd,
        env: { ...env, GIT_COMMITTER_NAME: name },
      });
      if (ran.exitCode !== 0) throw new Error(ran.output);
    }
    const after = await look();
    const isPersons = (move: RefMove): boolean => isPersonsMove(around.commonDir, move);
    return findOutsideChanges(before, after, strayMoves(before, after, { own: [OWN], isOurs, isPersons }));
  }

  it.each([
    ["work in its worktree", "echo x > a.txt; git add -A; git commit -qm mine"],
    ["a commit on no branch", "git checkout -q --detach; git commit -q --allow-empty -m mine"],
    ["nothing", "true"],
  ])("not: %s", async (_, worker) => {
    expect(await found(worker)).toEqual([]);
  });

  it.each([
    ["commit on main", "git commit -q --allow-empty -m person"],
    ["make and rename branches", "git branch new; git branch -m theirs others"],
    ["rewrite a branch of theirs", "git commit -q --amend --allow-empty -m other; git branch -f theirs"],
    ["push with -u", "git config branch.main.remote origin; git config branch.main.merge refs/heads/main"],
    ["write the plan", "echo more >> .planwright/plan.db"],
  ])("not: that people %s", async (_, others) => {
    expect(await found("git commit -q --allow-empty -m mine", others)).toEqual([]);
  });

  it("not: that one of us moved a feature's branch", async () => {
    const moved: (string | null)[] = [];
    const isOurs = (ref: string, to: string | null): boolean => {
      moved.push(ref, to);
      return true;
    };
    const others = "git commit -q --allow-empty -m merged; git branch -f planwright/feature/FEAT-1";
    expect(await found("true", others, isOurs)).toEqual([]);
    expect(moved).toEqual([FEATURE, expect.stringMatching(/^[0-9a-f]{40}$/)]);
  });

  const COMMIT = "git commit -q --allow-empty -m mine";
  it.each([
    ["its work on a person's branch", `${COMMIT}; git branch -f theirs`, /moved refs\/heads\/theirs to/],
    ["its work on main", `${COMMIT}; git update-ref refs/heads/main HEAD`, /moved refs\/heads\/main to/],
    ["a commit in the main checkout", `cd ../../.. && ${COMMIT}`, /moved refs\/heads\/main to/],
    [
      "a commit that it made without its worktree",
      "git update-ref refs/heads/main $(git commit-tree -p main -m x main^{tree})",
      /moved refs\/heads\/main to/,
    ],
    [
      "main at a commit of a person",
      "git branch -f theirs $(git commit-tree -p main -m x main^{tree})",
      /moved refs\/heads\/theirs to/,
    ],
    ["a branch gone", "git branch -D theirs", /deleted refs\/heads\/theirs/],
    [
      "a file in place of a ref",
      "git commit-tree -m x main^{tree} > ../../../.git/refs/heads/theirs",
      /moved refs\/heads\/theirs to/,
    ],
    ["a tag", `${COMMIT}; git tag v1`, /moved refs\/tags\/v1 to/],
    [
      "a feature's branch",
      `${COMMIT}; git branch -f planwright/feature/FEAT-1`,
      /moved refs\/heads\/planwright\/feature/,
    ],
    ["a feature's branch gone", "git branch -D planwright/feature/FEAT-1", /deleted refs\/heads\/planwright\/feature/],
    ["kept work gone", "git update-ref -d refs/planwright/kept/ATT-00009", /deleted refs\/planwright\/kept/],
    ["a hook", "echo x > ../../../.git/hooks/post-merge", /changed \.git\/hooks\/post-merge/],
    ["an order to git", "git config alias.st '!id'", /changed \.git\/config/],
    ["what git ignores", "echo secret >> ../../../.git/info/exclude", /changed \.git\/info\/exclude/],
    ["another plan", "cp ../../plan.db x; mv x ../../plan.db", /changed \.planwright\/plan\.db/],
    ["no plan", "rm ../../plan.db", /changed \.planwright\/plan\.db/],
  ])("%s", async (_, worker, problem) => {
    expect(await found(worker)).toEqual([expect.stringMatching(problem)]);
  });

  it("and a folder that is no repository has nothing to look at", () => {
    expect(watchedPathsOf("/", "/")).toBeUndefined();
  });

  it("and a git that cannot look says so, rather than that everything is gone", async () => {
    const site = makeSite();
    const around = watchedPathsOf(site.path, site.worktree) as WatchedPaths;
    rmSync(join(site.path, ".git/HEAD"));
    await expect(readOutside(around)).rejects.toThrow("could not be looked at");
  });
});
