// The daemon in this process: an engine that obeys levels, with its chores and the news, until it is asked to stop.

import { messageOf } from "../../base/errors.js";
import type { NotifierSettings } from "../../machine/notify/notify.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { isStep, isUpkeep } from "../../model/operation/undo.js";
import { ok, type Result } from "../../model/result.js";
import { whyNoneBegins } from "../../model/status/hold-phrase.js";
import { watchChanges } from "../../plan/history/watch-changes.js";
import { requireRepository } from "../../plan/repository/require-repository.js";
import type { EngineServices } from "../services.js";
import { noteForeground, writeBeat } from "./background.js";
import { type Announcer, announcer, Chores } from "./chores.js";
import { Engine, type Tick } from "./engine.js";
import { collectEnded, type EndedAttempt, pause } from "./run-session.js";

export async function runDaemon(
  given: EngineServices,
  notifications: NotifierSettings,
  { workers = given.policy.workers, signal }: { readonly workers?: number; readonly signal: AbortSignal },
): Promise<Result<EndedAttempt[]>> {
  const { context, env, policy } = given;
  const repository = await requireRepository(context);
  if (!repository.ok) return repository;
  const { ended, onEvent } = collectEnded(given.onEvent);
  const services: EngineServices = { ...given, onEvent };
  const { root } = context;
  const note = (text: string): void => onEvent({ type: "notice", text });
  const ring = (): void => onEvent({ type: "bell" });
  const news = announcer(context, notifications, { ring, note, env, named: policy.env, root });
  const onLook = (problem: string | null): void => writeBeat(root, { at: new Date().toISOString(), workers, problem });
  const forget = noteForeground(root);
  try {
    await serve(services, new Engine(services, { obeysLevels: true, workers }), news, { signal, onLook });
  } finally {
    forget();
  }
  return ok(ended);
}

interface ServeOptions {
  readonly signal: AbortSignal;
  readonly onTick?: (tick: Tick) => void;
  /** Called after each look at the plan, with why it failed. */
  readonly onLook?: (problem: string | null) => void;
}

/** The shortest time between two looks at the plan because it was changed. */
const GAP_MS = 250;
/** After a tick that failed: a full disk or a locked repository is not helped by haste. */
const TROUBLED_MS = 2_000;

export async function serve(
  services: EngineServices,
  engine: Engine,
  announcer: Announcer,
  { signal, onTick, onLook }: ServeOptions,
): Promise<void> {
  const chores = new Chores(services, announcer, signal);
  const changes = changesByOthers(services, signal);
  let changed = changes.next();
  const noticeNobody = nobodyNotice(services);
  while (!signal.aborted) {
    const tick = await turn(services, engine, onLook);
    if (tick !== null) {
      onTick?.(tick);
      noticeNobody(tick);
    }
    const ms = tick === null ? TROUBLED_MS : untilNext(services, tick);
    const awake = new AbortController();
    const until = AbortSignal.any([signal, awake.signal]);
    const woken = await Promise.race([
      ...(engine.running.length > 0 ? [engine.oneEnded()] : []),
      afterChores(services, chores, until),
      ...(tick === null ? [] : [changed.then(() => "changed" as const)]),
      pause(ms, until),
    ]);
    awake.abort();
    if (woken === "changed") changed = changes.next();
  }
  await Promise.all([engine.stop(), chores.over()]);
}

/** Says once that nobody can do the ready tasks, and again when they are others. */
function nobodyNotice({ onEvent }: EngineServices): (tick: Tick) => void {
  let said = "";
  return ({ held, started }) => {
    const nobody = [...held].flatMap(([task, [first]]) => (first?.reason === "no-worker" ? [{ task, ...first }] : []));
    const text = started.length > 0 ? "" : whyNoneBegins(nobody).join(" ");
    if (text !== "" && text !== said)
      onEvent({ type: "notice", text: `${text} Install an agent, or set roles.worker.` });
    said = text;
  };
}

/** The engine's own steps need no look at the plan: it hears of their ends directly. */
async function* changesByOthers({ context }: EngineServices, signal: AbortSignal): AsyncGenerator<void, void, void> {
  const { store, actor } = context;
  const seen = await store.read((reader) => reader.lastOperation()).catch(() => 0);
  const matters = (operation: LoggedOperation): boolean =>
    !isUpkeep(operation) && !(isStep(operation) && operation.actor === actor);
  yield* watchChanges(store, seen, { signal, gapMs: () => GAP_MS, matters });
}

/** What landed or was settled may let other tasks begin, and a landing that failed may be tried again after a while. */
async function afterChores({ context }: EngineServices, chores: Chores, signal: AbortSignal): Promise<unknown> {
  if (await chores.turn()) return undefined;
  const { nextAt } = chores;
  return nextAt === null ? new Promise(() => undefined) : pause(nextAt - context.now(), signal);
}

/** Null if it failed. */
async function turn({ onEvent }: EngineServices, engine: Engine, onLook: ServeOptions["onLook"]): Promise<Tick | null> {
  let text: string;
  try {
    const tick = await engine.tick();
    if (tick.ok) {
      onLook?.(null);
      return tick.value;
    }
    text = tick.error.message;
  } catch (error) {
    text = `this look at the plan failed: ${messageOf(error)}`;
  }
  onEvent({ type: "notice", text });
  onLook?.(text);
  return null;
}

function untilNext({ context, policy }: EngineServices, { held, failed }: Tick): number {
  if (failed.length > 0) return TROUBLED_MS;
  const times = [...held.values()].flat().flatMap(({ until }) => (until === null ? [] : [until - context.now()]));
  return Math.max(0, Math.min(policy.tickSeconds * 1000, ...times));
}
