// Threat: a hostile worker reaches outside of its worktree. In a sandbox nothing else is there: each of these is tried with the real
// bubblewrap. Without one a worker has your rights; what is found then are mistakes.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { workerName } from "../../src/engine/watch/watch.js";
import { lendRepository } from "../../src/machine/git/lend.js";
import { run } from "../../src/machine/process/run.js";
import { sandboxFor } from "../../src/machine/sandbox/sandbox.js";
import { gitIn, makeRepository, write } from "../git-repository.js";
import { needs } from "../needs.js";
import { needsSandbox } from "../needs-sandbox.js";
import { must } from "../plan.js";
import { fileTask, openShop } from "../shop.js";

const python = ["x64", "arm64"].includes(process.arch) && spawnSync("python3", ["--version"]).status === 0;

/** A person's machine in small: a checkout with a plan, a home folder with everything in it, and another attempt beside this one. */
async function machine() {
  const repository = makeRepository({ "a.txt": "a\n", ".gitignore": ".planwright/\n" });
  const { path, around, git } = repository;
  const worktree = join(around, "home/.local/state/planwright/worktrees/shop/slot-1");
  git("branch", "theirs");
  git("config", "remote.origin.url", "https://ada:password@example.com/shop.git");
  git("worktree", "add", "-q", "-b", "planwright/attempt/ATT-00001", worktree);
  await lendRepository(worktree, { commit: git("rev-parse", "HEAD"), branch: null, name: "a worker" });
  const home = join(around, "home");
  write(path, { ".planwright/plan.db": "the plan" });
  write(home, {
    ".bashrc": "mine\n",
    ".ssh/id_ed25519": "a key",
    ".claude/settings.json": "{}",
    ".claude/.credentials.json": "a login",
    ".config/planwright/secret": "the secret",
    ".local/state/planwright/backups/shop/1.db": "a backup",
    ".local/state/planwright/worktrees/shop/slot-2/x.txt": "theirs",
  });
  write(around, { "config-of-mine/secret": "the secret", "tmp-2/bundle.md": "the task of another worker" });
  const [cache, tmp] = [join(around, "cache"), join(around, "tmp")];
  for (const folder of [cache, tmp]) mkdirSync(folder);
  const env = envOf(around);
  const attack = async (script: string) => {
    const { wrap } = must(await sandboxFor("require", { root: path, worktree, env }));
    return run({ ...wrap("/bin/sh", ["-c", script]), cwd: worktree, env });
  };
  return { ...repository, worktree, home, attack };
}

const envOf = (around: string) => ({
  PATH: process.env["PATH"] ?? "",
  HOME: join(around, "home"),
  PLANWRIGHT_CACHE: join(around, "cache"),
  PLANWRIGHT_TMP: join(around, "tmp"),
  PLANWRIGHT_CONFIG: join(around, "config-of-mine"),
  XDG_RUNTIME_DIR: join(around, "run"),
});

/** All files below a folder, with what is in them. */
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [file, readFileSync(file, "latin1")]),
  );

