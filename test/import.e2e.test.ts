// What another tool holds comes into the plan, is updated from there, and goes again with one undo.

import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { makeRig, type Rig } from "./rig.js";

const FORMATS = resolve(import.meta.dirname, "fixtures/formats");

const operations = (rig: Rig): number => rig.ok(["log"]).operations.length;

const rigWith = (name: string) => {
  const rig = makeRig();
  cpSync(join(FORMATS, name), rig.root, { recursive: true, filter: (path) => !path.endsWith("expected.json") });
  rig.ok(["init"]);
  return rig;
};

it("finds what is here and proposes it, and changes nothing", () => {
  const rig = rigWith("task-master/cli-small");
  const { stdout, stderr, code } = rig.run(["import"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: ".taskmaster/tasks/tasks.json  Task Master\n" });
  expect(stderr).toContain("planwright import .taskmaster/tasks/tasks.json --from task-master --dry-run");
  expect(operations(rig)).toBe(1);
});

it("shows exactly what an import would do, does it, and takes it back with one undo", () => {
  const rig = rigWith("task-master/cli-small");
  const shown = rig.ok(["import", ".taskmaster", "--dry-run"]);
  expect(operations(rig)).toBe(1);
  const done = rig.ok(["import", ".taskmaster"]);
  expect({ ...shown, op: 0, isDryRun: false, asked: 0 }).toEqual({ ...done, op: 0, asked: 0 });
  expect(rig.ok(["show", "TM-1"])).toMatchObject({ status: "done" });
  expect(rig.ok(["show", "TM-2.2"])).toMatchObject({ status: "planned", approval: null });
  expect(rig.ok(["import", ".taskmaster"])).toMatchObject({ op: null, added: [], changed: [] });
  rig.ok(["undo"]);
  expect(rig.fails(["show", "TM-1"]).reason).toBe("not-found");
  expect(rig.ok(["verify"])).toMatchObject({ differences: [] });
});

it("updates what changed in the file", () => {
  const rig = rigWith("markdown/todo-odd");
  rig.ok(["import", "TODO.md"]);
  const file = join(rig.root, "TODO.md");
  writeFileSync(file, readFileSync(file, "utf8").replace("  - [ ] Write one link", "  - [x] Write one link"));
  expect(rig.ok(["import", "TODO.md"])).toMatchObject({ added: [], changed: [{ title: "Write one link" }] });
});

it("is refused to an agent: what was finished elsewhere is accepted by a person", () => {
  const rig = rigWith("markdown/todo-odd");
  expect(rig.fails(["import", "TODO.md"], { env: { PLANWRIGHT_ACTOR: "agent:w" } })).toMatchObject({ code: 3 });
});

it("imports nothing of a broken file, and says where it is broken", () => {
  const rig = rigWith("beads/merged-by-git");
  const failed = rig.fails(["import", "truncated/.beads/issues.jsonl"]);
  expect(failed).toMatchObject({ code: 5, reason: "bad-source" });
  expect(failed.message).toMatch(/^truncated\/\.beads\/issues\.jsonl:\d+: /);
  expect(rig.fails(["import", "conflict"]).message).toMatch(/^\.beads\/issues\.jsonl:\d+: .*marks of a merge/);
  expect(operations(rig)).toBe(1);
});

it("imports a file from outside of the workspace", () => {
  const rig = makeRig();
  rig.ok(["init"]);
  const { added } = rig.ok(["import", join(FORMATS, "github-issues/gh-list/issues.json")]);
  expect(added.map(({ id }: { id: string }) => id)).toContain("GH-12");
});

it("refuses with --strict as soon as something could not be carried over", () => {
  const rig = rigWith("task-master/legacy-odd");
  const failed = rig.fails(["import", "tasks/tasks.json", "--strict"]);
  expect(failed).toMatchObject({ code: 3, reason: "not-carried-over" });
  expect(operations(rig)).toBe(1);
});

it("the page about other tools shows commands that work, one after the other", () => {
  const rig = rigWith("markdown/todo-odd");
  const page = readFileSync(resolve(import.meta.dirname, "../docs/come-from-another-tool.md"), "utf8");
  const lines = [...page.matchAll(/^```\n([\s\S]*?)^```$/gm)].flatMap(([, block = ""]) => block.trim().split("\n"));
  expect(lines.length).toBeGreaterThan(8);
  for (const line of lines) {
    // The list that was imported is the reader's own; an export does not replace it unasked.
    const words = line
      .replace("TODO.md", line.includes("export") ? "EXPORT.md" : "TODO.md")
      .split(" ")
      .slice(1);
    const { code, stderr } = rig.run(words);
    expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
  }
});
