import { expect, it } from "vitest";
import { isoTime } from "./iso-time.js";
import { moment } from "./status/hold-phrase.js";

it.each([8.64e15 + 1, -1e300, Number.NaN, Number.POSITIVE_INFINITY])("the damaged time %s is shown as none", (ms) => {
  expect(isoTime(ms)).toBe("0000-00-00T00:00:00.000Z");
  expect(moment(ms)).toBe("0000-00-00 00:00 UTC");
});

it("a time is written as ISO 8601 says", () => {
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
});
