import { describe, expect, it } from "vitest";
import { visible } from "./visible.js";

const words = (text: string): string =>
  visible(text)
    .map(({ text: part, hidden }) => (hidden ? `[${part}]` : part))
    .join("");

describe("hidden characters", () => {
  it.each([
    ["plain text, ünïcode – “quotes”, 日本語 and 👍", "plain text, ünïcode – “quotes”, 日本語 and 👍"],
    ["tab\tand\nnewline\r\n", "tab\tand\nnewline\n"],
    ["\u001b[31mred", "[␛][31mred"],
    ["a\u202eb", "a[U+202E]b"],
    ["a\u200bb\u2066c", "a[U+200B]b[U+2066]c"],
    ["\u0000", "[␀]"],
    ["over\rwritten", "over[␍]written"],
    ["half \ud800 pair", "half [U+D800] pair"],
    ["\u{e0041}", "[U+E0041]"],
    ["", ""],
  ])("%j", (text, shown) => expect(words(text)).toBe(shown));
});
