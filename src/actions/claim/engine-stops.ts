// What keeps an engine from beginning a task that is ready: a storm of failures, or a budget that is spent. The engine asks
// before it claims; `why` asks to tell people.

import { type AttemptUsage, isLanding } from "../../graph/attempt/attempt.js";
import {
  type Breaker,
  overBudget,
  type SpendingLimits,
  type Spent,
  type StormSettings,
  stormBreaker,
} from "../../graph/attempt/failure-limits.js";
import { type Item, LIVE } from "../../graph/item/item.js";
import type { Nr } from "../../graph/node/node.js";
import type { Reader } from "../../store/store.js";

export interface EngineLimits extends SpendingLimits {
  readonly storm: StormSettings;
}

/** Far more failures than a storm has. */
const RECENT = 50;
/** Other features may have had many since the last one of this. */
const SUCCESSES = 1000;
const DAY_MS = 86_400_000;
const ALL_OF_A_DAY = 10_000;

export interface Stop {
  readonly reason: string;
  /** When it may begin without anybody doing anything. */
  readonly until: number | null;
  /** A person has to hear of it: nothing of this feature begins before they do something. */
  readonly stops?: "storm" | "budget";
  /** Of a stop: whoever was asked after this was asked about the same one. */
  readonly since?: number;
}

/** For one look at the plan: what was spent is summed once, however many tasks are asked about. */
export class Stops {
  readonly #limits: EngineLimits;
  readonly #now: number;
  #spendings: Spendings | undefined;

  constructor(limits: EngineLimits, now: number) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Null if work on the feature goes on. */
  async of(reader: Reader, feature: Nr): Promise<Stop | null> {
    return (await this.#storm(reader, feature)) ?? this.#spent(reader, feature);
  }

  async #storm(reader: Reader, feature: Nr): Promise<Stop | null> {
    const { storm } = this.#limits;
    const ends = async (state: string, limit: number): Promise<number[]> =>
      (await reader.items("attempt", { state, newest: true, limit })).flatMap(({ fields }) =>
        fields.feature === feature && !isLanding(fields) ? (fields.endedAt ?? []) : [],
      );
    const failures = [...(await ends("failed", RECENT)), ...(await ends("rejected", RECENT))];
    // Most of the time there is no storm, and nobody has to look for what ended it.
    if (failures.length < storm.failures) return null;
    const success = Math.max(0, ...(await ends("accepted", SUCCESSES)));
    const standing = failures.filter((at) => at > success);
    const breaker: Breaker = stormBreaker(standing, storm, this.#now);
    if (breaker === "closed") return null;
    if (breaker === "open") {
      const reason = `too many attempts of its feature failed within ${storm.minutes} minutes`;
      return { reason, until: null, stops: "storm", since: Math.min(...standing) };
    }
    const live = await reader.items("attempt", { state: LIVE });
    if (!live.some(({ fields }) => fields.feature === feature)) return null;
    return { reason: "one attempt tries whether the storm is over", until: null };
  }

  async #spent(reader: Reader, feature: Nr): Promise<Stop | null> {
    const limits = this.#limits;
    const all = [limits.featureTokens, limits.featureCostUsd, limits.dayTokens, limits.dayCostUsd];
    if (all.every((limit) => limit === null)) return null;
    const today = Math.floor(this.#now / DAY_MS) * DAY_MS;
    this.#spendings ??= spendingsOf(await reader.items("attempt", { newest: true, limit: ALL_OF_A_DAY }), today);
    const { day, features } = this.#spendings;
    const { begun, ...own } = features.get(feature) ?? { ...NOTHING, begun: 0 };
    const over = overBudget({ attempt: { ...NOTHING, ms: 0 }, feature: own, day }, limits);
    if (over === null) return null;
    // Once something has begun again, the next stop is another one.
    const since = over.scope === "day" ? Math.max(today, begun) : begun;
    return { reason: over.reason, until: null, stops: "budget", since };
  }
}

interface Spendings {
  readonly day: Spent;
  /** With when something of it was last begun. */
  readonly features: ReadonlyMap<Nr, Spent & { readonly begun: number }>;
}

const NOTHING: Spent = { tokens: 0, costUsd: null };

function spendingsOf(all: readonly Item<"attempt">[], today: number): Spendings {
  let day = NOTHING;
  const features = new Map<Nr, Spent & { readonly begun: number }>();
  for (const { fields } of all) {
    const { feature, startedAt, usage } = fields;
    if (startedAt >= today) day = add(day, usage);
    if (feature === null) continue;
    const { begun, ...spent } = features.get(feature) ?? { ...NOTHING, begun: 0 };
    features.set(feature, { ...add(spent, usage), begun: Math.max(begun, startedAt) });
  }
  return { day, features };
}

const add = ({ tokens, costUsd }: Spent, usage: AttemptUsage): Spent => ({
  tokens: tokens + usage.inputTokens + usage.outputTokens,
  costUsd: costUsd === null && usage.costUsd === null ? null : (costUsd ?? 0) + (usage.costUsd ?? 0),
});
