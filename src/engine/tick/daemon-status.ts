// How a daemon is getting on: who works, when it last looked, what waits for it, what today has cost.

import { LIVE } from "../../model/item/item.js";
import type { Level } from "../../model/item/level.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { readLevel } from "../../plan/level/level.js";
import { countTasks } from "../../plan/overview/standings.js";
import type { Reader } from "../../store/store.js";
import { type Daemon, findDaemon, findDeadDaemon, readBeat } from "./background.js";

export async function daemonStatus(context: Context): Promise<Result<DaemonStatus>> {
  const daemon = findDaemon(context.root);
  if (!daemon) return notRunning(context.root);
  const level = await readLevel(context);
  return level.ok ? ok(await statusOf(context, daemon, level.value.level)) : level;
}

export type DaemonStatus = Readonly<Awaited<ReturnType<typeof statusOf>>>;

async function statusOf({ root, store, now }: Context, daemon: Daemon, level: Level) {
  const { at, workers, problem } = readBeat(root, daemon) ?? {};
  const seen = await store.read(async (reader) => ({
    working: await workingNow(reader, daemon),
    /** Tasks that are ready to begin. */
    queue: await readyNow(reader),
    /** What all attempts cost that began today. */
    today: await spentToday(reader, now()),
  }));
  // `level`: how far it may go. `beat`: null until it has looked at the plan once.
  const beat = at === undefined || workers === undefined ? null : { at, workers, problem: problem ?? null };
  return { ...daemon, level, beat, ...seen };
}

function notRunning(root: string): Result<never> {
  const dead = findDeadDaemon(root);
  const next = [step("daemon.start"), step("daemon.logs")];
  if (!dead) return absent("not-running", "No daemon is running here.", { next: [step("daemon.start")] });
  const message = `The daemon died: process ${dead.pid}, started ${dead.startedAt}, is gone and did not stop by itself.`;
  return absent("daemon-died", message, { next, details: { ...dead } });
}

/** Attempts name their program as `host/pid@mark`. */
async function workingNow(reader: Reader, { pid }: Daemon) {
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
const ATTEMPTS_COUNTED = 10_000;

async function spentToday(reader: Reader, now: number) {
  const since = Math.floor(now / DAY_MS) * DAY_MS;
  const recent = await reader.items("attempt", { newest: true, limit: ATTEMPTS_COUNTED });
  const usages = recent.filter(({ fields }) => fields.startedAt >= since).map(({ fields }) => fields.usage);
  const costs = usages.flatMap(({ costUsd }) => costUsd ?? []);
  return {
    attempts: usages.length,
    tokens: usages.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
    costUsd: costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0),
  };
}
