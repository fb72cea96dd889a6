import { describe, expect, it } from "vitest";
import { wholeNode } from "./content.js";
import { parseInput } from "./schema.js";

const read = (value: unknown) => parseInput(wholeNode(), value);

const message = (value: unknown): string => {
  const result = read(value);
  return result.ok ? "good" : result.error.message;
};

const UUID = "019b76da-a801-7101-8101-010101010101";
const LINE = "x".repeat(4_096);

/** For each field: values that are fine, and values that are not with a part of the message. */
const FIELDS: Readonly<Record<string, { good: readonly unknown[]; bad: readonly (readonly [unknown, string])[] }>> = {
  id: {
    good: ["FEAT-A", "a.b_c-9", "x".repeat(64)],
    bad: [
      ["", "id must be 1 to 64 letters"],
      ["a b", "1 to 64 letters"],
      ["x".repeat(65), "1 to 64 letters"],
      [7, "id must be text"],
    ],
  },
  uuid: {
    good: [UUID],
    bad: [
      [UUID.toUpperCase(), "uuid must be a UUID in lower case"],
      ["019b", "must be a UUID"],
      [7, "uuid must be text"],
    ],
  },
  tier: { good: ["mission", "task"], bad: [["epic", "tier must be one of mission, initiative, feature, story, task"]] },
  kind: {
    good: ["work", "land"],
    bad: [
      ["bug", "kind must be one of work, gate, review, land"],
      [1, "must be one of"],
    ],
  },
  title: {
    good: ["T", "👩‍🚀 مرحبا", "x".repeat(500)],
    bad: [
      ["", "title must not be empty"],
      [" \u00a0 ", "must not be empty"],
      [null, "title must be text"],
      [7, "title must be text"],
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
      [{}, "body must be text"],
    ],
  },
  parent: {
    good: ["FEAT-A", "words of a title", LINE],
    bad: [
      ["", "parent must not be empty"],
      [`${LINE}x`, "at most 4096"],
      ["a\nb", "U+000A"],
    ],
  },
  dependsOn: {
    good: [[], ["A", "B"]],
    bad: [
      ["A", "dependsOn must be a list"],
      [["A", ""], "dependsOn[1] must not be empty"],
      [["A", 7], "dependsOn[1] must be text"],
      [Array.from({ length: 10_001 }, () => "A"), "dependsOn must have at most 10000 entries"],
    ],
  },
  files: {
    good: [["src/a.ts", "a b.md", "...", "src/..hidden"]],
    bad: [
      [["/etc/passwd"], "files[0] must be a path inside the workspace"],
      [["../a"], "inside the workspace"],
      [["src/../../a"], "inside the workspace"],
      [["src\\..\\a"], "inside the workspace"],
      [["C:\\a"], "inside the workspace"],
      [["\\\\host\\a"], "inside the workspace"],
      [[""], "files[0] must not be empty"],
      [["a\0"], "U+0000"],
      ["a", "files must be a list"],
    ],
  },
  symbols: {
    good: [["f", "Class.method"]],
    bad: [
      [[" "], "symbols[0] must not be empty"],
      [{}, "symbols must be a list"],
    ],
  },
  checks: {
    good: [
      [{ run: "npm test" }],
      [{ run: "a\nb", expect: "exit 1", timeoutS: 0.1, cwd: "web" }],
      [{ run: "x", timeoutS: 86_400 }],
    ],
    bad: [
      [[7], "checks[0] must be an object"],
      [[" "], "checks[0].run must not be empty"],
      [[null], "checks[0] must be an object"],
      [[[]], "checks[0] must be an object"],
      [[{ expect: "exit 0" }], "checks[0].run is missing"],
      [[{ run: " " }], "checks[0].run must not be empty"],
      [[{ run: "x", expect: "" }], "checks[0].expect must not be empty"],
      [[{ run: "x", timeoutS: 0 }], "checks[0].timeoutS must be at least 0.1"],
      [[{ run: "x", timeoutS: "9" }], "checks[0].timeoutS must be a number"],
      [[{ run: "x", cwd: "../.." }], "checks[0].cwd must be a path inside"],
      [[{ run: "x", timeout: 9 }], "checks[0].timeout is not a field here"],
      [[{ run: "x", toString: 9 }], "checks[0].toString is not a field here"],
      [[JSON.parse('{"run":"x","__proto__":{}}')], "checks[0].__proto__ is not a field here"],
    ],
  },
  profile: {
    good: ["backend", "a-1"],
    bad: [
      ["", "profile must be a short lower-case word"],
      ["Backend", "lower-case"],
      ["x".repeat(41), "short"],
      [7, "profile must be text"],
    ],
  },
  priority: {
    good: [0, 4],
    bad: [
      [-1, "priority must be at least 0"],
      [5, "priority must be at most 4"],
      [1.5, "priority must be a whole number"],
      ["1", "must be a whole number"],
      [Number.NaN, "must be a whole number"],
    ],
  },
  estimateHours: {
    good: [0.01, 10_000],
    bad: [
      [0, "estimateHours must be at least 0.01"],
      [Number.POSITIVE_INFINITY, "estimateHours must be a number"],
    ],
  },
  budgets: {
    good: [{}, { attempts: 1, replans: 0 }],
    bad: [
      [3, "budgets must be an object"],
      [{ attempts: 0 }, "budgets.attempts must be at least 1"],
      [{ tokens: 9 }, "budgets.tokens is not a field here"],
    ],
  },
};

