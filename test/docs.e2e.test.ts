// What the documentation tells a reader to type can be typed, what it links to exists, and its walk-throughs work.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { splitGlobals } from "../src/doors/cli/globals.js";
import { readCommands } from "../src/machine/checks/shell-words.js";
import type { VerbName } from "../src/model/next-step.js";
import { HOST_NAMES } from "../src/verbs/hosts/hosts.js";
import { allFieldsOf, readWords } from "../src/verbs/kit/read-words.js";
import { tellApart } from "../src/verbs/kit/same-words.js";
import { parseInput } from "../src/verbs/kit/schema.js";
import { allSpellings, findSpelling, type Spelling } from "../src/verbs/kit/spell.js";
import { isVerb, loadVerb } from "../src/verbs/list.js";
import { makeRig, type Rig } from "./rig.js";

const ROOT = resolve(import.meta.dirname, "..");
const read = (page: string): string => readFileSync(join(ROOT, page), "utf8");
const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name}`);

/** What users read. Decision records tell of old names too. */
const PAGES = ["README.md", "CONTRIBUTING.md", ...pagesIn("docs"), ...pagesIn("docs/reference")];
const LINKING = [...PAGES, "ARCHITECTURE.md", "CHANGELOG.md", ...pagesIn("docs/decisions")];

const FENCE = /^```[^\n]*\n([\s\S]*?)^```$/gm;

/** The lines of fenced blocks that a reader would type. */
const fencedCommands = (text: string): string[] =>
  [...text.matchAll(FENCE)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .map((line) => line.replace(/^\$ /, ""))
    .filter((line) => line.startsWith("planwright "));

/** Commands in running text. They may leave out what they need. */
const namedCommands = (text: string): string[] =>
  [...text.replaceAll(FENCE, "").matchAll(/`(planwright [^`]+)`/g)].map(([, command = ""]) => command);

/** Commands of the command line itself, which are no operations. */
const LOCAL = new Set(["help", "version", "completion", "mcp", "board"]);

/** What is wrong with a command, or nothing. */
async function problemIn(line: string, { complete }: { readonly complete: boolean }): Promise<string | undefined> {
  const [command] = readCommands(line);
  const { words } = splitGlobals(command?.args ?? []);
  if (LOCAL.has(words[0] ?? "")) return undefined;
  const typed = findSpelling(words);
  const [found] = typed ? await tellApart(typed, { load: loadVerb, nodesAmong: async () => [] }) : [];
  if (!found) return isNoun(words) ? undefined : "there is no such command";
  if (found.spelling.hidden) return "is an alias that help does not show";
  const { operation: name } = found.spelling;
  return isVerb(name) ? problemWith(name, found.spelling, found.rest, complete) : "is not in the catalogue";
}

const isNoun = (words: readonly string[]): boolean =>
  words.length === 1 && allSpellings().some((spelling) => spelling.words.startsWith(`${words[0] ?? ""} `));

async function problemWith(
  name: VerbName,
  spelling: Spelling,
  words: readonly string[],
  complete: boolean,
): Promise<string | undefined> {
  const operation = await loadVerb(name);
  const given = readWords(spelling, allFieldsOf(operation, spelling), words);
  if ("problem" in given) return given.problem;
  // Only a terminal can complete the input of these: it reads a file, say.
  const ofView = Object.keys({ ...operation.flags, ...operation.inputs });
  if (!complete || ofView.some((name) => name in given.input)) return undefined;
  const parsed = parseInput(operation.input, given.input);
  return parsed.ok ? undefined : parsed.error.message;
}

