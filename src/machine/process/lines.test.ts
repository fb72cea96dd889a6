import * as fc from "fast-check";
import { expect, it } from "vitest";
import { LineCutter, Tail } from "./lines.js";

const cutAll = (pieces: readonly string[], cutter = new LineCutter()): string[] => [
  ...pieces.flatMap((piece) => cutter.cut(piece)),
  ...cutter.rest(),
];

it.each([
  [["a\nb\n"], ["a", "b"]],
  [
    ["a", "b\nc"],
    ["ab", "c"],
  ],
  [
    ["a\r\nb\r", "\n"],
    ["a", "b"],
  ],
  [["\n\n"], ["", ""]],
  [[""], []],
])("cuts %j into %j", (pieces, lines) => {
  expect(cutAll(pieces)).toEqual(lines);
});

it("cuts the same lines however the text is cut into pieces", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z\n]{0,9}$/)), (pieces) => {
      expect(cutAll(pieces)).toEqual(cutAll([pieces.join("")]));
    }),
  );
});

it("gives up a line without an end, and goes on with the next", () => {
  const cutter = new LineCutter(10);
  expect(cutAll(["x".repeat(8), "x".repeat(8), "x\nfine\n"], cutter)).toEqual(["fine"]);
});

it("keeps the end of a text", () => {
  const tail = new Tail(5);
  for (let at = 0; at < 100; at += 1) tail.add(`${at},`);
  expect(tail.text).toBe("8,99,");
});
