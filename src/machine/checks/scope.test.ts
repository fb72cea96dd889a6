// Whose failure it is. The outputs in test/fixtures/check-output were captured from the real tools, in a tree at
// /work/tree in which both an own and a foreign file, or only the foreign one, are broken.

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChangeSet } from "../../model/attempt/attempt.js";
import { scopeFailure } from "./diagnostics.js";

const ROOT = "/work/tree";
const CAPTURED = resolve(import.meta.dirname, "../../../test/fixtures/check-output");
const captured = (name: string): string => readFileSync(join(CAPTURED, `${name}.txt`), "utf8");

const changed = (...modified: string[]): ChangeSet => ({ created: [], modified, deleted: [] });
const scope = (output: string, ...touched: string[]): string => scopeFailure(output, changed(...touched), ROOT);

describe("what real tools say is attributed", () => {
  it.each([
    ["tsc", "src/own.ts", "own"],
    ["tsc", "src/foreign.ts", "own"],
    ["tsc", "src/else.ts", "foreign"],
    ["tsc-pretty", "src/own.ts", "own"],
    ["tsc-pretty", "src/else.ts", "foreign"],
    ["oxlint", "src/own.ts", "own"],
    ["oxlint", "src/else.ts", "foreign"],
    ["oxlint-unix", "src/foreign.ts", "own"],
    ["oxlint-unix", "src/own.ts", "foreign"],
    ["biome", "src/own.ts", "own"],
    ["biome", "src/else.ts", "foreign"],
    ["biome-colour", "src/foreign.ts", "own"],
    ["biome-colour", "src/own.ts", "foreign"],
    ["vitest", "src/own.test.ts", "own"],
    // It passes there: it is named, and not to blame.
    ["vitest", "src/fine.test.ts", "foreign"],
    ["vitest-colour", "src/fine.test.ts", "foreign"],
    ["vitest-colour", "src/foreign.test.ts", "own"],
    ["pytest", "py/test_foreign.py", "own"],
    ["pytest", "py/test_own.py", "foreign"],
    ["python", "py/test_foreign.py", "own"],
    ["python", "py/test_own.py", "foreign"],
    // Started in rs/, so it says `foreign.rs`.
    ["rustc", "rs/foreign.rs", "own"],
    ["rustc", "rs/main.rs", "foreign"],
    ["gcc", "c/foreign.c", "own"],
    ["gcc", "c/own.h", "foreign"],
    ["node", "src/own.mjs", "own"],
    ["node", "src/throw.mjs", "own"],
    ["node", "src/else.mjs", "foreign"],
    ["node-test", "src/t.test.mjs", "own"],
    ["node-test", "src/else.mjs", "foreign"],
  ])("%s, with %s changed: %s", (tool, touched, expected) => {
    expect(scope(captured(tool), touched)).toBe(expected);
  });
});

const ESLINT = `
${ROOT}/src/foreign.ts
  2:3  error  Unexpected 'debugger' statement  no-debugger

✖ 1 problem (1 error, 0 warnings)
`;
const JEST = `PASS src/own.test.js
FAIL src/foreign.test.js
  ● adds

    expect(received).toBe(expected) // Object.is equality

      at Object.toBe (src/foreign.test.js:3:17)
      at node_modules/jest-circus/build/run.js:10:1

Tests:       1 failed, 3 passed, 4 total
`;
const GO = `--- FAIL: TestOther (0.00s)
    foreign_test.go:12: got 1, want 2
--- PASS: TestOwn (0.00s)
FAIL
FAIL	example.com/shop/cart	0.003s
`;
const CARGO = `running 2 tests
test own::works ... ok
test foreign::fails ... FAILED

---- foreign::fails stdout ----
thread 'foreign::fails' panicked at src/foreign.rs:9:9:
assertion \`left == right\` failed
`;

