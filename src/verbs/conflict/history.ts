import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless, minute } from "../text/wording.js";
import { type ConflictHistory, type ConflictView, listConflicts } from "./list.js";

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

/** Every step of every conflict, oldest first. */
async function conflictHistory(context: Context): Promise<Result<HistoryStep[]>> {
  const found = await listConflicts(context);
  if (!found.ok) return found;
  const steps = found.value.flatMap(({ id, first, second, steps: own }) =>
    own.map((each) => ({ ...each, id, first, second })),
  );
  return ok(steps.sort((x, y) => (x.at < y.at ? -1 : 1)));
}

type HistoryStep = ConflictHistory["steps"][number] & Pick<ConflictView, "id" | "first" | "second">;
