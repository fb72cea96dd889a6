import { type Context, choice, fields, harmless, type Infer, ok, optional, planVerb } from "../kit/verb.js";
import { dayOf, grouped, readUses, sum, type Use } from "./spending.js";

const COST_GROUPS = ["role", "feature", "model"] as const;

export const input = fields({ by: optional(choice(COST_GROUPS, "how to group each day (role)")) });

export const verb = planVerb({
  command: { words: "costs", group: "look" },
  summary: "Show what agents used, by day and role, feature or model",
  description: "Tokens come first: work without a price has no cost here, and is counted as unpriced.",
  effect: "reads",
  input,
  examples: [{ input: { by: "model" }, does: "tokens and cost of each model, day by day" }],
  run: costs,
  text: ({ lines, total }, style) =>
    lines.length === 0
      ? style.dim("No agent has been used yet.")
      : [
          ...lines.map(
            ({ day, of, tokens, costUsd }) =>
              `${style.dim(day)}  ${harmless(of).padEnd(24)}  ${String(tokens).padStart(10)} tokens  ${costWords(costUsd)}`,
          ),
          `${style.bold("Total")}  ${total.tokens} tokens  ${costWords(total.costUsd)}`,
        ].join("\n"),
  note: ({ total }) => (total.unpriced === 0 ? "" : `${total.unpriced} of ${total.calls} calls have no known price.`),
});

const costWords = (cost: number | null): string => (cost === null ? "unknown" : `$${cost.toFixed(2)}`);

const NONE = "none";

export function costs(context: Context, { by = "role" }: Infer<typeof input> = {}) {
  return context.store.read(async (reader) => {
    const uses = await readUses(reader);
    const lines = [...grouped(uses, dayOf)].flatMap(([day, ofDay]) =>
      [...grouped(ofDay, (use) => use[by] ?? NONE)].map(([of, some]) => ({ day, of, ...sumOf(some) })),
    );
    lines.sort((a, b) => (a.day === b.day ? (b.costUsd ?? 0) - (a.costUsd ?? 0) : a.day < b.day ? -1 : 1));
    return ok({ by, lines, total: sumOf(uses) });
  });
}

/** `costUsd`: null if nobody said what any of it cost. `unpriced`: calls without a price, so the cost is at least what it says. */
function sumOf(uses: readonly Use[]) {
  const priced = uses.filter(({ isPriced }) => isPriced);
  const costUsd = priced.length === 0 ? null : sum(priced).costUsd;
  return { ...sum(uses), costUsd, unpriced: uses.length - priced.length };
}
