import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Run, SERVED } from "../../../test/machine-run.js";
import {
  type Beginning,
  begin,
  CHOICES,
  type Event,
  leftOutOf,
  type Machine,
  ROLES,
  type Role,
  STAGES,
} from "./machine.js";
import { reduce } from "./reduce.js";
import type { Verdict } from "./verdict.js";

describe("what goes wrong", () => {
  it("sends a reply that does not fit back, twice, then stops where it is", () => {
    const run = new Run();
    const misfit = (): Run => run.on({ type: "misfit", call: run.machine.calls });
    expect(misfit().says).toBe("ask clarifier clarify repair 1");
    expect(misfit().says).toBe("ask clarifier clarify repair 2");
    expect(misfit().says).toBe("halt unreadable");
    expect(run.on({ type: "resumed" }).says).toBe("ask clarifier clarify");
  });

  it.each(["timeout", "cancelled", "over-budget"] as const)("%s: stops, and goes on later", (how) => {
    const run = new Run().fail(how);
    expect([run.says, run.machine.end]).toEqual([`halt ${how}`, null]);
    expect(run.on({ type: "resumed" }).says).toBe("ask clarifier clarify");
  });

  it.each(["crashed", "refused", "unavailable"] as const)("%s: asks a person", (how) => {
    expect(new Run().fail(how).says).toBe("choose failure: retry|skip|abort");
    expect(new Run({ served: ["author"] }).fail(how).says).toBe("choose failure: retry|guide|abort");
  });

  it.each<[string, (run: Run) => Run, string]>([
    ["the role again", (run) => run.fail("crashed").on({ type: "chosen", choice: "retry" }), "ask clarifier clarify"],
    ["on without it", (run) => run.fail("crashed").on({ type: "chosen", choice: "skip" }), "ask author capabilities"],
    ["no further", (run) => run.fail("crashed").on({ type: "chosen", choice: "abort" }), "finish aborted"],
    [
      "on without the critic, with a note",
      (run) =>
        run
          .toReview()
          .on({ type: "linted", verdict: "approve" })
          .fail("crashed")
          .on({ type: "chosen", choice: "skip" }),
      "ask overviewer overview",
    ],
  ])("goes %s", (_, walk, says) => expect(walk(new Run()).says).toBe(says));

  it("does not resume, retry or skip what was not asked for", () => {
    const run = new Run().toReview().review("escalate");
    for (const choice of ["retry", "skip"] as const) expect(run.on({ type: "chosen", choice }).says).toBe("");
    expect(run.on({ type: "resumed" }).says).toBe("");
    const odd: Machine = {
      ...run.machine,
      wait: { for: "choice", matter: "failure", choices: ["retry", "skip"], failed: null },
    };
    for (const choice of ["retry", "skip"] as const) expect(reduce(odd, { type: "chosen", choice })).toBe(odd);
  });

  it("a person may ask for changes at the end, and abort at any time", () => {
    const run = new Run({ served: ["author"] }).toReview().review("approve");
    expect(run.on({ type: "changes-requested" }).says).toBe("ask author tasks revise on person");
    expect(run.on({ type: "changes-requested" }).says).toBe("");
    expect(run.on({ type: "aborted" }).says).toBe("finish aborted");
    expect(run.on({ type: "started" }).says).toBe("");
  });
});

const verdicts = fc.constantFrom<Verdict>("approve", "approve-with-notes", "revise", "escalate");
const ids = fc.subarray(["F1", "F2", "F3"]);
const events: fc.Arbitrary<(machine: Machine) => Event> = fc.oneof(
  fc
    .record({ verdict: verdicts, high: ids, questions: fc.subarray(["Q1", "Q2"]) })
    .map((outcome) => (machine: Machine) => ({ type: "replied" as const, call: machine.calls, ...outcome })),
  verdicts.map((verdict) => () => ({ type: "linted" as const, verdict })),
  fc
    .constantFrom("started", "sequenced", "resumed", "approved", "changes-requested")
    .map((type) => (): Event => ({ type })),
  fc.constantFrom("misfit").map(
    (type) =>
      (machine: Machine): Event => ({ type, call: machine.calls }),
  ),
  fc.constantFrom("timeout", "crashed", "refused", "unavailable", "over-budget", "cancelled").map(
    (how) =>
      (machine: Machine): Event => ({ type: "failed", call: machine.calls, how }),
  ),
  fc.constantFrom("Q1", "Q2").map((question) => () => ({ type: "answered" as const, question })),
  fc.constantFrom(...CHOICES).map((choice) => () => ({ type: "chosen" as const, choice })),
  fc.nat(50).map((call) => () => ({ type: "replied" as const, call })),
);
const beginnings = fc.record({
  mode: fc.constantFrom("new", "quick", "revise", "expand", "review"),
  served: fc.subarray([...ROLES]).map((roles): Role[] => [...new Set<Role>([...roles, "author"])]),
  parts: fc.integer({ min: 1, max: 4 }),
}) as fc.Arbitrary<Beginning>;