describe("commands in the documentation", () => {
  it.each(PAGES)("%s: every fenced command can be typed as it is", async (page) => {
    const wrong: string[] = [];
    for (const line of new Set(fencedCommands(read(page)))) {
      const problem = await problemIn(line, { complete: true });
      if (problem !== undefined) wrong.push(`${line}: ${problem}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(PAGES)("%s: every command named in the text exists, with its flags", async (page) => {
    const wrong: string[] = [];
    for (const line of new Set(namedCommands(read(page)))) {
      const problem = await problemIn(line, { complete: false });
      if (problem !== undefined) wrong.push(`${line}: ${problem}`);
    }
    expect(wrong).toEqual([]);
  });

  it("shows a command on most pages", () => {
    expect(PAGES.flatMap((page) => fencedCommands(read(page))).length).toBeGreaterThan(50);
  });
});

/** As GitHub makes them from headings. */
const anchorsOf = (text: string): string[] =>
  [...text.replaceAll(FENCE, "").matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );

describe("links in the documentation", () => {
  it.each(LINKING)("%s: every relative link leads somewhere", (page) => {
    const links = [
      ...read(page)
        .replaceAll(FENCE, "")
        .matchAll(/\]\((?!https?:)([^)\s]*)\)/g),
    ];
    const broken = links
      .map(([, link = ""]) => link)
      .filter((link) => {
        const [path = "", anchor] = link.split("#");
        const file = path === "" ? page : join(dirname(page), path);
        if (!existsSync(join(ROOT, file))) return true;
        return anchor !== undefined && !anchorsOf(read(file)).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it("the tour and the contributing guide name files that exist", () => {
    const named = ["ARCHITECTURE.md", "CONTRIBUTING.md"].flatMap((page) => [
      ...read(page).matchAll(/`((?:src|test|docs|scripts|bench)\/[\w./-]*)`/g),
    ]);
    expect(named.length).toBeGreaterThan(40);
    expect(named.map(([, path = ""]) => path).filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("help names pages that exist", async () => {
    const texts: string[] = [];
    for (const { operation } of allSpellings())
      if (isVerb(operation)) texts.push((await loadVerb(operation)).description ?? "");
    const pages = texts.flatMap((text) => [...text.matchAll(/docs\/[\w./-]+\.md/g)].map(([page]) => page));
    expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([]);
  });
});

/** The commands of one section, in order. */
const sectionOf = (page: string, heading: string): string[] => {
  const [, rest = ""] = read(page).split(`\n## ${heading}\n`);
  return fencedCommands(rest.split("\n## ")[0] ?? "");
};

function inRepository(): Rig {
  const rig = makeRig();
  const git = (...args: string[]): unknown => execFileSync("git", args, { cwd: rig.root, stdio: "pipe" });
  mkdirSync(join(rig.root, "docs"));
  // The demo's spec without its open question: nobody is here to answer.
  const [spec = ""] = readFileSync(join(ROOT, "scripts/demo-spec.md"), "utf8").split(/^#+ Open questions$/m);
  writeFileSync(join(rig.root, "docs/spec.md"), spec);
  const worker = `sh ${join(ROOT, "scripts/demo-worker.sh")}`;
  const settings = {
    agents: { demo: { shell: worker } },
    roles: { "*": { agent: "outline" }, worker: { agent: "demo" } },
    // The demo's worker also writes to a file that no task names.
    execution: { footprint: "note", readable: [join(ROOT, "scripts")] },
  };
  writeFileSync(join(rig.root, "planwright.json"), JSON.stringify(settings));
  git("init", "--quiet", "--initial-branch", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.org");
  git("add", ".");
  git("commit", "--quiet", "--message", "begin");
  return rig;
}

const argsOf = (line: string): string[] => [...(readCommands(line)[0]?.args ?? [])];

/** Without a terminal, approving and landing have to be confirmed in advance. */
const confirmed = (line: string): string[] =>
  / (approve|land) /.test(line) ? [...argsOf(line), "--yes"] : argsOf(line);

describe("walk-throughs of the README", () => {
  it("plans, approves, runs and lands a project", () => {
    const rig = inRepository();
    const lines = sectionOf("README.md", "Use it in your project");
    expect(lines.length).toBe(5);
    for (const line of lines) {
      const { code, stderr } = rig.run(confirmed(line));
      expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
    }
    expect(execFileSync("sh", ["greet.sh", "fr"], { cwd: rig.root, encoding: "utf8" })).toBe("Bonjour\n");
  });

  it("plans and works by hand", () => {
    const rig = inRepository();
    const lines = sectionOf("README.md", "Plan and work by hand");
    expect(lines.length).toBe(9);
    mkdirSync(join(rig.root, "src"));
    for (const line of lines) {
      if (line.includes(" complete ")) writeFileSync(join(rig.root, "src/store.ts"), "export {};\n");
      const { code, stderr } = rig.run(confirmed(line));
      expect({ line, code, stderr: code === 0 ? "" : stderr }).toEqual({ line, code: 0, stderr: "" });
    }
  });
});

describe("the page about coding agents", () => {
  const headings = [...read("docs/agents.md").matchAll(/^## (In .+)$/gm)].map(([, heading = ""]) => heading);

  it("has a section for each host that can be installed into", () => {
    const named = headings.flatMap((heading) =>
      sectionOf("docs/agents.md", heading).map((line) => argsOf(line)[1] ?? ""),
    );
    expect([...new Set(named)].sort()).toEqual([...HOST_NAMES].sort());
  });

  it("shows commands that work, one after the other, and leave nothing behind", () => {
    const rig = inRepository();
    const home = join(rig.root, "..", `${basename(rig.root)}.home`);
    mkdirSync(home);
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const files = (): string[] =>
      [home, rig.root].flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }));
    const before = files();
    const lines = headings.flatMap((heading) => sectionOf("docs/agents.md", heading));
    expect(lines.length).toBeGreaterThan(14);
    for (const line of ["planwright install", ...lines]) {
      const { code, stdout } = rig.run(argsOf(line), { env: { HOME: home } });
      expect({ line, code }).toEqual({ line, code: 0 });
      expect(stdout).not.toContain("Nothing would change");
    }
    expect(files()).toEqual(before);
  });
});
