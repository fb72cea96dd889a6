import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256 } from "./sha256.js";

const reference = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

describe("sha256", () => {
  it("knows the published values", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  it("equals Node's own for every length from 0 to 300, in one byte and in several", () => {
    for (let length = 0; length <= 300; length++) {
      for (const letter of ["a", "é", "語", "👍"]) {
        const text = letter.repeat(length);
        expect([length, letter, sha256(text)]).toEqual([length, letter, reference(text)]);
      }
    }
  });

  it("equals Node's own for any text, lone halves of characters included", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => sha256(text) === reference(text)),
      { numRuns: 500 },
    );
    expect(sha256("a\ud800b")).toBe(reference("a\ud800b"));
  });

  it("equals Node's own beyond its shared buffer, and forgets what was in it", () => {
    for (const length of [2_700, 2_706, 2_707, 8_191, 100_000]) {
      const text = "☃".repeat(length);
      expect(sha256(text)).toBe(reference(text));
      expect(sha256("short")).toBe(reference("short"));
    }
  });
});
