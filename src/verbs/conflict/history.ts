import { type Context, harmless, linesOr, minute, ok, planVerb } from "../kit/verb.js";
import { listConflicts } from "./list.js";

export const verb = planVerb({
  command: { words: "conflicts history", group: "decide" },
  summary: "List everything that was decided about conflicts",
  effect: "reads",
  examples: [{ input: {}, does: "lists every step, the oldest first" }],
  run: conflictHistory,
  text: linesOr(
    "No conflicts.",
    ({ at, by, id, first, second, what }, style) =>
      `${style.dim(minute(at))}  ${style.bold(id)}  ${second} and ${first}: ${harmless(what)} (${by})`,
  ),
});

async function conflictHistory(context: Context) {
  const found = await listConflicts(context);
  if (!found.ok) return found;
  const steps = found.value.flatMap(({ id, first, second, steps: own }) =>
    own.map((each) => ({ ...each, id, first, second })),
  );
  return ok(steps.sort((x, y) => (x.at < y.at ? -1 : 1)));
}
