// What only engines look at before they begin a task: the level, failures of its feature and of itself, what was spent, and
// whether there is a worker for it.

import { type AttemptUsage, isLanding } from "../../model/attempt/attempt.js";
import { overBudget, type Spent, type StormSettings, stormBreaker } from "../../model/attempt/failure-limits.js";
import { type Item, LIVE } from "../../model/item/item.js";
import { GO_ON } from "../../model/item/question.js";
import type { Node, Nr } from "../../model/node/node.js";
import type { EngineFacts, Stop } from "../../model/status/holds.js";
import type { Reader } from "../../store/store.js";
import { latestAttempt } from "../attempt/settle-attempts.js";
import type { Context, EngineLimits } from "../base/context.js";
import { readLevels } from "../level/level.js";

/** Far more failures than a storm has. */
const MAX_FAILURES = 50;
/** Other features may have had many since the last one of this. */
const MAX_SUCCESSES = 1000;
const DAY_MS = 86_400_000;
const MAX_ATTEMPTS_OF_A_DAY = 10_000;

type EngineContext = Pick<Context, "engineLimits" | "now" | "noWorkerFor">;

/** Serves one look at the plan, and reads once what is the same for many tasks. */
export class EngineFactsReader {
  readonly #context: EngineContext;
  #limits: Promise<EngineLimits> | undefined;
  #levels: Awaited<ReturnType<typeof readLevels>> | undefined;
  #failed: readonly Item<"attempt">[] | undefined;
  #accepted: readonly Item<"attempt">[] | undefined;
  #spendings: ReturnType<typeof spendingsOf> | undefined;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  async of(reader: Reader, task: Node): Promise<EngineFacts> {
    const now = this.#context.now();
    const { feature } = task;
    if (task.kind === "land") {
      return { now, levelOff: null, retry: await retryOf(reader, task), stop: null, noWorker: null };
    }
    this.#levels ??= await readLevels(reader);
    return {
      now,
      levelOff: await levelOff(reader, feature, this.#levels),
      retry: await retryOf(reader, task),
      stop: feature !== null ? await this.#stopOf(reader, feature, now) : null,
      noWorker: await this.#context.noWorkerFor(task),
    };
  }

  async #stopOf(reader: Reader, feature: Nr, now: number): Promise<Stop | null> {
    this.#limits ??= this.#context.engineLimits();
    const limits = await this.#limits;
    const storm = await this.#stormOf(reader, feature, limits.storm, now);
    return storm ?? this.#spent(reader, feature, limits, now);
  }

  async #stormOf(reader: Reader, feature: Nr, storm: StormSettings, now: number): Promise<Stop | null> {
    const latest = (state: string, limit: number) => reader.items("attempt", { state, newest: true, limit });
    this.#failed ??= [...(await latest("failed", MAX_FAILURES)), ...(await latest("rejected", MAX_FAILURES))];
    const failures = endsIn(this.#failed, feature);
    if (failures.length < storm.failures) return null;
    this.#accepted ??= await latest("accepted", MAX_SUCCESSES);
    // When a person last reset a task of it that had failed.
    const resets = this.#failed.map(({ fields }) => (fields.feature === feature && fields.failure?.resetAt) || 0);
    const over = Math.max(0, ...endsIn(this.#accepted, feature), ...resets, await wentOnAt(reader, feature));
    const standing = failures.filter((at) => at > over);
    const { state, until } = stormBreaker(standing, storm, now);
    if (state === "closed") return null;
    if (state === "open") {
      const because = `too many attempts of its feature failed within ${storm.minutes} minutes`;
      return { reason: "storm", because, until, since: Math.min(...standing) };
    }
    const live = await reader.items("attempt", { state: LIVE });
    if (!live.some(({ fields }) => fields.feature === feature)) return null;
    return { reason: "storm", because: "one attempt tries whether the storm is over", until: null, since: null };
  }

  async #spent(reader: Reader, feature: Nr, limits: EngineLimits, now: number): Promise<Stop | null> {
    const all = [limits.featureTokens, limits.featureCostUsd, limits.dayTokens, limits.dayCostUsd];
    if (all.every((limit) => limit === null)) return null;
    const today = Math.floor(now / DAY_MS) * DAY_MS;
    const latest = { newest: true, limit: MAX_ATTEMPTS_OF_A_DAY };
    this.#spendings ??= spendingsOf(await reader.items("attempt", latest), today);
    const { day, features } = this.#spendings;
    const { begun, ...own } = features.get(feature) ?? { ...NOTHING, begun: 0 };
    const over = overBudget({ feature: own, day }, limits);
    if (over === null) return null;
    const isDay = over.scope === "day";
    // Once something has begun again, the next stop is another one.
    const since = isDay ? Math.max(today, begun) : begun;
    return { reason: "spending", because: over.reason, until: isDay ? today + DAY_MS : null, since };
  }
}

async function levelOff(reader: Reader, feature: Nr | null, levelOf: Awaited<ReturnType<typeof readLevels>>) {
  if (levelOf(feature) !== "off") return null;
  const ownLevel = feature !== null && levelOf(null) !== "off";
  return { feature: ownLevel ? ((await reader.idOf(feature)) ?? null) : null };
}

async function retryOf(reader: Reader, { nr }: Node): Promise<EngineFacts["retry"]> {
  const failure = (await latestAttempt(reader, nr))?.fields.failure;
  return failure?.notBefore == null ? null : { at: failure.notBefore, because: failure.reason };
}

/** When attempts of a feature ended. */
const endsIn = (items: readonly Item<"attempt">[], feature: Nr): number[] =>
  items.flatMap(({ fields }) => (fields.feature === feature && !isLanding(fields) ? (fields.endedAt ?? []) : []));

/** When a person last answered that work on the feature goes on at once; 0 if never. */
async function wentOnAt(reader: Reader, feature: Nr): Promise<number> {
  const owner = await reader.idOf(feature);
  if (owner === undefined) return 0;
  const answered = await reader.items("question", { owner, state: "answered" });
  return Math.max(0, ...answered.map(({ fields: { answer } }) => (answer?.option === GO_ON ? answer.at : 0)));
}

const NOTHING: Spent = { tokens: 0, costUsd: null };

function spendingsOf(all: readonly Item<"attempt">[], today: number) {
  let day = NOTHING;
  // With when something of it was last begun.
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
