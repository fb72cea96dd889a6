// The daemon's loop: turns the engine when something has changed, when an attempt has ended, when a task may be tried
// again, and otherwise now and then. What goes wrong in one tick is said, and the next one tries again.

import type { Announcer } from "./announce-news.js";
import { Duties } from "./chores.js";
import type { Engine, Tick } from "./engine.js";
import type { Services } from "./services.js";

export interface ServeOptions {
  readonly signal: AbortSignal;
  readonly onTick?: (tick: Tick) => void;
}

/** How often it is looked whether another process has written. */
const LOOK_MS = 250;
/** After a tick that failed: a full disk or a locked repository is not helped by haste. */
const TROUBLED_MS = 2_000;

export async function serve(
  services: Services,
  engine: Engine,
  announcer: Announcer,
  { signal, onTick }: ServeOptions,
): Promise<void> {
  const duties = new Duties(services, announcer, signal);
  while (!signal.aborted) {
    const seen = await services.context.store.version();
    const tick = await turn(services, engine);
    if (tick !== null) onTick?.(tick);
    const ms = tick === null ? TROUBLED_MS : untilNext(services, tick);
    await Promise.race([
      ...(engine.running.length > 0 ? [engine.oneEnded()] : []),
      whenItMatters(duties),
      changed(services, seen, ms, signal, tick === null),
    ]);
  }
  await Promise.all([engine.stop(), duties.over()]);
}

/** What landed or was settled may let other tasks begin; otherwise there is nothing to wake up for. */
const whenItMatters = async (duties: Duties): Promise<unknown> =>
  (await duties.turn()) ? undefined : new Promise(() => undefined);

/** Null if it failed. */
async function turn({ onEvent }: Services, engine: Engine): Promise<Tick | null> {
  try {
    const tick = await engine.tick();
    if (tick.ok) return tick.value;
    onEvent({ type: "notice", text: tick.error.message });
  } catch (error) {
    onEvent({
      type: "notice",
      text: `this look at the plan failed: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
  return null;
}

function untilNext({ context, policy }: Services, { held }: Tick): number {
  const times = [...held.values()].flatMap(({ until }) => (until === null ? [] : [until - context.now()]));
  return Math.max(0, Math.min(policy.tickSeconds * 1000, ...times));
}

/** Settles when another process has written, or after so long. */
async function changed(
  { context }: Services,
  seen: number,
  ms: number,
  signal: AbortSignal,
  troubled: boolean,
): Promise<void> {
  const until = performance.now() + ms;
  while (!signal.aborted && performance.now() < until) {
    await nap(Math.min(LOOK_MS, Math.max(1, until - performance.now())), signal);
    if (!troubled && (await context.store.version()) !== seen) return;
  }
}

const nap = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((wake) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      wake();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
  });
