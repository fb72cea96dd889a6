import { describe, expect, it } from "vitest";
import { symbolsChanged } from "./symbols.js";

/** Those of a file that is new. */
const symbolsIn = (path: string, text: string): Promise<string[] | undefined> => symbolsChanged(path, "", text);

describe("the symbols of a file", () => {
  it.each([
    [
      "a.ts",
      `@dec export class A<T> extends B { x = 1; static async m() { const inner = 1; } #p() {} constructor() {} }
       export const f = (a) => a, g = 2; const { u, v: [w] } = z;
       export default function h() { function inside() {} }
       interface I { a: string } type T = 1; enum E { A } namespace N { export function q() {} }
       declare function d(): void; "function notOne() {}"; // class NotOne {}
       describe("x", () => { const local = 1; });`,
      ["A", "A.x", "A.m", "A.#p", "A.constructor", "f", "g", "u", "w", "h", "I", "T", "E", "N", "N.q", "d"],
    ],
    ["a.tsx", "export const View = () => <p>function not() {}</p>;", ["View"]],
    [
      "a.cjs",
      "exports.open = () => 1; module.exports.shut = 2; A.prototype.c = function () {};",
      ["open", "shut", "A.c"],
    ],
    [
      "a.py",
      "X = 1\n@dec\ndef f(a):\n    def g(): pass\nclass A(B):\n    y = 2\n    async def m(self): pass\nif X:\n    def h(): pass\n",
      ["X", "f", "A", "A.y", "A.m", "h"],
    ],
    [
      "a.go",
      "package a\nfunc F() {}\nfunc (s *Server) Close() error { return nil }\nfunc (s Gen[T]) X() {}\ntype T struct{}\ntype (\n U int\n)\nvar x, y = 1, 2\nconst (\n A = 1\n B\n)\n",
      ["F", "Server.Close", "Gen.X", "T", "U", "x", "y", "A", "B"],
    ],
    [
      "a.rs",
      "pub fn f() {}\nstruct S {}\nimpl<T> Tr for S<T> { fn m(&self) {} }\nimpl S { fn n() {} }\nmod k { fn g() {} }\ntrait Tr { fn m(&self); }\nconst Y: u8 = 2;\nmacro_rules! mm { () => {} }",
      ["f", "S", "S", "S.m", "S", "S.n", "k", "k.g", "Tr", "Tr.m", "Y", "mm"],
    ],
    [
      "A.java",
      "class A { int x = 1, y; A() {} void m() {} static class I { void n() {} } enum E { P; void z() {} } } interface J { void k(); } record R(int a) { void v() {} }",
      ["A", "A.x", "A.y", "A.A", "A.m", "A.I", "A.I.n", "A.E", "A.E.z", "J", "J.k", "R", "R.v"],
    ],
    [
      "a.cpp",
      "int f(int a) { return 1; }\nclass A { void m() {} int x; };\nvoid A::n() {}\nnamespace N { int g(); }\ntemplate<class T> T h(T a) { return a; }\nenum E { P }; using J = int; int *p(char *c) { return 0; }",
      ["f", "A", "A.m", "A.x", "A.n", "N", "N.g", "h", "E", "J", "p"],
    ],
    [
      "a.php",
      "<?php function f() {} class A { const C = 1; public $x; function m() {} } enum E { case P; }",
      ["f", "A", "A.C", "A.$x", "A.m", "E"],
    ],
  ])("%s", async (path, text, expected) => {
    expect(await symbolsIn(path, text)).toEqual([...new Set(expected)].sort());
  });

  it("are found as far as a file makes sense", async () => {
    expect(await symbolsIn("a.ts", "export function a() {}\nconst = ;;;{{{ export function b( {}\n")).toContain("a");
    expect(await symbolsIn("a.ts", "")).toEqual([]);
  });

  it("are not guessed in a language that is not known, nor in a file of a megabyte", async () => {
    expect(await symbolsIn("a.md", "# function a() {}")).toBeUndefined();
    expect(await symbolsIn("Makefile", "a: b")).toBeUndefined();
    expect(await symbolsIn("a.ts", " ".repeat(1_000_001))).toBeUndefined();
  });

  it("are no deeper than anybody writes them", async () => {
    const deep = `${"class A { static B = 1; } namespace N {".repeat(100)}${"}".repeat(100)}`;
    expect(((await symbolsIn("a.ts", deep)) ?? []).length).toBeLessThan(100);
  });
});

describe("the symbols that a change touched", () => {
  const BEFORE =
    "import a from 'a';\nclass S {\n  x = 1;\n  open() { return 1; }\n  close() { return 2; }\n}\nconst k = 1;\n";
  it.each([
    ["a method, and not its class", BEFORE.replace("return 1", "return 9"), ["S.open"]],
    ["the class itself", BEFORE.replace("class S", "class S extends B"), ["S"]],
    ["one that came", BEFORE.replace("const k", "function n() {}\nconst k"), ["n"]],
    ["one that went", BEFORE.replace("const k = 1;", ""), ["k"]],
    ["one that is called otherwise now", BEFORE.replace("open()", "begin()"), ["S.begin", "S.open"]],
    ["nothing by its layout", BEFORE.replace("{ return 1; }", "{\n    return 1;\n  }"), []],
    ["nothing by an import", BEFORE.replace("'a'", "'b'"), []],
    ["everything of a file that is new or gone", "", ["S", "S.close", "S.open", "S.x", "k"]],
  ])("%s", async (_, after, changed) => {
    expect(await symbolsChanged("a.ts", BEFORE, after)).toEqual(changed);
    expect(await symbolsChanged("a.ts", after, BEFORE)).toEqual(changed);
  });

  it("is not known of a language that is not", async () => {
    expect(await symbolsChanged("a.md", "a", "b")).toBeUndefined();
  });
});
