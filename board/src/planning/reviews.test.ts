import { describe, expect, it } from "vitest";
import { answerTo, latestOf, readAnswers, readReview } from "./reviews.js";

const review = (source: string, round: number, rest: object = {}): string =>
  JSON.stringify({
    source,
    round,
    verdict: "revise",
    findings: [{ id: "C-1", severity: "high", message: "x" }],
    ...rest,
  });

describe("a review", () => {
  it("is read with the questions of its reviewer", () => {
    const [read] = readReview(
      review("critic", 1, { questions: [{ question: "Which port?", context: "Two are named." }, "?"] }),
    );
    expect(read).toMatchObject({ source: "critic", round: 1, questions: ["Which port? Two are named."] });
    expect(read?.findings).toEqual([{ id: "C-1", grade: "high", message: "x", where: "", suggestion: "" }]);
  });

  it.each(["", "{", "[]", "null"])("that cannot be read is none: %j", (text) => expect(readReview(text)).toEqual([]));

  it("is the latest of its source, in whatever order they come", () => {
    const all = [review("critic", 2), review("overviewer", 0), review("critic", 1)].flatMap(readReview);
    expect(latestOf(all).map(({ source, round }) => [source, round])).toEqual([
      ["overviewer", 0],
      ["critic", 2],
    ]);
  });

  it("has the author's answer of its own round", () => {
    const answers = readAnswers(
      JSON.stringify([
        { source: "critic", round: 1, id: "C-1", action: "declined", note: "no" },
        { source: "critic", round: 2, id: "C-1", action: "fixed", note: "" },
      ]),
    );
    const [second] = readReview(review("critic", 2));
    expect(second && answerTo(second, "C-1", answers)?.action).toBe("fixed");
    expect(second && answerTo(second, "C-2", answers)).toBeUndefined();
  });
});
