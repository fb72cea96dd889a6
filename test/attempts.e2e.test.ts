// Attempts, answers about them, and work by hand, as a person types them: through the built program, in a real repository.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newHome } from "./agents/contract.js";
import { BIN } from "./rig.js";
import { type Task, Working } from "./working.js";

const FEATURE = "planwright/feature/FEAT-A";

const greeting = (check: string): Task => ({
  title: "Write the greeting",
  body: "```sh run\necho hello > greeting.txt\n```",
  files: ["greeting.txt"],
  checks: [check],
});

const PASSES = greeting('test "$(cat greeting.txt)" = hello');
const FAILS = greeting("echo 'AssertionError: no greeting'; exit 1");

const EXECUTION = { fixes: 0, keepDays: 3, storm: { failures: 50, minutes: 10, pauseMinutes: 0 } };

/** With the shell as worker; removed at the end of the test. */
const shellWorking = (...tasks: readonly Task[]): Working =>
  workingWith({ roles: { worker: { agent: "shell" } } }, tasks);

/** With a command of the user's as worker, which tries again what its checks turned down. */
const commandWorking = (...tasks: readonly Task[]): Working =>
  workingWith(
    { agents: { greeter: { shell: "echo hello > greeting.txt" } }, roles: { worker: { agent: "greeter" } } },
    tasks,
  );

function workingWith(chosen: object, tasks: readonly Task[]): Working {
  const settings = { ...chosen, execution: EXECUTION };
  const working = new Working(newHome(), { settings, tasks });
  onTestFinished(() => working.remove());
  return working;
}

/** Names and types, not contents. */
function shapeOf(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== "object") return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]));
}

describe("planwright attempts", () => {
  it("shows what was tried, in full and with its diff, and never a token", async () => {
    const working = shellWorking(PASSES);
    const { rig } = working;
    expect(rig.run(["attempt", "list"]).stdout).toBe("Nothing was tried yet.\n");
    await working.run();
    expect(shapeOf(rig.ok(["attempt", "list"]))).toMatchSnapshot("attempts");
    const listed = rig.run(["attempt", "list", "TASK-00001"]);
    expect(listed.stdout).toMatch(/^ATT-00001 {2}accepted {2}TASK-00001 {2}shell, /);
    expect(listed.stderr).toBe("  planwright show ATT-00001   Show one attempt in full\n");
    const shown = rig.ok(["attempt", "show", "ATT-00001"]) as { steps: { state: string }[] };
    expect(shapeOf(shown)).toMatchSnapshot("attempts show");
    const { token } = await working.attempt();
    const said = rig.run(["attempt", "show", "att-1"]).stdout;
    expect(said).toContain("✓ test");
    expect(said).toContain("echo hello > greeting.txt");
    expect(rig.run(["show", "ATT-00001"]).stdout).toBe(said);
    expect(`${JSON.stringify(shown)}${said}`).not.toContain(token);
    expect(rig.run(["attempt", "diff", "ATT-00001"]).stdout).toContain("+hello");
  });

  it("brings unmerged work back as a branch, and lets it go when its time is over", async () => {
    const working = commandWorking(FAILS);
    const { rig } = working;
    expect((await working.run(["--batch"])).code).toBe(1);
    expect(shapeOf(rig.ok(["attempt", "kept"]))).toMatchSnapshot("attempts --kept");
    expect(rig.run(["attempt", "kept"]).stdout).toContain("stays: you may still accept it");
    const failed = rig.run(["attempt", "show", "ATT-00001"]);
    expect(failed.stdout).toContain("AssertionError: no greeting");
    expect(failed.stderr).toContain("planwright restore ATT-00001");
    expect(shapeOf(rig.ok(["attempt", "restore", "ATT-00001"]))).toMatchSnapshot("attempts restore");
    expect(rig.git("show", "planwright/restored/ATT-00001:greeting.txt")).toBe("hello");
    expect(rig.fails(["attempt", "restore", "ATT-00001", "--to", "main"])).toMatchObject({
      code: 3,
      reason: "branch-exists",
    });
    expect(rig.fails(["attempt", "restore", "ATT-9"])).toMatchObject({ code: 2, reason: "not-found" });
    expect(rig.fails(["attempt", "restore"])).toMatchObject({ code: 5 });
    expect(rig.fails(["attempt", "forget", "ATT-00001"])).toMatchObject({ code: 5 });
    const { op, expired, removed, dryRun, soon } = rig.ok(["attempt", "expire", "--dry-run"]);
    expect({ op, expired, removed, dryRun, soon }).toEqual({
      op: null,
      expired: [],
      removed: [],
      dryRun: true,
      soon: [{ id: "ATT-00001", until: expect.any(String) as string }],
    });
    rig.write("planwright.json", JSON.stringify({ execution: { keepDays: 0 } }));
    expect(rig.ok(["attempt", "expire"])).toMatchObject({ expired: ["ATT-00001"] });
    expect(rig.git("for-each-ref", "--format=%(refname)", "refs/planwright/kept")).toBe(
      "refs/planwright/kept/ATT-00002",
    );
  });
});

