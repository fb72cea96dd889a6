import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { lastPid, newerPids, newerThan } from "./newer.js";

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

  it("names the few that can be newer, and looks for them among many", () => {
    const now = lastPid() as number;
    expect(newerPids(now - 2, 0).slice(0, 2)).toEqual([now - 1, now]);
    const all = newerPids(now, 1e12);
    expect(all).toContain(process.pid);
    expect(all.every((pid) => pid > 0)).toBe(true);
  });
});
