import { describe, expect, it } from "vitest";
import { type ShownPiece, visible, visibleCode } from "./visible.js";

const words = (pieces: readonly ShownPiece[]): string =>
  pieces.map(({ text, isMark }) => (isMark ? `[${text}]` : text)).join("");

describe("prose", () => {
  it.each([
    ["", ""],
    ["plain text, ünïcode – “quotes”, 日本語, שלום, а\u0301 and 👍 ❤️ 👩‍👩‍👧", undefined],
    ["می‌خواهم and क्‍ष keep their joiners", undefined],
    ["« a\u00a0b »　c", undefined],
    ["tab\tand\nnewline\r\n", "tab\tand\nnewline\n"],
    ["\u001b[31mred", "[U+001B][31mred"],
    ["a\u202eb\u2066c\u061cd", "a[U+202E]b[U+2066]c[U+061C]d"],
    ["a\u200bb\u200dc\ufe0fd\u00ade", "a[U+200B]b[U+200D]c[U+FE0F]d[U+00AD]e"],
    ["\u{e0041}\u{e0062}", "[U+E0041][U+E0062]"],
    ["\u0000over\rwritten\u2028", "[U+0000]over[U+000D]written[U+2028]"],
    ["half \ud800 pair", "half [U+D800] pair"],
    ["blank ㅤ\u2800 letters", "blank [U+3164][U+2800] letters"],
    ["\ue000 is private, \u0378 is nothing", "[U+E000] is private, [U+0378] is nothing"],
    [`a${"\u0336".repeat(6)}`, `a${"\u0336".repeat(4)}[U+0336][U+0336]`],
    ["\u0301 begins with an accent", "[U+0301] begins with an accent"],
    [`npm test${" ".repeat(500)}; rm`, "npm test[500 spaces]; rm"],
  ])("%j", (text, shown = text) => expect(words(visible(text))).toBe(shown));
});

describe("code", () => {
  it.each([
    ["", ""],
    ["npm test -- src/a.ts | grep '~'\n  next\r\n", "npm test -- src/a.ts | grep '~'\n  next\n"],
    ["gооd", "g[Cyrillic оо]d"],
    ["src/отчёт.md", "src/[Cyrillic отчёт].md"],
    ["аpple/οld", "[Cyrillic а]pple/[Greek ο]ld"],
    ["日本語.md", "[Han 日本語].md"],
    ["ひかヒカ", "[Hiragana ひか][Katakana ヒカ]"],
    ["café -–x", "caf[U+00E9 é] -[U+2013 –]x"],
    ["cafe\u0301", "cafe[U+0301]"],
    ["rm \u05d0\u05d1 \u0661", "rm [U+05D0][U+05D1] [U+0661]"],
    ["a\tb\u00a0c\u200b\u202e", "a[U+0009]b[U+00A0]c[U+200B][U+202E]"],
    ["a \\ \nb", "a \\[U+0020]\nb"],
    ["a.ts  ", "a.ts[2 spaces]"],
    [`x${" ".repeat(60)}y`, "x[60 spaces]y"],
    [
      "marks stay: ⟨U+202E⟩ ⟨12 spaces⟩ a⏎b, others do not: ⟨",
      "marks stay: ⟨U+202E⟩ ⟨12 spaces⟩ a⏎b, others do not: [U+27E8 ⟨]",
    ],
  ])("%j", (text, shown) => expect(words(visibleCode(text))).toBe(shown));
});

it("shows a megabyte of anything at once", () => {
  for (const part of ["日本語 ", "\u202ea", "é", " ", "а", "\u0301"]) {
    expect(visible(part.repeat(100_000)).length + visibleCode(part.repeat(100_000)).length).toBeGreaterThan(1);
  }
});