describe("in a sandbox", needsSandbox, () => {
  it.each([
    ["the key that proves a person", '"$HOME/.config/planwright/secret"'],
    ["that key where PLANWRIGHT_CONFIG says it is", '"$PLANWRIGHT_CONFIG/secret"'],
    ["a key for ssh", '"$HOME/.ssh/id_ed25519"'],
    ["the login of an agent that it is not", '"$HOME/.claude/.credentials.json"'],
    ["the plan", "AROUND/repo/.planwright/plan.db"],
    ["a backup of the plan", '"$HOME/.local/state/planwright/backups/shop/1.db"'],
    ["the checkout of the person", "AROUND/repo/a.txt"],
    ["the settings of git, with the password of a remote", "AROUND/repo/.git/config"],
    ["the bundle of another worker", "AROUND/tmp-2/bundle.md"],
    ["the worktree of another worker", '"$HOME/.local/state/planwright/worktrees/shop/slot-2/x.txt"'],
    ["the environment of the engine", `/proc/${process.pid}/environ`],
    ["the folder of a process of the person", `/proc/${process.ppid}/root/etc/hostname`],
  ])("a worker cannot read %s", async (_, file) => {
    const { attack, around } = await machine();
    const { exitCode, output } = await attack(`cat ${file.replace("AROUND", around)}`);
    expect(exitCode).not.toBe(0);
    expect(output).toMatch(/no such file/i);
  });

  it.each([
    ["commit to main", "git -C AROUND/repo commit -q --allow-empty -m owned"],
    ["move a branch of the person", "git branch -f theirs HEAD~0 && git branch -D main"],
    ["push into the repository", "git push -q AROUND/repo HEAD:refs/heads/owned"],
    ["add objects to the repository", "touch AROUND/repo/.git/objects/owned"],
    ["plant a hook", "mkdir -p AROUND/repo/.git/hooks; echo owned > AROUND/repo/.git/hooks/post-commit"],
    ["write into the plan", "mkdir -p AROUND/repo/.planwright; echo owned >> AROUND/repo/.planwright/plan.db"],
    ["change the settings of planwright", "echo '{}' > AROUND/repo/planwright.json"],
    ["write into another worktree", "echo owned > ../slot-2/x.txt"],
    ["tell our git another repository", "echo AROUND/evil > ../slot-1.repository"],
    ["plant something in the home folder", 'echo owned >> "$HOME/.bashrc"'],
    ["plant a program in the home folder", 'mkdir -p "$HOME/bin" && echo owned > "$HOME/bin/git"'],
    [
      "plant orders for the person's own agents",
      'mkdir -p "$HOME/.claude"; echo owned > "$HOME/.claude/settings.json"',
    ],
    [
      "leave something in the temporary folder of everybody",
      "echo owned > /tmp/planwright-owned; mkdir -p /tmp/tmux-0",
    ],
    ["change the bundle of another worker", "mkdir -p AROUND/tmp-2; echo owned > AROUND/tmp-2/bundle.md"],
    ["change the system", "echo owned > /etc/owned; echo owned > /usr/owned"],
    ["leave its root through /proc", "echo owned > /proc/1/root/../AROUND/repo/owned"],
    ["make a link that our program writes through", 'ln -s "$HOME/.bashrc" "$PLANWRIGHT_TMP/failure.txt"'],
  ])("a worker cannot %s", async (_, script) => {
    const { attack, around, path, home, git } = await machine();
    const before = [git("for-each-ref"), contents(path), contents(home), contents(join(around, "tmp-2"))];
    await attack(script.replaceAll("AROUND", around));
    const inWorktree = (file: string): boolean => file.includes("/slot-1/");
    const after = [git("for-each-ref"), contents(path), contents(home), contents(join(around, "tmp-2"))];
    const outside = (found: (typeof before)[number] | undefined) =>
      typeof found === "string" ? found : Object.entries(found ?? {}).filter(([file]) => !inWorktree(file));
    expect(after.map(outside)).toEqual(before.map(outside));
    for (const owned of ["/tmp/planwright-owned", "/etc/owned", "/usr/owned"]) expect(existsSync(owned)).toBe(false);
  });

  it.each([
    ["in the temporary folder, such as that of tmux", "tmp-of-tmux.sock"],
    ["in the folder of the session", "run/bus"],
    ["in the home folder", "home/.agent.sock"],
    ["beside the plan", "repo/.planwright/daemon.sock"],
  ])("a worker cannot talk to a socket %s", async (_, name) => {
    const { attack, around } = await machine();
    mkdirSync(join(around, "run"), { recursive: true });
    const seen: string[] = [];
    const server = createServer((socket) => socket.on("data", (data) => seen.push(String(data))));
    await new Promise<void>((done) => server.listen(join(around, name), done));
    onTestFinished(() => void server.close());
    const script = `require("node:net").connect("${join(around, name)}").on("connect", function () { this.end("approve") }).on("error", (e) => { console.log(e.code); process.exit(1) })`;
    const { output } = await attack(`node -e '${script}'`);
    expect(output.trim()).toBe("ENOENT");
    expect(seen).toEqual([]);
  });

  it("a worker sees no process and no terminal of anybody, and ends with what it started", async () => {
    const { attack } = await machine();
    const { output } = await attack('ls /proc | grep -c "^[0-9]"; ls /dev/pts; kill -0 -1 2>&1; cat /dev/tty 2>&1');
    const [processes, ...rest] = output.trim().split("\n");
    expect(Number(processes)).toBeLessThan(8);
    expect(rest.filter((line) => /^\d+$/.test(line))).toEqual([]);
    expect(output).toMatch(/\/dev\/tty/);
  });

  it.each(["user", "pid", "ipc", "uts", "mnt"])("a worker has a %s namespace of its own", async (kind) => {
    const { attack } = await machine();
    const { output } = await attack(`readlink /proc/self/ns/${kind}`);
    expect(output.trim()).toMatch(/^\w+:\[\d+\]$/);
    expect(output.trim()).not.toBe(readlinkSync(`/proc/self/ns/${kind}`));
  });

  it.each([
    ["the key of the person", 'ln -s "$HOME/.config/planwright/secret" .git', "cat .git"],
    [
      "the key of the person, by its way from here",
      "ln -s ../../../../../../.config/planwright/secret .git",
      "cat .git",
    ],
    [
      "the settings of the repository",
      "echo 'gitdir: AROUND/repo/.git/worktrees/slot-1' > .git",
      "cat AROUND/repo/.git/config",
    ],
    ["a file of the person, as a program of its own", 'ln -s "$HOME/.ssh/id_ed25519" tool', "PWD_/tool"],
  ])("what a worker puts in its worktree opens nothing for its next command: %s", async (_, plant, look) => {
    const { attack, around, worktree } = await machine();
    await attack(`rm -rf .git; ${plant.replace("AROUND", around)}`);
    const { wrap } = must(await sandboxFor("require", { root: join(around, "repo"), worktree, env: envOf(around) }));
    const [command, args] = look.startsWith("PWD_")
      ? [join(worktree, "tool"), []]
      : ["/bin/sh", ["-c", look.replace("AROUND", around)]];
    const ran = await run({ ...wrap(command, args), cwd: worktree, env: envOf(around) });
    expect(ran.exitCode).not.toBe(0);
    expect(ran.output).not.toMatch(/the secret|a key|password/);
  });

  it("a worker cannot undo any of it: it has no rights by which it could", async () => {
    const { attack, around } = await machine();
    const { output } = await attack("grep CapEff /proc/self/status; mount -o remount,rw /usr; mount --bind /tmp /etc");
    expect(output).toMatch(/CapEff:\s+0000000000000000/);
    expect(output.match(/permission denied|must be superuser|not permitted/gi)?.length).toBe(2);
    expect(existsSync(join(around, "repo/a.txt"))).toBe(true);
  });

  it("a worker can write nothing of the kernel in /proc and /sys, whoever runs it", async () => {
    const { attack, worktree } = await machine();
    // Whatever opens for writing counts, whichever name it has. A process may write what belongs to itself.
    write(worktree, {
      "walk.cjs": `
        const { closeSync, constants, lstatSync, openSync, readdirSync } = require("node:fs");
        let seen = 0;
        const look = (path) => {
          const found = lstatSync(path, { throwIfNoEntry: false });
          if (!found || found.isSymbolicLink() || /^\\/proc\\/(\\d+|self|thread-self)$/.test(path)) return;
          if (found.isDirectory()) {
            let names = [];
            try { names = readdirSync(path); } catch {}
            return names.forEach((name) => look(path + "/" + name));
          }
          seen++;
          try { closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)); console.log("writes", path); } catch {}
        };
        look("/proc");
        look("/sys");
        console.log(seen > 100 ? "looked" : "saw nothing");
      `,
    });
    const { output } = await attack("node walk.cjs");
    expect(output.trim()).toBe("looked");
  });

  it("a worker of root cannot get another /proc that it could write to", async () => {
    const { attack } = await machine();
    const pattern = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
    const { output } = await attack(
      `for way in "umount /proc/sys" "umount /proc" "mount -o remount,rw /proc" "mount -t proc proc /proc"; do
         unshare -Urmpf sh -c "$way && echo x > /proc/sys/kernel/core_pattern && echo wrote" 2>&1
       done`,
    );
    expect(output).not.toMatch(/^wrote/m);
    expect(readFileSync("/proc/sys/kernel/core_pattern", "utf8")).toBe(pattern);
  });

  it("a worker can still write to its own output through /proc", async () => {
    const { attack } = await machine();
    const { output } = await attack("{ echo one > /dev/stdout; echo two > /proc/self/fd/1; } | cat");
    expect(output).toBe("one\ntwo\n");
  });

  it("a worker cannot use the kernel's keyrings of the person", needs(python, "python3 is missing"), async () => {
    const { attack, worktree } = await machine();
    const first = { x64: 248, arm64: 217 }[process.arch as string] ?? 0;
    write(worktree, {
      "keys.py": `
import ctypes, os
call = ctypes.CDLL(None, use_errno=True).syscall
for number, words in ((${first}, (b"user", b"theirs", b"x", 1, -3)), (${first + 1}, (b"user", b"theirs", None, 0)), (${first + 2}, (0, -3, 0))):
    print(os.strerror(ctypes.get_errno()) if call(number, *words) < 0 else "reached")
try:
    print(open("/proc/keys").read(), end="")
except OSError:
    pass
`,
    });
    const { output } = await attack("python3 keys.py");
    expect(output).toBe("Operation not permitted\n".repeat(3));
  });

  it("a folder of the person that is a link in the worktree leads nowhere", async () => {
    const { attack, worktree, home } = await machine();
    symlinkSync(home, join(worktree, "home"));
    expect((await attack("cat home/.config/planwright/secret; echo owned > home/.bashrc")).output).toMatch(
      /no such file/i,
    );
    expect(readFileSync(join(home, ".bashrc"), "utf8")).toBe("mine\n");
  });
});

