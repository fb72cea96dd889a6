import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, it, onTestFinished, vi } from "vitest";
import { areFewer, countStarts } from "./starts.js";

it("no machine starts a hundred thousand in half a second", () => {
  expect([areFewer(100_000, 500), areFewer(10_000, 500)]).toEqual([true, false]);
});

it.runIf(existsSync("/proc/stat"))("what took a while is counted, if somebody had counted before", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  countStarts();
  for (let i = 0; i < 20; i++) spawnSync("true");
  vi.advanceTimersByTime(5_000);
  // With the thousand that may have begun before the count.
  expect([areFewer(1_020, 5_000), areFewer(400_000, 5_000)]).toEqual([false, true]);
  expect(areFewer(400_000, 6_000)).toBe(false);
});
