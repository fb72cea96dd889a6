import { describe, expect, it } from "vitest";
import { Run, SERVED } from "../../../test/machine-run.js";
import { type Beginning, pathOf } from "./machine.js";
import type { Verdict } from "./verdict.js";

describe("the way through the stages", () => {
  it("asks the clarifier first and once, then the author stage by stage", () => {
    const run = new Run();
    expect(run.says).toBe("ask clarifier clarify");
    expect(run.reply({ questions: [] }).says).toBe("ask author capabilities");
    expect(run.reply().says).toBe("ask author files");
    expect(run.reply().says).toBe("ask author tasks");
    expect(run.reply().says).toBe("sequence");
    expect(run.on({ type: "sequenced" }).says).toBe("lint");
    expect(run.on({ type: "linted", verdict: "approve" }).says).toBe("ask critic review");
    expect(run.reply({ verdict: "approve" }).says).toBe("ask overviewer overview");
    expect(run.reply({ verdict: "approve" }).says).toBe("present");
    expect(run.on({ type: "approved" }).says).toBe("finish approved");
    expect(run.machine.end).toBe("approved");
  });

  it("ends as well when the plan is applied without being approved", () => {
    const run = new Run({ served: ["author"] }).toReview().review("approve");
    expect(run.on({ type: "applied" }).says).toBe("finish applied");
  });

  it("asks a person nothing when the clarifier has no question", () => {
    expect(new Run().reply({ questions: [] }).says).toBe("ask author capabilities");
    expect(new Run().reply().says).toBe("ask author capabilities");
  });

  it("waits until every question is answered", () => {
    const run = new Run().reply({ questions: ["Q1", "Q2"] });
    expect(run.says).toBe("questions Q1 Q2");
    expect(run.on({ type: "answered", question: "Q2" }).says).toBe("");
    expect(run.on({ type: "answered", question: "Q2" }).says).toBe("");
    expect(run.on({ type: "answered", question: "Q1" }).says).toBe("ask author capabilities");
  });

  it.each<[string, Partial<Beginning>, string]>([
    ["a researcher reads before anybody else", { served: ["researcher", ...SERVED] }, "ask researcher intake"],
    ["without a clarifier the author begins", { served: ["author"] }, "ask author capabilities"],
    ["a quick run has no maps", { mode: "quick", served: ["author"] }, "ask author tasks"],
    ["a revision changes the plan that is there, after the clarifier", { mode: "revise" }, "ask clarifier clarify"],
    [
      "a revision with a new spec maps it",
      { mode: "revise", mapped: true, served: ["author"] },
      "ask author capabilities",
    ],
    ["an expansion writes what is below", { mode: "expand", served: ["author"] }, "ask author tasks"],
    ["a later stage goes on from what is there", { from: "files" }, "ask author files"],
    ["a review only judges", { mode: "review" }, "lint"],
  ])("%s", (_, beginning, says) => expect(new Run(beginning).says).toBe(says));

  it("goes on after the researcher", () => {
    expect(new Run({ served: ["researcher", "author"] }).reply().says).toBe("ask author capabilities");
  });

  it("revises in revise mode", () => {
    expect(new Run({ mode: "revise", served: ["author"] }).says).toBe("ask author tasks revise on ");
  });

  it("works a large spec part by part, stage by stage", () => {
    const run = new Run({ parts: 2, served: ["author"] });
    const said = [run.says];
    while (run.machine.wait.for === "role") said.push(run.reply().says);
    expect(said).toEqual([
      "ask author capabilities",
      "ask author capabilities part 2",
      "ask author files",
      "ask author files part 2",
      "ask author tasks",
      "ask author tasks part 2",
      "sequence",
    ]);
  });

  it("needs neither critic nor overviewer", () => {
    const run = new Run({ served: ["author"] }).toReview();
    expect(run.on({ type: "linted", verdict: "approve-with-notes" }).says).toBe("present");
    expect(run.machine.verdict).toBe("approve-with-notes");
  });

  it("sees without a critic that the program finds the same errors again", () => {
    const run = new Run({ served: ["author"] }).toReview();
    const lint = (...high: string[]): Run => run.on({ type: "linted", verdict: "revise", high });
    lint("P-CHECK T1").rewritten();
    expect(lint("P-CHECK T2").says).toBe("ask author tasks revise on conformance");
    run.rewritten();
    expect(lint("P-CHECK T2").says).toBe("choose stagnation: guide|start-over|accept|abort");
  });

  it("leaves out what came before a given stage, never the intake", () => {
    expect(pathOf({ mode: "quick", served: [], from: "capabilities" })).toEqual([
      "intake",
      "tasks",
      "sequence",
      "review",
      "overview",
      "approval",
    ]);
  });
});

