import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isUuid } from "./ids.js";
import { derivedUuid, uuid5 } from "./uuid5.js";

const DNS = "6ba7b810-9dad-11d1-80b4-00c04fd430c8";

describe("a UUID that follows from a name", () => {
  it("is the one of the standard", () => {
    expect(uuid5(DNS, "www.example.com")).toBe("2ed6657d-e927-568b-95e1-2665a8aea6a2");
  });

  it("has the digits of SHA-1, whatever the name is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (name) => {
        const hash = createHash("sha1")
          .update(Buffer.from(DNS.replaceAll("-", ""), "hex"))
          .update(name)
          .digest("hex");
        const uuid = uuid5(DNS, name);
        expect(isUuid(uuid)).toBe(true);
        expect(uuid.replaceAll("-", "").slice(0, 12)).toBe(hash.slice(0, 12));
        expect(uuid.slice(24)).toBe(hash.slice(20, 32));
      }),
    );
  });

  it("is the same for the same words, and another for others", () => {
    expect(derivedUuid("a", "b")).toBe(derivedUuid("a", "b"));
    expect(derivedUuid("a", "b")).not.toBe(derivedUuid("b", "a"));
  });
});
