import { isoTime } from "../../model/iso-time.js";
import { absent, type Context, fields, ok, planVerb, wholeNumber } from "../kit/verb.js";
import { countStatuses } from "./stats.js";

export const input = fields({ operation: wholeNumber("the number of an operation", 1, Number.MAX_SAFE_INTEGER, "OP") });

export const verb = planVerb({
  command: { words: "moment", hidden: true, group: "look", positional: ["operation"] },
  summary: "Compare the plan at a past operation with now",
  effect: "reads",
  input,
  examples: [{ input: { operation: 120 }, does: "tasks by status then and now" }],
  run: (session, asked) => compareMoment(session, asked.operation),
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