describe("an answer about a task", () => {
  it("accepts what was rejected, and the next run puts it on the feature's branch", async () => {
    const working = shellWorking(FAILS);
    const { rig } = working;
    await working.run(["--batch"]);
    expect(rig.fails(["answer", "ESC-001", "accept"])).toMatchObject({ code: 3, reason: "needs-reason" });
    const answered = rig.run(["answer", "ESC-001", "accept", "--note", "the check is wrong"]);
    expect([answered.code, answered.stderr]).toEqual([0, expect.stringContaining("\n  planwright run   ")]);
    expect(rig.ok(["show", "TASK-00001"])).toMatchObject({
      status: "done",
      acceptance: { reason: "the check is wrong" },
    });
    expect(working.onBranch("greeting.txt")).toBeUndefined();
    await working.run(["--batch"]);
    expect(working.onBranch("greeting.txt")).toBe("hello");
    expect(rig.ok(["verify"])).toMatchObject({ differences: [] });
  });

  it("resets it, and is taken back as one operation", async () => {
    const working = shellWorking(FAILS);
    const { rig } = working;
    await working.run(["--batch"]);
    const { op, did } = rig.ok(["answer", "ESC-001", "reset"]) as { op: number; did: string };
    expect([did, rig.ok(["show", "TASK-00001"]).status, rig.ok(["escalations"])]).toEqual([
      "TASK-00001 is open again",
      "ready",
      [],
    ]);
    rig.ok(["undo", String(op)]);
    expect([rig.ok(["show", "TASK-00001"]).status, rig.ok(["escalations"])[0].id]).toEqual(["rejected", "ESC-001"]);
  });

  it("is a reset or an acceptance too: nothing is asked any more", async () => {
    const working = shellWorking(FAILS);
    const { rig } = working;
    await working.run(["--batch"]);
    expect(rig.run(["reset", "TASK-00001"]).stderr).toContain("No longer need an answer: ESC-001");
    await working.run(["--batch"]);
    const accepted = rig.run(["accept", "TASK-00001", "--reason", "fine"]);
    expect(accepted.stderr).toContain("The next run, daemon or landing merges the work of ATT-00002.");
    expect(rig.ok(["escalations"])).toEqual([]);
  });
});

