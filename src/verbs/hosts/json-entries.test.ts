import * as fc from "fast-check";
import { parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { entryState, insertEntry, type JsonEntry, removeEntry } from "./json-entries.js";
import type { Chunk } from "./text-chunk.js";

const SERVER: JsonEntry = { keys: ["mcpServers", "planwright"], value: { command: "planwright", args: ["mcp"] } };
const HOOK: JsonEntry = {
  keys: ["hooks", "Stop"],
  isElement: true,
  value: { hooks: [{ type: "command", command: "planwright hook stop" }] },
};
const PROMPT: JsonEntry = { ...HOOK, keys: ["hooks", "Prompt"] };

function putAll(text: string, entries: readonly JsonEntry[]): { text: string; chunks: Chunk[] } {
  const chunks: Chunk[] = [];
  let now = text;
  for (const entry of entries) {
    const inserted = insertEntry(now, entry);
    now = inserted.text;
    chunks.push(inserted.chunk);
  }
  return { text: now, chunks };
}

const takeAll = (text: string, entries: readonly JsonEntry[], chunks: readonly Chunk[]): string =>
  entries.reduceRight((left, entry, i) => removeEntry(left, entry, chunks[i]), text);

describe("an entry in somebody's settings", () => {
  it.each<[string, string, string]>([
    ["an empty object", "{}", '{\n  "mcpServers": {\n    "planwright": {'],
    [
      "an object with its own entries, in front of them",
      '{\n  "a": 1\n}\n',
      '{\n  "mcpServers": {\n    "planwright": {',
    ],
    [
      "an object on one line, on that line",
      '{"a":1}',
      '{"mcpServers": {"planwright":{"command":"planwright","args":["mcp"]}}, "a":1}',
    ],
    ["tabs", '{\n\t"a": 1\n}', '{\n\t"mcpServers": {\n\t\t"planwright": {'],
    [
      "a server of yours, beside it",
      '{\n  "mcpServers": {\n    "mine": {}\n  }\n}',
      '    "planwright": {\n      "command"',
    ],
    ["a comment behind the bracket, after it", '{ // mine\n  // about a\n  "a": 1\n}', '{ // mine\n  "mcpServers": {'],
    ["Windows line ends", '{\r\n  "a": 1\r\n}', '{\r\n  "mcpServers": {\r\n'],
  ])("goes into %s", (_, before, part) => {
    const { text } = putAll(before, [SERVER]);
    expect(text).toContain(part);
    expect(entryState(text, SERVER)).toBe("same");
  });

  it("leaves a comment with its neighbour", () => {
    const { text } = putAll('{\n  // about a\n  "a": 1 // one\n}', [SERVER]);
    expect(text).toMatch(/\/\/ about a\n {2}"a": 1 \/\/ one\n\}$/);
  });

  it("tells another entry of the same name", () => {
    expect(entryState('{"mcpServers":{"planwright":{"command":"other"}}}', SERVER)).toBe("other");
    expect(entryState('{"mcpServers":{}}', SERVER)).toBe("absent");
    expect(entryState("", SERVER)).toBe("absent");
  });

  it.each([
    ["broken JSON", "{", "is not valid JSON (line 1"],
    ["a list", "[]", "does not hold one JSON object"],
    ["a text where an object belongs", '{"mcpServers":"none"}', "has something at mcpServers that is not an object"],
  ])("refuses %s", (_, text, problem) => {
    expect(() => insertEntry(text, SERVER)).toThrow(problem);
  });

  it("refuses an object where a list belongs", () => {
    expect(() => insertEntry('{"hooks":{"Stop":{}}}', HOOK)).toThrow("has something at hooks.Stop that is not a list");
  });

  it("goes although the file was formatted again since", () => {
    const { text, chunks } = putAll('{"mine": {"a": 1}}', [SERVER, HOOK]);
    const again = JSON.stringify(JSON.parse(text), null, 4);
    expect(JSON.parse(takeAll(again, [SERVER, HOOK], chunks))).toEqual({ mine: { a: 1 } });
  });

  it("leaves what was added beside it since", () => {
    const { text, chunks } = putAll("{}", [HOOK]);
    const added = text.replace('"Stop": [', '"Stop": [\n      {"mine": true},');
    expect(parse(takeAll(added, [HOOK], chunks))).toEqual({ hooks: { Stop: [{ mine: true }] } });
  });

  it("leaves valid JSON when something was added behind it since", () => {
    const { text, chunks } = putAll("{}", [SERVER]);
    const added = `${text.trimEnd().replace(/\s*\}$/, "")},\n  "b": 2\n}`;
    expect(JSON.parse(takeAll(added, [SERVER], chunks))).toEqual({ b: 2 });
  });
});

