import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless, minute } from "../text/wording.js";
import { conflictHistory } from "./list.js";

export const input = fields({});

export const verb = planVerb({
  name: "conflicts.history",
  command: { words: "conflicts history", group: "decide" },
  summary: "List everything that was decided about conflicts",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "lists every step, the oldest first" }],
  run: conflictHistory,
  text: (steps, style) =>
    steps.length === 0
      ? style.dim("No conflicts.")
      : steps
          .map(
            ({ at, by, id, first, second, what }) =>
              `${style.dim(minute(at))}  ${style.bold(id)}  ${second} and ${first}: ${harmless(what)} (${by})`,
          )
          .join("\n"),
});
