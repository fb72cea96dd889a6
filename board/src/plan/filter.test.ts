import { describe, expect, it } from "vitest";
import { isEmpty, matches, parseFilter } from "./filter.js";

const node = {
  id: "TASK-00017",
  title: "Retry with backoff",
  status: "rejected",
  reason: "rejected",
  because: [],
} as const;
const running = { ...node, status: "in_progress", reason: "in-flight", because: ["agent:claude"] } as const;

describe("the filter of the plan", () => {
  it.each([
    ["", true],
    ["retry", true],
    ["RETRY backoff", true],
    ["retry forward", false],
    ['"with backoff"', true],
    ['"backoff with"', false],
    ["task-00017", true],
    ["status:rejected", true],
    ["status:done", false],
    ["status:done status:rejected", true],
    ["status:", true],
    ["reason:rejected", true],
    ["reason:deps-pending", false],
    ["in:feat-003", true],
    ["in:FEAT-004", false],
    ["by:claude", false],
    ["retry status:rejected in:FEAT-003", true],
  ])("%s", (text, expected) => {
    expect(matches(node, ["FEAT-003", "TASK-00017"], parseFilter(text))).toBe(expected);
  });

  it("finds who works on it", () => {
    expect(matches(running, [], parseFilter("by:agent:claude"))).toBe(true);
    expect(matches(running, [], parseFilter("status:in-progress"))).toBe(true);
  });

  it("asks the server about files", () => {
    const filter = parseFilter("file:src/auth");
    expect(filter.file).toBe("src/auth");
    expect(matches(node, [], filter, new Set(["TASK-00017"]))).toBe(true);
    expect(matches(node, [], filter, new Set())).toBe(false);
  });

  it("knows when it filters nothing", () => {
    expect(isEmpty(parseFilter("  status: "))).toBe(true);
    expect(isEmpty(parseFilter("x"))).toBe(false);
  });
});
