// Threat: a hostile worker reaches outside of its worktree. With bubblewrap it cannot; without it, what it did is found, put back,
// and the attempt is stopped.

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { workerName } from "../../src/engine/watch/our-ref-moves.js";
import { run } from "../../src/machine/process/run.js";
import { type SandboxInput, sandboxFor } from "../../src/machine/sandbox/sandbox.js";
import { gitIn, makeRepository, write } from "../git-repository.js";
import { needsSandbox } from "../needs-sandbox.js";
import { must } from "../plan.js";
import { fileTask, openShop } from "../shop.js";

describe("in a sandbox", needsSandbox, () => {
  it.each([
    ["commit to main", "git -C ../../.. commit -q --allow-empty -m owned"],
    ["move main", "git update-ref refs/heads/main $(git commit-tree -m owned HEAD^{tree})"],
    ["delete a branch", "git branch -D theirs"],
    ["plant a hook", "echo owned > ../../../.git/hooks/post-commit"],
    ["change git's settings", "git config alias.st '!owned'"],
    ["write into the plan", "echo owned >> ../../plan.db"],
    ["change the settings of planwright", "echo '{}' > ../../../planwright.json"],
    ["write into another worktree", "echo owned > ../slot-2/x"],
    ["plant something in the home folder", 'echo owned >> "$HOME/.bashrc"'],
    ["plant a program in the home folder", 'mkdir -p "$HOME/bin" && echo owned > "$HOME/bin/git"'],
    ["read the environment of the engine", `cat /proc/${process.pid}/environ > /dev/null`],
  ])("a worker cannot %s", async (_, script) => {
    const repository = makeRepository({ "a.txt": "a\n", ".gitignore": ".planwright/\n" });
    const { path, around, git } = repository;
    const worktree = join(path, ".planwright/worktrees/slot-1");
    git("branch", "theirs");
    git("worktree", "add", "-q", "-b", "planwright/attempt/ATT-00001", worktree);
    write(path, { ".planwright/plan.db": "the plan" });
    const home = join(around, "home");
    write(home, { ".bashrc": "mine\n" });
    const [cache, tmp] = [join(around, "cache"), join(around, "tmp")];
    for (const folder of [cache, tmp, join(path, ".planwright/worktrees/slot-2")])
      mkdirSync(folder, { recursive: true });
    const env = { PATH: process.env["PATH"] ?? "", HOME: home, PLANWRIGHT_CACHE: cache, PLANWRIGHT_TMP: tmp };
    const before = git("for-each-ref");
    const input: SandboxInput = { root: path, worktree, env };
    const { wrap } = must(await sandboxFor("require", input));
    const ran = await run({ ...wrap("/bin/sh", ["-ec", script]), cwd: worktree, env });
    expect(ran.exitCode).not.toBe(0);
    expect(git("for-each-ref")).toBe(before);
    expect(readFileSync(join(home, ".bashrc"), "utf8")).toBe("mine\n");
    expect(readFileSync(join(path, ".planwright/plan.db"), "utf8")).toBe("the plan");
    for (const planted of [".git/hooks/post-commit", "planwright.json", ".planwright/worktrees/slot-2/x"]) {
      expect(existsSync(join(path, planted))).toBe(false);
    }
  });
});

describe("without a sandbox", () => {
  /** A worker that does its task and something else. */
  async function afterAttack(attack: (main: string) => unknown) {
    const shop = await openShop([fileTask("one")], {
      policy: { sandbox: "off" },
      doing: ({ cwd, env, attempt }) => {
        expect(env["GIT_COMMITTER_NAME"]).toBe(workerName(attempt));
        write(cwd, { "one.txt": "one" });
        attack(shop.repository.path);
        return { ending: "done" };
      },
    });
    shop.git("branch", "theirs");
    const before = shop.git("for-each-ref", "refs/heads/main", "refs/heads/theirs");
    await shop.workThrough();
    const after = shop.git("for-each-ref", "refs/heads/main", "refs/heads/theirs");
    const [attempt, ...more] = await shop.attempts();
    return { before, after, attempt, more };
  }

  it.each([
    [
      "deletes a branch",
      /deleted refs\/heads\/theirs\. It is back at/,
      (main: string) => gitIn(main, "branch", "-D", "theirs"),
    ],
    [
      "moves a branch without a trace in its worktree",
      /moved refs\/heads\/theirs to \w+\. It is back at/,
      (main: string) => {
        const commit = gitIn(main, "commit-tree", "-p", "main", "-m", "owned", "main^{tree}");
        write(main, { ".git/refs/heads/theirs": `${commit}\n` });
        return commit;
      },
    ],
  ] as const)("a worker that %s is stopped, and the branch is put back", async (_, said, attack) => {
    const { before, after, attempt, more } = await afterAttack(attack);
    expect(after).toBe(before);
    expect(attempt?.failure).toMatchObject({ class: "architecture", action: "freeze" });
    expect(attempt?.failure?.reason).toMatch(said);
    expect(more).toEqual([]);
  });
});
