import { describe, expect, it } from "vitest";
import type { Verb, Verbs } from "../panel/use-verbs.js";
import { COLUMNS, columnOf, verbsInto, whyNone } from "./columns.js";

const verb = (operation: "freeze" | "accept" | "thaw", leadsTo: Verb["leadsTo"], refused: string | null): Verb => ({
  step: { operation, input: {} },
  refused,
  leadsTo,
});
const VERBS: Verbs = new Map(
  [
    verb("freeze", ["frozen"], null),
    verb("accept", ["done"], "Nobody has handed in T-1 yet."),
    verb("thaw", ["ready", "blocked"], "T-1 is not frozen."),
  ].map((each) => [each.step.operation, each]),
);
const column = (name: string) =>
  COLUMNS.find((each) => each.name === name) ?? { name, sign: "planned" as const, statuses: [] };

describe("a card that is dropped on a column", () => {
  it("is offered the verbs that lead there", () => {
    expect(verbsInto(column("frozen"), VERBS).map(({ step }) => step.operation)).toEqual(["freeze"]);
    expect(verbsInto(column("done"), VERBS)).toEqual([]);
  });

  it.each([
    ["done", "Nobody has handed in T-1 yet."],
    ["ready", "T-1 is not frozen."],
    ["rejected", "Nothing that you can do makes it rejected: that follows from the work itself."],
  ])("or told why none leads to %s", (name, words) => expect(whyNone(column(name), VERBS)).toBe(words));

  it("stands in the column of its status", () => {
    expect([columnOf("waived")?.name, columnOf("frozen")?.name, columnOf("dropped")]).toEqual([
      "done",
      "frozen",
      undefined,
    ]);
  });
});
