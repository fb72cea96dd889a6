import { fields, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { throughput as readThroughput } from "./throughput-action.js";

export const input = fields({ days: optional(wholeNumber("the last N days (14)", 1, 366)) });

export const verb = planVerb({
  name: "throughput",
  command: { words: "throughput", group: "look" },
  summary: "Show tasks done by day, and hours spent waiting for you",
  description:
    "Also how many tasks were accepted at their first attempt. Waiting is the time that questions were open, and that finished work waited to be accepted.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { days: 7 }, does: "the last week, day by day" }],
  run: readThroughput,
  text: ({ days, acceptedAtFirst, firstAttempts, waitedHours }, style) =>
    [
      ...days.map(
        (each) =>
          `${style.dim(each.day)}  ${String(each.done).padStart(4)} done  ${each.waitedHours} h waiting for you`,
      ),
      `Accepted at the first attempt: ${acceptedAtFirst} of ${firstAttempts}. Hours waiting for you: ${waitedHours}.`,
    ].join("\n"),
});
