// The plan in numbers.

import { KINDS, type Kind, type Node, TIERS, type Tier } from "../../graph/node/node.js";
import { ok, type Result } from "../../graph/result.js";
import { STATUSES, type Status } from "../../graph/status/status.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../context.js";
import { isoTime } from "../view.js";
import { countTasks } from "./count-tasks.js";
import { perOperation } from "./per-operation.js";
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
const PAGE = 5_000;

const zeroes = <K extends string>(keys: readonly K[]): Record<K, number> =>
  Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;

export async function stats(context: Context): Promise<Result<Stats>> {
  const { store } = context;
  const today = Math.floor(context.now() / DAY_MS);
  const counted = await store.read((reader) =>
    perOperation(store, reader, `stats ${today}`, async () => ({
      ...(await countNodes(reader, today)),
      ...(await countOperations(reader)),
      statuses: await countStatuses(reader),
      spending: await spendings(reader),
    })),
  );
  const { doneBy, operationsBy, ...rest } = counted;
  const actors = [...operationsBy]
    .map(([actor, operations]) => ({ actor, operations, done: doneBy.get(actor) ?? 0 }))
    .sort((a, b) => b.operations - a.operations || (a.actor < b.actor ? -1 : 1));
  return ok({ ...rest, actors, fileBytes: await store.size() });
}

async function countNodes(reader: Reader, today: number) {
  const tiers = zeroes(TIERS);
  const kinds = zeroes(KINDS);
  const doneBy = new Map<string, number>();
  const doneOn = new Map<number, number>();
  const durations = { total: 0, count: 0 };
  let oldest: Node | undefined;
  for await (const node of reader.scan()) {
    tiers[node.tier]++;
    if (node.kind !== null) kinds[node.kind]++;
    if (node.claim && (!oldest?.claim || node.claim.at < oldest.claim.at)) oldest = node;
    if (node.outcome?.kind !== "done") continue;
    const worker = node.report?.by ?? node.outcome.by;
    doneBy.set(worker, (doneBy.get(worker) ?? 0) + 1);
    const day = Math.floor(node.outcome.at / DAY_MS);
    doneOn.set(day, (doneOn.get(day) ?? 0) + 1);
    if (!node.report) continue;
    durations.total += node.report.durationMs;
    durations.count++;
  }
  return {
    nodes: Object.values(tiers).reduce((sum, n) => sum + n, 0),
    tiers,
    kinds,
    doneBy,
    throughput: throughputOf(doneOn, today),
    meanDurationMs: durations.count === 0 ? null : Math.round(durations.total / durations.count),
    oldestClaim: oldest?.claim ? { id: oldest.id, by: oldest.claim.by, at: isoTime(oldest.claim.at) } : null,
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

async function countOperations(reader: Reader) {
  const operationsBy = new Map<string, number>();
  let operations = 0;
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const page = await reader.operations({ limit: PAGE, before });
    for (const { actor, op } of page) {
      operationsBy.set(actor, (operationsBy.get(actor) ?? 0) + 1);
      operations++;
      before = op;
    }
    if (page.length < PAGE) return { operations, operationsBy };
  }
}
