// Threat: a report, a spec, an answer or a name that makes a regular expression try again and again, so that the program stands still.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type SyntaxNodeRef } from "@lezer/common";
import { parser } from "@lezer/javascript";
import { describe, expect, it } from "vitest";
import { Counter } from "../backtracking.js";

const ROOT = join(import.meta.dirname, "../..");

/** Everything but what reads the words of git itself, and the board, whose page is the only thing that would stand still. */
const READERS = [
  ...["agents", "checks", "notify", "process", "worktrees"].map((folder) => `src/machine/${folder}`),
  ...["base", "config", "doors", "engine", "model", "plan", "planning", "store", "verbs"].map(
    (folder) => `src/${folder}`,
  ),
];

interface Found {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

function expressionsIn(file: string): Found[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  const found: Found[] = [];
  parser
    .configure({ dialect: "ts" })
    .parse(text)
    .iterate({
      enter: ({ name, from, to }: SyntaxNodeRef) => {
        if (name !== "RegExp") return;
        const [, source = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(text.slice(from, to)) ?? [];
        found.push({ where: `${file}:${text.slice(0, from).split("\n").length}`, source, flags });
      },
    });
  return found;
}

const filesOf = (folder: string): string[] =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--", folder], {
    cwd: ROOT,
    encoding: "utf8",
  })
    .split("\n")
    .filter((file) => /(?<!\.test|\.suite|\.d)\.tsx?$/.test(file));

const textOf = ([start, piece, end]: readonly [string, string, string], length: number): string =>
  `${start}${piece.repeat(Math.ceil(length / piece.length))}${end}`;

const ENOUGH = 3_000_000;

/** How much longer it takes for a text that is twice as long: 2 if the work grows as the text does, 4 if it grows as its square. */
function growth(counter: Counter, attack: readonly [string, string, string], length: number): number {
  const steps = counter.steps(textOf(attack, length), ENOUGH);
  const twice = counter.steps(textOf(attack, length * 2), ENOUGH);
  return twice === ENOUGH ? Infinity : twice / Math.max(steps, length);
}

/** Limits such as {0,200} look like squares in short texts. */
const isEndless = (counter: Counter, attack: readonly [string, string, string]): boolean =>
  growth(counter, attack, 48) > 3 && growth(counter, attack, 450) > 3;

const endlessIn = (file: string): string[] =>
  expressionsIn(file).flatMap(({ where, source, flags }) => {
    const counter = new Counter({ source, flags });
    const attack = counter.attacks().find((each) => isEndless(counter, each));
    return attack ? [`${where} with ${JSON.stringify(attack)}: /${source}/${flags}`] : [];
  });

describe("a regular expression that reads text of others", () => {
  it.each(READERS)("takes no more than twice as many steps for a text twice as long: %s", (folder) => {
    expect(filesOf(folder).flatMap(endlessIn)).toEqual([]);
  });
});

describe("the counter of steps", () => {
  it.each([
    ["\\s+$", " ", true],
    ["(?<!\\s)\\s+$", " ", false],
    ["(a+)+b", "a", true],
    ["^(?=(a+))\\1b", "a", false],
    ["<case([^>]*)>", "<case", true],
    ["<case([^<>]*)>", "<case", false],
  ])("tells of /%s/ whether it is endless", (source, piece, isSo) => {
    expect(isEndless(new Counter({ source, flags: "g" }), ["", piece, "\u0001"])).toBe(isSo);
  });

  it("knows an expression that is endless by what it finds in it", () => {
    const counter = new Counter({ source: "^[a-z]{2}(?:-?[0-9a-f]+)*$", flags: "i" });
    expect(counter.attacks().some((attack) => isEndless(counter, attack))).toBe(true);
  });
});
