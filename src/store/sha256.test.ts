import { createHash } from "node:crypto";
import { array, assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { Sha256, sha256 } from "./sha256.js";

const nodes = (text: string): string => createHash("sha256").update(text).digest("hex");

describe("SHA-256", () => {
  it.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 2047, 2048, 2049, 100_000])("of %i letters is Node's", (length) => {
    const text = "plan ✓ ".repeat(length).slice(0, length);
    expect(sha256(text)).toBe(nodes(text));
  });

  it("is the same however the text comes in parts", () => {
    const parts = array(string({ unit: "binary", maxLength: 900 }), { maxLength: 8 });
    assert(
      property(parts, (texts) => {
        const hash = new Sha256();
        for (const text of texts) hash.update(text);
        expect(hash.digest()).toBe(nodes(texts.join("")));
      }),
    );
  });
});
