// What agents used: tokens and cost of planning and of attempts, by role, run, feature and day.

import { isoTime } from "../../model/iso-time.js";
import type { Nr } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";

export type SpendingBy = Awaited<ReturnType<typeof spendings>>["roles"][number];

export interface Use {
  readonly tokens: number;
  /** 0 where it is not known. */
  readonly costUsd: number;
  readonly isPriced: boolean;
  readonly model: string | null;
  readonly role: string;
  readonly run: string | null;
  readonly feature: string | null;
  readonly at: number;
}

export async function readUses(reader: Reader): Promise<Use[]> {
  return [...(await planningUses(reader)), ...(await attemptUses(reader)), ...(await claimUses(reader))];
}

/** The latest day last, otherwise the most expensive first. */
export async function spendings(reader: Reader) {
  const uses = await readUses(reader);
  const by = (of: (use: Use) => string | null) =>
    [...grouped(uses, of)].map(([name, some]) => ({ of: name, ...sum(some) }));
  const dearest = (of: (use: Use) => string | null) =>
    by(of).sort((a, b) => b.costUsd - a.costUsd || b.tokens - a.tokens);
  return {
    total: sum(uses),
    roles: dearest(({ role }) => role),
    runs: dearest(({ run }) => run),
    features: dearest(({ feature }) => feature),
    days: by(dayOf).sort((a, b) => (a.of < b.of ? -1 : 1)),
  };
}

export const dayOf = ({ at }: Use): string => isoTime(at).slice(0, 10);

/** Those with the same name together; without a name they are left out. */
export function grouped(uses: readonly Use[], nameOf: (use: Use) => string | null): Map<string, Use[]> {
  const groups = new Map<string, Use[]>();
  for (const use of uses) {
    const name = nameOf(use);
    const group = name === null ? undefined : groups.get(name);
    if (group) group.push(use);
    else if (name !== null) groups.set(name, [use]);
  }
  return groups;
}

export const sum = (uses: readonly Use[]) => ({
  calls: uses.length,
  tokens: uses.reduce((total, { tokens }) => total + tokens, 0),
  costUsd: uses.reduce((total, { costUsd }) => total + costUsd, 0),
});

const idOf = async (reader: Reader, nr: Nr | null) => (nr === null ? null : ((await reader.idOf(nr)) ?? null));

/** A run counts for the feature that it is about, if it is about one. */
async function planningUses(reader: Reader): Promise<Use[]> {
  const features = new Map<string, string | null>();
  for (const { key, fields } of await reader.items("run", {})) {
    const node = fields.node === null ? undefined : await reader.node(fields.node);
    features.set(key, await idOf(reader, node?.feature ?? null));
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
async function attemptUses(reader: Reader): Promise<Use[]> {
  const uses: Use[] = [];
  for (const { fields } of await reader.items("attempt", {})) {
    const { usage, worker, feature, startedAt: at } = fields;
    const tokens = usage.inputTokens + usage.outputTokens;
    const costUsd = usage.costUsd ?? 0;
    if (worker.kind !== "agent" && tokens === 0 && costUsd === 0) continue;
    const priced = { isPriced: usage.costUsd !== null, model: worker.model };
    uses.push({ tokens, costUsd, ...priced, role: "worker", run: null, feature: await idOf(reader, feature), at });
  }
  return uses;
}

/** Work that was handed in without git, where there are no attempts. */
async function claimUses(reader: Reader): Promise<Use[]> {
  const uses: Use[] = [];
  for (const { fields } of await reader.items("claim", {})) {
    for (const { tokens, costUsd, at } of fields.spent ?? []) {
      const feature = await idOf(reader, (await reader.node(fields.task))?.feature ?? null);
      uses.push({ tokens, costUsd, isPriced: true, model: null, role: "worker", run: null, feature, at });
    }
  }
  return uses;
}
