import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lastPid, newerThan } from "./newer.js";

const tells = existsSync("/proc/sys/kernel/ns_last_pid");

it("whatever is not known may be newer", () => {
  expect(newerThan(undefined, 0)(1)).toBe(true);
  expect(newerThan(lastPid(), 1e12)(1)).toBe(true);
});

describe.runIf(tells)("where the system tells", () => {
  it("what was there before is not newer", () => {
    const last = lastPid() as number;
    const isNewer = newerThan(last, 0);
    expect(isNewer(last)).toBe(false);
    expect(isNewer(last + 1_000_000_000)).toBe(false);
  });

  it("what came after is, also when the numbers have begun anew", () => {
    const now = lastPid() as number;
    expect(newerThan(now - 1, 0)(now)).toBe(true);
    const anew = newerThan(now + 1_000_000, 0);
    expect([anew(now + 1_000_001), anew(1), anew(now + 1_000_000)]).toEqual([true, true, false]);
  });
});
