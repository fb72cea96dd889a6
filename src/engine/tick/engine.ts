// The engine under `run` and `daemon`. A tick looks after what others left behind, then claims and starts as much as
// may run now; it does not wait for it. The caller decides when it turns: a timer, a write of another process, or a test.

import type { NoWorker } from "../../model/attempt/choose-worker.js";
import { type Occupied, overlapsOf } from "../../model/conflict/conflict.js";
import { GO_ON, type Option } from "../../model/item/question.js";
import type { Node } from "../../model/node/node.js";
import { absent, ok, type Result, type ValueOf } from "../../model/result.js";
import { type Asker, type Hold, holds, noWorkerHold, type Stop } from "../../model/status/holds.js";
import { ALONE } from "../../model/status/status.js";
import { act } from "../../plan/base/context.js";
import { resolve } from "../../plan/base/resolve.js";
import { gatherSurroundings, occupiedNow } from "../../plan/base/surroundings.js";
import { cannotBegin } from "../../plan/claim/lease.js";
import { settleConflicts } from "../../plan/conflict/resolve-conflict.js";
import { HoldReader } from "../../plan/holds/hold-reader.js";
import { type NewQuestion, raise } from "../../plan/question/raise.js";
import type { Reader } from "../../store/store.js";
import { heartbeatOf, type LiveAttempt } from "../attempt/attempt-state.js";
import { beginAttempt } from "../attempt/begin-attempt.js";
import { BranchConflicts } from "../conflicts/branch-conflicts.js";
import { drive } from "../drive/drive-attempt.js";
import { recordConflicts } from "../ending/end-attempt.js";
import { reconcile, removeLeftovers } from "../recovery/reconcile.js";
import { type EngineServices, orNotice, type Worker } from "../services.js";
import { removeIdleWorktrees } from "../worktree/worktree-pool.js";

export interface EngineOptions {
  readonly within?: string;
  /** The daemon and agents do only what the level allows. A person who types `run` decides. */
  readonly obeysLevels: boolean;
  readonly workers: number;
}

export type Tick = ValueOf<ReturnType<Engine["tick"]>>;

/** Why ready tasks were not started, by their ids. */
type HeldTasks = Map<string, readonly Hold[]>;

interface RunningAttempt {
  readonly live: LiveAttempt;
  readonly ended: Promise<void>;
}

/** How many ready tasks are read before a tick gives up finding one that may start: few at first. */
const LOOKS = [10, 200, 2_000];
/** How many of them are looked at closely, and how many more that overlap with nothing in progress. */
const CLOSE_LOOKS = 200;
const MORE_LOOKS = 50;

const CLASHES_EVERY_MS = 10_000;

export class Engine {
  readonly #services: EngineServices;
  readonly #options: EngineOptions;
  readonly #running = new Map<string, RunningAttempt>();
  readonly #stop = new AbortController();
  readonly #inFlight: BranchConflicts;
  #lookedAt = 0;

  constructor(services: EngineServices, options: EngineOptions) {
    this.#services = services;
    this.#options = options;
    this.#inFlight = new BranchConflicts(services.context);
  }

