import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../model/words.js";
import { parseSpec } from "./parse.js";
import { splitSpec } from "./split.js";

describe("a spec in parts", () => {
  it("is cut between sections where it can be", () => {
    const parts = splitSpec(parseSpec("# A\nwords of a\n# B\nwords of b\n# C\nc\n"), 6);
    expect(parts).toEqual(["# A\nwords of a\n", "# B\nwords of b\n# C\nc\n"]);
  });

  it("is cut between paragraphs, then lines, then anywhere", () => {
    const texts = (source: string, tokens: number): string[] => splitSpec(parseSpec(source), tokens);
    expect(texts("aaaa bbbb\n\ncccc dddd\n\neeee ffff", 4)).toEqual(["aaaa bbbb\n\n", "cccc dddd\n\n", "eeee ffff"]);
    expect(texts("aaaa bbbb\ncccc dddd", 4)).toEqual(["aaaa bbbb\n", "cccc dddd"]);
    expect(texts("aaaabbbbcccc", 2)).toEqual(["aaaabbbb", "cccc"]);
    expect(texts("🚀🚀", 1)).toEqual(["🚀", "🚀"]);
  });

  it("loses nothing, and each part fits", () => {
    const source = fc.oneof(
      fc.string({ unit: "binary", maxLength: 300 }),
      fc
        .array(fc.constantFrom("# a", "text of it", "", "- item", "日本語", "\r", "```"))
        .map((lines) => lines.join("\n")),
    );
    fc.assert(
      fc.property(source, fc.integer({ min: 2, max: 40 }), (text, tokens) => {
        const parts = splitSpec(parseSpec(text), tokens);
        expect(parts.join("")).toBe(text);
        for (const part of parts) expect(estimateTokens(part)).toBeLessThanOrEqual(tokens);
      }),
      { numRuns: 500 },
    );
  });
});
