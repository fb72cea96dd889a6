// The plan in numbers.

import { KINDS, type Kind, TIERS, type Tier } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { STATUSES, type Status } from "../../model/status/status.js";
import type { Context } from "../../plan/context.js";
import { countTasks } from "../../plan/overview/count-tasks.js";
import { perOperation } from "../../plan/overview/per-operation.js";
import { isoTime } from "../../plan/view.js";
import type { PlanTally, Reader } from "../../store/store.js";
import { type Spendings, spendings } from "./spending.js";

export interface Stats {
  readonly nodes: number;
  readonly tiers: Readonly<Record<Tier, number>>;
  readonly kinds: Readonly<Record<Kind, number>>;
  /** Of tasks. */
  readonly statuses: Readonly<Record<Status, number>>;
  readonly operations: number;
  readonly actors: readonly { readonly actor: string; readonly operations: number; readonly done: number }[];
  readonly throughput: {
    readonly done: number;
    /** From the first day on which something was done until today. */
    readonly days: number;
    readonly perDay: number;
    /** The last two weeks, today last. */
    readonly recent: readonly { readonly day: string; readonly done: number }[];
  };
  /** Of accepted work, from claim to hand-in. */
  readonly meanDurationMs: number | null;
  readonly oldestClaim: { readonly id: string; readonly by: string; readonly at: string } | null;
  /** Tokens and cost of planning and of attempts. */
  readonly spending: Spendings;
  readonly fileBytes: number;
}

const DAY_MS = 86_400_000;
const RECENT_DAYS = 14;

const zeroes = <K extends string>(keys: readonly K[]): Record<K, number> =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;

export async function stats(context: Context): Promise<Result<Stats>> {
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

function throughputOf(doneOn: ReadonlyMap<number, number>, today: number): Stats["throughput"] {
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

async function countStatuses(reader: Reader): Promise<Record<Status, number>> {
  const statuses = zeroes(STATUSES);
  for (const { status, tasks } of await countTasks(reader)) statuses[status] += tasks;
  return statuses;
}
