// Turns the engine until there is nothing left to do, one is done, or somebody asks to stop.

import { setTimeout as wait } from "node:timers/promises";
import { notClaimable } from "../../actions/claim/claim-terms.js";
import { resolve } from "../../actions/resolve.js";
import type { AttemptState } from "../../graph/attempt/attempt.js";
import type { Node } from "../../graph/node/node.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { deriveStatus } from "../../graph/status/status.js";
import { conflictsOf } from "../conflicts/footprint-conflicts.js";
import { Engine, type Tick } from "./engine.js";
import { requireRepository } from "./require-repository.js";
import type { EngineEvent, Services } from "./services.js";

export interface Ended {
  readonly attempt: string;
  readonly task: string;
  readonly state: AttemptState;
  readonly note: string;
}

export interface Worked {
  readonly ended: readonly Ended[];
  /** Ready tasks that were not begun, and why. */
  readonly held: readonly { readonly task: string; readonly reason: string }[];
  readonly stopped: boolean;
}

export interface WorkOptions {
  /** Only this one. */
  readonly task?: string;
  /** Only below this node. */
  readonly within?: string;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
  /** Asked after each that ended; false leaves the rest. */
  readonly goOn?: (last: Ended) => Promise<boolean>;
}

type Session = Pick<WorkOptions, "signal" | "goOn">;

/** Remembers how attempts ended, and passes everything on. */
function endsOf(onEvent: (event: EngineEvent) => void): { ended: Ended[]; onEvent: (event: EngineEvent) => void } {
  const ended: Ended[] = [];
  return {
    ended,
    onEvent: (event) => {
      if (event.type === "end") {
        const { attempt, task, state, note } = event;
        ended.push({ attempt, task, state, note });
      }
      onEvent(event);
    },
  };
}

export async function work(given: Omit<Services, "onEvent">, options: WorkOptions): Promise<Result<Worked>> {
  const repository = await requireRepository(given.context);
  if (!repository.ok) return repository;
  const { ended, onEvent } = endsOf(options.onEvent);
  const services: Services = { ...given, onEvent };
  const { within, workers, task: reference, signal } = options;
  const engine = new Engine(services, { obeysLevels: false, workers, ...(within === undefined ? {} : { within }) });
  try {
    if (reference === undefined) return await workThrough(services, engine, ended, options);
    const { store, actor } = services.context;
    const task = await store.read((reader) => resolve(reader, reference, actor));
    if (!task.ok) return task;
    const claimable = await requireReady(services, task.value);
    if (!claimable.ok) return claimable;
    const begun = await engine.start(task.value);
    if (!begun.ok) return begun;
    if (begun.value === null) return await whyNotBegun(services, task.value);
    await Promise.race([engine.oneEnded(), aborted(signal)]);
    return ok({ ended, held: [], stopped: signal.aborted });
  } finally {
    await engine.stop();
  }
}

async function requireReady({ context }: Services, task: Node): Promise<Result<void>> {
  const derived = await context.store.read(async (reader) => deriveStatus(task, await reader.surroundings(task)));
  if (derived.reason !== "claimable") return notClaimable(task, derived);
  if (task.feature !== null) return ok(undefined);
  return refused("no-feature", `${task.id} is in no feature, so its work has no branch to go to.`, {
    hint: `\`planwright move ${task.id} --to FEATURE\` gives it one; without, it is done by hand: \`planwright start ${task.id}\`.`,
    details: { id: task.id },
  });
}

/** It was ready a moment ago: it overlaps with what is at work, or somebody was faster. */
async function whyNotBegun(services: Services, { nr, id }: Node): Promise<Result<never>> {
  const { store } = services.context;
  const now = await store.read((reader) => reader.node(nr));
  const ready = now ? await requireReady(services, now) : ok(undefined);
  if (!ready.ok) return ready;
  const clashes = now ? await store.read((reader) => conflictsOf(reader, now)) : [];
  const others = clashes.map(({ first, second }) => (first.nr === nr ? second.id : first.id));
  const [reason, what] =
    others.length > 0
      ? ["conflict", `it touches what ${others.join(", ")} is at work on`]
      : ["changed", "it was changed in the meantime"];
  return refused(reason, `${id} was not begun: ${what}.`, {
    hint: `\`planwright why ${id}\` says how it stands; then run it again.`,
    details: { id, because: others },
  });
}

/** Until nothing is ready, nothing runs and nothing will be ready by itself. */
async function workThrough(
  services: Services,
  engine: Engine,
  ended: readonly Ended[],
  { signal, goOn }: Session,
): Promise<Result<Worked>> {
  let held: Tick["held"] = new Map();
  const stopped = aborted(signal);
  for (;;) {
    if (signal.aborted) break;
    const wasIdle = engine.running.length === 0;
    const tick = await engine.tick();
    if (!tick.ok) return tick;
    held = tick.value.held;
    if (engine.running.length > 0) await Promise.race([engine.oneEnded(), stopped]);
    // What has ended while the engine turned may have made others ready, so it is turned again.
    else if (wasIdle && tick.value.started.length === 0 && !(await waitFor(services, tick.value, signal))) break;
    const last = ended.at(-1);
    if (goOn !== undefined && last !== undefined && engine.running.length === 0 && !(await goOn(last))) break;
  }
  return ok({
    ended,
    held: [...held].map(([task, { reason }]) => ({ task, reason })),
    stopped: signal.aborted,
  });
}

/** Whether there was something to wait for. */
async function waitFor({ context }: Services, { held, recovered }: Tick, signal: AbortSignal): Promise<boolean> {
  if (recovered.length > 0) return true;
  const times = [...held.values()].flatMap(({ until }) => (until === null ? [] : [until]));
  if (times.length === 0) return false;
  await pause(Math.max(0, Math.min(...times) - context.now()), signal);
  return true;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(Math.min(ms, 2 ** 31 - 1), undefined, { signal }).catch(() => undefined);

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((wake) => {
    if (signal.aborted) wake();
    else signal.addEventListener("abort", () => wake(), { once: true });
  });
