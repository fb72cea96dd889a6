// Threat: output of a check, a spec or an answer that is made to take hours to read. The engine would be deaf meanwhile.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";

const SOURCES = join(import.meta.dirname, "../../src");

/** In a process of its own: one that stands still can be ended. Its time is that of the test, far more than it needs. */
async function reads(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-huge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const built = await build({
    stdin: { contents: program, resolveDir: SOURCES, loader: "ts" },
    bundle: true,
    write: false,
    platform: "node",
    format: "esm",
  });
  const file = join(folder, "program.mjs");
  writeFileSync(file, built.outputFiles[0]?.text ?? "");
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [file], {
    encoding: "utf8",
    timeout: 100_000,
  });
  return signal ?? `${status} ${stderr.slice(0, 500)}${stdout}`.trim();
}

/** Pieces that a text is made of, again and again; and how much of it. */
const each = (pieces: readonly string[], length: number, call: string): string => `
  for (const piece of ${JSON.stringify(pieces)}) {
    const text = piece.repeat(Math.ceil(${length} / piece.length));
    ${call};
  }
  console.log("read");`;

const REPORTS = [
  '<testcase name="',
  '<testcase name="a">',
  "<testcase",
  "<testcase><failure>",
  "not ok 1 - ",
  "FAILED a::",
  " ",
  "\n",
  "\r\n",
  "1",
  "FAIL a > b ",
  "● a › ",
  "(a)/",
  "[a]/",
  "a.ts:",
  "file://",
  "error a b.ts",
  "\u001b[",
];

it("is read as a report of failing tests in one pass: 3 MB of what begins a test and never ends it", async () => {
  const program = `import { failingTests } from "./machine/checks/diagnostics.ts";`;
  expect(await reads(program + each(REPORTS, 3_000_000, "failingTests(text)"))).toBe("0 read");
});

it("is searched in one pass for the files that it names", async () => {
  const program = `import { scopeFailure } from "./machine/checks/diagnostics.ts";
    const changes = { created: ["src/new.ts"], modified: ["a b.ts"], deleted: [], renamed: [] };`;
  const call = `scopeFailure(text, changes as never, "/repository")`;
  expect(await reads(program + each(REPORTS, 300_000, call))).toBe("0 read");
});

it("is searched in one pass for secrets", async () => {
  const program = `import { redactorFor } from "./machine/agents/redact.ts"; const redact = redactorFor({ A_TOKEN: "aaaaaaaaaaaa" });`;
  const pieces = [
    "eyJ",
    "eyJ-",
    "eyJaaaaaaaa.",
    "-----BEGIN PRIVATE KEY-----",
    "password=",
    "Bearer ",
    "://a:",
    "sk-",
    "aaaaaaaaaaa ",
  ];
  expect(await reads(program + each(pieces, 1_000_000, "redact(text)"))).toBe("0 read");
});

const SPECS = [
  " ",
  ">",
  "> ",
  "- ",
  "1. ",
  "> - ",
  "- > ",
  "<!--",
  "![",
  "`",
  "```\n",
  "(a) ",
  "accepted when ",
  "Example: a ",
  " - a,",
  "is: ",
  "depends on ",
  "a? ",
  "REQ-1 ",
  "| a ",
  "(include if ",
  "a\n=\n\n",
  "b\n",
  "1\n",
];

it("is read as a spec and planned without a model, however deep it is nested", async () => {
  const program = `
    import { parseSpec } from "./planning/spec/parse.ts";
    import { findQuote } from "./planning/spec/quote.ts";
    import { outlineClarification } from "./planning/outline/clarification.ts";
    import { nothingFound } from "./planning/outline/outline.ts";`;
  const call = `const spec = parseSpec("# A\\n\\n" + text); nothingFound(spec); outlineClarification(spec); findQuote(spec, text.slice(0, 3000)); parseSpec("> a\\n" + text)`;
  expect(await reads(program + each(SPECS, 30_000, call))).toBe("0 read");
});

it("is understood as a command, a body or a pattern without trying all ways to read it", async () => {
  const program = `
    import { dangerIn, commandNeeds } from "./machine/checks/dangers.ts";
    import { commandsIn } from "./model/attempt/choose-worker.ts";
    import { behavioursNamed } from "./model/item/bundle.ts";
    import { matchesGlob } from "./model/conflict/glob.ts";`;
  const pieces = ["a", "a-", "git config ", "/proc/", ":(){", "```sh\n", "````", "$(", "behaviours ", "*a", "**/", "'"];
  const call = `dangerIn(text); commandNeeds(text); commandsIn(text); behavioursNamed(text); matchesGlob(text.slice(0, 4000), "a".repeat(4000))`;
  expect(await reads(program + each(pieces, 100_000, call))).toBe("0 read");
});
