import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keywordsOf, withArticle, wordsOf } from "./words.js";

describe("the words of a text", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["The files and the FILE", ["file", "file"]],
    ["parseConfig HTTPServer", ["parse", "config", "http", "server"]],
    ["src/store/open-store.ts", ["src", "store", "open", "store", "ts"]],
    ["Straße, naïve, ＦＵＬＬ", ["straße", "naïve", "full"]],
    ["数据库迁移", ["数据", "据库", "库迁", "迁移"]],
    ["字", ["字"]],
    ["API設計v2", ["api", "設計", "v2"]],
    ["класс status bus", ["класс", "status", "bus"]],
    ["a I x", []],
  ])("%s", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("come back the same when they are read again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const word of wordsOf(text)) expect(word).toBe(word.toLowerCase());
      }),
    );
  });

  it("keywords are those that occur most, in the order of the text, not of the alphabet", () => {
    expect(keywordsOf("zebra yak zebra ant yak zebra bee", 3)).toEqual(["zebra", "yak", "ant"]);
    expect(keywordsOf("one two", 0)).toEqual([]);
  });
});

it("no tier stands behind the wrong article", () => {
  expect(["initiative", "task", "story"].map(withArticle)).toEqual(["an initiative", "a task", "a story"]);
});
