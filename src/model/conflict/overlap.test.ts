import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob } from "./glob.js";
import { couldMeet, type Footprint, groundOf, overlap, pathsMeet } from "./overlap.js";

const files = (...paths: string[]): Footprint => ({ files: paths, symbols: [] });

describe("files of two footprints", () => {
  it.each<[string, string[], string[], string[] | null]>([
    ["share a path", ["src/auth.ts", "a.md"], ["src/auth.ts"], ["src/auth.ts"]],
    ["share nothing", ["src/auth.ts"], ["src/login.ts"], null],
    ["name nothing", [], [], null],
    ["name nothing on one side", ["src/auth.ts"], [], null],
    ["are spelled otherwise", ["./src/auth.ts"], ["src\\auth.ts"], ["src/auth.ts"]],
    ["a folder holds a file", ["src/auth/"], ["src/auth/login.ts"], ["src/auth/login.ts"]],
    ["a folder without its slash", ["src/auth"], ["src/auth/login.ts"], ["src/auth/login.ts"]],
    ["a folder in a folder", ["src/auth/login/"], ["src/"], ["src/auth/login"]],
    ["names that only begin alike", ["src/auth"], ["src/auth.ts", "src/authors/a.ts"], null],
    ["one file in two folders", ["README.md"], ["docs/README.md"], null],
    ["a pattern matches", ["src/**/*.ts"], ["src/a/b.ts", "docs/a.md"], ["src/a/b.ts"]],
    ["a pattern does not", ["src/*.ts"], ["src/a.md"], null],
    ["a pattern for every folder", ["*.md"], ["docs/a.md"], ["docs/a.md"]],
    ["a folder and everything in it are one", ["src/auth/**"], ["src/auth/"], ["src/auth"]],
    ["two patterns meet", ["src/*.ts"], ["src/a*"], ["src/*.ts"]],
    ["two patterns meet, the longer second", ["src/a*"], ["src/*.ts"], ["src/*.ts"]],
    ["two patterns do not", ["src/*.ts"], ["src/*.md"], null],
    ["everything", ["**"], ["any/thing"], ["any/thing"]],
  ])("%s", (_, a, b, shared) => {
    expect(overlap(files(...a), files(...b))?.files ?? null).toEqual(shared);
  });

  it("say at which layer they meet", () => {
    expect(overlap(files("a"), files("a"))).toEqual({ layer: "files", files: ["a"], symbols: [] });
  });
});

describe("symbols of two footprints", () => {
  it.each<[string, string[], string[], object | null]>([
    ["differ", ["a.ts#login"], ["a.ts#logout"], null],
    ["are shared", ["a.ts#login"], ["a.ts#login"], { layer: "symbols", files: ["a.ts"], symbols: ["a.ts#login"] }],
    ["without a path", ["login"], ["logout"], null],
    [
      "without a path, shared",
      ["login"],
      ["a.ts#login"],
      { layer: "symbols", files: ["a.ts"], symbols: ["a.ts#login"] },
    ],
    [
      "a class holds its member",
      ["Session"],
      ["Session.close"],
      { layer: "symbols", files: ["a.ts"], symbols: ["a.ts#Session.close"] },
    ],
    [
      "a member is in its class",
      ["Session::close"],
      ["Session"],
      { layer: "symbols", files: ["a.ts"], symbols: ["a.ts#Session.close"] },
    ],
    [
      "any class may have it",
      ["close"],
      ["Session#close"],
      { layer: "symbols", files: ["a.ts"], symbols: ["a.ts#Session.close"] },
    ],
    ["two members", ["Session.open"], ["Session.close"], null],
    ["named on one side only", ["a.ts#login"], [], { layer: "files", files: ["a.ts"], symbols: [] }],
    ["named elsewhere", ["b.ts#login"], ["a.ts#login"], { layer: "files", files: ["a.ts"], symbols: [] }],
    ["empty names say nothing", ["a.ts#", " "], ["a.ts#x"], { layer: "files", files: ["a.ts"], symbols: [] }],
  ])("%s", (_, a, b, expected) => {
    const meets = overlap(
      { files: ["a.ts"], symbols: a.map((s) => s.replace("Session#", "a.ts#Session#")) },
      { files: ["a.ts"], symbols: b.map((s) => s.replace("Session#", "a.ts#Session#")) },
    );
    expect(meets).toEqual(expected);
  });

  it("count as files too, though only the symbols were given", () => {
    expect(overlap({ files: [], symbols: ["a.ts#x"] }, files("a.ts"))?.files).toEqual(["a.ts"]);
  });

  it("decide for each file: one settled by symbols, another not", () => {
    const a = { files: ["a.ts", "b.ts"], symbols: ["a.ts#x", "b.ts#y"] };
    expect(overlap(a, { files: ["a.ts", "b.ts"], symbols: ["a.ts#z"] })).toEqual({
      layer: "files",
      files: ["b.ts"],
      symbols: [],
    });
  });

  it("of a folder count for what is in it", () => {
    const a = { files: ["src/"], symbols: ["src/#x"] };
    expect(overlap(a, { files: ["src/a.ts"], symbols: ["y"] })).toBeNull();
  });
});

