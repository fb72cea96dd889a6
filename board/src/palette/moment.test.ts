import { describe, expect, it } from "vitest";
import { findMoment } from "./moment.js";

const NOW = new Date(2026, 10, 18, 12, 0).getTime();
const LOG = [
  { op: 30, at: new Date(2026, 10, 18, 11, 0).toISOString() },
  { op: 20, at: new Date(2026, 10, 17, 15, 0).toISOString() },
  { op: 10, at: new Date(2026, 10, 14, 9, 0).toISOString() },
];

describe("a moment in words", () => {
  it.each([
    ["20", 20],
    ["25", 20],
    ["#10", 10],
    ["yesterday 16:00", 20],
    ["yesterday 14:00", 10],
    ["14 nov", 10],
    ["11:30", 30],
    ["today", 30],
    ["whenever", undefined],
    ["", undefined],
    ["3", undefined],
  ])("%s is operation %s", (text, op) => expect(findMoment(text, LOG, NOW)?.op).toBe(op));
});