/** What only a person, or time, can send. */
const FROM_OUTSIDE = new Set(["chosen", "answered", "resumed", "changes-requested", "approved", "aborted"]);

describe("whatever happens", () => {
  it("the run always waits for exactly one thing, and asks for no more than its limits allow", () => {
    fc.assert(
      fc.property(beginnings, fc.array(events, { maxLength: 120 }), (beginning, history) => {
        let machine = begin(beginning);
        const { limits, parts } = machine;
        const most = (limits.repairs + 1) * (3 + 3 * parts + (limits.revisions + 2) * 2 + limits.overviews * 2);
        let calls = 0;
        for (const make of [(): Event => ({ type: "started" }), ...history]) {
          const event = make(machine);
          const next = reduce(machine, event);
          if (FROM_OUTSIDE.has(event.type) && next !== machine) calls = 0;
          if (next !== machine && next.wait.for === "role") calls += 1;
          expect(calls).toBeLessThanOrEqual(most);
          expect(STAGES).toContain(next.stage);
          // Whatever changed it, it is over or waits for something.
          expect(next === machine || next.end !== null || next.wait.for !== "nothing").toBe(true);
          expect(next.end !== "approved" || event.type === "approved").toBe(true);
          machine = next;
          if (machine.end !== null) break;
          expect(machine.wait.for !== "role" || machine.wait.call === machine.calls).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("a run that is over stays over", () => {
    fc.assert(
      fc.property(events, (make) => {
        const machine = reduce(begin({ mode: "new", served: [] }), { type: "aborted" });
        expect(reduce(machine, make(machine))).toBe(machine);
      }),
    );
  });
});

describe("what a run keeps and counts", () => {
  it("has its own limits and nothing else of the settings", () => {
    const settings = { revisions: 2, overviews: 1, agents: { one: { args: ["--key", "secret"] } } };
    expect(begin({ mode: "new", served: SERVED, limits: settings }).limits).toEqual({
      revisions: 2,
      overviews: 1,
      repairs: 2,
    });
  });

  it("sees a plan stand still when the program's errors stay, although a critic serves", () => {
    const run = new Run().toReview();
    const once = (): Run =>
      run.on({ type: "linted", verdict: "revise", high: ["P-CYCLE T1"] }).reply({ verdict: "approve" });
    once().rewritten();
    once();
    expect(run.machine.wait).toMatchObject({ for: "choice", matter: "stagnation" });
  });

  it("does not take other errors for a stand", () => {
    const run = new Run().toReview();
    for (const error of ["P-CYCLE T1", "P-CYCLE T2"]) {
      run.on({ type: "linted", verdict: "revise", high: [error] }).reply({ verdict: "approve" });
      run.rewritten();
    }
    expect(run.machine.round).toBe(2);
  });

  it("remembers who was skipped", () => {
    const run = new Run().toReview().on({ type: "linted", verdict: "approve" }).fail("crashed");
    run.on({ type: "chosen", choice: "skip" });
    expect(leftOutOf(run.machine)).toEqual(["critic"]);
    expect(leftOutOf(begin({ mode: "new", served: ["author"] }))).toEqual(["clarifier", "critic", "overviewer"]);
  });

  it("asks the same role about the next part while there is more", () => {
    const run = new Run().toReview().on({ type: "linted", verdict: "approve" });
    run.reply({ more: true });
    expect(run.machine.wait).toMatchObject({ role: "critic", part: 1 });
    run.reply({ verdict: "approve" });
    expect(run.machine.stage).toBe("overview");
  });
});
