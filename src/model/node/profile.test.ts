import { describe, expect, it } from "vitest";
import { inferProfile } from "./profile.js";

describe("the profile of a task", () => {
  it.each([
    [[], null],
    [["src/a.test.ts"], "test"],
    [["tests/a.py"], "test"],
    [["a_spec.rb"], "test"],
    [["README.md"], "docs"],
    [["docs/a.png"], "docs"],
    [["src/App.tsx"], "frontend"],
    [["src/components/a.js"], "frontend"],
    [["src/api/users.ts"], "api"],
    [["a.proto"], "api"],
    [["db/schema.rb"], "data"],
    [["001.sql"], "data"],
    [[".github/workflows/a.yml"], "infra"],
    [["Dockerfile"], "infra"],
    [["src/a.ts", "lib/b.go"], "backend"],
    [["a.bin"], "general"],
    [["src/a.ts", "src/a.test.ts"], "backend"],
    [["src/A.tsx", "test/a.ts"], "frontend"],
    [["src/a.ts", "README.md"], "general"],
    [["src/a.ts", "b.sql", "c.test.ts"], "general"],
  ] as const)("%j is %s", (files, expected) => {
    expect(inferProfile(files)).toBe(expected);
  });
});
