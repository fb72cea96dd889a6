// Why a ready task is not begun now: its level, a pause after failures, or a budget that is spent.

import { readLevels } from "../actions/level.js";
import type { AttemptUsage } from "../graph/attempt.js";
import { type Breaker, overBudget, type Spent, stormBreaker } from "../graph/failure-limits.js";
import { type Item, LIVE } from "../graph/item.js";
import type { Node, Nr } from "../graph/node.js";
import type { Reader } from "../store/store.js";
import { attemptsOf } from "./history.js";
import { isLanding } from "./land-attempt.js";
import type { Services } from "./services.js";

/** Far more failures than a storm has. */
const RECENT = 50;
/** Other features may have had many since the last one of this. */
const SUCCESSES = 1000;
const DAY_MS = 86_400_000;
const ALL_OF_A_DAY = 10_000;

export interface HeldBack {
  readonly reason: string;
  /** When it may begin without anybody doing anything. */
  readonly until: number | null;
  /** A person has to hear of it: nothing of this feature begins before they do something. */
  readonly stops?: "storm" | "budget";
  /** Of a stop: whoever was asked after this was asked about the same one. */
  readonly since?: number;
}

/** For one tick: what was spent is summed once, however many tasks are asked about. */
export class Eligibility {
  readonly #services: Services;
  readonly #obeysLevels: boolean;
  #spendings: Spendings | undefined;

  constructor(services: Services, obeysLevels: boolean) {
    this.#services = services;
    this.#obeysLevels = obeysLevels;
  }

  /** Null if it may begin. */
  holdsBack(task: Node): Promise<HeldBack | null> {
    return this.#services.context.store.read(async (reader) => {
      if (task.feature === null)
        return { reason: "it is in no feature, so its work has no branch to go to", until: null };
      if (this.#obeysLevels && (await readLevels(reader))(task.feature) === "off") {
        return { reason: "the level is off", until: null };
      }
      const waits = await this.#waits(reader, task);
      if (waits !== null) return waits;
      const storm = await this.#storm(reader, task.feature);
      return storm ?? (await this.#spent(reader, task.feature));
    });
  }

  async #waits(reader: Reader, { nr }: Node): Promise<HeldBack | null> {
    const [last] = await attemptsOf(reader, nr, 1);
    const until = last?.fields.failure?.notBefore ?? 0;
    if (until <= this.#services.context.now()) return null;
    return { reason: `it is tried again at ${new Date(until).toISOString()}`, until };
  }

  async #storm(reader: Reader, feature: Nr): Promise<HeldBack | null> {
    const { policy, context } = this.#services;
    const ends = async (state: string, limit: number): Promise<number[]> =>
      (await reader.items("attempt", { state, newest: true, limit })).flatMap((item) =>
        item.fields.feature === feature && !isLanding(item) ? (item.fields.endedAt ?? []) : [],
      );
    const failures = [...(await ends("failed", RECENT)), ...(await ends("rejected", RECENT))];
    // Most of the time there is no storm, and nobody has to look for what ended it.
    if (failures.length < policy.storm.failures) return null;
    const success = Math.max(0, ...(await ends("accepted", SUCCESSES)));
    const standing = failures.filter((at) => at > success);
    const breaker: Breaker = stormBreaker(standing, policy.storm, context.now());
    if (breaker === "closed") return null;
    if (breaker === "open") {
      const reason = `too many attempts of its feature failed within ${policy.storm.minutes} minutes`;
      return { reason, until: null, stops: "storm", since: Math.min(...standing) };
    }
    const live = await reader.items("attempt", { state: LIVE });
    if (!live.some(({ fields }) => fields.feature === feature)) return null;
    return { reason: "one attempt tries whether the storm is over", until: null };
  }

  async #spent(reader: Reader, feature: Nr): Promise<HeldBack | null> {
    const { policy, context } = this.#services;
    const limits = [policy.featureTokens, policy.featureCostUsd, policy.dayTokens, policy.dayCostUsd];
    if (limits.every((limit) => limit === null)) return null;
    const today = Math.floor(context.now() / DAY_MS) * DAY_MS;
    this.#spendings ??= spendingsOf(await reader.items("attempt", { newest: true, limit: ALL_OF_A_DAY }), today);
    const { day, features } = this.#spendings;
    const { begun, ...own } = features.get(feature) ?? { ...NOTHING, begun: 0 };
    const over = overBudget({ attempt: { ...NOTHING, ms: 0 }, feature: own, day }, policy);
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
