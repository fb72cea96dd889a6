// docs/security.md is the threat model: each of its claims names the tests that show it, and each file here is one of its claims.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/security.md"), "utf8");

const rows = page
  .split("\n## Threats\n")[1]
  ?.split("\n## ")[0]
  ?.split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  ) as string[][];

const testsIn = (text: string): string[] => [...text.matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, path = ""]) => path);

describe("the table of threats", () => {
  it.each(rows)("%s, who tries to %s", (who, what, stops, mode, tests) => {
    expect([who, what, stops].every((cell) => (cell ?? "").length > 3)).toBe(true);
    expect(["any", "sandbox", "none"]).toContain(mode);
    const named = testsIn(tests ?? "");
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((path) => !path.endsWith(".test.ts") || !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("names every test of the red team", () => {
    const named = testsIn(page);
    const here = readdirSync(import.meta.dirname).map((file) => `test/red-team/${file}`);
    expect(here.filter((file) => /(?<!security-page)\.test\.ts$/.test(file) && !named.includes(file))).toEqual([]);
  });
});
