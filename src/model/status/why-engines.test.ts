import { expect, it } from "vitest";
import { AT } from "../../../test/node.js";
import { step } from "../next-step.js";
import type { Hold, HoldReason } from "./holds.js";
import { explainForEngines } from "./why.js";

const explain = (reason: HoldReason, because: readonly string[] = [], until: number | null = null) => {
  const hold: Hold = { reason, because, until };
  return explainForEngines({ id: "T-1" }, hold);
};

it.each<[reason: HoldReason, because: readonly string[], until: number | null, sentence: RegExp, next: number]>([
  ["no-feature", [], null, /in no feature/, 1],
  ["level", [], null, /^The level is off, so the daemon does not start it\.$/, 1],
  ["level", ["F-1"], null, /^The level of F-1 is off/, 1],
  ["retry", ["no network"], AT, /^T-1 failed \(no network\) and is tried again at/, 0],
  ["storm", ["too many failed"], AT, /^Work on its feature pauses until .*: too many failed\.$/, 2],
  ["storm", [], null, /^Work on its feature pauses: \.$/, 2],
  ["spending", ["the day cost $3"], null, /a budget is spent: the day cost \$3\.$/, 1],
  ["no-worker", ["not-installed", "codex"], null, /^No worker can do T-1: the agent codex is not installed\./, 1],
])("explains what holds only engines: %s", (reason, because, until, sentence, next) => {
  const explained = explain(reason, because, until);
  expect(explained?.sentence).toMatch(sentence);
  expect(explained?.next).toHaveLength(next);
});

it("leaves what holds everybody to the other table", () => {
  expect(explain("unapproved")).toBeUndefined();
});

it("names the feature whose level is off", () => {
  expect(explain("level", ["F-1"])?.next).toEqual([step("level", { level: "on", in: "F-1" })]);
});
