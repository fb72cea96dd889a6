import { expect, it } from "vitest";
import { type SplitSigns, shouldSplit } from "./split.js";

const small: SplitSigns = { profiles: ["backend"], files: 12, bundleTokens: 80, windowTokens: 100 };

it.each<[what: string, signs: Partial<SplitSigns>, why: string | null]>([
  ["a small task", {}, null],
  ["an agent whose window nobody knows", { bundleTokens: 1e9, windowTokens: null }, null],
  ["one profile twice", { profiles: ["docs", "docs"] }, null],
  ["two profiles", { profiles: ["docs", "api"] }, "it needs 2 profiles: docs, api"],
  ["many files", { files: 13 }, "it names 13 files; 12 are a lot for one"],
  ["a full window", { bundleTokens: 81 }, "its text alone would take 81 % of what the agent can hold"],
])("says of %s whether it should be split", (_, signs, why) => {
  expect(shouldSplit({ ...small, ...signs })).toBe(why);
});
