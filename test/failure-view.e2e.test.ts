// A failed check looks the same wherever it is shown: the first error and the last lines, each on a line of its own.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRig, prepareRig, type Rig } from "./rig.js";

const NOISY = [
  'i=0; while [ $i -lt 20 ]; do echo "step $i"; i=$((i+1)); done',
  "test -f good.txt && ! test -f bad.txt && exit 0",
  "echo 'TypeError: x is undefined'",
  'i=0; while [ $i -lt 20 ]; do echo "  at frame $i"; i=$((i+1)); done',
  "exit 1",
].join("\n");

const EXCERPT = ["… 20 more lines …", "TypeError: x is undefined", "  at frame 0", "  at frame 19"];

function makeFailing(rig: Rig): void {
  rig.git("init", "-q", "-b", "main");
  rig.write("noisy.sh", NOISY);
  rig.git("add", "-A");
  rig.git("commit", "-q", "-m", "first");
  rig.ok(["init", "--mission", "A shop", "--feature", "Files"]);
  const body = "```sh run\necho 1 > one.txt\n```";
  rig.ok(["add", "One", "--parent", "FEAT-001", "--file", "*.txt", "--check", "sh noisy.sh", "--body", body]);
  rig.ok(["approve", "FEAT-001"]);
}

function failing(): Rig {
  const rig = makeRig();
  prepareRig(rig, "failure-view", makeFailing);
  return rig;
}

const said = (rig: Rig, ...args: string[]): string => {
  const { stdout, stderr } = rig.run(args);
  return stdout + stderr;
};

/** Each line of the excerpt stands alone, and no line is left out or joined with another. */
function expectExcerpt(output: string): void {
  for (const line of EXCERPT)
    expect(output.split("\n").map((each) => each.trimEnd())).toContainEqual(
      expect.stringMatching(new RegExp(`^ +${line.trim()}$`)),
    );
  expect(output).not.toContain("⏎");
  expect(output).not.toContain("step 3");
  expect(output).not.toContain("frame 7");
}

describe("a failed check", () => {
  it("is never joined into one line, and never cut without its first error, by any command", () => {
    const rig = failing();
    const run = said(rig, "run", "TASK-00001");
    expectExcerpt(run);
    expect(run).toContain("planwright show ATT-00001 --output");
    for (const words of [
      ["why", "TASK-00001"],
      ["why", "ATT-00001"],
      ["show", "ATT-00001"],
      ["waiting"],
      ["show", "ESC-001"],
      ["question"],
    ])
      expectExcerpt(said(rig, ...words));
    expect(said(rig, "show", "TASK-00001")).not.toContain("step 3");
    expect(said(rig, "status")).not.toContain("frame 0");
    const whole = said(rig, "show", "ATT-00001", "--output");
    for (let i = 0; i < 20; i++) expect(whole).toContain(`step ${i}\n`);
  });

  it("looks the same in a hand-in, and the run that proves the work is named as a proof", () => {
    const rig = failing();
    const { token } = rig.ok(["next"]);
    rig.write("one.txt", "1\n");
    const checked = said(rig, "check", "TASK-00001", "--token", token);
    expectExcerpt(checked);
    expect(checked).toContain("planwright show ATT-00001 --output");
    expectExcerpt(said(rig, "complete", "TASK-00001"));
    rig.write("good.txt", "1\n");
    const { stdout, stderr, code } = rig.run(["complete", "TASK-00001"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("is done")]);
    expect(stderr).toContain("check: sh noisy.sh\nproof, without the change: sh noisy.sh\n");
  });

  it("looks the same in your own worktree and at a landing", () => {
    const rig = failing();
    const worktree: string = rig.ok(["work", "TASK-00001"]).worktree;
    writeFileSync(join(worktree, "one.txt"), "1\n");
    expectExcerpt(said(rig, "work", "done", "TASK-00001"));
    writeFileSync(join(worktree, "good.txt"), "1\n");
    rig.ok(["work", "done", "TASK-00001"]);
    rig.write("bad.txt", "1\n");
    rig.git("add", "bad.txt");
    rig.git("commit", "-q", "-m", "break it");
    const landing = said(rig, "land", "FEAT-001", "--yes");
    expectExcerpt(landing);
    expect(landing).toContain("Nothing has landed: 1 check failed");
    expect(landing).toContain("planwright show ATT-00002 --output");
    expectExcerpt(said(rig, "show", "ATT-00002"));
    expect(rig.git("log", "-1", "--format=%s", "main")).toBe("break it");
  });
});
