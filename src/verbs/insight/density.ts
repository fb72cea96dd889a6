import { isoTime } from "../../model/iso-time.js";
import { type Context, fields, type Infer, ok, optional, planVerb, wholeNumber } from "../kit/verb.js";

export const input = fields({
  slotMinutes: optional(wholeNumber("the length of a slot in minutes (60)", 1, 527_040)),
  days: optional(wholeNumber("only the last N days", 1, 3_660)),
});

export const verb = planVerb({
  command: { words: "density", hidden: true, group: "look", flags: { slotMinutes: "slot" } },
  summary: "Show how much happened when, and who did it",
  effect: "reads",
  input,
  examples: [{ input: { days: 7 }, does: "operations of each hour of the last week" }],
  run: density,
});

const MARKED = ["approve", "answer", "land", "undo"];
const MAX_MARKS = 500;
const MINUTE_MS = 60_000;
const DEFAULT_SLOT_MINUTES = 60;

export function density(context: Context, { slotMinutes = DEFAULT_SLOT_MINUTES, days }: Infer<typeof input>) {
  const now = context.now();
  const from = days === undefined ? 0 : now - days * 24 * 60 * MINUTE_MS;
  return context.store.read(async (reader) => {
    const period = { slotMs: slotMinutes * MINUTE_MS, from, to: Number.MAX_SAFE_INTEGER };
    const { slots, marks } = await reader.density({ ...period, verbs: MARKED, limit: MAX_MARKS });
    const found = new Map<number, { human: number; agent: number; daemon: number; last: number }>();
    for (const { slot, by, operations, last } of slots) {
      const known = found.get(slot) ?? { human: 0, agent: 0, daemon: 0, last: 0 };
      if (by === "human" || by === "agent" || by === "daemon") known[by] += operations;
      known.last = Math.max(known.last, last);
      found.set(slot, known);
    }
    return ok({
      slotMinutes,
      slots: [...found].map(([at, counts]) => ({ from: isoTime(at), ...counts })),
      marks: marks.map(({ op, at, verb }) => ({ op, at: isoTime(at), verb })),
    });
  });
}
