// Threat: a worker puts a pipe where Planwright or its git reads settings. Reading it would wait for ever, deaf to Ctrl-C.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, makeRig, type Rig } from "../rig.js";

const INTERRUPTED = 130;

/** A plan with one approved task whose worker runs this. */
function withTask(script: string): Rig {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "main");
  rig.write("a.txt", "a\n");
  rig.git("add", "a.txt");
  rig.git("commit", "-q", "-m", "begin");
  rig.ok(["init", "--mission", "A shop"]);
  const body = `\`\`\`sh run\n${script}\n\`\`\``;
  const feature = { id: "FEAT-001", tier: "feature", title: "Files", parent: "MISSION" };
  const task = { id: "T-1", title: "Write", parent: "FEAT-001", body, checks: [{ run: "true" }], files: ["**"] };
  rig.write(".planwright/tasks.jsonl", [feature, task].map((node) => JSON.stringify(node)).join("\n"));
  rig.ok(["add", "--from", ".planwright/tasks.jsonl"]);
  rig.ok(["approve", "FEAT-001"]);
  return rig;
}

/** Runs the task until its worker has made `laid.txt`, interrupts it, and waits for its end. */
async function interrupted(rig: Rig): Promise<number | null> {
  const child = spawn(process.execPath, [BIN, "run", "--batch"], { cwd: rig.root, env: rig.environment() });
  onTestFinished(() => void child.kill("SIGKILL"));
  const ended = once(child, "exit") as Promise<[number | null]>;
  const isLaid = (): boolean =>
    existsSync(rig.worktrees) &&
    readdirSync(rig.worktrees).some((name) => existsSync(join(rig.worktrees, name, "laid.txt")));
  await expect.poll(isLaid).toBe(true);
  child.kill("SIGINT");
  const [code] = await ended;
  return code;
}

describe("a pipe in the main checkout", () => {
  it.each([".gitattributes", ".gitignore"])("named %s leaves Ctrl-C working while a task runs", async (name) => {
    const rig = withTask("echo b > a.txt; echo laid > laid.txt; sleep 600");
    spawnSync("mkfifo", [join(rig.root, name)]);
    expect(await interrupted(rig)).toBe(INTERRUPTED);
    expect(rig.ok(["show", "T-1"])).toMatchObject({ status: "ready" });
  });

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