describe("planwright work", () => {
  it("gives a person a folder, shows what a check finds, and merges what passes", () => {
    const { rig } = shellWorking(PASSES);
    const begun = rig.run(["work", "TASK-00001"]);
    expect([begun.code, begun.stderr]).toEqual([0, expect.stringContaining("planwright work done TASK-00001")]);
    const place = rig.ok(["work", "TASK-00001"]) as { worktree: string; resumed: boolean; env: Record<string, string> };
    expect(shapeOf(place)).toMatchSnapshot("work");
    expect(rig.run(["work", "list"]).stdout).toContain("TASK-00001  ATT-00001  human:ada");
    writeFileSync(join(place.worktree, "greeting.txt"), "helo\n");
    const refused = rig.run(["work", "done"], { cwd: place.worktree });
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("TASK-00001 is not done yet")]);
    writeFileSync(join(place.worktree, "greeting.txt"), "hello\n");
    const handed = rig.ok(["work", "done", "TASK-00001"]);
    expect(shapeOf(handed)).toMatchSnapshot("work --done");
    expect([rig.git("show", `${FEATURE}:greeting.txt`), existsSync(place.worktree)]).toEqual(["hello", false]);
    expect(rig.git("log", "-1", "--format=%an %s", FEATURE)).toBe("Ada TASK-00001: Write the greeting");
    expect([rig.git("status", "--short"), rig.run(["work", "list"]).stdout]).toEqual([
      "",
      "No work by hand is open.\n",
    ]);
  });

  it("prints an environment that a shell can take, whatever is in it", () => {
    const { rig } = shellWorking(PASSES);
    const script = `eval "$("$0" "$1" work TASK-00001 --print-env)" && printf '%s\\n' "$PLANWRIGHT_TASK" "$PLANWRIGHT_ACTOR" && cat "$PLANWRIGHT_BUNDLE"`;
    const env = rig.environment({ USER: "o'hara $(x)", TMPDIR: rig.root });
    const shell = spawnSync("sh", ["-c", script, process.execPath, BIN], { cwd: rig.root, env, encoding: "utf8" });
    const [task, actor, ...rest] = shell.stdout.split("\n");
    expect([task, actor?.startsWith("human:"), rest.join("\n")]).toEqual([
      "TASK-00001",
      true,
      expect.stringContaining("Write the greeting"),
    ]);
  });

  it("gives the task back and keeps what was done", () => {
    const { rig } = shellWorking(PASSES);
    const { worktree } = rig.ok(["work", "TASK-00001"]) as { worktree: string };
    writeFileSync(join(worktree, "greeting.txt"), "half\n");
    const given = rig.run(["work", "abandon", "TASK-00001", "--keep"]);
    expect([given.code, given.stderr]).toEqual([0, expect.stringContaining("planwright restore ATT-00001")]);
    expect(readFileSync(join(worktree, "greeting.txt"), "utf8")).toBe("half\n");
    expect(rig.ok(["show", "TASK-00001"]).status).toBe("ready");
    rig.ok(["attempt", "restore", "ATT-00001", "--to", "mine"]);
    expect(rig.git("show", "mine:greeting.txt")).toBe("half");
    rig.ok(["work", "abandon", "TASK-00001"]);
    expect(existsSync(worktree)).toBe(false);
  });

  it("makes, approves and starts a small task in one step, for a person and for nobody else", () => {
    const { rig } = shellWorking(PASSES);
    const task = ["work", "--new", "Fix the typo", "--file", "README.md", "--check", "grep -q Salutations README.md"];
    expect(rig.fails(task, { env: { PLANWRIGHT_ACTOR: "agent:a" } }).reason).toBe("needs-person");
    expect(rig.fails(["show", "Fix the typo"]).code).toBe(2);
    const started = rig.ok(task);
    expect(rig.ok(["show", started.task])).toMatchObject({
      parent: "FEAT-001",
      status: "in_progress",
      files: ["README.md"],
    });
    writeFileSync(join(started.worktree, "README.md"), "# Salutations\n");
    expect(rig.ok(["work", "done", started.task]).state).toBe("accepted");
    expect(rig.fails(["work"]).code).toBe(5);
    expect(rig.fails(["work", "TASK-00001", "--new", "Both"]).code).toBe(5);
  });

  it("gives an agent a folder in its own name, and no other agent the same task", () => {
    const { rig } = shellWorking(PASSES);
    const { worktree, env } = rig.ok(["work", "TASK-00001", "--as", "agent:bot"]);
    expect(env).toMatchObject({ PLANWRIGHT_ACTOR: "agent:bot", PLANWRIGHT_WORKTREE: worktree });
    expect(rig.run(["work", "list"]).stdout).toContain("TASK-00001  ATT-00001  agent:bot");
    expect(rig.fails(["work", "TASK-00001", "--as", "agent:other"])).toMatchObject({ code: 3, reason: "in-flight" });
    expect(rig.fails(["work", "done", "TASK-00001", "--as", "agent:other"])).toMatchObject({
      code: 3,
      reason: "not-yours",
    });
    writeFileSync(join(worktree, "greeting.txt"), "hello\n");
    expect(rig.ok(["work", "done", "TASK-00001", "--as", "agent:bot"]).state).toBe("accepted");
  });

  it("takes one thing at a time, and needs a task", () => {
    const { rig } = shellWorking(PASSES);
    expect(rig.fails(["work", "done", "TASK-00001", "--abandon"])).toMatchObject({ code: 5 });
    expect(rig.fails(["work"])).toMatchObject({ code: 5 });
    expect(rig.fails(["work", "done"])).toMatchObject({ code: 5 });
    expect(rig.fails(["work", "done", "TASK-00001"])).toMatchObject({ code: 2, reason: "not-begun" });
    expect(rig.fails(["work", "TASK-00009"])).toMatchObject({ code: 2, reason: "not-found" });
  });
});
