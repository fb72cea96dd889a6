// Planning runs as they were: those that the operations taken back have touched, and the others as they are stored.

import type { PlanningRun } from "../../model/item/planning-run.js";
import type { Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { type RunPlace, worksIn } from "../../model/status/landing.js";
import type { Reader } from "../../store/store.js";

type FeatureOf = (nr: Nr) => Promise<Nr | null>;

const OPEN = ["running", "waiting", "ready", "halted"] as const;

export class PastRuns {
  readonly #reader: Reader;
  /** As they were; null where there was none. */
  readonly #touched = new Map<string, RunPlace | null>();
  #open: ReadonlyMap<string, RunPlace> | undefined;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async back(changes: readonly Change[]): Promise<void> {
    for (const { entity, key, before } of changes) {
      if (entity !== "run") continue;
      const after = before === null ? null : await this.#run(key);
      const was = before as Partial<PlanningRun> | null;
      this.#touched.set(key, was === null ? null : ({ ...after, ...was } as RunPlace));
    }
  }

  async #run(key: string): Promise<RunPlace | null> {
    const known = this.#touched.get(key);
    return known === undefined ? ((await this.#reader.item("run", key))?.fields ?? null) : known;
  }

  /** The runs that could still have changed something in a feature. */
  async in(feature: Nr, featureOf: FeatureOf): Promise<string[]> {
    const found: string[] = [];
    for (const [key, run] of new Map([...(await this.#stored()), ...this.#touched])) {
      if (run === null) continue;
      const at = run.node === null ? null : await featureOf(run.node);
      if (worksIn(run, at, feature)) found.push(key);
    }
    return found;
  }

  async #stored(): Promise<ReadonlyMap<string, RunPlace>> {
    if (this.#open) return this.#open;
    const open = new Map<string, RunPlace>();
    for (const state of OPEN) {
      for (const { key, fields } of await this.#reader.items("run", { state })) open.set(key, fields);
    }
    this.#open = open;
    return open;
  }

  /** Every feature that the run was about, over or not. */
  async places(key: string, featureOf: FeatureOf): Promise<Nr[]> {
    const run = await this.#run(key);
    const at = !run || run.node === null ? null : await featureOf(run.node);
    return [...(run?.features ?? []), ...(at === null ? [] : [at])];
  }
}
