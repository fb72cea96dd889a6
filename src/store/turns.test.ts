import { expect, onTestFinished, test, vi } from "vitest";
import { again, Turns } from "./turns.js";

/** Refuses as SQLite does, so many times. */
function busy(times: number): { ask: () => number; asked: () => number } {
  let asked = 0;
  return {
    ask: () => {
      asked++;
      if (asked <= times) throw new Error("database is locked");
      return asked;
    },
    asked: () => asked,
  };
}

test("whoever is refused asks again until the lock is free", () => {
  const { ask, asked } = busy(3);
  expect(again(new Error("database is locked"), ask)).toBe(4);
  expect(asked()).toBe(4);
});

test("a turn is taken once, however often it was refused before", () => {
  const turns = new Turns();
  const first = busy(2);
  turns.take(first.ask);
  expect(first.asked()).toBe(3);
  const second = busy(0);
  turns.take(second.ask);
  expect(second.asked()).toBe(1);
});

test("any other trouble is told at once", () => {
  const full = new Error("database or disk is full");
  const turns = new Turns();
  const fail = (): never => {
    throw full;
  };
  expect(() => turns.take(fail)).toThrow(full);
  const { ask, asked } = busy(0);
  expect(() => again(full, ask)).toThrow(full);
  expect(asked()).toBe(0);
});

test("a turn that has lasted gives way before each further operation, until nobody has come for long", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const pauses = vi.spyOn(Atomics, "wait").mockReturnValue("timed-out");
  onTestFinished(() => {
    vi.useRealTimers();
    pauses.mockRestore();
  });
  const pausesAfter = (turns: Turns, ms: number): number => {
    vi.setSystemTime(BEGIN + ms);
    pauses.mockClear();
    turns.take(() => undefined);
    return pauses.mock.calls.length;
  };
  const BEGIN = Date.UTC(2026, 0, 1);
  const alone = new Turns();
  expect([pausesAfter(alone, 0), pausesAfter(alone, 100)]).toEqual([0, 0]);
  vi.setSystemTime(BEGIN);
  const among = new Turns();
  among.take(busy(1).ask);
  expect([40, 60, 190, 210, 215].map((ms) => pausesAfter(among, ms))).toEqual([0, 1, 1, 0, 0]);
});
