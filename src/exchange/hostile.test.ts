// Files that are broken, or made to do harm: each is refused with the file and the line, or read as plain text.

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { must, mustFail } from "../../test/plan.js";
import type { Result } from "../model/result.js";
import type { Format } from "./formats/format.js";
import { findSources, formatNamed, formatOfFile, readSource } from "./read-source.js";
import type { SourceRead } from "./source/source.js";

function folderWith(files: Readonly<Record<string, string | Buffer>>): string {
  const folder = mkdtempSync(join(tmpdir(), "planwright-hostile-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const read = (folder: string, name: string, path: string): Result<SourceRead> =>
  readSource(folder, formatNamed(name) as Format, path, { now: 0 });

it.each([
  ["a cut line", "beads", ".beads/issues.jsonl", '{"id":"a","title":"A"}\n{"id":"b","ti', "2: The JSON is wrong"],
  [
    "marks of a merge",
    "beads",
    ".beads/issues.jsonl",
    '<<<<<<< HEAD\n{"id":"a"}\n',
    "1: The file has marks of a merge",
  ],
  ["a list where an object should be", "beads", ".beads/issues.jsonl", "[1]\n", "1: The line is no JSON object"],
  ["cut JSON", "task-master", ".taskmaster/tasks/tasks.json", '{"tasks":[\n{"id":1', "2:"],
  [
    "bytes that are no text",
    "markdown",
    "TODO.md",
    Buffer.from([35, 32, 65, 10, 255, 254]),
    "2: The file is not UTF-8",
  ],
] as const)("%s is refused with its line", (_, format, path, content, problem) => {
  const failure = mustFail(read(folderWith({ [path]: content }), format, path));
  expect(failure).toMatchObject({ kind: "usage", reason: "bad-source" });
  expect(failure.message.startsWith(`${path}:${problem}`)).toBe(true);
  expect(failure.message.endsWith("Nothing was imported.")).toBe(true);
});

it("a small file of YAML cannot grow without end", () => {
  const bomb = Array.from({ length: 12 }, (_, i) =>
    i === 0
      ? "a0: &a0 [x, x]"
      : `a${i}: &a${i} [${Array(9)
          .fill(`*a${i - 1}`)
          .join()}]`,
  );
  const folder = folderWith({ "backlog/tasks/task-1 - a.md": `---\nid: T-1\n${bomb.join("\n")}\n---\n` });
  expect(mustFail(read(folder, "backlog-md", "backlog")).message).toMatch(/task-1 - a\.md:2: The YAML is refused/);
});

it("keys such as __proto__ are nothing but keys", () => {
  const line =
    '{"id":"__proto__","title":"constructor","issue_type":"task","status":"open","__proto__":{"polluted":true}}';
  const folder = folderWith({
    ".beads/issues.jsonl": `${line}\n`,
    "backlog/tasks/t.md":
      "---\nid: T-1\ntitle: x\n__proto__:\n  polluted: true\nconstructor:\n  prototype:\n    polluted: true\n---\n",
    ".claude/epics/e/epic.md": "---\n__proto__: x\nname: e\nstatus: open\n---\n",
  });
  expect(must(read(folder, "beads", ".beads/issues.jsonl")).items[0]).toMatchObject({
    id: "__proto__",
    title: "constructor",
  });
  must(read(folder, "backlog-md", "backlog"));
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

it("a link out of the folder is not followed", () => {
  const outside = folderWith({ "secret.md": "- [ ] secret\n" });
  const folder = folderWith({ "docs/x.md": "" });
  symlinkSync(join(outside, "secret.md"), join(folder, "TODO.md"));
  expect(findSources(folder)).toEqual([]);
  expect(mustFail(read(folder, "markdown", "TODO.md")).message).toContain("link out of the folder");
  expect(mustFail(read(folder, "markdown", "../x.md")).message).toContain("out of the folder");
});

it("a list that is nested without end is read", () => {
  const deep = Array.from({ length: 5000 }, (_, i) => `${" ".repeat(i)}- [ ] level ${i}`).join("\n");
  expect(must(read(folderWith({ "TODO.md": deep }), "markdown", "TODO.md")).items).toHaveLength(5000);
});

it("a file that no tool wrote is not taken for one", () => {
  expect(must(formatOfFile(folderWith({ "data.json": '{"a":1}' }), "data.json"))).toBeUndefined();
});
