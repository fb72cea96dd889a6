// How a daemon is getting on: who works, when it last looked, what waits for it, what today has cost.

import { LIVE } from "../../model/item/item.js";
import type { Level } from "../../model/item/person.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";

import type { Context } from "../../plan/base/context.js";
import { readLevel } from "../../plan/level/level.js";
import { countTasks } from "../../plan/overview/standings.js";
import type { Reader } from "../../store/store.js";
import { type Daemon, type DaemonBeat, findDaemon, findDeadDaemon, readBeat } from "./background.js";

export interface DaemonStatus extends Daemon {
  /** How far it may go. */
  readonly level: Level;
  /** Null until it has looked at the plan once. */
  readonly beat: Pick<DaemonBeat, "at" | "workers" | "problem"> | null;
  readonly working: readonly {
    readonly attempt: string;
    readonly task: string;
    readonly worker: string;
    readonly since: string;
  }[];
  /** Tasks that are ready to begin. */
  readonly queue: number;
  /** Of all attempts that began today. */
  readonly today: { readonly attempts: number; readonly tokens: number; readonly costUsd: number | null };
}

export async function daemonStatus(context: Context): Promise<Result<DaemonStatus>> {
  const { root } = context;
  const daemon = findDaemon(root);
  if (!daemon) return notRunning(root);
  const level = await readLevel(context);
  if (!level.ok) return level;
  const beat = readBeat(root, daemon);
  const seen = await context.store.read(async (reader) => ({
    working: await workingNow(reader, daemon),
    queue: await readyNow(reader),
    today: await spentToday(reader, context.now()),
  }));
  return ok({
    ...daemon,
    level: level.value.level,
    beat: beat ? { at: beat.at, workers: beat.workers, problem: beat.problem } : null,
    ...seen,
  });
}

function notRunning(root: string): Result<never> {
  const dead = findDeadDaemon(root);
  const next = [step("daemon.start"), step("daemon.logs")];
  if (!dead) return absent("not-running", "No daemon is running here.", { next: [step("daemon.start")] });
  const message = `The daemon died: process ${dead.pid}, started ${dead.startedAt}, is gone and did not stop by itself.`;
  return absent("daemon-died", message, { next, details: { ...dead } });
}

/** Attempts name their program as `host/pid@mark`. */
async function workingNow(reader: Reader, { pid }: Daemon): Promise<DaemonStatus["working"]> {
  const live = await reader.items("attempt", { state: LIVE });
  return live
    .filter(({ fields }) => new RegExp(`/${pid}(@|#|$)`).test(fields.driver))
    .map(({ key, fields }) => ({
      attempt: key,
      task: fields.taskId,
      worker: fields.worker.name,
      since: new Date(fields.startedAt).toISOString(),
    }));
}

const readyNow = async (reader: Reader): Promise<number> =>
  (await countTasks(reader))
    .filter(({ status, reason }) => status === "ready" && reason === "claimable")
    .reduce((sum, { tasks }) => sum + tasks, 0);

const DAY_MS = 86_400_000;
const MOST = 10_000;

async function spentToday(reader: Reader, now: number): Promise<DaemonStatus["today"]> {
  const since = Math.floor(now / DAY_MS) * DAY_MS;
  const recent = await reader.items("attempt", { newest: true, limit: MOST });
  const usages = recent.filter(({ fields }) => fields.startedAt >= since).map(({ fields }) => fields.usage);
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    attempts: usages.length,
    tokens: usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}
