import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchesGlob } from "./glob.js";

describe("patterns for paths", () => {
  it.each([
    ["src/a.ts", "src/a.ts", true],
    ["src/a.ts", "src/b.ts", false],
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/deep/a.ts", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "src/deep/er/a.ts", true],
    ["src/**/*.ts", "test/a.ts", false],
    ["**/legacy/**", "src/legacy/a.ts", true],
    ["**/legacy/**", "src/legacy", true],
    ["src/?.ts", "src/a.ts", true],
    ["src/?.ts", "src/ab.ts", false],
    ["src/?.ts", "src/.ts", false],
    ["*.sql", "db/one.sql", true],
    ["/*.sql", "db/one.sql", false],
    ["/*.sql", "one.sql", true],
    ["src/legacy", "src/legacy/deep/a.ts", true],
    ["src/legacy/", "src/legacy/a.ts", true],
    ["src/legacy", "src/legacyish/a.ts", false],
    ["./src/a.ts", "src/a.ts", true],
    ["src\\a.ts", "src/a.ts", true],
    ["**", "anything/at/all", true],
    ["a*b*c", "axxbxxc", true],
    ["a*b*c", "axxbxx", false],
    ["src/*/x", "src/x", false],
    ["漢?.md", "漢字.md", true],
    ["?.md", "😀.md", true],
    ["a.b", "axb", false],
    ["", "a", false],
    ["/", "a", false],
  ])("%s and %s: %s", (pattern, path, expected) => {
    expect(matchesGlob(pattern, path)).toBe(expected);
  });

  const name = fc.stringMatching(/^[a-z.]{1,6}$/).filter((part) => part !== ".");
  const path = fc.array(name, { minLength: 1, maxLength: 5 });

  it("a path matches itself, and everything below it", () => {
    fc.assert(
      fc.property(path, path, (folder, below) => {
        expect(matchesGlob(folder.join("/"), [...folder, ...below].join("/"))).toBe(true);
        expect(matchesGlob(`/${folder.join("/")}`, folder.join("/"))).toBe(true);
      }),
    );
  });

  it("any part may become a wildcard, and the path still matches", () => {
    fc.assert(
      fc.property(path, fc.nat(), fc.constantFrom("*", "**"), (parts, at, wild) => {
        const pattern = parts.with(at % parts.length, wild);
        expect(matchesGlob(`/${pattern.join("/")}`, parts.join("/"))).toBe(true);
      }),
    );
  });

  it("answers soon, however many stars there are", () => {
    expect(matchesGlob(`${"*a".repeat(300)}b`, "a".repeat(3_000))).toBe(false);
    expect(matchesGlob(`${"**/a/".repeat(200)}b`, "a/".repeat(1_000))).toBe(false);
  });
});
