import { choice, fields, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { COST_GROUPS, costs as readCosts } from "./costs-action.js";

const dollars = (cost: number | null): string => (cost === null ? "unknown" : `$${cost.toFixed(2)}`);

export const input = fields({ by: optional(choice(COST_GROUPS, "how to group each day (role)")) });

export const verb = planVerb({
  name: "costs",
  command: { words: "costs", group: "look" },
  summary: "Show what agents used, by day and role, feature or model",
  description: "Tokens come first: work without a price has no cost here, and is counted as unpriced.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { by: "model" }, does: "tokens and cost of each model, day by day" }],
  run: readCosts,
  text: ({ lines, total }, style) =>
    lines.length === 0
      ? style.dim("No agent has been used yet.")
      : [
          ...lines.map(
            ({ day, of, tokens, costUsd }) =>
              `${style.dim(day)}  ${harmless(of).padEnd(24)}  ${String(tokens).padStart(10)} tokens  ${dollars(costUsd)}`,
          ),
          `${style.bold("Total")}  ${total.tokens} tokens  ${dollars(total.costUsd)}`,
        ].join("\n"),
  note: ({ total }) => (total.unpriced === 0 ? "" : `${total.unpriced} of ${total.calls} calls have no known price.`),
});
