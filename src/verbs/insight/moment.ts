import { fields, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { statusWord } from "../text/icons.js";
import { harmless } from "../text/wording.js";
import { compareMoment } from "./density.js";

export const input = fields({ operation: wholeNumber("the number of an operation", 1, Number.MAX_SAFE_INTEGER, "OP") });

export const verb = planVerb({
  name: "moment",
  command: { words: "moment", hidden: true, group: "look", positional: ["operation"] },
  summary: "Compare the plan at a past operation with now",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { operation: 120 }, does: "tasks by status then and now" }],
  run: (session, asked) => compareMoment(session, asked.operation),
  text: ({ op, at, sentence, later, before, now }, style) =>
    [
      `${style.bold(`Operation ${op}`)}, ${at}: ${harmless(sentence)}`,
      `${later} came later.`,
      ...(Object.keys(now) as (keyof typeof now)[])
        .filter((status) => before[status] + now[status] > 0)
        .map(
          (status) =>
            `  ${statusWord(status).padEnd(12)} ${String(before[status]).padStart(6)} then ${String(now[status]).padStart(6)} now`,
        ),
    ].join("\n"),
});
