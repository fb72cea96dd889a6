import { describe, expect, it } from "vitest";
import { parseNode, parsePatch, parseWords } from "./content.js";

const said = (value: unknown): string => {
  const result = parseNode(value, "line 3");
  return result.ok ? "good" : result.error.message;
};

const UUID = "019b76da-a801-7101-8101-010101010101";
const LINE = "x".repeat(4_096);

/** For each field: values that are fine, and values that are not with a part of what is said about them. */
const FIELDS: Readonly<Record<string, { good: readonly unknown[]; bad: readonly (readonly [unknown, string])[] }>> = {
  id: {
    good: ["FEAT-A", "a.b_c-9", "x".repeat(64)],
    bad: [
      ["", "1 to 64 letters"],
      ["a b", "1 to 64 letters"],
      ["x".repeat(65), "1 to 64 letters"],
      [7, "1 to 64 letters"],
    ],
  },
  uuid: {
    good: [UUID],
    bad: [
      [UUID.toUpperCase(), "must be a UUID in lower case"],
      ["019b", "must be a UUID"],
      [7, "must be a UUID"],
    ],
  },
  tier: { good: ["mission", "task"], bad: [["epic", "must be one of mission, initiative, feature, story, task"]] },
  kind: {
    good: ["work", "land"],
    bad: [
      ["bug", "must be one of work, gate, review, land"],
      [1, "must be one of"],
    ],
  },
  title: {
    good: ["T", "👩‍🚀 مرحبا", "x".repeat(500)],
    bad: [
      ["", "must not be empty"],
      [" \u00a0 ", "must not be empty"],
      [null, "must be a text"],
      [7, "must be a text"],
      ["x".repeat(501), "has 501 characters; at most 500 are allowed"],
      ["x".repeat(20_000), "has 20000 characters"],
      ["x".repeat(10_000_000), "has 10.0 million characters"],
      ["a\0b", "contains the control character U+0000"],
      ["a\nb", "contains the control character U+000A"],
      ["a\u009bb", "contains the control character U+009B"],
      ["a\ud83d", "contains half of a Unicode character"],
      ["\udc4da", "contains half of a Unicode character"],
    ],
  },
  body: {
    good: ["", "a\r\n\tb", "x".repeat(1_000_000)],
    bad: [
      ["x".repeat(1_000_001), "has 1.0 million characters"],
      ["a\u001bb", "contains the control character U+001B"],
      [{}, "must be a text"],
    ],
  },
  parent: {
    good: ["FEAT-A", "words of a title", LINE],
    bad: [
      ["", "must not be empty"],
      [`${LINE}x`, "at most 4096"],
      ["a\nb", "U+000A"],
    ],
  },
  dependsOn: {
    good: [[], ["A", "B"]],
    bad: [
      ["A", "must be a list"],
      [["A", ""], "entry 2 must not be empty"],
      [["A", 7], "entry 2 must be a text"],
      [Array.from({ length: 10_001 }, () => "A"), "has 10001 entries; at most 10000"],
    ],
  },
  files: {
    good: [["src/a.ts", "a b.md", "...", "src/..hidden"]],
    bad: [
      [["/etc/passwd"], "entry 1 must be a path inside the workspace"],
      [["../a"], "inside the workspace"],
      [["src/../../a"], "inside the workspace"],
      [["src\\..\\a"], "inside the workspace"],
      [["C:\\a"], "inside the workspace"],
      [["\\\\host\\a"], "inside the workspace"],
      [[""], "must not be empty"],
      [["a\0"], "U+0000"],
      ["a", "must be a list"],
    ],
  },
  symbols: {
    good: [["f", "Class.method"]],
    bad: [
      [[" "], "entry 1 must not be empty"],
      [{}, "must be a list"],
    ],
  },
  checks: {
    good: [
      [{ run: "npm test" }],
      [{ run: "a\nb", expect: "exit 1", timeoutS: 0.1, cwd: "web" }],
      [{ run: "x", timeoutS: 86_400 }],
    ],
    bad: [
      [["npm test"], "entry 1 must be an object"],
      [[null], "entry 1 must be an object"],
      [[[]], "entry 1 must be an object"],
      [[{ expect: "exit 0" }], 'entry 1 needs "run"'],
      [[{ run: " " }], 'entry 1 field "run" must not be empty'],
      [[{ run: "x", expect: "" }], 'field "expect" must not be empty'],
      [[{ run: "x", timeoutS: 0 }], 'field "timeoutS" must be a number from 0.1 to 86400'],
      [[{ run: "x", timeoutS: "9" }], 'field "timeoutS" must be a number'],
      [[{ run: "x", cwd: "../.." }], 'field "cwd" must be a path inside'],
      [[{ run: "x", timeout: 9 }], 'field "timeout" is not known; known are run, expect, timeoutS, cwd'],
      [[{ run: "x", toString: 9 }], 'field "toString" is not known'],
      [[JSON.parse('{"run":"x","__proto__":{}}')], 'field "__proto__" is not known'],
    ],
  },
  profile: {
    good: ["backend", "a-1"],
    bad: [
      ["", "must be a short lower-case word"],
      ["Backend", "lower-case"],
      ["x".repeat(41), "short"],
      [7, "lower-case"],
    ],
  },
  priority: {
    good: [0, 4],
    bad: [
      [-1, "must be a whole number from 0 to 4"],
      [5, "whole number from 0 to 4"],
      [1.5, "whole number"],
      ["1", "whole number"],
      [Number.NaN, "whole number"],
    ],
  },
  estimateHours: {
    good: [0.01, 10_000],
    bad: [
      [0, "must be a number from 0.01 to 10000"],
      [Number.POSITIVE_INFINITY, "must be a number"],
    ],
  },
  budgets: {
    good: [{}, { attempts: 1, replans: 0 }],
    bad: [
      [3, "must be an object"],
      [{ attempts: 0 }, 'field "attempts" must be a whole number from 1 to 1000'],
      [{ tokens: 9 }, 'field "tokens" is not known; known are attempts, replans'],
    ],
  },
};