describe("the review", () => {
  it.each<[Verdict, Verdict, string]>([
    ["approve", "approve", "ask overviewer overview"],
    ["approve-with-notes", "approve-with-notes", "ask overviewer overview"],
    ["revise", "approve", "ask author tasks revise on conformance"],
    ["approve", "revise", "ask author tasks revise on critic"],
    ["approve-with-notes", "revise", "ask author tasks revise on conformance+critic"],
    ["revise", "revise", "ask author tasks revise on conformance+critic"],
    ["approve", "escalate", "choose critic: guide|start-over|accept|abort"],
    ["revise", "escalate", "choose critic: guide|start-over|accept|abort"],
    ["escalate", "approve", "choose conformance: guide|start-over|accept|abort"],
  ])("conformance %s, critic %s: %s", (conformance, critic, says) => {
    expect(new Run().toReview().review(conformance, critic).says).toBe(says);
  });

  it("counts a revision, and asks nobody", () => {
    const run = new Run().toReview().review("revise");
    expect(run.machine.round).toBe(1);
    expect(run.rewritten().says).toBe("lint");
  });

  it("asks the critic only once conformance passes, after it escalated", () => {
    const run = new Run().toReview().review("escalate").on({ type: "chosen", choice: "start-over" }).rewritten();
    expect(run.review("revise").says).toBe("ask author tasks revise on conformance");
    expect(run.rewritten().on({ type: "linted", verdict: "approve" }).says).toBe("ask critic review");
    const next = run.reply({ verdict: "revise" }).rewritten();
    expect(next.on({ type: "linted", verdict: "revise" }).says).toBe("ask critic review");
  });

  it.each<[string, string[], string[], string]>([
    ["the same problems", ["F1", "F2"], ["F2", "F1"], "choose stagnation: guide|start-over|accept|abort"],
    ["one more problem", ["F1"], ["F1", "F2"], "ask author tasks revise on critic"],
    ["one problem less", ["F1", "F2"], ["F1"], "ask author tasks revise on critic"],
    ["other problems", ["F1"], ["F2"], "ask author tasks revise on critic"],
    ["nothing high", [], [], "ask author tasks revise on critic"],
  ])("%s twice running", (_, before, now, says) => {
    const run = new Run().toReview().review("approve", "revise", before).rewritten();
    expect(run.review("approve", "revise", now).says).toBe(says);
  });

  it("does not take a conformance escalate for standing still", () => {
    const run = new Run().toReview().review("approve", "revise", ["F1"]).rewritten().review("escalate");
    run.on({ type: "chosen", choice: "start-over" }).rewritten();
    expect(run.review("approve", "revise", ["F1"]).says).toBe("ask author tasks revise on critic");
  });

  it("asks at the limit of revisions", () => {
    const run = new Run().toReview();
    for (let i = 0; i < 5; i++) run.review("revise").rewritten();
    expect(run.machine.round).toBe(5);
    expect(run.review("revise").says).toBe("choose limit: guide|start-over|accept|abort");
  });

  it.each<[Verdict, Verdict]>([
    ["escalate", "approve"],
    ["approve", "escalate"],
  ])("says that the limit is reached when conformance says %s and the critic %s", (conformance, critic) => {
    const run = new Run().toReview();
    for (let i = 0; i < 5; i++) run.review("revise").rewritten();
    expect(run.review(conformance, critic).says).toBe("choose limit: guide|start-over|accept|abort");
  });

  it("looks at approval before the limit: a plan that all approve in the sixth round passes", () => {
    const run = new Run().toReview();
    for (let i = 0; i < 5; i++) run.review("revise").rewritten();
    expect(run.review("approve").says).toBe("ask overviewer overview");
  });

  it("starts over with all counters at nothing", () => {
    const run = new Run().toReview();
    for (let i = 0; i < 5; i++) run.review("revise").rewritten();
    run.review("revise").on({ type: "chosen", choice: "start-over" });
    expect([run.says, run.machine.round]).toEqual(["ask author tasks revise on conformance", 1]);
    expect(run.rewritten().review("revise").says).toBe("ask author tasks revise on conformance");
  });

  it("accepts a plan as it is only as far as the person who approves", () => {
    const run = new Run().toReview().review("escalate").on({ type: "chosen", choice: "accept" });
    expect(run.says).toBe("present");
    expect(run.machine).toMatchObject({ accepted: "conformance", end: null, stage: "approval" });
  });

  it("a critic without a verdict counts as an escalation", () => {
    const run = new Run().toReview().on({ type: "linted", verdict: "approve" });
    expect(run.reply().says).toBe("choose critic: guide|start-over|accept|abort");
  });
});

