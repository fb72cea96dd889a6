import { expect, it } from "vitest";
import { isTransient, type RoleReply, retryDelays } from "./server.js";

it.each<[RoleReply["ending"], string, boolean]>([
  ["crashed", "", true],
  ["refused", "API Error: 529 overloaded_error", true],
  ["refused", "connect ECONNREFUSED 127.0.0.1:1", true],
  ["refused", "Rate limited: too many requests", true],
  ["refused", "I will not do this.", false],
  ["refused", "Line 5290 is too long", false],
  ["unavailable", "scripted: 503 Service Unavailable", true],
  ["unavailable", "not logged in", false],
  ["timeout", "529", false],
  ["cancelled", "ECONNRESET", false],
  ["finished", "529", false],
])("%s %j passes by itself: %s", (ending, message, expected) => {
  expect(isTransient({ ending, message })).toBe(expected);
});

it("waits longer each time", () => {
  expect(retryDelays(4)).toEqual([1_000, 4_000, 16_000, 64_000]);
  expect(retryDelays(0)).toEqual([]);
});