describe.each(Object.entries(FIELDS))("the field %s", (field, { good, bad }) => {
  it.each(good.map((value) => [value]))("takes %.40j", (value) => {
    const node = { title: "T", [field]: value };
    expect(read(node)).toEqual({ ok: true, value: node });
  });

  it.each(bad)("does not take %.40j", (value, what) => {
    const refused = message({ title: "T", [field]: value });
    expect(refused.startsWith(field)).toBe(true);
    expect(refused).toContain(what);
    expect(refused.length).toBeLessThan(300);
    expect(refused).toMatch(/\.$/);
  });
});

describe("a check", () => {
  it("may be written as a command, with the output that it expects", () => {
    expect(read({ title: "T", checks: ["npm test", "npm run lint => ok"] })).toEqual({
      ok: true,
      value: { title: "T", checks: [{ run: "npm test" }, { run: "npm run lint", expect: "ok" }] },
    });
  });
});

describe("a node", () => {
  it.each([[null], [[]], ["text"], [7]])("is not %j", (value) => {
    expect(message(value)).toBe("the input must be an object.");
  });

  it("needs a title", () => {
    expect(message({ body: "x" })).toBe("title is missing.");
  });

  it("names every field that is wrong", () => {
    expect(message({ title: "", files: ["/a", "b", "../c"] })).toBe(
      "title must not be empty, and files[0] must be a path inside the workspace, and files[2] must be a path inside the workspace.",
    );
  });

  it.each(["children", "state", "toString", "hasOwnProperty", "constructor"])("has no field %s", (field) => {
    expect(message({ title: "T", [field]: {} })).toBe(`${field} is not a field here.`);
  });

  it("has no field __proto__ either", () => {
    expect(message(JSON.parse('{"title":"T","__proto__":{"kind":"gate"}}'))).toContain("__proto__ is not a field");
  });

  it("may be an exported one: what is derived is left out, and null means that nothing is said", () => {
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
    expect(read(exported)).toEqual({ ok: true, value: { title: "T" } });
  });

  it("leaves out what is undefined", () => {
    expect(read({ title: "T", body: undefined })).toStrictEqual({ ok: true, value: { title: "T" } });
  });

  it("takes nothing that an object only inherits", () => {
    const heir = Object.assign(Object.create({ parent: 7 }), { title: "T" }) as object;
    const parsed = read(heir);
    expect(parsed.ok && parsed.value.parent).toBe(undefined);
  });

  it("finds what must not be in a text beside letters of other scripts", () => {
    expect(read({ title: "Überschrift 漢字 😀" }).ok).toBe(true);
    for (const sign of ["\u0000", "\n", "\u007f", "\u009f", "\ud800"]) {
      expect([sign, read({ title: `Title ${sign}` }).ok]).toEqual([sign, false]);
    }
  });
});
