import { isoTime } from "../../model/iso-time.js";
import { KINDS, TIERS } from "../../model/node/node.js";
import { STATUSES, type Status } from "../../model/status/status.js";
import { countTasks, perOperation } from "../../plan/overview/standings.js";
import type { PlanTally, Reader } from "../../store/store.js";
import { type Context, ok, planVerb, type Style, step, type ValueOf } from "../kit/verb.js";
import { bytesText, durationText, harmless, statusWord, usedWords } from "../kit/wording.js";
import { spendings } from "./spending.js";

export const verb = planVerb({
  command: { words: "stats", group: "look" },
  summary: "Show the plan in numbers",
  effect: "reads",
  examples: [{ input: {}, does: "shows counts, who did what, how fast, and the size of the file" }],
  run: stats,
  text: renderStats,
  next: () => [step("status")],
});

const counts = (record: Readonly<Record<string, number>>): string =>
  Object.entries(record)
    .filter(([, n]) => n > 0)
    .map(([word, n]) => `${n} ${statusWord(word as "ready")}`)
    .join(" · ") || "none";

const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

const MAX_SPENDERS_SHOWN = 5;

function sparkline(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values.map((value) => (value === 0 ? "·" : BARS[Math.ceil((value / most) * BARS.length) - 1])).join("");
}

function renderStats(stats: Stats, style: Style): string {
  const { throughput, meanDurationMs, oldestClaim } = stats;
  const spark = style.green(sparkline(throughput.recent.map(({ done }) => done)));
  const rows: readonly (readonly [string, string])[] = [
    ["nodes", `${stats.nodes}: ${counts(stats.tiers)}`],
    ["tasks", counts(stats.kinds)],
    ["status", counts(stats.statuses)],
    ["operations", String(stats.operations)],
    ...stats.actors
      .slice(0, 10)
      .map(
        ({ actor, operations, done }) => ["", `${harmless(actor)}: ${operations} operations, ${done} done`] as const,
      ),
    ["done", `${throughput.done}, ${throughput.perDay} a day  ${spark} ${style.dim("last 14 days")}`],
    ["duration", meanDurationMs === null ? "nothing was handed in yet" : `${durationText(meanDurationMs)} on average`],
    [
      "oldest claim",
      oldestClaim ? `${oldestClaim.id} by ${harmless(oldestClaim.by)} since ${oldestClaim.at.slice(0, 16)}` : "none",
    ],
    ...spendingRows(stats.spending),
    ["file", bytesText(stats.fileBytes)],
  ];
  return rows.map(([label, text]) => `${style.dim(label.padEnd(14))}${text}`).join("\n");
}

function spendingRows({ total, roles, runs, features, days }: Stats["spending"]): (readonly [string, string])[] {
  if (total.tokens === 0 && total.costUsd === 0) return [];
  const listed = (label: string, list: Stats["spending"]["roles"]): (readonly [string, string])[] =>
    list
      .slice(0, MAX_SPENDERS_SHOWN)
      .map((each, at) => [at === 0 ? label : "", `${harmless(each.of)}: ${usedWords(each)}`] as const);
  return [
    ["spent", usedWords(total)],
    ...listed("by role", roles),
    ...listed("by run", runs),
    ...listed("by feature", features),
    ...listed("by day", days.slice(-MAX_SPENDERS_SHOWN)),
  ];
}

type Stats = ValueOf<ReturnType<typeof stats>>;

const DAY_MS = 86_400_000;
const RECENT_DAYS = 14;

const zeroes = <K extends string>(keys: readonly K[]): Record<K, number> =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;

export async function stats(context: Context) {
  const { store } = context;
  const today = Math.floor(context.now() / DAY_MS);
  const counted = await store.read((reader) =>
    perOperation(store, reader, `stats ${today}`, async () => ({
      ...countNodes(await reader.tally(), today),
      statuses: await countStatuses(reader),
      spending: await spendings(reader),
    })),
  );
  return ok({ ...counted, fileBytes: await store.size() });
}

/** `meanDurationMs`: of accepted work, from claim to hand-in. */
function countNodes(tally: PlanTally, today: number) {
  const tiers = zeroes(TIERS);
  const kinds = zeroes(KINDS);
  for (const { tier, kind, nodes } of tally.sorts) {
    tiers[tier] += nodes;
    if (kind !== null) kinds[kind] += nodes;
  }
  const doneBy = new Map<string, number>();
  const doneOn = new Map<number, number>();
  const durations = { total: 0, count: 0 };
  for (const { worker, day, tasks, reports, durationMs } of tally.done) {
    doneBy.set(worker, (doneBy.get(worker) ?? 0) + tasks);
    doneOn.set(day, (doneOn.get(day) ?? 0) + tasks);
    durations.total += durationMs;
    durations.count += reports;
  }
  const { oldestClaim } = tally;
  return {
    nodes: Object.values(tiers).reduce((sum, n) => sum + n, 0),
    tiers,
    kinds,
    operations: tally.actors.reduce((sum, { operations }) => sum + operations, 0),
    actors: tally.actors
      .map(({ actor, operations }) => ({ actor, operations, done: doneBy.get(actor) ?? 0 }))
      .sort((a, b) => b.operations - a.operations || (a.actor < b.actor ? -1 : 1)),
    throughput: throughputOf(doneOn, today),
    meanDurationMs: durations.count === 0 ? null : Math.round(durations.total / durations.count),
    oldestClaim: oldestClaim && { ...oldestClaim, at: isoTime(oldestClaim.at) },
  };
}

/** `days`: from the first on which something was done until today. `recent`: the last two weeks, today last. */
function throughputOf(doneOn: ReadonlyMap<number, number>, today: number) {
  let [done, first] = [0, today];
  for (const [day, count] of doneOn) {
    done += count;
    first = Math.min(first, day);
  }
  const days = done === 0 ? 0 : today - first + 1;
  const recent = Array.from({ length: RECENT_DAYS }, (_, i) => {
    const day = today - RECENT_DAYS + 1 + i;
    return { day: isoTime(day * DAY_MS).slice(0, 10), done: doneOn.get(day) ?? 0 };
  });
  return { done, days, perDay: days === 0 ? 0 : Math.round((done / days) * 100) / 100, recent };
}

export async function countStatuses(reader: Reader): Promise<Record<Status, number>> {
  const statuses = zeroes(STATUSES);
  for (const { status, tasks } of await countTasks(reader)) statuses[status] += tasks;
  return statuses;
}
