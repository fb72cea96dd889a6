// How often git is started. Each start takes some 4 ms, and once a hand-in had 48 of them.

import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { LOG_HEAD } from "../src/machine/git/housekeeping/log-head.js";
import { findCommand } from "../src/machine/process/environment.js";
import { newHome } from "./agents/contract.js";
import { gitIn } from "./git-repository.js";
import { GREETING, Working } from "./working.js";

const PATH = process.env["PATH"] ?? "";

/** A git on the PATH that notes every call, and is the real one otherwise. */
class Counted extends Working {
  readonly #calls = join(this.home, "git-calls");
  readonly #env: Record<string, string>;

  constructor() {
    super(newHome(), {
      settings: { execution: { sandbox: "off", review: false } },
      tasks: [GREETING, { title: "Rest", checks: [] }],
    });
    const folder = join(this.home, "counted");
    mkdirSync(folder, { recursive: true });
    const script = join(folder, "git");
    const git = findCommand("git", PATH, "/") as string;
    writeFileSync(script, `#!/bin/sh\necho "$*" >> "${this.#calls}"\nexec "${git}" "$@"\n`);
    chmodSync(script, 0o755);
    this.#env = { PATH: `${folder}${delimiter}${PATH}` };
    this.rig.ok(["config", "trust", "--yes"]);
    onTestFinished(() => {
      this.rig.remove();
      rmSync(this.home, { recursive: true, force: true });
    });
  }

  /** The answer of a command, and the subcommands of git that it started. */
  gitsOf(...args: string[]) {
    rmSync(this.#calls, { force: true });
    const data = this.rig.ok(args, { env: this.#env }) as { token: string; acceptance: string };
    let calls: string[] = [];
    try {
      calls = readFileSync(this.#calls, "utf8").trim().split("\n");
    } catch {
      // None was started.
    }
    return { data, gits: calls.map(subcommandOf) };
  }
}

function subcommandOf(call: string): string {
  const words = call.split(" ");
  let at = 0;
  while (words[at]?.startsWith("-")) at += words[at] === "-c" ? 2 : 1;
  return words[at] ?? "";
}

describe("git", () => {
  it("is not started by commands that only look, and not by `add`", () => {
    const work = new Counted();
    for (const words of [["next", "--peek"], ["show", "TASK-00001"], ["why", "TASK-00001"], ["status"]]) {
      expect(work.gitsOf(...words).gits).toEqual([]);
    }
    expect(work.gitsOf("add", "More", "--parent", "FEAT-A").gits).toEqual([]);
  });

  it("is started twice by a claim where everything is committed", () => {
    const work = new Counted();
    expect(work.gitsOf("next", "TASK-00001").gits).toEqual(["config", "status"]);
  });

  it("is not started by an approval, although the end of the log is noted in a ref", () => {
    const work = new Counted();
    work.rig.ok(["unapprove", "TASK-00002"]);
    const before = gitIn(work.rig.root, "rev-parse", LOG_HEAD);
    expect(work.gitsOf("approve", "TASK-00002").gits).toEqual([]);
    expect(gitIn(work.rig.root, "rev-parse", LOG_HEAD)).not.toBe(before);
    expect(gitIn(work.rig.root, "cat-file", "blob", LOG_HEAD)).toMatch(/^\d+ [0-9a-f]{64} /);
  });

  it("is started at most 19 times by a hand-in with a proof, and never to read a commit or to lay out what no reviewer reads", () => {
    const work = new Counted();
    const { token } = work.gitsOf("next", "TASK-00001").data;
    work.rig.write("greeting.txt", "hello");
    const { data, gits } = work.gitsOf("complete", "TASK-00001", "--token", token);
    expect(data.acceptance).toBe("accepted");
    expect(gits.length).toBeLessThanOrEqual(19);
    expect(gits.filter((each) => ["rev-parse", "worktree", "clean", "checkout"].includes(each))).toEqual([]);
  });

  it("stages nothing when a hand-in finds nothing changed", () => {
    const work = new Counted();
    const { token } = work.gitsOf("next", "TASK-00002").data;
    const { data, gits } = work.gitsOf("complete", "TASK-00002", "--token", token);
    expect(data.acceptance).toBe("pending");
    expect(gits).not.toContain("planwright-stage");
  });
});

describe("a hand-in", () => {
  it("loads nothing that plans, and no conversation with an agent", () => {
    const work = new Counted();
    const { token } = work.gitsOf("next", "TASK-00001").data;
    work.rig.write("greeting.txt", "hello");
    const env = { XDG_CACHE_HOME: join(work.home, "cache") };
    work.rig.ok(["complete", "TASK-00001", "--token", token], { env });
    const cache = join(env.XDG_CACHE_HOME, "planwright");
    // Every entry of the code cache begins with the files that its command read.
    const read = readdirSync(cache).map((name) => readFileSync(join(cache, name), "latin1").split("\n", 1)[0] ?? "");
    expect(read.join()).toContain("./hand-in-");
    expect(read.join()).not.toMatch(/\.\/(?:acp|outline|planning|schemas)-[\w-]{8}\.cjs/);
  });
});