  get running(): readonly LiveAttempt[] {
    return [...this.#running.values()].map(({ live }) => live);
  }

  /** Settles when one of those that run has ended; at once if none does. */
  async oneEnded(): Promise<void> {
    if (this.#running.size > 0) await Promise.race([...this.#running.values()].map(({ ended }) => ended));
  }

  /** `failed`: attempts of killed programs that could not be recovered yet. `held`: ready tasks that were not started, and why. */
  async tick() {
    const { within } = this.#options;
    const { store } = this.#services.context;
    const scope =
      within === undefined
        ? ok(undefined)
        : await store.read((reader) => resolve(reader, within, this.#services.context));
    if (!scope.ok) return scope;
    const mine = new Set(this.#running.keys());
    const { settled: recovered, failed } = await reconcile(this.#services, mine);
    await settleConflicts(this.#services.context);
    const held: HeldTasks = new Map();
    const holds = new EngineHolds(this.#services);
    const started: string[] = [];
    while (this.#running.size < this.#options.workers && !this.#stop.signal.aborted) {
      const key = await this.#startOne(scope.value, holds, held);
      if (key === null) break;
      started.push(key);
    }
    await this.#lookForClashes();
    return ok({ recovered, failed, started, held });
  }

  /** One task by name, whatever else is ready. What a killed program left is cleaned up first. */
  async startNamed({ nr, id }: Pick<Node, "nr" | "id">): Promise<Result<string>> {
    await reconcile(this.#services, new Set(this.#running.keys()));
    const task = await this.#services.context.store.read((reader) => reader.node(nr));
    if (!task) return absent("not-found", `${id} is gone.`);
    const asker = this.#options.obeysLevels ? "daemon" : "named-run";
    const looked = await new EngineHolds(this.#services).look(task, asker);
    return "worker" in looked ? this.#start(task, looked.worker) : cannotBegin(task, looked.held);
  }

  /** Gives everything back that is still being worked on, and waits until that is done. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
    await orNotice(this.#services, "Cleaning up failed and is tried again later", () =>
      removeIdleWorktrees(this.#services),
    );
    await removeLeftovers(this.#services);
  }

  async #startOne(within: Node | undefined, holds: EngineHolds, held: HeldTasks): Promise<string | null> {
    const { store } = this.#services.context;
    for (const limit of LOOKS) {
      const query = { limit, ...(within === undefined ? {} : { within }) };
      const ready = await store.read((reader) => reader.claimable(query));
      const key = await this.#startFirst(ready, holds, held);
      if (key !== null || ready.length < limit) return key;
    }
    return null;
  }

  async #startFirst(ready: readonly Node[], holds: EngineHolds, held: HeldTasks): Promise<string | null> {
    for (const task of ready.filter(({ id }) => !held.has(id))) {
      if (holds.looks >= CLOSE_LOOKS) {
        const overlap = await holds.overlap(task);
        if (overlap.length > 0) held.set(task.id, overlap);
        if (overlap.length > 0 || holds.looks >= CLOSE_LOOKS + MORE_LOOKS) continue;
      }
      const looked = await holds.look(task, this.#options.obeysLevels ? "daemon" : "run");
      if ("worker" in looked) {
        const key = await this.#start(task, looked.worker);
        holds.claimed();
        if (key.ok) return key.value;
        // Otherwise another process has changed it; the next tick looks again.
        const { reason, message } = key.error;
        if (reason === "rewritten") this.#services.onEvent({ type: "notice", text: message });
        if (reason === "approval-unknown") held.set(task.id, [{ reason, because: [], until: null }]);
        continue;
      }
      held.set(task.id, looked.held);
      const { stop } = looked;
      if (stop !== null && looked.held[0].reason === stop.reason) await askAboutStop(this.#services, task, stop);
    }
    return null;
  }

  async #start(task: Node, worker: Worker): Promise<Result<string>> {
    const begun = await beginAttempt(this.#services, task.nr, worker);
    if (!begun.ok) return begun;
    const live = begun.value;
    const beat = heartbeatOf(this.#services, live);
    const ended = drive(this.#services, live, worker, this.#stop.signal).finally(() => {
      beat.stop();
      this.#running.delete(live.key);
    });
    this.#running.set(live.key, { live, ended });
    return ok(live.key);
  }

  /** Branches in flight are merged in memory now and then: it starts git for each of them. */
  async #lookForClashes(): Promise<void> {
    const now = this.#services.context.now();
    if (this.#running.size < 2 || now - this.#lookedAt < CLASHES_EVERY_MS) return;
    this.#lookedAt = now;
    await recordConflicts(this.#services.context, await this.#inFlight.conflicts());
  }
}

const NEXT = {
  storm: "It continues by itself after the pause set in execution.storm.",
  spending: "Raise the limit in planwright.json, or let it rest until tomorrow if it is the day's.",
} as const;

const OPTIONS: Readonly<Record<Stop["reason"], readonly Option[]>> = {
  storm: [
    { id: "seen", label: "Wait for the pause", detail: NEXT.storm },
    {
      id: GO_ON,
      label: "Go on now",
      detail: "The failures so far count no more. Resetting a failed task does the same.",
    },
  ],
  spending: [{ id: "seen", label: "I have seen it", detail: NEXT.spending }],
};

async function askAboutStop({ context }: EngineServices, { feature }: Node, { reason, because, since }: Stop) {
  if (since === null || feature === null) return;
  const id = await context.store.read((reader) => reader.idOf(feature));
  if (id === undefined) return;
  const stops = { storm: "pauses after too many failures", spending: "stops: its budget is spent" };
  const question = `Work on ${id} ${stops[reason]}.`;
  if (await context.store.read((reader) => wasAsked(reader, id, question, since))) return;
  await act(context, "attempt", async (writer, at) => {
    const about = { context: `${because}.\n${NEXT[reason]}`, owner: id, blocks: [id] };
    const asked: NewQuestion = { kind: "budget", question, ...about, recommended: "seen", options: OPTIONS[reason] };
    const { changes } = await raise(writer, asked, { by: context.actor, at });
    return ok({ sentence: `work on ${id} stopped: ${because}`, changes, value: null });
  });
}

/** Whether a person was asked about this very stop. */
const wasAsked = async (reader: Reader, owner: string, question: string, since: number): Promise<boolean> =>
  (await reader.items("question", { owner })).some(
    ({ fields }) => fields.question === question && fields.createdAt >= since,
  );

type HoldsFound =
  | { readonly held: readonly []; readonly worker: Worker }
  | { readonly held: readonly [Hold, ...Hold[]]; readonly stop: Stop | null };

/** Serves one tick, and reads once what is the same for many tasks. */
export class EngineHolds {
  readonly #services: EngineServices;
  readonly #reader: HoldReader;
  #occupied: readonly Occupied[] | undefined;
  looks = 0;

  constructor(services: EngineServices) {
    this.#services = services;
    const { context, policy } = services;
    this.#reader = new HoldReader({ ...context, engineLimits: async () => policy, noWorkerFor: async () => null });
  }

  /** Something was claimed: what is in progress has to be read again. */
  claimed(): void {
    this.#occupied = undefined;
  }

  /**
   * Whether a ready task overlaps with work in progress. Many ready tasks may name one file, so this reads nothing about
   * the task.
   */
  async overlap(task: Node): Promise<readonly Hold[]> {
    const overlaps = overlapsOf(task, await this.#inProgress());
    return overlaps.length === 0 ? [] : holds(task, { around: { ...ALONE, overlaps } }, "self");
  }

  async look(task: Node, asker: Asker): Promise<HoldsFound> {
    this.looks++;
    const occupied = await this.#inProgress();
    const facts = await this.#services.context.store.read(async (reader) =>
      this.#reader.facts(reader, task, asker, await gatherSurroundings(reader, task, { occupied })),
    );
    const [first, ...more] = holds(task, facts, asker);
    if (first) return { held: [first, ...more], stop: facts.engine?.stop ?? null };
    // Agents are looked for last, and outside of the read: it takes a while.
    const worker = await this.#services.workerFor(task);
    return isWorker(worker) ? { held: [], worker } : { held: [noWorkerHold(worker)], stop: null };
  }

  async #inProgress(): Promise<readonly Occupied[]> {
    this.#occupied ??= await this.#services.context.store.read(occupiedNow);
    return this.#occupied;
  }
}

const isWorker = (worker: Worker | NoWorker): worker is Worker => "begin" in worker;
