import { expect, it } from "vitest";
import { durationText } from "./wording.js";

it.each([
  [0, "0 ms"],
  [949, "949 ms"],
  [950, "0.9 s"],
  [12_000, "12.0 s"],
  [59_949, "59.9 s"],
  [59_960, "1 min 0 s"],
  [119_800, "2 min 0 s"],
  [3_599_700, "1 h 0 min"],
  [5_400_000, "1 h 30 min"],
])("%s ms are said in the unit that a person would use: %s", (ms, text) => {
  expect(durationText(ms)).toBe(text);
});
