// Turns the engine until there is nothing left to do, one is done, or you stop it.

import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { AttemptWorker } from "../../model/attempt/attempt.js";
import { type Occupied, occupiedBy, overlapsOf } from "../../model/conflict/conflict.js";
import { ok, type Result, type ValueOf } from "../../model/result.js";
import { whyNotBegin } from "../../model/status/hold-phrase.js";
import type { Asker, Hold } from "../../model/status/holds.js";
import { resolve } from "../../plan/base/resolve.js";
import { requireRepository } from "../../plan/repository/require-repository.js";
import type { EngineEvent, EngineServices } from "../services.js";
import { Engine, EngineHolds, type Tick } from "./engine.js";

export type EndedAttempt = Omit<Extract<EngineEvent, { type: "end" }>, "type">;

const toNotStarted = (task: string, hold: Hold) => ({ task, ...hold, sentence: whyNotBegin(task, hold) });

type NotStarted = Readonly<ReturnType<typeof toNotStarted>>;

export interface RunSummary {
  readonly ended: readonly EndedAttempt[];
  readonly held: readonly NotStarted[];
  readonly landed: readonly string[];
  readonly stopped: boolean;
}

export interface RunTasksOptions {
  readonly task?: string;
  readonly within?: string;
  readonly workers: number;
  /** A person who runs the plan decides; an agent gets no further than the level allows. */
  readonly obeysLevels: boolean;
  readonly signal: AbortSignal;
  readonly onEvent: (event: EngineEvent) => void;
  /** Decides after each attempt whether the run goes on; false leaves the rest. */
  readonly goOn?: (last: EndedAttempt) => Promise<boolean>;
  /** Called when nothing is left to do: lands what is finished, which may make other tasks ready. Returns what landed. */
  readonly land?: () => Promise<Result<readonly string[]>>;
}

/** Remembers how attempts ended, and passes everything on. */
export function collectEnded(pass: (event: EngineEvent) => void) {
  const ended: EndedAttempt[] = [];
  const onEvent = (event: EngineEvent): void => {
    if (event.type === "end") {
      const { type: _, ...rest } = event;
      ended.push(rest);
    }
    pass(event);
  };
  return { ended, onEvent };
}

export async function runTasks(
  given: Omit<EngineServices, "onEvent">,
  options: RunTasksOptions,
): Promise<Result<RunSummary>> {
  const repository = await requireRepository(given.context);
  if (!repository.ok) return repository;
  const { ended, onEvent } = collectEnded(options.onEvent);
  const services: EngineServices = { ...given, onEvent };
  const { within, workers, obeysLevels, task: reference, signal } = options;
  const engine = new Engine(services, { obeysLevels, workers, ...(within === undefined ? {} : { within }) });
  try {
    if (reference === undefined) return await workThrough(services, engine, ended, options);
    const { context } = services;
    const task = await context.store.read((reader) => resolve(reader, reference, context));
    if (!task.ok) return task;
    const begun = await engine.startNamed(task.value);
    if (!begun.ok) return begun;
    await Promise.race([engine.oneEnded(), aborted(signal)]);
    return ok({ ended, held: [], landed: [], stopped: signal.aborted });
  } finally {
    await engine.stop();
  }
}

