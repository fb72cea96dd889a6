import { describe, expect, onTestFinished, test, vi } from "vitest";
import { WriteLock, whenUnlocked } from "./write-lock.js";

const LOCKED = new Error("database is locked");
const FULL = new Error("database or disk is full");

/** Refuses so many times, as SQLite does. */
function refuses(times: number, error = LOCKED): { attempt: () => number; attempts: () => number } {
  let attempts = 0;
  return {
    attempt: () => {
      attempts++;
      if (attempts <= times) throw error;
      return attempts;
    },
    attempts: () => attempts,
  };
}

describe("whenUnlocked", () => {
  test("answers at once when nothing is locked", () => {
    expect(whenUnlocked(refuses(0).attempt)).toBe(1);
  });

  test("asks again until the file is unlocked", async () => {
    const { attempt, attempts } = refuses(3);
    expect(await whenUnlocked(attempt)).toBe(4);
    expect(attempts()).toBe(4);
  });

  test("throws any other error at once", () => {
    const { attempt, attempts } = refuses(1, FULL);
    expect(() => whenUnlocked(attempt)).toThrow(FULL);
    expect(attempts()).toBe(1);
  });

  test("gives up after 30 seconds with the last error, and lets timers run meanwhile", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const waiting = Promise.resolve(whenUnlocked(refuses(Number.POSITIVE_INFINITY).attempt)).catch((error) => error);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1000);
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await waiting).toBe(LOCKED);
    clearInterval(timer);
    expect(ticks).toBe(31);
  });
});

describe("WriteLock", () => {
  const take = (lock: WriteLock, attempt: () => number): Promise<number> => lock.acquire(async () => attempt());

  test("is acquired once, however often it was refused before", async () => {
    const lock = new WriteLock();
    const [first, second] = [refuses(2), refuses(0)];
    expect(await take(lock, first.attempt)).toBe(3);
    expect(await take(lock, second.attempt)).toBe(1);
  });

  test("throws any other error at once", async () => {
    const { attempt, attempts } = refuses(1, FULL);
    await expect(take(new WriteLock(), attempt)).rejects.toThrow(FULL);
    expect(attempts()).toBe(1);
  });

  test("gives way before each operation of a long turn, until nobody has competed for a while", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const BEGIN = Date.UTC(2026, 0, 1);
    const givesWay = async (lock: WriteLock, ms: number): Promise<boolean> => {
      vi.setSystemTime(BEGIN + ms);
      let taken = false;
      const taking = take(lock, refuses(0).attempt).then(() => {
        taken = true;
      });
      await vi.advanceTimersByTimeAsync(0);
      const waited = !taken;
      await vi.advanceTimersByTimeAsync(1);
      await taking;
      return waited;
    };
    const alone = new WriteLock();
    expect([await givesWay(alone, 0), await givesWay(alone, 100)]).toEqual([false, false]);
    vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => void vi.restoreAllMocks());
    vi.setSystemTime(BEGIN);
    const contended = new WriteLock();
    const refused = take(contended, refuses(1).attempt);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    const waits: boolean[] = [];
    for (const ms of [40, 60, 190, 210, 215]) waits.push(await givesWay(contended, ms));
    expect(waits).toEqual([false, true, true, false, false]);
  });
});
