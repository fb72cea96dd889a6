// `land` as a person uses it: through the built program, in a real repository, killed for real.

import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, makeRig, prepareRig, type Rig } from "./rig.js";

const FEATURE = "planwright/feature/FEAT-001";

const task = (id: string, rest: object = {}): object => ({
  id,
  title: `Task ${id}`,
  parent: "FEAT-001",
  body: `\`\`\`sh run\necho ${id} > ${id}.txt\n\`\`\``,
  checks: [{ run: `test -f ${id}.txt` }],
  files: [`${id}.txt`],
  ...rest,
});

/** FEAT-001 with all its tasks done on its branch. */
function finished(tasks: readonly object[]): Rig {
  const rig = makeRig();
  prepareRig(rig, JSON.stringify(tasks), (template) => finishTasks(template, tasks));
  return rig;
}

function finishTasks(rig: Rig, tasks: readonly object[]): void {
  rig.git("init", "-q", "-b", "main");
  rig.write(".gitignore", "tasks.jsonl\n");
  rig.git("add", "-A");
  rig.git("commit", "-q", "-m", "first");
  rig.ok(["init", "--mission", "A shop"]);
  const feature = { id: "FEAT-001", tier: "feature", title: "Files", parent: "MISSION" };
  rig.write("tasks.jsonl", [feature, ...tasks].map((node) => JSON.stringify(node)).join("\n"));
  rig.ok(["add", "--from", "tasks.jsonl"]);
  rig.ok(["approve", "FEAT-001"]);
  rig.ok(["run", "--batch"]);
}

const statusOf = (rig: Rig, id: string): string => (rig.ok(["show", id]) as { status: string }).status;

