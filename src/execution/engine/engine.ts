// The engine under `run` and `daemon`. A tick looks after what others left behind, then claims and starts as much as
// may run now; it does not wait for it. Whoever turns it decides when: a timer, a write of another process, or a test.

import { settleConflicts } from "../../actions/conflict/settle-conflicts.js";
import { resolve } from "../../actions/resolve.js";
import type { Node } from "../../graph/node/node.js";
import { ok, type Result } from "../../graph/result.js";
import { beginAttempt } from "../attempt/begin.js";
import { drive } from "../attempt/drive.js";
import { heartbeatOf } from "../attempt/heartbeats.js";
import type { Live } from "../attempt/moves.js";
import { InFlight } from "../conflicts/branch-conflicts.js";
import { arrange } from "../conflicts/footprint-conflicts.js";
import { removeLeftovers } from "../recovery/leftovers.js";
import { reconcile } from "../recovery/reconcile.js";
import { askAboutStop } from "./ask-about-stops.js";
import { Eligibility, type HeldBack } from "./eligible.js";
import type { Services } from "./services.js";
import { removeIdleWorktrees } from "./worktree-pool.js";

export interface EngineOptions {
  /** Only below this node. */
  readonly within?: string;
  /** The daemon does only what the level allows; whoever types `run` has said so. */
  readonly obeysLevels: boolean;
  readonly workers: number;
}

export interface Tick {
  readonly recovered: readonly string[];
  readonly started: readonly string[];
  /** Tasks that are ready but were not started, and why. */
  readonly held: ReadonlyMap<string, HeldBack>;
}

interface Running {
  readonly live: Live;
  readonly ended: Promise<void>;
}

/** How many ready tasks are looked at before a tick gives up finding one that may start: few at first. */
const LOOKS = [10, 200];

const CLASHES_EVERY_MS = 10_000;

export class Engine {
  readonly #services: Services;
  readonly #options: EngineOptions;
  readonly #running = new Map<string, Running>();
  readonly #stop = new AbortController();
  readonly #inFlight: InFlight;
  #lookedAt = 0;

  constructor(services: Services, options: EngineOptions) {
    this.#services = services;
    this.#options = options;
    this.#inFlight = new InFlight(services.context);
  }

  get running(): readonly Live[] {
    return [...this.#running.values()].map(({ live }) => live);
  }

  /** Settles when one of those that run has ended; at once if none does. */
  async oneEnded(): Promise<void> {
    if (this.#running.size > 0) await Promise.race([...this.#running.values()].map(({ ended }) => ended));
  }

  async tick(): Promise<Result<Tick>> {
    const scope = await this.#scope();
    if (!scope.ok) return scope;
    const mine = new Set(this.#running.keys());
    const recovered = await reconcile(this.#services, mine);
    await settleConflicts(this.#services.context);
    const held = new Map<string, HeldBack>();
    const eligibility = new Eligibility(this.#services, this.#options.obeysLevels);
    const started: string[] = [];
    while (this.#running.size < this.#options.workers && !this.#stop.signal.aborted) {
      const key = await this.#startOne(scope.value, eligibility, held);
      if (key === null) break;
      started.push(key);
    }
    await this.#lookForClashes();
    return ok({ recovered, started, held });
  }

  /** One task by name, whatever else is ready. */
  async start(task: Node): Promise<Result<string | null>> {
    const worker = await this.#services.workerFor(task);
    if (!worker.ok) return worker;
    const live = await beginAttempt(this.#services, task.nr, worker.value);
    if (live === "changed") return ok(null);
    this.#launch(live, drive(this.#services, live, worker.value, this.#stop.signal));
    return ok(live.key);
  }

  /** Gives everything back that is still being worked on, and waits until that is done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    await removeIdleWorktrees(this.#services);
    await removeLeftovers(this.#services);
  }

  async #scope(): Promise<Result<Node | undefined>> {
    const { within } = this.#options;
    const { store, actor } = this.#services.context;
    return within === undefined ? ok(undefined) : store.read((reader) => resolve(reader, within, actor));
  }

  async #startOne(
    within: Node | undefined,
    eligibility: Eligibility,
    held: Map<string, HeldBack>,
  ): Promise<string | null> {
    const { store } = this.#services.context;
    for (const limit of LOOKS) {
      const query = { limit, ...(within === undefined ? {} : { within }) };
      const ready = await store.read((reader) => reader.claimable(query));
      const key = await this.#startFirst(ready, eligibility, held);
      if (key !== null || ready.length < limit) return key;
    }
    return null;
  }

  async #startFirst(
    ready: readonly Node[],
    eligibility: Eligibility,
    held: Map<string, HeldBack>,
  ): Promise<string | null> {
    for (const task of ready) {
      const back = held.get(task.id) ?? (await eligibility.holdsBack(task));
      if (back === null) {
        const key = await this.start(task);
        if (key.ok && key.value !== null) return key.value;
        if (!key.ok) held.set(task.id, { reason: key.error.message, until: null });
      } else if (!held.has(task.id)) {
        held.set(task.id, back);
        if (back.stops !== undefined) await askAboutStop(this.#services, task, back);
      }
    }
    return null;
  }

  /** Branches in flight are merged in memory now and then: it starts git for each of them. */
  async #lookForClashes(): Promise<void> {
    const now = this.#services.context.now();
    if (this.#running.size < 2 || now - this.#lookedAt < CLASHES_EVERY_MS) return;
    this.#lookedAt = now;
    await arrange(this.#services.context, await this.#inFlight.conflicts());
  }

  #launch(live: Live, work: Promise<void>): void {
    const beat = heartbeatOf(this.#services, live);
    const ended = work.finally(() => {
      beat.stop();
      this.#running.delete(live.key);
    });
    this.#running.set(live.key, { live, ended });
  }
}
