import * as fc from "fast-check";
import { expect, it } from "vitest";
import { wrapText } from "./fit.js";

it.each<[text: string, columns: number, wrapped: string]>([
  ["one two three four five", 20, "one two three four\nfive"],
  ["short", 20, "short"],
  ["https://example.com/a-very-long-address and more", 20, "https://example.com/a-very-long-address\nand more"],
  ["  indented text goes on and on", 20, "  indented text goes\n  on and on"],
  ["a\nb", 20, "a\nb"],
  ["", 20, ""],
])("breaks %j between words", (text, columns, wrapped) => {
  expect(wrapText(text, columns)).toBe(wrapped);
});

it("loses nothing and never breaks a word", () => {
  const word = fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 30 }).filter((each) => !/\s/.test(each));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 20, max: 80 }), (words, columns) => {
      const wrapped = wrapText(words.join(" "), columns);
      expect(wrapped.split(/\s/)).toEqual(words);
      for (const line of wrapped.split("\n")) expect(line.length <= columns || !line.includes(" ")).toBe(true);
    }),
  );
});
