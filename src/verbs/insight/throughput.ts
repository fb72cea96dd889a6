import type { Attempt } from "../../model/attempt/attempt.js";
import { isoTime } from "../../model/iso-time.js";
import { type Context, fields, type Infer, ok, optional, planVerb, type Reader, wholeNumber } from "../kit/verb.js";

export const input = fields({ days: optional(wholeNumber("the last N days (14)", 1, 366)) });

export const verb = planVerb({
  command: { words: "throughput", hidden: true, group: "look" },
  summary: "Show tasks done by day, and hours spent waiting for you",
  description:
    "Also how many tasks were accepted at their first attempt. Waiting is the time that questions were open, and that finished work waited to be accepted.",
  effect: "reads",
  input,
  examples: [{ input: { days: 7 }, does: "the last week, day by day" }],
  run: throughput,
});

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DEFAULT_DAYS = 14;
const MAX_WAITS_SHOWN = 10;

/**
 * Of each day: tasks that were done, tasks whose first attempt ended and how many of those were accepted, and the hours that work waited
 * for a person: questions that were open, and work that was handed in.
 */
export function throughput(context: Context, { days = DEFAULT_DAYS }: Infer<typeof input> = {}) {
  const now = context.now();
  return context.store.read(async (reader) => {
    const today = Math.floor(now / DAY_MS);
    const done = await doneByDay(reader);
    const firsts = await firstAttempts(reader);
    const waits = await personWaits(reader, now);
    const lines = Array.from({ length: days }, (_, i) => {
      const day = today - days + 1 + i;
      const ended = firsts.filter(({ endedAt }) => Math.floor((endedAt as number) / DAY_MS) === day);
      return {
        day: isoTime(day * DAY_MS).slice(0, 10),
        done: done.get(day) ?? 0,
        firstAttempts: ended.length,
        acceptedAtFirst: ended.filter(({ state }) => state === "accepted").length,
        waitedHours: rounded(waits.reduce((sum, wait) => sum + overlap(wait, day * DAY_MS), 0) / HOUR_MS),
      };
    });
    const sum = (of: (line: (typeof lines)[number]) => number): number =>
      rounded(lines.reduce((all, line) => all + of(line), 0));
    const longest = waits.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MAX_WAITS_SHOWN);
    return ok({
      days: lines,
      firstAttempts: sum((line) => line.firstAttempts),
      acceptedAtFirst: sum((line) => line.acceptedAtFirst),
      waitedHours: sum((line) => line.waitedHours),
      longestWaits: longest.map(({ id, from, to, isOver }) => ({ id, hours: rounded((to - from) / HOUR_MS), isOver })),
    });
  });
}

const rounded = (n: number): number => Math.round(n * 100) / 100;

const overlap = ({ from, to }: Wait, day: number) => Math.max(0, Math.min(to, day + DAY_MS) - Math.max(from, day));

async function doneByDay(reader: Reader): Promise<ReadonlyMap<number, number>> {
  const done = new Map<number, number>();
  for (const { kind, day, tasks } of (await reader.tally()).done) {
    if (kind !== "land") done.set(day, (done.get(day) ?? 0) + tasks);
  }
  return done;
}

/** The first of each task that ended by itself. */
async function firstAttempts(reader: Reader): Promise<Attempt[]> {
  const found = new Map<number, Attempt>();
  for (const { fields } of await reader.items("attempt", {})) {
    const isJudged = fields.endedAt !== null && fields.state !== "released" && fields.state !== "lost";
    if (isJudged && !found.has(fields.task)) found.set(fields.task, fields);
  }
  return [...found.values()];
}

type Wait = ReturnType<typeof waitOf>;

const waitOf = (id: string, from: number, end: number | undefined, now: number) => ({
  id,
  from,
  to: end ?? now,
  isOver: end !== undefined,
});

async function personWaits(reader: Reader, now: number): Promise<Wait[]> {
  const waits: Wait[] = [];
  for (const { key, fields } of await reader.items("question", {})) {
    if (fields.state !== "withdrawn") waits.push(waitOf(key, fields.createdAt, fields.answer?.at, now));
  }
  for (const { fields } of await reader.items("attempt", { state: "pending" })) {
    const task = await reader.node(fields.task);
    const end = task?.outcome?.at ?? (task?.acceptance?.state === "pending" ? undefined : task?.acceptance?.at);
    if (fields.endedAt !== null) waits.push(waitOf(fields.taskId, fields.endedAt, end, now));
  }
  return waits.filter(({ from, to }) => to > from);
}
