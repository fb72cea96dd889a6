// The folder of someone who works by hand is theirs: they type in it while `work done` runs the checks, and find all of it afterwards.

import { execFileSync } from "node:child_process";
import { closeSync, constants, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { newHome } from "./agents/contract.js";
import { gitIn } from "./git-repository.js";
import type { Outcome } from "./rig.js";
import { Working } from "./working.js";

const FEATURE = "planwright/feature/FEAT-A";

/** A check that says when it runs, and goes on when it is told so; once, whatever runs it. */
class Gate {
  readonly #folder = newHome();

  constructor() {
    const pipes = [this.#started, this.#go];
    execFileSync("mkfifo", pipes);
    onTestFinished(() => {
      // Whoever still waits at a pipe reads its end.
      for (const pipe of pipes) closeSync(openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK));
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }

  get #started(): string {
    return join(this.#folder, "started");
  }

  get #go(): string {
    return join(this.#folder, "go");
  }

  /** Waits only where the condition holds. */
  check(result: string, when = "true"): string {
    const wait = `echo > ${this.#started}; cat ${this.#go}`;
    return `if ${when} && mkdir ${this.#folder}/once; then ${wait}; fi; ${result}`;
  }

  /** Does something while the check of a program waits. */
  async during(ended: Promise<Outcome>, act: () => void): Promise<Outcome> {
    const early = ended.then(({ stdout, stderr }) => {
      throw new Error(`it ended before its check began: ${stdout}${stderr}`);
    });
    await Promise.race([readFile(this.#started), early]);
    early.catch(() => undefined);
    act();
    await writeFile(this.#go, "");
    return ended;
  }
}

interface Desk {
  readonly working: Working;
  readonly folder: string;
  /** Hands in, types while the check waits, and answers when it has ended. */
  done(type: () => void, ...words: string[]): Promise<Outcome>;
  write(file: string, text: string): void;
  read(file: string): string;
}

const OTHER = { title: "Write two", body: "```sh run\necho two > two.txt\n```", files: ["two.txt"], checks: ["true"] };

/** A person works on the first of two tasks. */
function openDesk(gate: Gate, check: string, execution: object = {}): Desk {
  const greeting = {
    title: "Write the greeting",
    files: ["greeting.txt", "notes.txt", "drafts/**", "README.md"],
    checks: [check],
  };
  const settings = { roles: { worker: { agent: "shell" } }, execution: { sandbox: "off", ...execution } };
  const working = new Working(newHome(), { settings, tasks: [greeting, OTHER] });
  onTestFinished(() => working.remove());
  const { worktree: folder } = working.rig.ok(["work", "TASK-00001"]) as { worktree: string };
  return {
    working,
    folder,
    done: (type, ...words) => gate.during(working.rig.start(["work", "done", "TASK-00001", ...words]), type),
    write: (file, text) => writeFileSync(join(folder, file), text),
    read: (file) => readFileSync(join(folder, file), "utf8"),
  };
}

const HELLO = "grep -qx hello greeting.txt";

describe("what you type while the checks run", () => {
  it("is still there after they fail, and is what you hand in next", async () => {
    const gate = new Gate();
    const desk = openDesk(gate, gate.check(HELLO));
    desk.write("greeting.txt", "helo\n");
    const refused = await desk.done(() => {
      desk.write("greeting.txt", "hello\n");
      desk.write("notes.txt", "new\n");
      rmSync(join(desk.folder, "README.md"));
    });
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("is not done yet")]);
    expect([desk.read("greeting.txt"), desk.read("notes.txt")]).toEqual(["hello\n", "new\n"]);
    expect(existsSync(join(desk.folder, "README.md"))).toBe(false);
    expect(desk.working.rig.ok(["work", "done", "TASK-00001"])).toMatchObject({ state: "accepted", worktree: null });
    expect(desk.working.onBranch("notes.txt")).toBe("new");
  });

  it("is still there after they pass: the folder is kept and named, and only what you handed in is on the branch", async () => {
    const gate = new Gate();
    const desk = openDesk(gate, gate.check(HELLO));
    desk.write("greeting.txt", "hello\n");
    const done = await desk.done(() => {
      desk.write("greeting.txt", "hello again\n");
      desk.write("notes.txt", "new\n");
    });
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining("TASK-00001  is done")]);
    expect(done.stderr).toContain("This changed since and is not part of it: greeting.txt, notes.txt");
    expect(done.stderr).toContain(`Its folder stays: ${desk.folder}`);
    expect([desk.read("greeting.txt"), desk.read("notes.txt")]).toEqual(["hello again\n", "new\n"]);
    expect(gitIn(desk.folder, "status", "--porcelain").split("\n")).toEqual([" M greeting.txt", "?? notes.txt"]);
    expect([desk.working.onBranch("greeting.txt"), desk.working.onBranch("notes.txt")]).toEqual(["hello", undefined]);
    const { rig } = desk.working;
    expect(rig.run(["work", "list"]).stdout).toContain(desk.folder);
    expect(rig.fails(["work", "abandon", "TASK-00001"]).reason).toBe("unkept-changes");
    gitIn(desk.folder, "switch", "-qc", "later");
    gitIn(desk.folder, "add", "-A");
    gitIn(desk.folder, "commit", "-qm", "Greet again");
    rig.ok(["work", "abandon", "TASK-00001"]);
    expect([existsSync(desk.folder), rig.git("show", "later:notes.txt")]).toEqual([false, "new"]);
  });

  it("is not accepted with work that waits for a person", async () => {
    const gate = new Gate();
    const desk = openDesk(gate, gate.check("true"), { proof: "require" });
    desk.write("greeting.txt", "hello\n");
    const handed = await desk.done(() => desk.write("greeting.txt", "half a thought\n"), "--json");
    expect(JSON.parse(handed.stdout)).toMatchObject({
      data: { state: "pending", worktree: desk.folder, notHandedIn: ["greeting.txt"] },
    });
    desk.working.rig.ok(["accept", "TASK-00001", "--reason", "fine"]);
    await desk.working.run(["--batch"]);
    expect([desk.working.onBranch("greeting.txt"), desk.read("greeting.txt")]).toEqual(["hello", "half a thought\n"]);
  });
});

describe("a merged re-check", () => {
  const MERGED = "test -f two.txt";

  async function overtaken(gate: Gate, result: string): Promise<Desk> {
    const desk = openDesk(gate, gate.check(result, MERGED));
    mkdirSync(join(desk.folder, "drafts"));
    desk.write("greeting.txt", "hello\n");
    desk.write("drafts/one.txt", "1\n");
    await desk.working.run();
    expect(desk.working.onBranch("two.txt")).toBe("two");
    return desk;
  }

  it("changes nothing in your folder when it fails, and says how to get what others did", async () => {
    const gate = new Gate();
    const desk = await overtaken(gate, `{ ! ${MERGED}; } || grep -q two greeting.txt`);
    const before = gitIn(desk.folder, "rev-parse", "HEAD");
    const refused = await desk.done(() => desk.write("greeting.txt", "hello and more\n"));
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining("After merging with what others did")]);
    expect([desk.read("greeting.txt"), desk.read("drafts/one.txt")]).toEqual(["hello and more\n", "1\n"]);
    expect(existsSync(join(desk.folder, "two.txt"))).toBe(false);
    expect([gitIn(desk.folder, "rev-parse", "HEAD"), gitIn(desk.folder, "branch", "--show-current")]).toEqual([
      before,
      "planwright/attempt/ATT-00001",
    ]);
    expect(refused.stdout).toContain(`git merge ${FEATURE}`);
    gitIn(desk.folder, "add", "-A");
    gitIn(desk.folder, "commit", "-qm", "mine");
    gitIn(desk.folder, "merge", "-q", FEATURE);
    desk.write("greeting.txt", "hello you two\n");
    desk.working.rig.ok(["work", "done", "TASK-00001"]);
    expect(desk.working.onBranch("greeting.txt")).toBe("hello you two");
    expect(desk.working.rig.git("diff", "--name-only", `${FEATURE}~1`, FEATURE).split("\n")).toEqual([
      "drafts/one.txt",
      "greeting.txt",
    ]);
  });

  it("changes nothing in your folder when it passes, and the folder goes only if you typed nothing", async () => {
    const gate = new Gate();
    const desk = await overtaken(gate, HELLO);
    const done = await desk.done(() => desk.write("drafts/one.txt", "2\n"));
    expect(done.stderr).toContain("is not part of it: drafts/one.txt\n");
    expect([desk.read("greeting.txt"), desk.read("drafts/one.txt")]).toEqual(["hello\n", "2\n"]);
    expect(existsSync(join(desk.folder, "two.txt"))).toBe(false);
    expect(gitIn(desk.folder, "status", "--porcelain")).toBe(" M drafts/one.txt");
    expect([desk.working.onBranch("two.txt"), desk.working.onBranch("drafts/one.txt")]).toEqual(["two", "1"]);
  });
});
