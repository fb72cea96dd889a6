import { expect, it } from "vitest";
import { isoTime, localMinute, localSecond } from "./iso-time.js";

it.each([8.64e15 + 1, -1e300, Number.NaN, Number.POSITIVE_INFINITY])("the damaged time %s is shown as none", (ms) => {
  expect(isoTime(ms)).toBe("0000-00-00T00:00:00.000Z");
  expect(localMinute(ms)).toBe("0000-00-00 00:00");
  expect(localSecond(ms)).toBe("0000-00-00 00:00:00");
});

it("a time is written as ISO 8601 says", () => {
  expect(isoTime(0)).toBe("1970-01-01T00:00:00.000Z");
});

it.each([
  ["UTC", "2026-01-01 00:30", "2026-01-01 00:30:05"],
  ["Asia/Tokyo", "2026-01-01 09:30", "2026-01-01 09:30:05"],
  ["America/New_York", "2025-12-31 19:30", "2025-12-31 19:30:05"],
])("people in %s read it as %s", (zone, minute, second) => {
  const before = process.env["TZ"];
  process.env["TZ"] = zone;
  try {
    expect(localMinute(Date.UTC(2026, 0, 1, 0, 30, 5))).toBe(minute);
    expect(localSecond(Date.UTC(2026, 0, 1, 0, 30, 5))).toBe(second);
  } finally {
    process.env["TZ"] = before;
  }
});
