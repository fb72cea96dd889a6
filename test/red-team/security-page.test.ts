// docs/security.md is the threat model: each of its claims names the tests that show it, by file and title, and each file here is one of
// its claims.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/security.md"), "utf8");

const section = (title: string): string => page.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";

const rowsOf = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

const rows = rowsOf(section("Threats")).slice(1);

interface Named {
  readonly path: string;
  /** What its title holds. */
  readonly title: string | undefined;
}

/** `[worker](../test/red-team/worker.test.ts "a worker cannot read")` */
const testsIn = (text: string): Named[] =>
  [...text.matchAll(/\]\(\.\.\/([^)\s]+\.test\.tsx?)(?:\s"([^"\n]+)")?\)/g)].map(([, path = "", title]) => ({
    path,
    title,
  }));

/** Texts in quotes: of these are titles made, and of the rows of tests with many cases. */
function textsOf(file: string): string[] {
  const source = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), "utf8") : "";
  return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, double, single, template]) => (double ?? single ?? template ?? "").replace(/\\(["'`])/g, "$1"),
  );
}

const isThere = ({ path, title }: Named): boolean =>
  title !== undefined && title.length > 8 && textsOf(path).some((text) => text.includes(title));

describe("the table of threats", () => {
  it.each(rows)("%s, who tries to %s", (who, what, stops, mode, tests) => {
    expect([who, what, stops].every((cell) => (cell ?? "").length > 3)).toBe(true);
    expect(["any", "sandbox", "none"]).toContain(mode);
    const named = testsIn(tests ?? "");
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((each) => !isThere(each))).toEqual([]);
  });

  it("names every test of the red team", () => {
    const named = new Set(testsIn(page).map(({ path }) => path));
    const here = readdirSync(import.meta.dirname).map((file) => `test/red-team/${file}`);
    expect(here.filter((file) => /(?<!security-page)\.test\.ts$/.test(file) && !named.has(file))).toEqual([]);
  });
});

/** List items, paragraphs and rows of tables: what one of them promises, a test that it names shows. */
function claimsOf(text: string): string[] {
  const blocks = text.split(/\n\n/).flatMap((block) => (block.trim().startsWith("|") ? [] : block.split(/\n(?=- )/)));
  return blocks.map((block) => block.trim()).filter((block) => block !== "");
}

/** They lead to a list, or name what is not promised. */
const NO_PROMISE = /^(?:A planning run starts|\*\*Prompt injection|\*\*What is NOT)/;

describe("a sentence below the table", () => {
  it.each(testsIn(page))("names a test that is there: $path, $title", (named) => {
    expect(isThere(named)).toBe(true);
  });

  const promises = ["What is enforced for every command and library call", "Agents that plan", "Workers", "The store"]
    .flatMap((title) => claimsOf(section(title)))
    .filter((claim) => !NO_PROMISE.test(claim));

  it.each(promises)("names the test that shows it: %s", (claim) => {
    expect(testsIn(claim)).not.toEqual([]);
  });

  it("says with a test what is let into the sandbox, and how", () => {
    const table = rowsOf(section("The sandbox")).filter(
      ([first]) => first !== "there" && first !== "`execution.sandbox`",
    );
    expect(table.length).toBeGreaterThan(9);
    expect(table.filter((cells) => testsIn(cells.join(" ")).length === 0)).toEqual([]);
  });
});
