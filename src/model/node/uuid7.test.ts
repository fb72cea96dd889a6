import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isUuid } from "./ids.js";
import { uuid7, uuid7s } from "./uuid7.js";

describe("uuid7", () => {
  const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
  const moment = fc.integer({ min: 0, max: 2 ** 48 - 1 });

  it("has the shape of a version 7 UUID and begins with the time", () => {
    fc.assert(
      fc.property(moment, bytes, (ms, random) => {
        const uuid = uuid7(ms, random);
        expect(isUuid(uuid)).toBe(true);
        expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(uuid.replace("-", "").slice(0, 12), 16)).toBe(ms);
      }),
    );
  });

  it("sorts by time", () => {
    fc.assert(
      fc.property(moment, moment, bytes, (a, b, random) => {
        fc.pre(a < b);
        expect(uuid7(a, random) < uuid7(b, random)).toBe(true);
      }),
    );
  });

  it("uses every random bit, and does with fewer", () => {
    const distinct = new Set(Array.from({ length: 10 }, (_, i) => uuid7(1, new Uint8Array(10).fill(1, i, i + 1))));
    expect(distinct.size).toBe(10);
    expect(uuid7(0, new Uint8Array())).toBe("00000000-0000-7000-8000-000000000000");
  });

  it("of one batch differ and sort by their numbers", () => {
    const number = fc.integer({ min: 0, max: 2 ** 26 - 1 });
    fc.assert(
      fc.property(moment, bytes, number, number, (ms, random, a, b) => {
        fc.pre(a < b);
        const uuidOf = uuid7s(ms, random);
        expect(isUuid(uuidOf(a))).toBe(true);
        expect(uuidOf(a) < uuidOf(b)).toBe(true);
        expect(uuidOf(a).slice(-12)).toBe(uuid7(ms, random).slice(-12));
      }),
    );
  });
});