const space = fc.constantFrom("", " ", "\n", "\r\n", "\t", "  ", "\n    ");
const comment = fc.constantFrom("", "", "", "// mine\n", "/* yours */", "/* two\n lines */ ");
const name = fc.constantFrom("a", "b", "mcpServers", "hooks", "Stop", "planwright2", 'weird \\" name', "\u2028");

/** JSON with comments, white space and trailing commas anywhere. */
const someJson = (depth: number): fc.Arbitrary<string> => {
  const leaf = fc.oneof(
    fc.constantFrom("1", "-2.5e3", "true", "null", '"text"', '"// no comment"', '"\\u00e9 { [ ,"'),
    fc.constantFrom("{}", "[]", "{ }", "[\n]"),
  );
  if (depth === 0) return leaf;
  return fc.oneof(leaf, someObject(depth), someList(depth));
};

const between = fc.tuple(space, comment, space).map((parts) => parts.join(""));

const someList = (depth: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(fc.tuple(between, someJson(depth - 1), between), { maxLength: 3 }), fc.boolean())
    .map(
      ([items, trailing]) => `[${items.map((item) => item.join("")).join()}${trailing && items.length > 0 ? "," : ""}]`,
    );

const someObject = (depth: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.uniqueArray(fc.tuple(name, between, between, someJson(depth - 1), between), {
        maxLength: 4,
        selector: ([key]) => key,
      }),
      fc.boolean(),
      between,
    )
    .map(([items, trailing, inside]) => {
      const members = items.map(([key, before, colon, value, after]) => `${before}"${key}":${colon}${value}${after}`);
      return members.length === 0 ? `{${inside}}` : `{${members.join()}${trailing ? "," : ""}}`;
    });

const someFile = fc
  .tuple(fc.constantFrom("", "\uFEFF", "// top\n"), someObject(3), space)
  .map((parts) => parts.join(""));

/** Null where a list or an object belongs and something else is: that is refused, and nothing is written. */
function tryAll(text: string, entries: readonly JsonEntry[]): ReturnType<typeof putAll> | null {
  try {
    return putAll(text, entries);
  } catch (error) {
    if (/is not (a list|an object)/.test(String(error))) return null;
    throw error;
  }
}

const read = (text: string): Record<string, Record<string, unknown>> =>
  parse(text.replace("\uFEFF", ""), [], { allowTrailingComma: true }) as Record<string, Record<string, unknown>>;

describe("any settings file", () => {
  it("is byte for byte as before after entries were put in and taken out, and has them in between", () => {
    let put = 0;
    fc.assert(
      fc.property(someFile, (before) => {
        const entries = [SERVER, HOOK, PROMPT];
        const merged = tryAll(before, entries);
        if (merged === null) return;
        put++;
        expect(read(merged.text)["mcpServers"]?.["planwright"]).toEqual(SERVER.value);
        expect(takeAll(merged.text, entries, merged.chunks)).toBe(before);
      }),
      { numRuns: 1000 },
    );
    expect(put).toBeGreaterThan(300);
  });

  it("loses nothing of its own when entries are taken out by what they say", () => {
    fc.assert(
      fc.property(someFile, (before) => {
        const merged = tryAll(before, [SERVER]);
        if (merged === null) return;
        const left = read(removeEntry(merged.text, SERVER, { inserted: "" }));
        const own = read(before);
        expect({ ...left, mcpServers: left["mcpServers"] ?? {} }).toEqual({
          ...own,
          mcpServers: own["mcpServers"] ?? {},
        });
      }),
      { numRuns: 500 },
    );
  });
});
