// `run` and `daemon` as a person uses them: through the built program, in a real repository, with the shell worker.

import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, makeRig, prepareRig, type Rig } from "./rig.js";

const FEATURE = "planwright/feature/FEAT-001";

const shell = (id: string, script: string, rest: object = {}): object => ({
  id,
  title: `Task ${id}`,
  parent: "FEAT-001",
  body: `\`\`\`sh run\n${script}\n\`\`\``,
  checks: [{ run: `test -f ${id}.txt` }],
  files: [`${id}.txt`],
  ...rest,
});

/** A repository and a plan without tasks. */
function beginShop(rig: Rig): void {
  rig.git("init", "-q", "-b", "main");
  rig.write("README.md", "hello\n");
  rig.git("add", "-A");
  rig.git("commit", "-q", "-m", "first");
  rig.ok(["init", "--mission", "A shop"]);
}

function makeShop(tasks: readonly object[], { approved = true } = {}): Rig {
  const rig = makeRig();
  prepareRig(rig, "shop", beginShop);
  const feature = { id: "FEAT-001", tier: "feature", title: "Files", parent: "MISSION" };
  rig.write("tasks.jsonl", [feature, ...tasks].map((node) => JSON.stringify(node)).join("\n"));
  rig.ok(["add", "--from", "tasks.jsonl"]);
  if (approved) rig.ok(["approve", "FEAT-001"]);
  return rig;
}

