import { assert, constantFrom, property } from "fast-check";
import { describe, expect, it } from "vitest";
import {
  ATTEMPT_STATES,
  addUsage,
  canHandIn,
  hasEnded,
  isByHand,
  isLanding,
  LANDER,
  mayMove,
  NO_USAGE,
  touchedBy,
} from "./attempt.js";

const state = constantFrom(...ATTEMPT_STATES);

describe("an attempt", () => {
  it("is a landing if nobody but the program works on it", () => {
    expect([isLanding({ worker: LANDER }), isLanding({ worker: { ...LANDER, name: "shell" } })]).toEqual([true, false]);
  });

  it.each([
    ["a person in a worktree of its own", { worker: { ...LANDER, kind: "person" } }, true],
    ["a person in their own checkout", { worker: { ...LANDER, kind: "person" }, checkout: "/home/ada/shop" }, false],
    ["an agent", { worker: { ...LANDER, kind: "agent" } }, false],
    ["a command", { worker: LANDER }, false],
  ] as const)("is by hand or not: %s", (_, attempt, expected) => expect(isByHand(attempt)).toBe(expected));

  it("goes from claim to acceptance", () => {
    const way = ["claimed", "prepared", "working", "checking", "reviewing", "integrating", "accepted"] as const;
    for (const [i, to] of way.slice(1).entries()) expect(mayMove(way[i] ?? "claimed", to)).toBe(true);
  });

  it.each([
    ["claimed", "working"],
    ["claimed", "accepted"],
    ["prepared", "accepted"],
    ["working", "accepted"],
    ["checking", "accepted"],
    ["reviewing", "accepted"],
  ] as const)("never skips from %s to %s", (from, to) => expect(mayMove(from, to)).toBe(false));

  it("goes back to its worker when a check or a reviewer found something", () => {
    expect([
      mayMove("checking", "working"),
      mayMove("reviewing", "working"),
      mayMove("integrating", "checking"),
    ]).toEqual([true, true, true]);
  });

  it("stays ended, and may be lost, given up or given back at any moment before", () => {
    const ends = ["failed", "lost", "released"] as const;
    assert(
      property(state, state, (from, to) => {
        expect(hasEnded(from) && mayMove(from, to)).toBe(false);
        expect(hasEnded(from) || ends.every((end) => mayMove(from, end))).toBe(true);
      }),
    );
  });

  // A program may be killed in any state: what the next one can do with the attempt.
  it.each([
    ["claimed", "rolled back"],
    ["prepared", "rolled back"],
    ["working", "handed in again"],
    ["checking", "handed in again"],
    ["reviewing", "handed in again"],
    ["integrating", "handed in again"],
    ["accepted", "over"],
    ["pending", "over"],
    ["rejected", "over"],
    ["failed", "over"],
    ["lost", "over"],
    ["released", "over"],
  ] as const)("never gets stuck in a state: killed while it is %s, it is %s", (from, then) => {
    const after = canHandIn(from) ? "handed in again" : hasEnded(from) ? "over" : "rolled back";
    expect(after).toBe(then);
    expect(mayMove(from, "working")).toBe(after === "handed in again" || from === "prepared");
    expect(mayMove(from, "lost")).toBe(after !== "over");
  });

  it("always finds a way from where it is to an end that is no accident", () => {
    const live = ATTEMPT_STATES.filter((from) => !hasEnded(from));
    const reach = (from: (typeof ATTEMPT_STATES)[number], seen = new Set([from])): typeof seen => {
      for (const to of ATTEMPT_STATES) {
        if (!mayMove(from, to) || seen.has(to)) continue;
        seen.add(to);
        reach(to, seen);
      }
      return seen;
    };
    for (const from of live)
      expect([from, reach(from).has("accepted"), reach(from).has("rejected")]).toEqual([from, true, true]);
  });

  it("counts what it used, and knows no cost where nobody told one", () => {
    const one = { inputTokens: 1, outputTokens: 2, costUsd: null };
    expect(addUsage(one, NO_USAGE)).toEqual(one);
    expect(addUsage(one, { ...one, costUsd: 0.5 }).costUsd).toBe(0.5);
    expect(addUsage({ ...one, costUsd: 0.25 }, one).costUsd).toBe(0.25);
  });

  it("touched what it made, changed and took away", () => {
    expect(touchedBy({ created: ["a"], modified: ["b"], deleted: ["c"] })).toEqual(["a", "b", "c"]);
  });
});
