// What leaves the plan: all of it with its history, or a view of it for people and other programs.

import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { makeRig, type Rig } from "./rig.js";

const FORMATS = resolve(import.meta.dirname, "fixtures/formats");

/** Finished, frozen, dropped, labelled and commented nodes, and an approval. */
function richRig(): Rig {
  const rig = makeRig();
  cpSync(join(FORMATS, "backlog-md/small/backlog"), join(rig.root, "backlog"), { recursive: true });
  rig.ok(["init"]);
  rig.ok(["import", "backlog"]);
  rig.ok(["approve", "TASK-2"]);
  rig.ok(["comment", "TASK-2", "two\nlines"]);
  rig.ok(["freeze", "TASK-4", "--reason", "waits"]);
  rig.ok(["record", "add", "decision", "IndexedDB", "--body", "because"]);
  rig.ok(["undo"]);
  return rig;
}

const stateOf = (rig: Rig): unknown => ({
  nodes: rig.ok(["list", "--all"]),
  log: rig
    .ok(["log", "--limit", "1000"])
    .operations.map(({ sentence, actor }: Record<string, unknown>) => [actor, sentence]),
  two: rig.ok(["show", "TASK-2"]),
  four: rig.ok(["show", "TASK-4"]),
});

it("loses nothing: what was exported as json is the same plan again, with its history and its signatures", () => {
  const rig = richRig();
  const before = stateOf(rig) as { log: unknown[] };
  rig.ok(["export", "json", "--to", "plan.jsonl"]);
  const other = makeRig();
  other.ok(["init"]);
  cpSync(join(rig.root, "plan.jsonl"), join(other.root, "plan.jsonl"));
  other.ok(["backup", "restore", "plan.jsonl", "--yes"]);
  const after = stateOf(other) as { log: unknown[] };
  expect({ ...after, log: after.log.slice(1) }).toEqual(before);
  expect(other.ok(["verify"])).toMatchObject({ differences: [], log: { broken: null, signatures: { wrong: [] } } });
});

it("is refused when a line of the history was changed, and nothing is restored", () => {
  const rig = richRig();
  rig.ok(["export", "json", "--to", "plan.jsonl"]);
  const file = join(rig.root, "plan.jsonl");
  const changed = readFileSync(file, "utf8").replace(
    '"sentence":"human:ada approved',
    '"sentence":"human:eve approved',
  );
  writeFileSync(file, changed);
  expect(rig.fails(["backup", "restore", "plan.jsonl", "--yes"]).reason).toBe("backup-damaged");
  writeFileSync(file, changed.slice(0, 5000));
  expect(rig.fails(["backup", "restore", "plan.jsonl", "--yes"]).message).toMatch(/line \d+: it is not valid JSON/);
});

it("writes a list that an import reads back: what you tick is finished, what you add is new, and nothing comes twice", () => {
  const rig = richRig();
  rig.ok(["export", "markdown", "--to", "TODO.md"]);
  const file = join(rig.root, "TODO.md");
  const text = readFileSync(file, "utf8");
  expect(text).toContain("- [x] TASK-1 Parse the URL: http(s) only <!-- pw:");
  expect(rig.ok(["import", "TODO.md"])).toMatchObject({ op: null, added: [], changed: [], kept: [] });
  const ticked = text.replace(/- \[ \] TASK-3\.1 .*/, (line) => `${line.replace("[ ]", "[x]")}\n- [ ] A new one`);
  writeFileSync(file, ticked);
  const report = rig.ok(["import", "TODO.md"]);
  expect(report).toMatchObject({ added: [{ title: "A new one" }], changed: [{ id: "TASK-3.1" }] });
  expect(rig.ok(["show", report.added[0].id]).parent).toBe("TASK-3");
});

it("draws graphs, and tables that no spreadsheet takes for a formula", () => {
  const rig = richRig();
  rig.ok(["add", "=cmd()", "--parent", "INBOX"]);
  expect(rig.run(["export", "mermaid"]).stdout).toMatch(/^flowchart LR\n[\s\S]*subgraph[\s\S]*-->/);
  expect(rig.run(["export", "graphviz"]).stdout).toMatch(/^digraph plan \{[\s\S]*->[\s\S]*\}$/m);
  expect(rig.run(["export", "csv"]).stdout).toContain("'=cmd()");
});

it("writes a report that loads nothing and runs nothing, whatever a title holds", () => {
  const rig = makeRig();
  rig.ok(["init"]);
  rig.ok(["add", "<script>alert(1)</script>", "--parent", "INBOX"]);
  const { stdout } = rig.run(["export", "html"]);
  expect(stdout).toContain("&lt;script&gt;");
  expect(stdout).not.toMatch(/<script|src=|href=|url\(/);
});

it("overwrites only what an export wrote", () => {
  const rig = makeRig();
  rig.ok(["init"]);
  writeFileSync(join(rig.root, "TODO.md"), "# Mine\n");
  expect(rig.fails(["export", "markdown", "--to", "TODO.md"])).toMatchObject({ code: 3, reason: "file-exists" });
  expect(readFileSync(join(rig.root, "TODO.md"), "utf8")).toBe("# Mine\n");
  rig.ok(["export", "markdown", "--to", "TODO.md", "--replace"]);
  rig.ok(["export", "markdown", "--to", "TODO.md"]);
  expect(rig.fails(["export", "html", "--to", "none/report.html"]).reason).toBe("not-written");
  expect(existsSync(join(rig.root, "none"))).toBe(false);
});
