import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";
import { Starts } from "./starts.js";

it("no machine starts a hundred thousand in half a second", () => {
  const starts = new Starts();
  expect([starts.areFewer(100_000, 500), starts.areFewer(10_000, 500)]).toEqual([true, false]);
});

// Elsewhere than on Linux nobody counts.
it.runIf(existsSync("/proc/stat"))("what took a while is counted, if somebody had counted before", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const starts = new Starts();
  starts.count();
  for (let i = 0; i < 20; i++) spawnSync("true");
  vi.advanceTimersByTime(5_000);
  // With the thousand that may have begun before the count.
  expect([starts.areFewer(1_020, 5_000), starts.areFewer(400_000, 5_000)]).toEqual([false, true]);
  expect(starts.areFewer(400_000, 6_000)).toBe(false);
});
