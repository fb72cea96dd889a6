import { fields, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { density as readDensity } from "./moments.js";

export const input = fields({
  slotMinutes: optional(wholeNumber("the length of a slot in minutes (60)", 1, 527_040)),
  days: optional(wholeNumber("only the last N days", 1, 3_660)),
});

export const verb = planVerb({
  name: "density",
  command: { words: "density", group: "look", flags: { slotMinutes: "slot" } },
  summary: "Show how much happened when, and who did it",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { days: 7 }, does: "operations of each hour of the last week" }],
  run: readDensity,
  text: ({ slots, marks }, style) =>
    [
      ...slots.map(
        ({ from, human, agent, daemon, last }) =>
          `${style.dim(from)}  people ${human}  agents ${agent}  daemon ${daemon}  ${style.dim(`up to operation ${last}`)}`,
      ),
      ...marks.map(({ op, at, verb }) => `${style.bold(String(op))}  ${at}  ${harmless(verb)}`),
    ].join("\n") || style.dim("Nothing has happened yet."),
});
