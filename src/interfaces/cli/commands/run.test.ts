import { describe, expect, it } from "vitest";
import type { Ended } from "../../../execution/engine/run-session.js";
import { nextSteps } from "./run.js";

const ended = (...states: readonly Ended["state"][]): readonly Ended[] =>
  states.map((state, i) => ({ attempt: `ATT-${i}`, task: "T-1", state, note: "" }));

describe("what to type after a run", () => {
  const after = (...states: readonly Ended["state"][]): string =>
    nextSteps({ ended: ended(...states), held: [], stopped: false });

  it("is nothing about questions once a retry was accepted", () => {
    expect(after("rejected", "failed", "accepted")).toBe("Next: planwright status, then planwright land FEATURE.");
  });

  it.each(["rejected", "failed"] as const)("is the questions if the last one was %s", (state) => {
    expect(after("lost", state)).toBe("What a person has to decide: planwright escalations.");
  });
});
