import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSpec } from "./parse.js";
import { findQuote } from "./quote.js";

const SPEC = `# Title

First **bold** words,
over two   lines.

## Part *two*

- Add login page
- Add login
- uses \`snake_case\` and _emphasis_

> quoted
> over lines

a <!-- hidden --> b
`;

describe("a quote is found", () => {
  const spec = parseSpec(SPEC);

  it.each<[quote: string, line: number, section: string]>([
    ["First bold words, over two lines.", 3, "1"],
    ["**bold** words,", 3, "1"],
    ["bold words", 3, "1"],
    ["words,\n  over", 3, "1"],
    ["rst bold wor", 3, "1"],
    ["Add login page", 8, "1.1"],
    ["Add login", 9, "1.1"],
    ["uses snake_case and emphasis", 10, "1.1"],
    ["quoted over lines", 12, "1.1"],
    ["> quoted\n> over", 12, "1.1"],
    ["a b", 15, "1.1"],
    ["a <!-- hidden --> b", 15, "1.1"],
    ["Part two", 6, "1.1"],
  ])("%s", (quote, line, section) => {
    expect(findQuote(spec, quote)).toMatchObject({ line, section });
  });

  it.each([
    "",
    "  ",
    "**",
    "add login",
    "First words",
    "over 2 lines",
    "snakecase",
    "Add logins",
    "First bold words, over two lines. And",
  ])("never: %j", (quote) => {
    expect(findQuote(spec, quote)).toBeUndefined();
  });

  it("in the text, from start to end", () => {
    const found = findQuote(spec, "bold words, over");
    expect(SPEC.slice(found?.start, found?.end)).toBe("bold** words,\nover");
  });
});

it("finds whatever is copied from the text of a statement", () => {
  const words = fc.array(
    fc.constantFrom("a", "the", "**b**", "_c_", "d_e", "`f`", "g,", "\n", "ħ", "日本", "🚀", "~~h~~", ">", "|"),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(words, fc.nat(), fc.nat(), (parts, from, length) => {
      const spec = parseSpec(parts.join(" "));
      for (const { text } of spec.statements) {
        const start = from % text.length;
        const quote = text.slice(start, start + 1 + (length % text.length));
        const isMarks = !/[^\s*_`~\p{Cs}]/u.test(quote);
        expect([quote, isMarks || findQuote(spec, quote) !== undefined]).toEqual([quote, true]);
      }
    }),
    { numRuns: 500 },
  );
});