const name = fc.string({ unit: fc.constantFrom("a", "b", "*", "?", "."), minLength: 1, maxLength: 4 });
const plainName = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 3 });
const pattern = fc
  .array(fc.oneof(name, fc.constant("**")), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.filter((part) => part !== "." && part !== "..").join("/"))
  .filter((path) => path !== "");
const path = fc.array(plainName, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));

describe("overlap", () => {
  const footprint = fc.record({
    files: fc.array(fc.oneof(pattern, path), { maxLength: 4 }),
    symbols: fc.array(fc.constantFrom("x", "y", "a#x", "a/b#y.z", "y.z"), { maxLength: 3 }),
  });

  it("is the same from both sides", () => {
    fc.assert(
      fc.property(footprint, footprint, (a, b) => {
        expect(overlap(a, b)).toEqual(overlap(b, a));
      }),
    );
  });

  it("is never missed by the quick look", () => {
    fc.assert(
      fc.property(footprint, fc.array(footprint, { maxLength: 3 }), (a, others) => {
        const found = others.some((other) => overlap(a, other) !== null);
        expect(couldMeet(others.map(groundOf))(a) || !found).toBe(true);
      }),
    );
    const mayMeet = couldMeet([groundOf(files("src/auth.ts", "docs/"))]);
    const asked = ["src/auth.ts", "src", "docs/a.md", "src/login.ts", "doc", "src/*"].map((path) =>
      mayMeet(files(path)),
    );
    expect(asked).toEqual([true, true, true, false, false, true]);
  });

  it("holds for every footprint with itself, if it names anything", () => {
    fc.assert(
      fc.property(footprint, (a) => {
        fc.pre(a.files.length > 0);
        expect(overlap(a, a)).not.toBeNull();
      }),
    );
  });

  it("of two patterns holds whenever one path matches both", () => {
    fc.assert(
      fc.property(pattern, pattern, path, (a, b, each) => {
        fc.pre(/[*?]/.test(a) && /[*?]/.test(b) && matchesGlob(a, each) && matchesGlob(b, each));
        expect(pathsMeet(a, b)).toBe(true);
      }),
    );
  });

  it("of a pattern and a path is what the pattern says", () => {
    fc.assert(
      fc.property(pattern, path, (a, each) => {
        fc.pre(/[*?]/.test(a));
        expect(pathsMeet(a, each) || !matchesGlob(a, each)).toBe(true);
      }),
    );
  });

  it("takes no time that grows with wildcards", () => {
    const stars = `${"*a".repeat(500)}b`;
    expect(pathsMeet(`src/${stars}`, `src/${"a".repeat(1_000)}`)).toBe(false);
  });
});