describe("what other tools say is attributed", () => {
  it.each([
    ["eslint", ESLINT, "src/foreign.ts", "own"],
    ["eslint", ESLINT, "src/own.ts", "foreign"],
    ["jest", JEST, "src/own.test.js", "foreign"],
    ["jest", JEST, "src/foreign.test.js", "own"],
    ["go test", GO, "cart/foreign_test.go", "own"],
    ["go test", GO, "cart/own_test.go", "foreign"],
    ["go vet", "./cart/own.go:3:2: undefined: x", "cart/own.go", "own"],
    ["cargo test", CARGO, "src/foreign.rs", "own"],
    ["cargo test", CARGO, "src/own.rs", "foreign"],
    ["mypy", "app/own.py:3: error: Incompatible types", "app/own.py", "own"],
    ["javac", "src/Own.java:12: error: ';' expected", "src/Own.java", "own"],
    ["maven", `[ERROR] ${ROOT}/src/Own.java:[12,5] cannot find symbol`, "src/Own.java", "own"],
    ["dotnet", "src\\Own.cs(12,5): error CS1002: ; expected", "src/Own.cs", "own"],
    ["dotnet", "C:\\build\\src\\Own.cs(12,5): error CS1002: ; expected", "src/Own.cs", "own"],
    ["prettier", "[warn] src/own.ts\n[warn] Code style issues found in the above file.", "src/own.ts", "own"],
    ["gofmt -l", "cart/own.go\n", "cart/own.go", "own"],
    ["gofmt -l", "cart/own.go\n", "cart/else.go", "foreign"],
    ["black", "would reformat app/own.py", "app/own.py", "own"],
    ["shellcheck", "In bin/own.sh line 3:\n  ^-- SC2086", "bin/own.sh", "own"],
    ["make", "Makefile:12: *** missing separator.  Stop.", "Makefile", "own"],
    ["a name with a space", "src/my file.ts(1,2): error TS1005", "src/my file.ts", "own"],
    ["a route", "app/[id]/(shop)/page.tsx(1,2): error TS1005", "app/[id]/(shop)/page.tsx", "own"],
    ["a route", "app/[id]/(shop)/page.tsx(1,2): error TS1005", "app/else.ts", "foreign"],
    ["a file address", `    at file://${ROOT}/src/my%20own.mjs:1:2`, "src/my own.mjs", "own"],
    ["a container", "/app/src/own.ts:1:2 - error TS1", "src/own.ts", "own"],
    ["a package's folder", "src/own.ts(1,2): error TS1", "packages/a/src/own.ts", "own"],
    ["a folder above", "../lib/own.ts(1,2): error TS1", "packages/lib/own.ts", "own"],
    ["an option", "error: cannot read --config=conf/own.json", "conf/own.json", "own"],
    ["Windows ends of lines", "src/own.ts(1,2): error TS1\r\n", "src/own.ts", "own"],
  ])("%s: %j", (_, output, touched, expected) => {
    expect(scope(output, touched)).toBe(expected);
  });

  it.each([
    ["nothing", ""],
    ["no path", "Segmentation fault"],
    ["a command that is not there", "sh: 1: vitets: not found"],
    ["a version", "npm ERR! code 1\nnpm ERR! planwright@0.1.0 test: Node.js v20.20.2 failed"],
    ["only a library", `Error: no\n    at x (${ROOT}/node_modules/lib/index.js:1:2)\n    at node:internal/a.js:3:4`],
    ["only the system", "/usr/include/stdio.h:3:1: error: unknown type"],
    ["only an address", "error: see https://example.com/help.html:12 for help"],
    ["only what passed", " ✓ src/own.test.ts (3 tests) 5ms\nPASS src/else.test.ts\nok 1 - src/a.test.ts:3"],
    ["a file that nobody can tell from a word", "Makefile:3: *** missing separator"],
  ])("not to anybody: %s", (_, output) => {
    expect(scope(output, "src/own.ts")).toBe("unattributable");
  });

  it("reads long lines without end in good time", () => {
    const endless = "a".repeat(2_000_000);
    expect(scope(`error ${endless}\n${"a.".repeat(500_000)}\n${"(".repeat(500_000)}`, "src/own.ts")).toBe(
      "unattributable",
    );
  });

  it("whatever a tool puts around a path of the attempt's, it is the attempt's", () => {
    const name = fc.stringMatching(/^[a-z][\w @$()[\]+-]{0,11}$/).map((text) => text.trim());
    const path = fc.tuple(fc.array(name, { maxLength: 2 }), name).map(([on, last]) => [...on, `${last}.ts`].join("/"));
    const form = fc.constantFrom(
      (p: string) => `${p}(3,4): error TS1`,
      (p: string) => `${ROOT}/${p}:3:4: error: no`,
      (p: string) => `./${p}:3:4 - error`,
      (p: string) => `\u001B[31m${p}\u001B[0m:\u001B[33m3\u001B[0m:4 - error`,
      (p: string) => `  File "${ROOT}/${p}", line 3, in f`,
      (p: string) => ` FAIL  ${p} > adds`,
      (p: string) => `${p.replaceAll("/", "\\")}(3,4): error CS1`,
    );
    fc.assert(
      fc.property(path, form, (touched, say) => {
        const output = `src/foreign.ts(1,1): error TS2\n${say(touched)}\nFound 2 errors.`;
        expect(scope(output, touched)).toBe("own");
      }),
    );
  });
});