describe("without a sandbox", () => {
  /** A worker that does its task and something else. */
  async function afterMistake(mistake: (main: string, worktree: string, env: Record<string, string>) => unknown) {
    const shop = await openShop([fileTask("one")], {
      policy: { sandbox: "off" },
      doing: ({ cwd, env, attempt }) => {
        expect(env["GIT_COMMITTER_NAME"]).toBe(workerName(attempt));
        write(cwd, { "one.txt": "one" });
        mistake(shop.repository.path, cwd, env);
        return { ending: "done" };
      },
    });
    shop.git("branch", "theirs");
    const before = shop.git("for-each-ref", "refs/heads/main", "refs/heads/theirs", "refs/tags");
    await shop.workThrough();
    const after = shop.git("for-each-ref", "refs/heads/main", "refs/heads/theirs", "refs/tags");
    const [attempt, ...more] = await shop.attempts();
    return { before, after, attempt, more };
  }

  it("what a worker does to branches in its own folder does nothing to yours", async () => {
    const { before, after, attempt } = await afterMistake((_, worktree) => {
      gitIn(worktree, "add", "-A");
      gitIn(worktree, "commit", "-q", "-m", "mine");
      gitIn(worktree, "branch", "-f", "main");
      gitIn(worktree, "branch", "-D", "theirs");
      gitIn(worktree, "tag", "v1");
      gitIn(worktree, "config", "core.hooksPath", "evil");
    });
    expect(after).toBe(before);
    expect(attempt?.state).toBe("accepted");
  });

  it.each([
    [
      "commits in your checkout",
      ["commit", "-q", "--allow-empty", "-m", "owned"],
      /moved HEAD of the main checkout to \w+ \(commit: owned\)/,
    ],
    [
      "moves your branch elsewhere",
      ["update-ref", "-m", "owned", "refs/heads/theirs", "TREE"],
      /moved refs\/heads\/theirs to \w+ \(owned\)/,
    ],
  ] as const)("a worker that %s by mistake is stopped, and you are told what it did", async (_, words, said) => {
    const { attempt, more } = await afterMistake((main, __, env) => {
      const other = gitIn(main, "commit-tree", "-p", "main", "-m", "x", "main^{tree}");
      const args = words.map((word) => word.replace("TREE", other));
      const identity = { GIT_AUTHOR_NAME: "a", GIT_AUTHOR_EMAIL: "a@a", GIT_COMMITTER_EMAIL: "a@a" };
      const ran = spawnSync("git", args, { cwd: main, env: { ...env, ...identity } });
      expect(String(ran.stderr)).toBe("");
    });
    expect(attempt?.failure).toMatchObject({ class: "architecture", action: "freeze" });
    expect(attempt?.failure?.reason).toMatch(said);
    expect(more).toEqual([]);
  });

  it("a worker that changes its file in your checkout by mistake is stopped, and other changes there are on record", async () => {
    const own = await afterMistake((main) => write(main, { "one.txt": "one" }));
    expect(own.attempt?.failure?.reason).toMatch(/The worker changed one.txt in the main checkout/);
    const others = await afterMistake((main) => write(main, { "notes.txt": "perhaps the person's" }));
    expect(others.attempt).toMatchObject({ state: "accepted", meanwhile: ["notes.txt"] });
  });
});
