// What happens around the program: folders and branches that go, a git that is not there. Each is said, and the next command goes on.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BIN, makeRig, type Rig } from "./rig.js";

const task = (id: string): object => ({
  id,
  title: `Task ${id}`,
  parent: "FEAT-001",
  body: `\`\`\`sh run\necho ${id} > ${id}.txt\n\`\`\``,
  checks: [{ run: `test -f ${id}.txt` }],
});

function begun(...ids: readonly string[]): Rig {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "main");
  rig.write(".gitignore", "tasks.jsonl\n");
  rig.write("old.txt", "old\n");
  rig.write("older.txt", "older\n");
  rig.git("add", "-A");
  rig.git("commit", "-q", "-m", "first");
  rig.ok(["init", "--mission", "A shop"]);
  const feature = { id: "FEAT-001", tier: "feature", title: "Files", parent: "MISSION" };
  rig.write("tasks.jsonl", [feature, ...ids.map(task)].map((node) => JSON.stringify(node)).join("\n"));
  rig.ok(["add", "--from", "tasks.jsonl"]);
  rig.ok(["approve", "FEAT-001"]);
  return rig;
}

it("a deleted folder is no crash, and stops neither help nor a command that names its folder", () => {
  const rig = begun("one");
  const gone = join(rig.root, "gone");
  const there = (words: string): readonly unknown[] => {
    mkdirSync(gone);
    const script = `cd "${gone}" && rmdir "${gone}" && exec "${process.execPath}" "${BIN}" ${words}`;
    const { status, stdout, stderr } = spawnSync("sh", ["-c", script], { env: rig.environment(), encoding: "utf8" });
    return [status, stdout.split("\n")[0], stderr];
  };
  const refusal =
    "The folder that you are in was deleted. Go to one that exists, or name it whole (-C DIR), and try again.\n";
  for (const words of ["status", "-C .. status"]) expect(there(words)).toEqual([5, "", refusal]);
  expect(there(`-C "${rig.root}" list --tier task`)).toEqual([0, expect.stringContaining("one"), ""]);
  for (const words of ["--help", "help status", "status --help", "--version"]) {
    expect(there(words)).toEqual([0, expect.stringMatching(/./), ""]);
  }
});

it("without git on PATH no attempt is used up, and no answer passes for one of git", () => {
  const rig = begun("one");
  const env = { PATH: join(rig.root, "nothing") };
  for (const args of [
    ["run", "--batch"],
    ["next", "one"],
  ]) {
    expect(rig.fails(args, { env })).toMatchObject({ code: 3, reason: "git-missing" });
  }
  expect(rig.ok(["why", "one"], { env }).chain[0].sentences.join(" ")).toContain("git is in no folder of PATH");
  expect(rig.ok(["show", "one"])).toMatchObject({ status: "ready", attempts: 0 });
  expect(rig.ok(["run", "--batch"]).ended).toMatchObject([{ state: "accepted" }]);
});

it("the checkout of a feature's branch does not show what it got as staged the other way round", () => {
  const rig = begun("one", "two", "three");
  rig.ok(["run", "one"]);
  rig.git("checkout", "-q", "planwright/feature/FEAT-001");
  const { token } = rig.ok(["next", "two"]);
  rig.write("two.txt", "two\n");
  rig.git("rm", "-q", "old.txt");
  rmSync(join(rig.root, "older.txt"));
  rig.ok(["complete", "two", "--token", token]);
  expect(rig.git("status", "--porcelain")).toBe("");
  expect(rig.git("ls-files")).toBe(".gitignore\none.txt\ntwo.txt");
  rig.write("mine.txt", "not yet\n");
  rig.ok(["run", "three"]);
  expect(rig.git("status", "--porcelain")).toBe("?? mine.txt");
  expect(existsSync(join(rig.root, "three.txt"))).toBe(true);
});

it("a replaced first commit wastes no attempts: you are asked, and merging main in goes on", () => {
  const rig = begun("one", "two");
  rig.ok(["run", "one"]);
  rig.write("old.txt", "changed\n");
  rig.git("commit", "-q", "--all", "--amend", "-m", "the first again");
  expect(rig.ok(["run", "two"]).ended).toMatchObject([{ state: "accepted" }]);
  expect(rig.fails(["land", "FEAT-001", "--yes"])).toMatchObject({
    reason: "merge-conflict",
    message: expect.stringContaining("they have no commit in common"),
  });
  expect(rig.git("status", "--porcelain")).toBe("");
});
