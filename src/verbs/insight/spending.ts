// What agents used: tokens and cost of planning and of attempts, by role, run, feature and day.

import type { Nr } from "../../model/node/node.js";
import { isoTime } from "../../plan/node/view.js";
import type { Reader } from "../../store/store.js";

interface Spending {
  readonly calls: number;
  readonly tokens: number;
  readonly costUsd: number;
}

export interface SpendingBy extends Spending {
  readonly of: string;
}

export interface Spendings {
  readonly total: Spending;
  readonly roles: readonly SpendingBy[];
  readonly runs: readonly SpendingBy[];
  readonly features: readonly SpendingBy[];
  /** The latest last. */
  readonly days: readonly SpendingBy[];
}

/** What one call or attempt used. */
export interface Use {
  readonly tokens: number;
  /** 0 where it is not known. */
  readonly costUsd: number;
  /** Whether anybody said what it cost. */
  readonly isPriced: boolean;
  readonly model: string | null;
  readonly role: string;
  readonly run: string | null;
  readonly feature: string | null;
  readonly at: number;
}

/** Everything that agents used. */
export async function readUses(reader: Reader): Promise<Use[]> {
  const features = new FeatureNames(reader);
  return [
    ...(await planningUses(reader, features)),
    ...(await attemptUses(reader, features)),
    ...(await claimUses(reader, features)),
  ];
}

export async function spendings(reader: Reader): Promise<Spendings> {
  const uses = await readUses(reader);
  const by = (of: (use: Use) => string | null): SpendingBy[] => {
    const groups = new Map<string, Use[]>();
    for (const use of uses) {
      const name = of(use);
      if (name !== null) groups.set(name, [...(groups.get(name) ?? []), use]);
    }
    return [...groups].map(([name, list]) => ({ of: name, ...sum(list) }));
  };
  const dearest = (list: SpendingBy[]): SpendingBy[] =>
    list.sort((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens);
  return {
    total: sum(uses),
    roles: dearest(by(({ role }) => role)),
    runs: dearest(by(({ run }) => run)),
    features: dearest(by(({ feature }) => feature)),
    days: by(({ at }) => isoTime(at).slice(0, 10)).sort((a, b) => (a.of < b.of ? -1 : 1)),
  };
}

const sum = (uses: readonly Use[]): Spending => ({
  calls: uses.length,
  tokens: uses.reduce((total, { tokens }) => total + tokens, 0),
  costUsd: uses.reduce((total, { costUsd }) => total + costUsd, 0),
});

/** Reads each feature once. */
class FeatureNames {
  readonly #reader: Reader;
  readonly #names = new Map<Nr, string | null>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async nameOf(nr: Nr | null): Promise<string | null> {
    if (nr === null) return null;
    const known = this.#names.get(nr);
    if (known !== undefined) return known;
    const name = (await this.#reader.node(nr))?.id ?? null;
    this.#names.set(nr, name);
    return name;
  }
}

/** A run counts for the feature that it is about, if it is about one. */
async function planningUses(reader: Reader, names: FeatureNames): Promise<Use[]> {
  const features = new Map<string, string | null>();
  for (const { key, fields } of await reader.items("run", {})) {
    const node = fields.node === null ? undefined : await reader.node(fields.node);
    features.set(key, await names.nameOf(node?.feature ?? null));
  }
  return (await reader.items("call", {})).map(({ fields }) => ({
    tokens: fields.inputTokens + fields.outputTokens,
    costUsd: fields.costUsd ?? 0,
    isPriced: fields.costUsd !== null,
    model: fields.model,
    role: fields.role,
    run: fields.run,
    feature: features.get(fields.run) ?? null,
    at: fields.startedAt,
  }));
}

/** Landings and people use nothing, unless they say so. */
async function attemptUses(reader: Reader, names: FeatureNames): Promise<Use[]> {
  const uses: Use[] = [];
  for (const { fields } of await reader.items("attempt", {})) {
    const { usage, worker, feature, startedAt: at } = fields;
    const tokens = usage.inputTokens + usage.outputTokens;
    const costUsd = usage.costUsd ?? 0;
    if (worker.kind !== "agent" && tokens === 0 && costUsd === 0) continue;
    const priced = { isPriced: usage.costUsd !== null, model: worker.model };
    uses.push({ tokens, costUsd, ...priced, role: "worker", run: null, feature: await names.nameOf(feature), at });
  }
  return uses;
}

/** Work that was handed in without git, where there are no attempts. */
async function claimUses(reader: Reader, names: FeatureNames): Promise<Use[]> {
  const uses: Use[] = [];
  for (const { fields } of await reader.items("claim", {})) {
    for (const { tokens, costUsd, at } of fields.spent ?? []) {
      const feature = await names.nameOf((await reader.node(fields.task))?.feature ?? null);
      uses.push({ tokens, costUsd, isPriced: true, model: null, role: "worker", run: null, feature, at });
    }
  }
  return uses;
}