describe("planwright run", () => {
  it("works a plan through, in order and at once, and leaves the checkout alone", () => {
    const rig = makeShop([
      shell("one", "echo 1 > one.txt"),
      shell("two", "cat one.txt > two.txt", { dependsOn: ["one"] }),
      shell("three", "echo 3 > three.txt"),
    ]);
    const { code, stdout, stderr } = rig.run(["run", "--parallel", "3"]);
    expect([code, stdout.trim()]).toEqual([0, "3 attempts: 3 accepted."]);
    expect(stderr).toContain("planwright land FEAT-001");
    expect(rig.git("show", `${FEATURE}:two.txt`)).toBe("1");
    expect(existsSync(join(rig.root, "one.txt"))).toBe(false);
    expect(rig.git("worktree", "list").split("\n").length).toBe(1);
    expect(rig.ok(["verify"]).differences).toEqual([]);
    // The feature is not done before it has landed.
    expect(rig.ok(["show", "FEAT-001"]).status).toBe("in_progress");
  });

  it("works a plan to the end and lands it when you allow that, and only then", () => {
    const rig = makeShop([
      shell("one", "echo 1 > one.txt"),
      { id: "FEAT-002", tier: "feature", title: "More files", parent: "MISSION" },
      // It waits for the landing of the first feature, and reads what landed.
      shell("two", "cat one.txt > two.txt", { parent: "FEAT-002", dependsOn: ["one"] }),
    ]);
    rig.ok(["approve", "FEAT-002"]);
    expect(rig.fails(["run", "--land"])).toMatchObject({ code: 3, reason: "needs-yes" });
    const agent = { env: { PLANWRIGHT_ACTOR: "agent:a" } };
    expect(rig.fails(["run", "--land", "--yes"], agent)).toMatchObject({ code: 3, reason: "needs-person" });
    expect(rig.fails(["run", "one", "--land", "--yes"])).toMatchObject({ code: 5 });
    expect(rig.fails(["run", "--batch", "--yes"])).toMatchObject({ code: 5 });
    expect(rig.ok(["show", "one"]).status).toBe("ready");

    const { code, stdout } = rig.run(["run", "--land", "--yes"]);
    expect([code, stdout.trim()]).toEqual([0, "2 attempts: 2 accepted. Landed FEAT-001, FEAT-002."]);
    expect([rig.git("show", "main:one.txt"), rig.git("show", "main:two.txt")]).toEqual(["1", "1"]);
    expect([rig.ok(["show", "FEAT-001"]).status, rig.ok(["show", "FEAT-002"]).status]).toEqual(["done", "done"]);
    expect(rig.git("status", "--porcelain", "--", "one.txt", "two.txt")).toBe("");
    expect(rig.ok(["verify"]).differences).toEqual([]);
    expect(rig.fails(["run", "--land", "--yes"])).toMatchObject({ code: 2, reason: "nothing-ready" });
  });

  it("does one task and stops, where nobody can be asked whether to go on", () => {
    const rig = makeShop([shell("one", "echo 1 > one.txt"), shell("two", "echo 2 > two.txt")]);
    expect(rig.ok(["run"]).ended.map(({ task }: { task: string }) => task)).toEqual(["one"]);
    expect(rig.ok(["run", "two"]).ended[0]).toMatchObject({ task: "two", state: "accepted" });
    expect(rig.run(["run", "--batch"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("No task is ready to run."),
    });
  });

  it("gives what was wrong to the worker, which fixes it", () => {
    const command =
      '[ -n "$PLANWRIGHT_FAILURE" ] && grep -q nothing-yet "$PLANWRIGHT_FAILURE" && echo right > one.txt || echo nothing-yet > one.txt';
    const rig = makeShop([
      shell("one", "", { body: "Write it.", checks: [{ run: "cat one.txt; grep right one.txt" }] }),
    ]);
    rig.write(
      "planwright.json",
      JSON.stringify({ agents: { mender: { shell: command } }, roles: { worker: { agent: "mender" } } }),
    );
    expect(rig.ok(["run", "--batch"]).ended[0]).toMatchObject({ state: "accepted" });
    expect(rig.git("show", `${FEATURE}:one.txt`)).toBe("right");
  });

  it("exits with 1 when something was turned down, and says what a person can do", () => {
    const rig = makeShop([shell("one", "echo 1 > other.txt")]);
    const { code, stderr } = rig.run(["run", "--batch"]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/planwright question(?: {2,}|$)/m)]);
    expect(rig.ok(["escalations"])[0]).toMatchObject({ kind: "rejected", blocks: ["one"] });
    expect(rig.ok(["why", "one"]).reason).toBe("rejected");
  });

  it.each([
    ["what is not approved", { approved: false }, ["run", "one"], 3, "unapproved"],
    ["what is not there", {}, ["run", "nothing-like-it"], 2, "not-found"],
    ["a container", {}, ["run", "FEAT-001"], 3, "container"],
  ])("refuses %s", (_, options, words, code, reason) => {
    const rig = makeShop([shell("one", "echo 1 > one.txt")], options);
    expect(rig.fails(words)).toMatchObject({ code, reason });
  });

  it("leaves a task alone that no worker can do, and so do all the others that say why", () => {
    const rig = makeShop([shell("one", "echo 1 > one.txt"), { ...shell("two", ""), body: "Write it." }]);
    rig.write("planwright.json", JSON.stringify({ roles: { worker: { agent: "ghost" } } }));
    const hold = { reason: "no-worker", because: ["unknown-agent", "ghost"], until: null };
    const { code, stderr } = rig.run(["run", "--batch"]);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        'one and two name the agent "ghost", which is not known. Install an agent, or set roles.worker.',
      ),
    ]);
    expect(rig.ok(["question", "list", "--all"])).toEqual([]);
    expect(rig.fails(["run", "one"])).toMatchObject({ code: 3, reason: "no-worker" });
    expect(rig.ok(["why", "one"]).chain[0].holds).toContainEqual(hold);
    expect(rig.run(["why", "one"]).stdout).toContain('No worker can do one: there is no agent "ghost".');
    expect(rig.ok(["status", "one"]).tree[0]).toMatchObject({
      status: "ready",
      engineHolds: [{ reason: "level" }, hold],
    });
    expect(rig.run(["status"]).stdout).toContain('Engines skip every ready task: there is no agent "ghost".');
    // It can be done by hand.
    expect(rig.ok(["next", "--peek"]).task.id).toBe("one");
    rig.write("planwright.json", JSON.stringify({ roles: { worker: { agent: "shell" } } }));
    expect(rig.ok(["run", "--batch"])).toMatchObject({
      ended: [{ task: "one", state: "accepted" }],
      held: [{ task: "two", reason: "no-worker", because: ["no-commands", "shell"] }],
    });
    expect(rig.ok(["escalations"])).toEqual([]);
  });

  it("says what is missing without git, and without a commit", () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "No git"]);
    expect(rig.fails(["run"])).toMatchObject({
      code: 3,
      reason: "no-git",
      message: expect.stringContaining("git init"),
    });
    rig.git("init", "-q", "-b", "main");
    expect(rig.fails(["run"])).toMatchObject({ code: 3, reason: "no-commit" });
    expect(rig.fails(["daemon"])).toMatchObject({ code: 3, reason: "no-commit" });
  });

  it("names a bad setting", () => {
    const rig = makeShop([shell("one", "true")]);
    rig.write("planwright.json", JSON.stringify({ execution: { workers: 99 } }));
    expect(rig.fails(["run"])).toMatchObject({ code: 5, message: expect.stringContaining("execution.workers") });
  });

  it("gives back what it works on at Ctrl-C, ends its worker, and keeps what was done", async () => {
    const rig = makeShop([
      shell("one", "echo half > one.txt; echo $$ > $PLANWRIGHT_WORKSPACE/pid.txt; echo started; sleep 600"),
    ]);
    // In a sandbox with processes of its own the number would be another.
    rig.write("planwright.json", JSON.stringify({ execution: { sandbox: "off" } }));
    const child = spawn(process.execPath, [BIN, "run"], {
      cwd: rig.root,
      env: rig.environment(),
      stdio: ["ignore", "ignore", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise((done) => child.once("exit", done));
    await expect.poll(() => existsSync(join(rig.root, "pid.txt"))).toBe(true);
    child.kill("SIGINT");
    expect(await ended).toBe(130);
    const worker = Number(readFileSync(join(rig.root, "pid.txt"), "utf8"));
    expect(() => process.kill(worker, 0)).toThrow(/ESRCH/);
    expect(rig.ok(["show", "one"]).status).toBe("ready");
    expect(rig.git("show", "refs/planwright/kept/ATT-00001:one.txt")).toBe("half");
    expect(rig.git("worktree", "list").split("\n").length).toBe(1);
  });
});

describe("planwright daemon", () => {
  it("works in the background as far as the level allows, and ends when it is asked to", async () => {
    const rig = makeShop([shell("one", "echo 1 > one.txt")]);
    const started = rig.ok(["daemon", "start"]);
    onTestFinished(() => void rig.run(["daemon", "stop"]));
    expect(rig.ok(["daemon", "status"]).pid).toBe(started.pid);
    expect(rig.fails(["daemon", "start"])).toMatchObject({ code: 3, reason: "running" });
    expect(rig.ok(["show", "one"]).status).toBe("ready");
    rig.ok(["level", "on"]);
    await expect.poll(() => rig.ok(["show", "one"]).status).toBe("done");
    expect(rig.ok(["daemon", "logs"]).lines.join("\n")).toContain("accepted");
    rig.ok(["daemon", "stop"]);
    expect(rig.run(["daemon", "status"]).code).toBe(2);
    expect(rig.fails(["daemon", "stop"])).toMatchObject({ code: 2, reason: "not-running" });
    expect(rig.git("worktree", "list").split("\n").length).toBe(1);
  });

  it("is known and can be stopped when it runs at a terminal", async () => {
    const rig = makeShop([]);
    const child = spawn(process.execPath, [BIN, "daemon"], {
      cwd: rig.root,
      env: rig.environment(),
      stdio: "ignore",
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const ended = new Promise((done) => child.once("exit", done));
    await expect.poll(() => rig.run(["daemon", "status"]).code).toBe(0);
    expect(rig.ok(["daemon", "status"])).toMatchObject({ pid: child.pid, log: null });
    expect(rig.run(["daemon", "status"]).stdout).toContain("in a terminal");
    expect(rig.ok(["daemon", "stop"]).pid).toBe(child.pid);
    await ended;
    expect(rig.run(["daemon", "status"]).code).toBe(2);
  });

  it("never looks alive in why, waiting or status once it was killed, and what it left behind is taken over", async () => {
    const rig = makeShop([
      shell(
        "one",
        "[ -f $PLANWRIGHT_WORKSPACE/go ] || { touch $PLANWRIGHT_WORKSPACE/begun; sleep 600; }; echo 1 > one.txt",
      ),
    ]);
    // A sandbox would keep it from telling that it has begun.
    rig.write("planwright.json", JSON.stringify({ execution: { sandbox: "off" } }));
    rig.ok(["level", "on"]);
    const first = spawn(process.execPath, [BIN, "daemon"], {
      cwd: rig.root,
      env: rig.environment(),
      stdio: "ignore",
    });
    await expect.poll(() => existsSync(join(rig.root, "begun"))).toBe(true);
    expect(rig.run(["why", "one"]).stdout).toContain("is working on one");
    const gone = new Promise((done) => first.once("exit", done));
    first.kill("SIGKILL");
    await gone;
    expect(rig.run(["why", "one"]).stdout).toContain("The program that worked on one has ended.");
    expect(rig.run(["waiting"]).stdout).toContain("The program that worked on one");
    expect(rig.run(["status"]).stdout).toContain("The program that worked on one");
    writeFileSync(join(rig.root, "go"), "");
    const worked = rig.ok(["run", "--batch"]);
    expect(worked.ended.map(({ state }: { state: string }) => state)).toEqual(["lost", "accepted"]);
    expect(rig.ok(["verify"]).differences).toEqual([]);
  });

  it("knows no other deed", () => {
    const rig = makeShop([]);
    expect(rig.fails(["daemon", "dance"])).toMatchObject({ code: 5 });
    expect(rig.fails(["daemon", "logs"])).toMatchObject({ code: 2, reason: "no-log" });
  });
});

describe("planwright daemon, when it cannot run or has died", () => {
  it("never says that it started without a repository, and leaves nothing behind", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    expect(rig.fails(["daemon", "start"])).toMatchObject({ code: 3, reason: "no-git" });
    expect(existsSync(join(rig.root, ".planwright/daemon.json"))).toBe(false);
  });

  it("shows workers, last look, queue and spending, and does not hide that it died", async () => {
    const rig = makeShop([shell("one", "echo 1 > one.txt")]);
    const { pid } = rig.ok(["daemon", "start"]);
    onTestFinished(() => void rig.run(["daemon", "stop"]));
    expect(rig.ok(["daemon", "status"])).toMatchObject({
      pid,
      beat: { workers: 2, problem: null },
      working: [],
      queue: 1,
      today: { attempts: 0, tokens: 0, costUsd: null },
    });
    expect(rig.run(["daemon", "status"]).stdout).toContain("1 task ready");
    process.kill(pid, "SIGKILL");
    await expect.poll(() => rig.fails(["daemon", "status"]).reason).toBe("daemon-died");
    expect(rig.fails(["doctor"]).message).toContain("daemon");
  });

  it("writes a unit for the system, for a person only", () => {
    const rig = makeShop([]);
    const HOME = join(rig.state, "home");
    expect(rig.fails(["daemon", "install"], { env: { HOME, PLANWRIGHT_ACTOR: "agent:a" } }).reason).toBe(
      "needs-person",
    );
    const shown = rig.ok(["daemon", "install", "--print"], { env: { HOME } });
    expect(existsSync(shown.file)).toBe(false);
    const { file, text } = rig.ok(["daemon", "install"], { env: { HOME } });
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(text).toContain(rig.root);
  });
});