describe.each(Object.entries(FIELDS))("the field %s", (field, { good, bad }) => {
  it.each(good.map((value) => [value]))("takes %.40j", (value) => {
    const node = { title: "T", [field]: value };
    expect(parseNode(node, "line 3")).toEqual({ ok: true, value: node });
    expect(parsePatch({ [field]: value }, "line 3")).toEqual({ ok: true, value: { [field]: value } });
  });

  it.each(bad)("does not take %.40j", (value, what) => {
    const message = said({ title: "T", [field]: value });
    expect(message.startsWith(`line 3: "${field}" `)).toBe(true);
    expect(message).toContain(what);
    expect(message.length).toBeLessThan(300);
    expect(message).toMatch(/\.$/);
    expect(parsePatch({ [field]: value }, "line 3").ok).toBe(false);
  });
});

describe("a node", () => {
  it.each([[null], [[]], ["text"], [7], [undefined]])("is not %j", (value) => {
    expect(said(value)).toBe("line 3: a node must be a JSON object.");
  });

  it("needs a title", () => {
    expect(said({ body: "x" })).toBe('line 3: "title" is missing.');
  });

  it.each(["children", "state", "toString", "hasOwnProperty", "constructor"])("has no field %s", (field) => {
    expect(said({ title: "T", [field]: {} })).toBe(
      `line 3: "${field}" is not a field of a node; fields are id, uuid, tier, kind, title, body, parent, dependsOn, files, symbols, checks, profile, priority, estimateHours, budgets.`,
    );
  });

  it("has no field __proto__ either", () => {
    expect(said(JSON.parse('{"title":"T","__proto__":{"kind":"gate"}}'))).toContain('"__proto__" is not a field');
  });

  it("may be an exported one: what is derived or a fact is left out, and null is the same as silence", () => {
    const exported = {
      title: "T",
      kind: null,
      parent: null,
      profile: null,
      id: null,
      status: "done",
      outcome: { kind: "done" },
      approval: null,
      revision: 9,
    };
    expect(parseNode(exported, "line 3")).toEqual({ ok: true, value: { title: "T" } });
  });

  it("leaves out what is undefined", () => {
    expect(parseNode({ title: "T", body: undefined }, "x")).toStrictEqual({ ok: true, value: { title: "T" } });
  });

  it("takes nothing that an object only inherits, for nobody has looked at it", () => {
    const heir = Object.assign(Object.create({ parent: 7 }), { title: "T" }) as object;
    const parsed = parseNode(heir, "x");
    expect(parsed.ok && parsed.value.parent).toBe(undefined);
  });

  it("finds what must not be in a text beside letters of other scripts", () => {
    expect(parseNode({ title: "Überschrift 漢字 😀" }, "x").ok).toBe(true);
    for (const sign of ["\u0000", "\n", "\u007f", "\u009f", "\ud800"]) {
      expect([sign, parseNode({ title: `Title ${sign}` }, "x").ok]).toEqual([sign, false]);
    }
  });
});

describe("a patch", () => {
  it("may be empty, and empties a field with null", () => {
    expect(parsePatch({}, "--title")).toEqual({ ok: true, value: {} });
    expect(parsePatch({ profile: null, priority: null }, "edit")).toEqual({
      ok: true,
      value: { profile: null, priority: null },
    });
  });

  it("cannot empty the title", () => {
    expect(parsePatch({ title: null }, "--title")).toMatchObject({
      ok: false,
      error: { kind: "usage", reason: "bad-value", message: '--title: "title" must be a text.' },
    });
  });
});

describe("a reason or a note", () => {
  it("is trimmed", () => {
    expect(parseWords("  because\nof this ", "reason")).toEqual({ ok: true, value: "because\nof this" });
  });

  it.each([
    ["", "The reason must not be empty."],
    [" ", "The reason must not be empty."],
    ["a\0", "The reason contains the control character U+0000."],
    ["x".repeat(4_097), "The reason has 4097 characters; at most 4096 are allowed."],
  ])("does not take %.20j", (value, message) => {
    expect(parseWords(value, "reason")).toMatchObject({ ok: false, error: { kind: "usage", message } });
  });
});