/** Goes on until nothing is ready, nothing runs and nothing will be ready by itself. */
async function workThrough(
  services: EngineServices,
  engine: Engine,
  ended: readonly EndedAttempt[],
  { signal, goOn, land }: Pick<RunTasksOptions, "signal" | "goOn" | "land">,
): Promise<Result<RunSummary>> {
  let held: Tick["held"] = new Map();
  const landed: string[] = [];
  const stopped = aborted(signal);
  for (;;) {
    if (signal.aborted) break;
    const wasIdle = engine.running.length === 0;
    const tick = await engine.tick();
    if (!tick.ok) return tick;
    held = tick.value.held;
    // Conflicts show while workers are busy, so it is turned again before one of them ends.
    if (engine.running.length > 0) await untilNextTurn(services, [engine.oneEnded(), stopped]);
    // What has ended while the engine turned may have made others ready, so it is turned again.
    else if (wasIdle && tick.value.started.length === 0) {
      const now = (await land?.()) ?? ok([]);
      if (!now.ok) return now;
      landed.push(...now.value);
      if (now.value.length === 0 && !(await waitFor(services, tick.value, signal))) break;
    }
    const last = ended.at(-1);
    if (goOn !== undefined && last !== undefined && engine.running.length === 0 && !(await goOn(last))) break;
  }
  return ok({
    ended,
    held: [...held].flatMap(([task, [first]]) => (first ? [toNotStarted(task, first)] : [])),
    landed,
    stopped: signal.aborted,
  });
}

/** More often than that a look at every worktree costs more than it finds. */
const MAX_TURN_SECONDS = 10;

async function untilNextTurn({ policy }: EngineServices, events: readonly Promise<unknown>[]): Promise<void> {
  const over = new AbortController();
  const turn = pause(1_000 * Math.min(policy.tickSeconds, MAX_TURN_SECONDS), over.signal);
  await Promise.race([...events, turn]).finally(() => over.abort());
}

async function waitFor({ context }: EngineServices, { held, recovered }: Tick, signal: AbortSignal): Promise<boolean> {
  if (recovered.length > 0) return true;
  // A pause after a storm, or a budget, is too long to sit through.
  const retries = [...held.values()].filter((own) => own.every(({ reason }) => reason === "retry"));
  const times = retries.flatMap(([retry]) => retry?.until ?? []);
  if (times.length === 0) return false;
  await pause(Math.min(...times) - context.now(), signal);
  return true;
}

export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(Math.max(0, Math.min(ms, 2 ** 31 - 1)), undefined, { signal }).catch(() => undefined);

const aborted = async (signal: AbortSignal): Promise<unknown> => signal.aborted || once(signal, "abort");

export type RunPreview = ValueOf<ReturnType<typeof previewRun>>;

interface PreviewOptions extends Pick<RunTasksOptions, "task" | "within"> {
  readonly asker: Asker;
}

interface PlannedTask {
  readonly task: string;
  readonly title: string;
  readonly worker: AttemptWorker;
  /** Tasks of the list that touch the same files and come first. */
  readonly after: readonly string[];
}

/** More than one screen. */
const MAX_PREVIEWED = 200;

export async function previewRun(services: Omit<EngineServices, "onEvent">, { task, within, asker }: PreviewOptions) {
  const repository = await requireRepository(services.context);
  if (!repository.ok) return repository;
  const { store } = services.context;
  const ready = await store.read(async (reader) => {
    const reference = task ?? within;
    const named = reference === undefined ? ok(undefined) : await resolve(reader, reference, services.context);
    if (!named.ok) return named;
    if (task !== undefined && named.value) return ok([named.value]);
    return ok(await reader.claimable({ limit: MAX_PREVIEWED + 1, ...(named.value && { within: named.value }) }));
  });
  if (!ready.ok) return ready;
  const holds = new EngineHolds({ ...services, onEvent: () => undefined });
  // They are listed in the order in which they would begin.
  const planned: PlannedTask[] = [];
  const held: NotStarted[] = [];
  const before: Occupied[] = [];
  for (const node of ready.value.slice(0, MAX_PREVIEWED)) {
    const looked = await holds.look(node, asker);
    if (!("worker" in looked)) {
      held.push(toNotStarted(node.id, looked.held[0]));
      continue;
    }
    const after = overlapsOf(node, before).map(({ id }) => id);
    planned.push({ task: node.id, title: node.title, worker: looked.worker.as, after });
    before.push(...occupiedBy([node]));
  }
  /** `more`: there are more ready tasks than were looked at. */
  return ok({ planned, held, more: ready.value.length > MAX_PREVIEWED });
}
