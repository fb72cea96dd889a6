// Threat: a worker puts a pipe where Planwright or its git reads settings. Reading it would wait for ever, deaf to Ctrl-C.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, makeRig, type Rig } from "../rig.js";

const INTERRUPTED = 130;

interface Given {
  readonly files?: readonly string[];
  /** Of `execution` in planwright.json. */
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A plan with one approved task whose worker runs this. */
function withTask(script: string, { files = ["**"], settings }: Given = {}): Rig {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "main");
  rig.write("a.txt", "a\n");
  if (settings) rig.write("planwright.json", JSON.stringify({ execution: settings }));
  rig.git("add", ".");
  rig.git("commit", "-q", "-m", "begin");
  rig.ok(["init", "--mission", "A shop"]);
  const body = `\`\`\`sh run\n${script}\n\`\`\``;
  const feature = { id: "FEAT-001", tier: "feature", title: "Files", parent: "MISSION" };
  const task = { id: "T-1", title: "Write", parent: "FEAT-001", body, checks: [{ run: "true" }], files };
  rig.write(".planwright/tasks.jsonl", [feature, task].map((node) => JSON.stringify(node)).join("\n"));
  rig.ok(["add", "--from", ".planwright/tasks.jsonl"]);
  rig.ok(["approve", "FEAT-001"]);
  return rig;
}

/** Runs the task. */
function start(rig: Rig): { child: ChildProcess; ended: Promise<[number | null]> } {
  const child = spawn(process.execPath, [BIN, "run", "--batch"], { cwd: rig.root, env: rig.environment() });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, ended: once(child, "exit") as Promise<[number | null]> };
}

/** Runs the task until its worker has made `laid.txt`, interrupts it, and waits for its end. */
async function interrupted(rig: Rig): Promise<number | null> {
  const { child, ended } = start(rig);
  const isLaid = (): boolean =>
    existsSync(rig.worktrees) &&
    readdirSync(rig.worktrees).some((name) => existsSync(join(rig.worktrees, name, "laid.txt")));
  await expect.poll(isLaid).toBe(true);
  child.kill("SIGINT");
  const [code] = await ended;
  return code;
}

const makePipe = (rig: Rig, name: string): void => {
  mkdirSync(dirname(join(rig.root, name)), { recursive: true });
  spawnSync("mkfifo", [join(rig.root, name)]);
};

/** Git, our own look at what a task is about, and what is carried into a worktree read these. */
const READ_BEFORE_A_WORKER = [".gitattributes", ".gitignore", "deep/.gitignore", "wanted.txt", "package-lock.json"];
const WRITES = "echo b > a.txt; echo laid > laid.txt; sleep 600";

// Without a sandbox, whatever this machine has: there we look at the main checkout before and after each worker.
describe.each(["auto", "off"])("a pipe in the main checkout, with the sandbox %s,", (sandbox) => {
  const settings = { sandbox, carry: ["node_modules"], setup: ["true"] };

  it.each(READ_BEFORE_A_WORKER)("named %s leaves Ctrl-C working while a task runs", async (name) => {
    const rig = withTask(WRITES, { settings, files: ["a.txt", "laid.txt", "wanted.txt"] });
    makePipe(rig, name);
    expect(await interrupted(rig)).toBe(INTERRUPTED);
    expect(rig.ok(["show", "T-1"])).toMatchObject({ status: "ready" });
  });

  it.each([".git/config", ".git/info/exclude", ".git/packed-refs", ".git/refs/heads/other", ".git/index.lock"])(
    "named %s does not keep a run from its end",
    async (name) => {
      const rig = withTask("true", { settings });
      rmSync(join(rig.root, name), { force: true });
      makePipe(rig, name);
      const [code] = await start(rig).ended;
      expect(code).not.toBeNull();
    },
  );
});

describe("a pipe in the main checkout", () => {
  it.each([".gitattributes", ".gitignore"])("named %s is refused by a landing at once", (name) => {
    const rig = withTask("echo b > a.txt");
    rig.ok(["run", "--batch"]);
    spawnSync("mkfifo", [join(rig.root, name)]);
    expect(rig.fails(["land", "FEAT-001", "--yes"])).toMatchObject({
      reason: "dirty-tree",
      message: `${name} in ${rig.root} is a pipe or a device, and git would wait for it. Remove it.`,
    });
    rmSync(join(rig.root, name));
    rig.ok(["land", "FEAT-001", "--yes"]);
    expect(rig.git("show", "main:a.txt")).toBe("b");
  });

  it("named planwright.json is refused at once", () => {
    const rig = withTask("true");
    spawnSync("mkfifo", [join(rig.root, "planwright.json")]);
    expect(rig.fails(["run", "--batch"]).message).toBe(`${join(rig.root, "planwright.json")} is not a file.`);
  });
});

describe("a pipe in a worktree", () => {
  it.each([".gitattributes", "deep/.gitignore", "planwright.json"])(
    "named %s leaves Ctrl-C working, and the work is kept",
    async (name) => {
      const rig = withTask(`mkdir -p deep; mkfifo ${name}; echo b > a.txt; echo laid > laid.txt; sleep 600`);
      expect(await interrupted(rig)).toBe(INTERRUPTED);
      expect(rig.ok(["show", "T-1"])).toMatchObject({ status: "ready" });
      expect(rig.git("show", "refs/planwright/kept/ATT-00001:a.txt")).toBe("b");
    },
  );
});
