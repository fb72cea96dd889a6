import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { LINT_CODES } from "./lint-codes.js";

const ROOT = resolve(import.meta.dirname, "../..");
const linesOf = (page: string): string[] => readFileSync(resolve(ROOT, page), "utf8").split("\n");

it("is the table that docs/reference/lint-codes.md shows", () => {
  const rows = Object.entries(LINT_CODES).map(
    ([code, { grade, meaning, advice, isFixable }]) =>
      `| \`${code}\` | ${grade} | ${meaning} | ${advice} | ${isFixable ? "yes" : ""} |`,
  );
  expect(linesOf("docs/reference/lint-codes.md").filter((line) => line.startsWith("| `"))).toEqual(rows);
});

it("has every code that the pages name, and ARCHITECTURE.md names every invariant", () => {
  const named = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/planning.md", "docs/reference/exit-codes.md"].flatMap(
    (page) => linesOf(page).flatMap((line) => line.match(/\b[IPRW]-[A-Z][A-Z-]+\b/g) ?? []),
  );
  expect(named.filter((code) => !Object.hasOwn(LINT_CODES, code))).toEqual([]);
  const invariants = Object.keys(LINT_CODES).filter((code) => code.startsWith("I-"));
  expect(invariants.filter((code) => !named.includes(code))).toEqual([]);
});