describe("planwright land", () => {
  it("shows the proof, lands, and the feature is done only then", () => {
    const rig = finished([task("one"), task("two")]);
    const before = rig.git("rev-parse", "main");
    expect(rig.run(["status", "FEAT-001"]).stdout).toContain("FEAT-001-LAND");
    expect(statusOf(rig, "FEAT-001")).not.toBe("done");
    const rehearsed = rig.run(["land", "FEAT-001", "--dry-run"]);
    expect([rehearsed.code, rehearsed.stdout]).toEqual([0, expect.stringContaining("FEAT-001 would land on main as")]);
    expect(rehearsed.stdout).toContain("✓ test -f two.txt (exit 0)");
    expect(rehearsed.stderr).toContain("planwright land FEAT-001");
    expect([rig.git("rev-parse", "main"), rig.git("status", "--porcelain")]).toEqual([before, ""]);
    expect(rig.fails(["land", "FEAT-001"])).toMatchObject({ code: 3, reason: "needs-yes" });
    const landing = rig.ok(["land", "FEAT-001", "--yes"]) as { commit: string };
    expect(landing).toMatchObject({ outcome: "landed", branch: "main", from: before, tasks: ["one", "two"] });
    expect([rig.git("rev-parse", "main"), rig.git("status", "--porcelain")]).toEqual([landing.commit, ""]);
    expect(rig.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\nrefs/planwright/log");
    expect(rig.git("worktree", "list").split("\n").length).toBe(1);
    expect(statusOf(rig, "FEAT-001")).toBe("done");
    expect(rig.fails(["land", "FEAT-001", "--yes"])).toMatchObject({ code: 2, reason: "nothing-to-land" });
    expect(rig.ok(["verify"]).differences).toEqual([]);
  });

  it("refuses a dirty checkout, a conflict and a red check, each with its reason, and main stays", () => {
    const rig = finished([task("one", { checks: [{ run: "test ! -f bad.txt || { echo it is bad; exit 4; }" }] })]);
    const as = (files: Record<string, string>): string => {
      for (const [name, text] of Object.entries(files)) rig.write(name, text);
      rig.git("add", "-A");
      rig.git("commit", "-q", "-m", "by hand");
      return rig.git("rev-parse", "main");
    };
    const first = rig.git("rev-parse", "main");
    rig.write("one.txt", "mine\n");
    expect(rig.fails(["land", "FEAT-001", "--yes"])).toMatchObject({
      code: 3,
      reason: "dirty-tree",
      details: { paths: ["one.txt"] },
    });
    expect([rig.git("rev-parse", "main"), readFileSync(join(rig.root, "one.txt"), "utf8")]).toEqual([first, "mine\n"]);
    const second = as({ "one.txt": "mine\n" });
    expect(rig.fails(["land", "FEAT-001", "--yes"])).toMatchObject({
      code: 3,
      reason: "merge-conflict",
      details: { files: ["one.txt"] },
    });
    expect(rig.ok(["escalations"])[0]).toMatchObject({ kind: "land", blocks: ["FEAT-001-LAND"] });
    expect([rig.git("rev-parse", "main"), rig.git("status", "--porcelain")]).toEqual([second, ""]);
    rig.git("rm", "-q", "one.txt");
    const third = as({ "bad.txt": "bad\n" });
    const { code, stderr } = rig.run(["land", "FEAT-001", "--yes"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("it is bad")]);
    expect([rig.git("rev-parse", "main"), rig.git("status", "--porcelain")]).toEqual([third, ""]);
    expect(rig.git("worktree", "list").split("\n").length).toBe(1);
  });

  it.each([
    { begun: "A merge", begin: ["merge", "-q", "other"], abort: ["merge", "--abort"] },
    { begun: "A rebase", begin: ["rebase", "-q", "other"], abort: ["rebase", "--abort"] },
  ])("refuses while you have not finished: $begun", ({ begun, begin, abort }) => {
    const rig = finished([task("one")]);
    rig.git("branch", "other");
    for (const branch of ["main", "other"]) {
      rig.git("checkout", "-q", branch);
      rig.write("shared.txt", branch);
      rig.git("add", "shared.txt");
      rig.git("commit", "-q", "-m", branch);
    }
    rig.git("checkout", "-q", "main");
    expect(() => rig.git(...begin)).toThrow(`git ${begin.join(" ")}`);
    const state = (): string[] => [rig.git("for-each-ref", "refs/heads"), rig.git("status", "--porcelain")];
    const before = state();
    const refused = rig.fails(["land", "FEAT-001", "--yes"]);
    expect(refused).toMatchObject({
      reason: "dirty-tree",
      message: `${begun} is not finished in ${rig.root}, where main is checked out. Finish or abort it first.`,
      next: [{ command: expect.stringContaining("land FEAT-001") as string }],
    });
    expect(state()).toEqual(before);
    rig.git(...abort);
    rig.ok(["land", "FEAT-001", "--yes"]);
    expect([readFileSync(join(rig.root, "one.txt"), "utf8"), statusOf(rig, "FEAT-001")]).toEqual(["one\n", "done"]);
  });

  it("pushes for a review, and proves a squash merge afterwards", () => {
    const rig = finished([task("one"), task("two")]);
    const bare = join(rig.root, ".planwright", "hub.git");
    rig.git("init", "-q", "--bare", "-b", "main", bare);
    rig.git("remote", "add", "origin", bare);
    rig.git("push", "-q", "origin", "main");
    const main = rig.git("rev-parse", "main");
    const pushed = rig.run(["land", "FEAT-001", "--pr", "--yes"]);
    expect([pushed.code, pushed.stdout]).toEqual([0, expect.stringContaining(`${FEATURE} is on origin`)]);
    expect(pushed.stderr).toContain("planwright land FEAT-001");
    expect(rig.git("--git-dir", bare, "rev-parse", FEATURE)).toBe(rig.git("rev-parse", FEATURE));
    expect([rig.git("rev-parse", "main"), statusOf(rig, "FEAT-001-LAND")]).toEqual([main, "ready"]);
    rig.git("merge", "-q", "--squash", FEATURE);
    rig.git("commit", "-q", "-m", "Files (#1)");
    expect(rig.ok(["land", "FEAT-001", "--yes"])).toMatchObject({
      outcome: "already-landed",
      proof: expect.stringContaining("in the one commit"),
    });
    expect(statusOf(rig, "FEAT-001")).toBe("done");
  });

  it("is a person's", () => {
    const rig = finished([task("one")]);
    const env = { PLANWRIGHT_ACTOR: "agent:x" };
    expect(rig.fails(["land", "FEAT-001", "--yes"], { env })).toMatchObject({ code: 3, reason: "needs-person" });
    expect(rig.fails(["land", "FEAT-001", "--remote", "x"])).toMatchObject({ code: 5 });
  });
});

describe("a landing that is killed", () => {
  /** A git that waits where it is told to, so that the program can be killed at that moment. */
  const slowGit = (rig: Rig, stop: string): string => {
    const folder = join(rig.root, ".planwright", "slow");
    mkdirSync(folder);
    const real = spawnSync("which", ["git"], { encoding: "utf8" }).stdout.trim();
    const script = [
      "#!/bin/sh",
      `case " $* " in *" ${stop} "*)`,
      `  touch "${folder}/reached"; while [ ! -f "${folder}/go" ]; do sleep 0.05; done;;`,
      "esac",
      `exec ${real} "$@"`,
    ];
    writeFileSync(join(folder, "git"), script.join("\n"), { mode: 0o755 });
    return folder;
  };

  it.each([
    ["while it merges", "merge-tree"],
    ["while its worktree is made", "reset --hard --no-recurse-submodules"],
    ["before the files of the checkout move", "read-tree"],
    ["before main moves", "update-ref -m planwright: land ATT-00002"],
  ])("%s is settled by the next call", async (_, stop) => {
    const rig = finished([task("one")]);
    const folder = slowGit(rig, stop);
    const env = rig.environment({ PATH: `${folder}:${process.env["PATH"]}` });
    const child = spawn(process.execPath, [BIN, "land", "FEAT-001", "--yes"], { cwd: rig.root, env, stdio: "ignore" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise((done) => child.on("exit", done));
    await expect.poll(() => existsSync(join(folder, "reached"))).toBe(true);
    child.kill("SIGKILL");
    await ended;
    const landing = rig.ok(["land", "FEAT-001", "--yes"]) as { outcome: string };
    // What the killed one has still in the air must not do anything any more.
    writeFileSync(join(folder, "go"), "");
    expect(landing.outcome).toBe("landed");
    expect(rig.git("status", "--porcelain")).toBe("");
    expect(rig.git("rev-list", "--count", "--merges", "main")).toBe("1");
    expect(rig.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\nrefs/planwright/log");
    expect(rig.git("worktree", "list").split("\n").length).toBe(1);
    expect(rig.ok(["verify"]).differences).toEqual([]);
  });
});

describe("a landing whose git is killed when it has done its work", () => {
  /** As by a machine that has run out of memory: what it did counts, and nobody hears that it did. */
  const killedGit = (rig: Rig, ...calls: string[]): string => {
    const folder = join(rig.root, ".planwright", "killed");
    mkdirSync(folder);
    const real = spawnSync("which", ["git"], { encoding: "utf8" }).stdout.trim();
    const script = [
      "#!/bin/sh",
      // While it is in trouble, after the first was killed, every other is.
      `if [ -d "${folder}/done0" ] && [ -d "${folder}/trouble" ]; then kill -9 $$; fi`,
      ...calls.flatMap((call, i) => [
        `${i === 0 ? "" : `[ -d "${folder}/done${i - 1}" ] && `}case " $* " in *" ${call} "*)`,
        `  if mkdir "${folder}/done${i}" 2>/dev/null; then ${real} "$@"; kill -9 $$; fi;;`,
        "esac",
      ]),
      `exec ${real} "$@"`,
    ];
    writeFileSync(join(folder, "git"), script.join("\n"), { mode: 0o755 });
    return folder;
  };

  it.each([
    ["the main branch was moved", "update-ref -m planwright: land ATT-00002", "landed"],
    ["the files of the checkout were laid out", "read-tree -m", null],
  ])("%s: the checkout is what main is", (_, call, outcome) => {
    const rig = finished([task("one")]);
    const before = rig.git("rev-parse", "main");
    const env = { PATH: `${killedGit(rig, call)}:${process.env["PATH"]}` };
    const { code, stdout } = rig.run(["land", "FEAT-001", "--yes", "--json"], { env });
    expect([code, (JSON.parse(stdout) as { data?: { outcome: string } }).data?.outcome ?? null]).toEqual(
      outcome === null ? [3, null] : [0, outcome],
    );
    expect(rig.git("status", "--porcelain")).toBe("");
    expect(rig.git("rev-parse", "main") === before).toBe(outcome === null);
    if (outcome === null) rig.ok(["land", "FEAT-001", "--yes"]);
    expect([statusOf(rig, "FEAT-001"), rig.git("status", "--porcelain")]).toEqual(["done", ""]);
    expect(rig.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\nrefs/planwright/log");
  });

  const MOVE = "update-ref -m planwright: land ATT-00002";

  it("nobody knows whether the main branch was moved: the checkout is what main is all the same", () => {
    const rig = finished([task("one")]);
    const before = rig.git("rev-parse", "main");
    const env = { PATH: `${killedGit(rig, MOVE, "merge-base --is-ancestor")}:${process.env["PATH"]}` };
    expect(rig.fails(["land", "FEAT-001", "--yes"], { env })).toMatchObject({ code: 3, reason: "not-landed" });
    expect([rig.git("status", "--porcelain"), rig.git("rev-parse", "main") === before]).toEqual(["", false]);
    expect(rig.ok(["land", "FEAT-001", "--yes"])).toMatchObject({ outcome: "already-landed" });
    expect([statusOf(rig, "FEAT-001"), rig.git("status", "--porcelain")]).toEqual(["done", ""]);
  });

  it.each([
    ["landing", ["land", "FEAT-001", "--yes"]],
    ["run", ["run", "--batch"]],
  ])("no git works for the rest of the landing: the next %s puts the checkout right", (_, next) => {
    const rig = finished([task("one")]);
    const folder = killedGit(rig, MOVE);
    mkdirSync(join(folder, "trouble"));
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    expect(rig.fails(["land", "FEAT-001", "--yes"], { env })).toMatchObject({ code: 3, reason: "not-landed" });
    expect(rig.git("status", "--porcelain")).not.toBe("");
    rig.run(next);
    expect(rig.git("status", "--porcelain")).toBe("");
    if (statusOf(rig, "FEAT-001") !== "done") rig.ok(["land", "FEAT-001", "--yes"]);
    expect([statusOf(rig, "FEAT-001"), rig.git("status", "--porcelain")]).toEqual(["done", ""]);
  });
});
