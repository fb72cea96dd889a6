// What is told as done is done, whoever else is writing, and looking changes nothing.

import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRig, type Outcome, type Rig } from "./rig.js";

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

/** Eight processes at a time, each with its share of the calls, one after the other. */
async function inEight(
  rig: Rig,
  calls: readonly string[][],
  cwd: (process: number) => string = () => rig.root,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const work = async (first: number): Promise<void> => {
    for (let i = first; i < calls.length; i += 8) {
      outcomes.push(await rig.start([...(calls[i] as string[]), "--json"], { cwd: cwd(first) }));
    }
  };
  await Promise.all(range(8).map((n) => work(n - 1)));
  return outcomes;
}

function makePlan(): Rig {
  const rig = makeRig();
  rig.git("init", "--quiet", "--initial-branch", "main");
  rig.git("commit", "--quiet", "--allow-empty", "--message", "begin");
  rig.ok(["init"]);
  rig.ok(["add", "A feature", "--tier", "feature", "--id", "FEAT-1"]);
  return rig;
}

describe("nothing is lost", () => {
  it("when two worktrees add at the same time: nobody rewrites what another has written", async () => {
    const rig = makePlan();
    rig.git("worktree", "add", "--quiet", "other");
    const calls = range(40).map((n) => ["add", `Task ${n}`, "--parent", "FEAT-1"]);
    const outcomes = await inEight(rig, calls, (process) => (process % 2 === 0 ? rig.root : join(rig.root, "other")));
    expect(outcomes.map(({ code }) => code)).toEqual(calls.map(() => 0));
    const ids = outcomes.map(({ stdout }) => (JSON.parse(stdout) as { data: { id: string } }).data.id);
    expect(new Set(ids).size).toBe(40);
    const { tree } = rig.ok(["status", "FEAT-1", "--all"]) as { tree: { children: { title: string }[] }[] };
    const titles = tree[0]?.children.map(({ title }) => title) ?? [];
    expect(titles).toEqual(expect.arrayContaining(range(40).map((n) => `Task ${n}`)));
  });

  it("when success was told: every edit of eight processes is there, and the log replays", async () => {
    const rig = makePlan();
    const lines = range(8).map((n) => JSON.stringify({ id: `T-${n}`, title: `Task ${n}`, parent: "FEAT-1" }));
    rig.ok(["add", "--from", "-"], { input: lines.join("\n") });
    const calls = range(48).map((n) => ["edit", `T-${(n % 8) + 1}`, "--append-body", `note ${n}.`]);
    const outcomes = await inEight(rig, calls);
    expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual(calls.map(() => ({ code: 0, stderr: "" })));
    for (const n of range(48)) {
      expect((rig.ok(["show", `T-${(n % 8) + 1}`]) as { body: string }).body).toContain(`note ${n}.`);
    }
    expect(rig.ok(["verify"])).toMatchObject({ differences: [] });
    expect(rig.ok(["lint"])).toBeDefined();
  });
});

describe("looking", () => {
  it("never writes: the file and its log are the same bytes afterwards", () => {
    const rig = makePlan();
    rig.ok(["add", "One", "--id", "T-1", "--parent", "FEAT-1"]);
    const files = ["plan.db", "plan.db-wal"].map((name) => join(rig.root, ".planwright", name));
    const bytes = (): string[] =>
      files.map((file) => (existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : "none"));
    const before = bytes();
    const looks = [
      ["status"],
      ["show", "T-1"],
      ["why", "T-1"],
      ["log"],
      ["diff", "1"],
      ["waves"],
      ["lint"],
      ["verify"],
      ["stats"],
      ["focus"],
      ["undo", "--list"],
      ["help"],
      ["version"],
    ];
    for (const args of looks) {
      expect([args, rig.run(args).code]).toEqual([args, 0]);
      expect([args, bytes()]).toEqual([args, before]);
    }
    expect(rig.fails(["next", "--peek"]).code).toBe(2);
    expect(bytes()).toEqual(before);
  });
});
