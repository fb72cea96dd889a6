import { describe, expect, it } from "vitest";
import { QUESTION_KINDS, type QuestionKind } from "../item/question.js";
import { maySettleAlone, type Subject, suggestAnswer, type TaskSubject, TRIAGED } from "./triage.js";

const task = (rest: Partial<TaskSubject> = {}): TaskSubject => ({
  what: "task",
  id: "T-1",
  settled: null,
  isStranded: false,
  isRejected: true,
  isFrozen: false,
  isApproved: true,
  waits: false,
  failure: "logic",
  freedBy: null,
  mergedIn: null,
  hasChecks: true,
  isForeign: false,
  conflict: null,
  ...rest,
});

const feature = (rest: object = {}): Subject => ({
  what: "feature",
  id: "FEAT-1",
  settled: null,
  workedOn: null,
  ...rest,
});

const landing = (rest: object = {}): Subject => ({
  what: "landing",
  id: "FEAT-1-LAND",
  settled: null,
  landedIn: null,
  ...rest,
});

const STALE = "stale: withdraw by moved-on";
const DECIDE = "genuine-decision: answer by nothing";

describe("a suggestion", () => {
  it.each<[string, QuestionKind, Subject, string]>([
    ["about nothing", "rejected", { what: "gone" }, STALE],
    ["about what is settled", "rejected", task({ settled: "done" }), STALE],
    ["about what is settled, whatever was asked", "split", task({ settled: "dropped" }), STALE],
    ["accepted, but not merged", "conflict", task({ settled: "done", isStranded: true }), DECIDE],
    ["a split is a person's", "split", task({ isRejected: false, isFrozen: true }), DECIDE],
    ["rejected, and nothing new", "rejected", task(), DECIDE],
    ["open again", "rejected", task({ isRejected: false }), STALE],
    ["frozen", "failure", task({ isRejected: false, isFrozen: true }), DECIDE],
    ["merged", "rejected", task({ mergedIn: "main" }), "verified-done: accept by checks-green"],
    ["merged, but nothing can prove it", "rejected", task({ mergedIn: "main", hasChecks: false }), DECIDE],
    ["merged, by checks that nobody approved", "rejected", task({ mergedIn: "main", isApproved: false }), DECIDE],
    ["a matter of design", "rejected", task({ failure: "design" }), "needs-design: replan by nothing"],
    ["of the plan", "failure", task({ failure: "plan" }), "needs-design: replan by nothing"],
    ["of the architecture", "rejected", task({ failure: "architecture" }), "needs-design: replan by nothing"],
    ["without a class", "rejected", task({ failure: null }), DECIDE],
    ["what it lacked is there", "rejected", task({ freedBy: "T-0" }), "now-buildable: reset by dep-done"],
    ["but it waits for more", "rejected", task({ freedBy: "T-0", waits: true }), DECIDE],
    ["others' failure", "rejected", task({ isForeign: true }), "now-buildable: reset by foreign-failure"],
    ["an open conflict", "conflict", task({ conflict: "open", isRejected: false }), DECIDE],
    ["a settled conflict", "conflict", task({ conflict: "settled", isRejected: false }), STALE],
    ["a budget that is spent", "budget", feature(), DECIDE],
    ["a budget, and work goes on", "budget", feature({ workedOn: "ATT-00007" }), STALE],
    ["a budget of what is done", "budget", feature({ settled: "done" }), STALE],
    ["a landing that does not go", "land", landing(), DECIDE],
    ["a landing that somebody did", "land", landing({ landedIn: "main" }), "verified-done: accept by merged"],
    ["a landing that is done", "land", landing({ settled: "done" }), STALE],
    ["of a run that is not over", "failure", { what: "item", id: "RUN-001", over: null }, DECIDE],
    ["of a run that is over", "failure", { what: "item", id: "RUN-001", over: "aborted" }, STALE],
  ])("%s", (_, kind, subject, expected) => {
    const { bucket, verb, proof, why } = suggestAnswer(kind, subject, []);
    expect(`${bucket}: ${verb} by ${proof ?? "nothing"}`).toBe(expected);
    expect(why).toMatch(/^\S.*\.$/);
  });

  it("has a proof exactly where its verb changes something", () => {
    const all = [
      task(),
      task({ mergedIn: "main" }),
      task({ freedBy: "T-0" }),
      feature(),
      landing(),
      task({ failure: "plan" }),
    ];
    for (const subject of all) {
      const { verb, proof } = suggestAnswer("rejected", subject, []);
      expect(proof === null).toBe(verb === "answer" || verb === "replan");
    }
  });

  it.each<[string, Subject, readonly string[], string, string | null]>([
    ["one of the options", task({ freedBy: "T-0" }), ["drop", "reset"], "reset", "reset"],
    ["nothing that is no option", task({ freedBy: "T-0" }), ["drop"], "answer", null],
    ["no plan again where that is no option", task({ failure: "plan" }), ["reset"], "answer", null],
    ["a word, where there are no options", task({ failure: "plan" }), [], "replan", "replan"],
    ["the option of a landing", landing({ landedIn: "main" }), ["again", "landed"], "accept", "landed"],
    ["no landing that was not offered", landing({ landedIn: "main" }), ["again", "wait"], "answer", null],
    ["no option where the question is over", task({ settled: "done" }), ["reset"], "withdraw", null],
  ])("is %s", (_, subject, ids, verb, option) => {
    const options = ids.map((id) => ({ id, label: id, detail: "" }));
    expect(suggestAnswer("rejected", subject, options)).toMatchObject({ verb, option });
  });

  it("is settled by a machine only where no person has to decide", () => {
    expect(QUESTION_KINDS.filter((kind) => maySettleAlone(kind))).toEqual([
      "failure",
      "rejected",
      "conflict",
      "budget",
      "land",
    ]);
    expect(QUESTION_KINDS.filter((kind) => TRIAGED.has(kind) && !maySettleAlone(kind))).toEqual(["split"]);
  });
});
