import { describe, expect, it } from "vitest";
import { momentQuery } from "./moment.js";

const NOW = new Date(2026, 10, 18, 12, 0).getTime();
const until = (...of: [number, number, number, number, number]) => ({
  until: new Date(...of, 59, 999).toISOString(),
  limit: 1,
});

describe("a moment in words", () => {
  it.each([
    ["20", { before: 21, limit: 1 }],
    ["#10", { before: 11, limit: 1 }],
    ["yesterday 16:00", until(2026, 10, 17, 16, 0)],
    ["yesterday", until(2026, 10, 17, 23, 59)],
    ["14 nov", until(2026, 10, 14, 23, 59)],
    ["18 nov", until(2026, 10, 18, 23, 59)],
    ["24 dec 9:30", until(2025, 11, 24, 9, 30)],
    ["11:30", until(2026, 10, 18, 11, 30)],
    ["today", until(2026, 10, 18, 23, 59)],
    ["whenever", { limit: 6 }],
    ["", { limit: 6 }],
  ])("%s asks the log for the last operation by then", (text, query) => {
    expect(momentQuery(text, NOW)).toEqual(query);
  });
});
