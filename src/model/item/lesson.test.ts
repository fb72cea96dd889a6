import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type KeyedLesson, type Lesson, rankLessons, selectLessons } from "./lesson.js";

let made = 0;
const lesson = (key: string, text: string, keywords: string[] = [], over: Partial<Lesson> = {}): KeyedLesson => ({
  key,
  fields: {
    state: "kept",
    text,
    keywords,
    scope: null,
    source: "person",
    createdAt: ++made,
    createdBy: "human:ada",
    ...over,
  },
});

const lock = lesson("MEM-001", "SQLite is locked while another process writes: wait and try again.", [
  "sqlite",
  "lock",
]);
const colour = lesson("MEM-002", "Colours are switched off with NO_COLOR on a terminal.", ["terminal"]);
const zip = lesson("MEM-003", "Zip files need the central directory at the end; write it last.");
const all = [colour, zip, lock];

const found = (text: string, lessons = all, scope: number | null = null): string[] =>
  rankLessons({ text, scope }, lessons).map(({ key }) => key);

describe("lessons that are about a text", () => {
  it.each<[string, string[]]>([
    ["Retry when SQLite is locked", ["MEM-001"]],
    ["sqlite", ["MEM-001"]],
    ["terminal colours", ["MEM-002"]],
    ["write the zip directory last", ["MEM-003"]],
    ["unrelated gardening advice", []],
    ["the and of", []],
    ["", []],
    // One common word is a coincidence, unless it is a keyword.
    ["write a poem about gardens", []],
    ["the terminal of an airport", ["MEM-002"]],
  ])("%s", (text, keys) => {
    expect(found(text)).toEqual(keys);
  });

  it("come by relevance, not by the alphabet", () => {
    const zebra = lesson("MEM-010", "zebra zebra crossing", ["zebra"]);
    const apple = lesson("MEM-011", "an apple, then a zebra, then a long tale about many other things in a garden");
    expect(found("zebra apple crossing", [apple, zebra])).toEqual(["MEM-010", "MEM-011"]);
  });

  it("of the same feature come before others; equal ones newest first, then by key", () => {
    const [one, two] = [lesson("MEM-020", "parse the header"), lesson("MEM-021", "parse the header", [], { scope: 4 })];
    expect(found("parse header", [one, two])).toEqual(["MEM-021", "MEM-020"]);
    expect(found("parse header", [two, { ...one, fields: { ...one.fields, scope: 5 } }], 5)).toEqual([
      "MEM-020",
      "MEM-021",
    ]);
    const same = { createdAt: 1 };
    const twins = [lesson("MEM-031", "parse the header", [], same), lesson("MEM-030", "parse the header", [], same)];
    expect(found("parse header", twins)).toEqual(["MEM-030", "MEM-031"]);
    expect(found("parse header", twins.toReversed())).toEqual(["MEM-030", "MEM-031"]);
  });

  it("in a script without spaces are found too, and forgotten ones never", () => {
    const chinese = lesson("MEM-040", "数据库迁移之前先备份");
    const gone = lesson("MEM-041", "数据库迁移之前先备份", [], { state: "forgotten" });
    expect(found("迁移数据库", [chinese, gone, ...all])).toEqual(["MEM-040"]);
  });
});

describe("what is put into a prompt", () => {
  const query = { text: "parse header", scope: null };

  it("is nothing at all, when nothing fits", () => {
    expect(selectLessons({ text: "quantum gravity", scope: null }, all)).toEqual([]);
    expect(selectLessons(query, [])).toEqual([]);
  });

  it("skips what is too long for what is left", () => {
    const long = lesson("MEM-050", `parse header ${"parse header ".repeat(400)}`);
    const short = lesson("MEM-051", "how to parse a header and other things of that sort");
    expect(selectLessons(query, [long, short], { tokens: 100 }).map(({ key }) => key)).toEqual(["MEM-051"]);
  });

  it("never exceeds the tokens or the number, and is the best that fits first", () => {
    const text = fc.array(fc.constantFrom("parse", "header", "zebra", "apple", "lock"), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), fc.nat(200), fc.nat(6), (texts, tokens, max) => {
        const lessons = texts.map((words, i) => lesson(`MEM-${i}`, words.join(" ")));
        const chosen = selectLessons(query, lessons, { tokens, max });
        expect(chosen.length).toBeLessThanOrEqual(max);
        expect(chosen.reduce((sum, hit) => sum + hit.tokens, 0)).toBeLessThanOrEqual(tokens);
        const best = rankLessons(query, lessons).find((hit) => hit.tokens <= tokens);
        expect(chosen[0]?.key).toBe(max === 0 ? undefined : best?.key);
      }),
    );
  });
});
