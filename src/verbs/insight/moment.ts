import type { Context } from "../../plan/base/context.js";
import { isoTime } from "../../plan/node/view.js";
import { absent, fields, ok, planVerb, wholeNumber } from "../kit/verb.js";
import { harmless, statusWord } from "../text/wording.js";
import { countStatuses } from "./stats.js";

export const input = fields({ operation: wholeNumber("the number of an operation", 1, Number.MAX_SAFE_INTEGER, "OP") });

export const verb = planVerb({
  command: { words: "moment", hidden: true, group: "look", positional: ["operation"] },
  summary: "Compare the plan at a past operation with now",
  effect: "reads",
  input,
  examples: [{ input: { operation: 120 }, does: "tasks by status then and now" }],
  run: (session, asked) => compareMoment(session, asked.operation),
  text: ({ op, at, sentence, later, before, now }, style) => [
    `${style.bold(`Operation ${op}`)}, ${at}: ${harmless(sentence)}`,
    `${later} came later.`,
    ...(Object.keys(now) as (keyof typeof now)[])
      .filter((status) => before[status] + now[status] > 0)
      .map(
        (status) =>
          `  ${statusWord(status).padEnd(12)} ${String(before[status]).padStart(6)} then ${String(now[status]).padStart(6)} now`,
      ),
  ],
});

export async function compareMoment(context: Context, op: number) {
  const { store } = context;
  const here = await store.read(async (reader) => ({
    operation: await reader.operation(op),
    latest: await reader.lastOperation(),
    counts: await countStatuses(reader),
  }));
  if (!here.operation) return absent("no-operation", `There is no operation ${op}; the latest is ${here.latest}.`);
  const before = await (await store.past(op)).read(countStatuses);
  const { at, sentence } = here.operation;
  return ok({ op, at: isoTime(at), sentence, later: here.latest - op, before, now: here.counts });
}
