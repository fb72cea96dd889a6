import { describe, expect, it } from "vitest";
import { barsOf, firstMoment } from "./bars.js";
import { ticksOf, timeScale } from "./scale.js";

const T0 = Date.parse("2026-11-18T08:00:00.000Z");
const at = (minutes: number): string => new Date(T0 + minutes * 60_000).toISOString();
const span = (kind: "work" | "approval" | "dependencies" | "person", from: number, to: number | null, of?: string) => ({
  kind,
  from: at(from),
  to: to === null ? null : at(to),
  of: of ?? null,
});
const NOW = T0 + 60 * 60_000;
const still = { words: "", asks: false };
const kinds = (bars: ReturnType<typeof barsOf>): string[] =>
  bars.map(({ kind, begin, end }) => `${kind} ${(begin - T0) / 60_000}-${(end - T0) / 60_000}`);

describe("a row of the timeline", () => {
  it("draws waiting below work, and waiting for you in amber", () => {
    const spans = [span("approval", 0, 5), span("dependencies", 5, 10), span("work", 10, 20, "ATT-1")];
    expect(kinds(barsOf({ spans, status: "done" }, NOW, still))).toEqual(["ask 0-5", "wait 5-10", "work 10-20"]);
  });

  it("shows the last work of a rejected task as bad, and who it waits for", () => {
    const spans = [span("work", 0, 5, "ATT-1"), span("work", 8, 9, "ATT-2"), span("person", 9, null, "ESC-1")];
    const bars = barsOf({ spans, status: "rejected" }, NOW, { words: "a check failed", asks: true });
    expect(kinds(bars)).toEqual(["ask 9-60", "work 0-5", "bad 8-9"]);
    expect(bars[0]?.words).toBe("a check failed, 51:00");
  });

  it.each([
    [{ words: "ready; the level is off", asks: false }, "wait 10-60", "ready; the level is off, 50:00"],
    [{ words: "waits for you", asks: true }, "ask 10-60", "waits for you, 50:00"],
    [still, "wait 10-60", "ready, 50:00"],
  ])("says why a task stands still: %j", (standing, kind, words) => {
    const bars = barsOf({ spans: [span("dependencies", 0, 10)], status: "ready" }, NOW, standing);
    expect([kinds(bars).at(-1), bars.at(-1)?.words]).toEqual([kind, words]);
  });

  it("draws nothing of what has no past", () => {
    expect(barsOf({ spans: [], status: "planned" }, NOW, still)).toEqual([]);
    expect(firstMoment([], NOW)).toBe(NOW);
  });
});

describe("the scale", () => {
  it("gives the forecast its own part at the right of now", () => {
    const alone = timeScale(T0, NOW, 0);
    expect([alone.at(T0), alone.at(NOW)]).toEqual([0, 100]);
    const ahead = timeScale(T0, NOW, 3_600_000);
    expect(ahead.at(NOW)).toBeLessThan(80);
    expect(ahead.at(NOW + 3_600_000)).toBe(100);
    expect(ahead.at(NOW + 99_000_000)).toBe(100);
  });

  it.each([[5], [60], [600], [60 * 24 * 9], [60 * 24 * 90]])(
    "has at most seven round ticks in %d minutes",
    (minutes) => {
      const ticks = ticksOf({ from: NOW - minutes * 60_000, now: NOW });
      expect(ticks.length).toBeGreaterThan(0);
      expect(ticks.length).toBeLessThanOrEqual(7);
    },
  );
});
