// The plan as it was, for news: who could have done what at that moment.

import { PlanAt } from "../../model/derive/plan-at.js";
import type { PlanningRun } from "../../model/item/planning-run.js";
import type { Node, Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { type Standing, standingOf } from "../../model/rules/news.js";
import { isUnfinished, landingHolds, type RunPlace, worksIn } from "../../model/status/landing.js";
import { isFinished, waits } from "../../model/status/rollup.js";
import { ALONE, deriveStatus } from "../../model/status/status.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";

/** What is stored, each node read once. */
function storedPlan(reader: Reader): ConstructorParameters<typeof PlanAt>[0] {
  const known = new Map<Nr, Node | undefined>();
  const seen = (nodes: readonly Node[]): Nr[] => {
    for (const node of nodes) known.set(node.nr, node);
    return nodes.map(({ nr }) => nr);
  };
  return {
    node: async (nr) => {
      if (!known.has(nr)) known.set(nr, await reader.node(nr));
      return known.get(nr);
    },
    children: async (nr) => seen(await reader.children(nr)),
    dependents: async (nr) => seen(await reader.dependents(nr)),
  };
}

const OPEN_RUNS = ["running", "waiting", "ready", "halted"] as const;

export class Past extends PlanAt {
  readonly #reader: Reader;
  /** Planning runs that the operations taken back have touched, as they were; null where there was none. */
  readonly #runs = new Map<string, RunPlace | null>();
  #openRuns: ReadonlyMap<string, RunPlace> | undefined;

  constructor(reader: Reader) {
    super(storedPlan(reader), sha256);
    this.#reader = reader;
  }

  /** The node, and everything in it. */
  async inside(nr: Nr): Promise<Nr[]> {
    return (await this.node(nr)) ? [nr, ...(await this.below(nr))] : [];
  }

  /** What contains it, nearest first. */
  async above(nr: Nr): Promise<readonly Node[]> {
    const found: Node[] = [];
    for (let at = (await this.node(nr))?.parent ?? null; at !== null; ) {
      const parent = await this.node(at);
      if (!parent) break;
      found.push(parent);
      at = parent.parent;
    }
    return found;
  }

  async featureOf(nr: Nr): Promise<Nr | null> {
    return (await this.node(nr))?.feature ?? null;
  }

  async isFinished(nr: Nr): Promise<boolean> {
    const node = await this.node(nr);
    return node !== undefined && isFinished(node);
  }

  /** Who could have done it at that moment. */
  async standing(nr: Nr): Promise<Standing> {
    const node = await this.node(nr);
    if (node?.tier !== "task") return null;
    // Most are decided by their own facts. A landing waits for a person whatever its approval.
    if (node.approval === null && node.kind !== "land") return null;
    if (node.outcome !== null || node.claim !== null || node.freeze !== null) return null;
    const isWaiting = node.kind === "land" ? await this.#landWaits(node) : waits(node);
    const dependencies = isWaiting ? [{ id: "", state: "pending" as const }] : [];
    return standingOf(deriveStatus(node, { ...ALONE, dependencies }).reason);
  }

  /** A change around it that nobody approved does not hold it: the work is done. */
  async #landWaits({ nr, pending, feature }: Node): Promise<boolean> {
    if (pending > 0 || (await this.above(nr)).some((container) => container.pending > 0)) return true;
    return feature !== null && !(await this.mayLand(feature));
  }

  /** Asked while its land task is open. */
  async mayLand(nr: Nr): Promise<boolean> {
    const feature = await this.node(nr);
    if (!feature || isUnfinished(feature)) return false;
    const runs = await this.#runsIn(nr);
    const hasDone = feature.tasksFinished > 0 && (await this.#hasDone(nr));
    return landingHolds({ feature, hasLand: true, unfinished: [], hasDone, runs }).length === 0;
  }

  async #hasDone(feature: Nr): Promise<boolean> {
    for (const nr of await this.below(feature)) {
      const node = await this.node(nr);
      if (node?.tier === "task" && node.kind !== "land" && node.outcome?.kind === "done") return true;
    }
    return false;
  }

  override async back(changes: readonly Change[]): Promise<void> {
    for (const { entity, key, before } of changes) {
      if (entity !== "run") continue;
      const was = before as Partial<PlanningRun> | null;
      this.#runs.set(key, was === null ? null : ({ ...(await this.#run(key)), ...was } as RunPlace));
    }
    await super.back(changes);
  }

  async #run(key: string): Promise<RunPlace | null> {
    const known = this.#runs.get(key);
    return known === undefined ? ((await this.#reader.item("run", key))?.fields ?? null) : known;
  }

  /** The runs that could still have changed something in a feature. */
  async #runsIn(feature: Nr): Promise<string[]> {
    const found: string[] = [];
    for (const [key, run] of new Map([...(await this.#storedRuns()), ...this.#runs])) {
      if (run && worksIn(run, await this.#placeOf(run), feature)) found.push(key);
    }
    return found;
  }

  async #storedRuns(): Promise<ReadonlyMap<string, RunPlace>> {
    if (this.#openRuns) return this.#openRuns;
    const open = new Map<string, RunPlace>();
    for (const state of OPEN_RUNS) {
      for (const { key, fields } of await this.#reader.items("run", { state })) open.set(key, fields);
    }
    this.#openRuns = open;
    return open;
  }

  async #placeOf({ node }: RunPlace): Promise<Nr | null> {
    return node === null ? null : this.featureOf(node);
  }

  /** Every feature that a planning run was about, over or not. */
  async placesOf(key: string): Promise<Nr[]> {
    const run = await this.#run(key);
    const at = run ? await this.#placeOf(run) : null;
    return [...(run?.features ?? []), ...(at === null ? [] : [at])];
  }
}