describe("the overview", () => {
  const overview = (): Run => new Run().toReview().review("approve");

  it("is asked again each time, and its feedback goes to the author alone", () => {
    const run = overview().reply({ verdict: "revise", high: ["O1"] });
    expect(run.says).toBe("ask author tasks revise on overviewer");
    expect(run.rewritten().review("approve").says).toBe("ask overviewer overview");
    expect(run.machine.overviews).toBe(2);
  });

  it("offers to accept or to abort after the third", () => {
    const run = overview();
    for (const id of ["O1", "O2"])
      run
        .reply({ verdict: "revise", high: [id] })
        .rewritten()
        .review("approve");
    expect(run.reply({ verdict: "revise", high: ["O3"] }).says).toBe("choose overview: guide|accept|abort");
    expect(run.on({ type: "chosen", choice: "start-over" }).says).toBe("");
    expect(run.on({ type: "chosen", choice: "accept" }).says).toBe("present");
  });

  it("sees when it stands still", () => {
    const run = overview()
      .reply({ verdict: "revise", high: ["O1"] })
      .rewritten()
      .review("approve");
    expect(run.reply({ verdict: "revise", high: ["O1"] }).says).toBe(
      "choose stagnation: guide|start-over|accept|abort",
    );
  });

  it("keeps its notes, and without a verdict asks for a revision", () => {
    const noted = overview().reply({ verdict: "approve-with-notes" });
    expect([noted.says, noted.machine.verdict]).toEqual(["present", "approve-with-notes"]);
    expect(overview().reply().says).toBe("ask author tasks revise on overviewer");
  });
});

describe("a review of a plan that is there", () => {
  const review = (): Run => new Run({ mode: "review" });

  it.each<[Verdict, Verdict, Verdict]>([
    ["escalate", "approve", "escalate"],
    ["revise", "approve", "revise"],
    ["approve", "revise", "revise"],
    ["approve", "escalate", "escalate"],
  ])("conformance %s, critic %s: ends with %s and asks no author", (conformance, critic, verdict) => {
    const run = review().review(conformance, critic);
    expect([run.says, run.machine.verdict]).toEqual(["finish reviewed", verdict]);
  });

  it("ends with the overview", () => {
    expect(review().review("approve").reply({ verdict: "approve" })).toMatchObject({
      says: "finish reviewed",
      machine: { verdict: "approve" },
    });
    expect(review().review("approve").reply({ verdict: "revise" }).machine.verdict).toBe("revise");
    const skipped = review().review("approve").fail("crashed").on({ type: "chosen", choice: "skip" });
    expect([skipped.says, skipped.machine.verdict]).toEqual(["finish reviewed", "approve"]);
    expect(new Run({ mode: "review", served: [] }).review("approve").machine.verdict).toBe("approve");
  });
});
