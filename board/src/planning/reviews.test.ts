import { describe, expect, it } from "vitest";
import { answerTo, latestOf, readAnswers, readReview } from "./reviews.js";

const review = (source: string, round: number, rest: object = {}): string =>
  JSON.stringify({
    source,
    round,
    verdict: "revise",
    findings: [
      {
        id: "C-1",
        severity: "high",
        title: "A port is named twice",
        description: "The file says 80, the task 8080.",
        suggestion: "Say 80.",
        nodes: ["T-1", "T-2"],
        evidence: [{ file: "a.ts", lineStart: 7, claim: "it listens on 80" }],
      },
    ],
    ...rest,
  });

describe("a review", () => {
  it("is read with the questions of its reviewer", () => {
    const [read] = readReview(
      review("critic", 1, { questions: [{ question: "Which port?", context: "Two are named." }, "?"] }),
    );
    expect(read).toMatchObject({ source: "critic", round: 1, questions: ["Which port? Two are named."] });
  });

  it("keeps every word of a finding: what is wrong, where, and what to do", () => {
    expect(readReview(review("critic", 1))[0]?.findings).toEqual([
      {
        id: "C-1",
        grade: "high",
        title: "A port is named twice",
        description: "The file says 80, the task 8080.",
        suggestion: "Say 80.",
        about: "T-1, T-2",
        evidence: ["a.ts:7 it listens on 80"],
      },
    ]);
    const linted = { code: "P-CYCLE", grade: "error", where: "T-1", message: "It waits for itself." };
    expect(readReview(review("conformance", 1, { findings: [linted] }))[0]?.findings).toEqual([
      {
        id: "P-CYCLE",
        grade: "error",
        title: "It waits for itself.",
        description: "",
        suggestion: "",
        about: "T-1",
        evidence: [],
      },
    ]);
  });

  it.each(["", "{", "[]", "null"])("that cannot be read is none: %j", (text) => expect(readReview(text)).toEqual([]));

  it("is the latest of its source, in whatever order they come", () => {
    const all = [review("critic", 2), review("overviewer", 0), review("critic", 1)].flatMap(readReview);
    expect(latestOf(all).map(({ source, round }) => [source, round])).toEqual([
      ["overviewer", 0],
      ["critic", 2],
    ]);
  });

  it("has the author's answer of its own round, or of the round in which it was found before", () => {
    const answers = readAnswers(
      JSON.stringify([
        { source: "critic", round: 1, id: "C-1", action: "declined", note: "no" },
        { source: "critic", round: 2, id: "C-1", action: "fixed", note: "" },
      ]),
    );
    const [second] = readReview(review("critic", 2));
    expect(second && answerTo(second, "C-1", answers)?.action).toBe("fixed");
    expect(second && answerTo(second, "C-2", answers)).toBeUndefined();
    const [again] = readReview(review("critic", 3));
    expect(again && answerTo(again, "C-1", answers)).toMatchObject({ round: 2 });
    const [first] = readReview(review("critic", 0));
    expect(first && answerTo(first, "C-1", answers)).toBeUndefined();
  });
});
