// What a daemon does in addition to attempts: it lands finished features, settles questions that it can prove, sends the news,
// lets kept work expire, removes old files and cleans up. One after the other, beside the attempts. A chore that fails is
// reported and tried again in the next round.

import { runChecks } from "../../machine/checks/run-checks.js";
import { type NotifierContext, type NotifierSettings, notifier } from "../../machine/notify/notify.js";
import { NEWS } from "../../model/item/subscription.js";
import { ok, type Result } from "../../model/result.js";
import { maySettleAlone } from "../../model/rules/triage.js";
import { type CheckCommit, confirmTriage, type Triaged } from "../../plan/answer/triage.js";
import { type Evidence, evidenceOf } from "../../plan/answer/triage-evidence.js";
import { type Case, caseOf } from "../../plan/answer/triage-facts.js";
import { expireKept } from "../../plan/attempt/kept-work.js";
import type { Context } from "../../plan/base/context.js";
import { readLevels } from "../../plan/level/level.js";
import { readNews } from "../../plan/news/read-news.js";
import { listSubscriptions, subscribe } from "../../plan/news/subscribe.js";
import type { Reader } from "../../store/store.js";
import { landReady, nextTry } from "../landing/land-ready.js";
import { removeLeftovers } from "../recovery/reconcile.js";
import { type EngineServices, orNotice } from "../services.js";
import { inCleanWorktree, rehearsalSlot } from "../worktree/clean-worktree.js";
import { boundLog } from "./background.js";

/** Kept work is counted in days, and killed programs are rare. */
const SELDOM_MS = 3_600_000;

export class Chores {
  readonly #services: EngineServices;
  readonly #announcer: Announcer;
  readonly #triage: TriagePass;
  readonly #signal: AbortSignal;
  #current: Promise<boolean> | undefined;
  #again = false;
  /** When to begin a round although nothing has changed: a landing that failed may be tried again. */
  nextAt: number | null = null;
  /** When each of the chores that are done seldom was done last. */
  readonly #doneAt = new Map<string, number>();
  #collecting: Promise<unknown> | undefined;

  constructor(services: EngineServices, announcer: Announcer, signal: AbortSignal) {
    this.#services = services;
    this.#announcer = announcer;
    this.#triage = new TriagePass(services, signal);
    this.#signal = signal;
  }

  /** Begins a round, or asks for another after the current one. Resolves to whether anything changed that others wait for. */
  turn(): Promise<boolean> {
    // The current round may have looked before a feature was finished.
    this.#again = this.#current !== undefined;
    this.#current ??= this.#rounds().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  async over(): Promise<void> {
    await this.#current;
    await this.#collecting;
  }

  async #rounds(): Promise<boolean> {
    let changed = false;
    do {
      this.#again = false;
      changed = (await this.#round()) || changed;
    } while (this.#again && !this.#signal.aborted);
    return changed;
  }

  async #round(): Promise<boolean> {
    const landed = (await this.#try("landing", () => landReady(this.#services, this.#signal))) ?? [];
    this.nextAt = (await this.#try("landing", () => nextTry(this.#services))) ?? null;
    const settled = (await this.#try("triage", () => this.#triage.turn())) ?? [];
    await this.#try("notifying", () => this.#announce());
    await this.#try("expiry", () => this.#expire());
    // A feature that has just landed may have left its branch, if git was in trouble.
    const isDirty = this.#isDue("cleaning") || landed.length > 0;
    if (isDirty) await this.#try("cleaning up", () => removeLeftovers(this.#services));
    if (this.#isDue("safety")) await this.#try("keeping the plan safe", async () => this.#services.keepSafe?.());
    this.#collect();
    await this.#try("cutting the log", async () => boundLog(this.#services.context.root));
    for (const id of landed) this.#services.onEvent({ type: "notice", text: `${id} has landed` });
    return landed.length + settled.length > 0;
  }

  async #try<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    return this.#signal.aborted ? undefined : orNotice(this.#services, `${what} failed`, work);
  }

  #isDue(chore: "cleaning" | "safety" | "collecting" | "expiry"): boolean {
    const now = this.#services.context.now();
    const isDue = now - (this.#doneAt.get(chore) ?? 0) >= SELDOM_MS;
    if (isDue) this.#doneAt.set(chore, now);
    return isDue;
  }

  async #announce(): Promise<void> {
    const announced = await this.#announcer.announce();
    // A slow channel holds nothing up: it tells while the next round begins.
    if (!announced.ok) this.#services.onEvent({ type: "notice", text: announced.error.message });
  }

  /** Packing a large repository takes minutes, so no landing waits for it. */
  #collect(): void {
    if (this.#collecting !== undefined || !this.#isDue("collecting")) return;
    this.#collecting = this.#try("removing old files", async () => {
      const collected = await this.#services.collectGarbage?.(this.#signal);
      if (collected && !collected.ok) throw new Error(collected.error.message);
      for (const text of collected?.value.problems ?? []) this.#services.onEvent({ type: "notice", text });
    }).finally(() => {
      this.#collecting = undefined;
    });
  }

  async #expire(): Promise<void> {
    const { context, policy } = this.#services;
    if (!this.#isDue("expiry")) return;
    const expired = await expireKept(context, { keepDays: policy.keepDays });
    if (!expired.ok) throw new Error(expired.error.message);
    const { gone, soon } = expired.value;
    const say = (text: string): void => this.#services.onEvent({ type: "notice", text });
    for (const key of gone) say(`the unmerged work of ${key} was kept for ${policy.keepDays} days and has expired`);
    for (const { id, until } of soon) say(`the unmerged work of ${id} is kept until ${until}`);
  }
}

const isSilent = ({ bell, desktop, webhook, command, news }: NotifierSettings): boolean =>
  (!bell && !desktop && webhook === null && command === null) || news.length === 0;

export interface Announcer {
  /** Tells what is new, and how much that was. Called in every tick; `told` is for whoever has to wait for the channels. */
  announce(): Promise<Result<{ readonly news: number; readonly told: Promise<void> }>>;
}

const NOTHING = { news: 0, told: Promise.resolve() };

export function announcer(context: Context, settings: NotifierSettings, bystanders: NotifierContext): Announcer {
  if (isSilent(settings)) return { announce: async () => ok(NOTHING) };
  const channels = notifier(settings, bystanders);
  let isSubscribed = false;
  return {
    announce: async () => {
      const ready = isSubscribed ? ok(undefined) : await subscribeOnce(context, settings.news);
      if (!ready.ok) return ready;
      isSubscribed = true;
      const found = await readNews(context);
      if (!found.ok) return found;
      const { news } = found.value;
      return ok(news.length === 0 ? NOTHING : { news: news.length, told: channels.send(news) });
    },
  };
}

/** Writes an operation only if the subscription is not like that already. */
async function subscribeOnce(context: Context, kinds: readonly string[]): Promise<Result<unknown>> {
  const known = await listSubscriptions(context);
  if (!known.ok) return known;
  const news = NEWS.filter((kind) => kinds.includes(kind));
  const isKnown = known.value.some((each) => each.scope === "workspace" && each.news.join() === news.join());
  return isKnown ? known : subscribe(context, { news });
}

/** Checks may have to run for each. */
const AT_ONCE = 2;

/** Checks run as in an attempt: in a worktree that is set up, in its sandbox, without secrets in what is kept. */
export const checksOn =
  (services: EngineServices, signal: AbortSignal): CheckCommit =>
  (on, checks) =>
    inCleanWorktree(services, on, rehearsalSlot(signal), async (settings) => ok(await runChecks(checks, settings)));

export class TriagePass {
  readonly #context: Context;
  readonly #check: CheckCommit;
  readonly #evidence: Evidence;
  /** What each question looked like when it could not be proven. */
  readonly #unproven = new Map<string, string>();

  constructor(services: EngineServices, signal: AbortSignal) {
    this.#context = services.context;
    this.#check = checksOn(services, signal);
    this.#evidence = evidenceOf(services.context);
  }

  async turn(most = AT_ONCE): Promise<Triaged[]> {
    const cases = await this.#context.store.read((reader) => this.#worthTrying(reader));
    const settled: Triaged[] = [];
    for (const each of cases.slice(0, most)) {
      const { key } = each.question;
      const confirmed = await confirmTriage(this.#context, key, this.#check, this.#evidence);
      if (confirmed.ok) settled.push(confirmed.value);
      else this.#unproven.set(key, picture(each));
    }
    return settled;
  }

  async #worthTrying(reader: Reader): Promise<Case[]> {
    const levelOf = await readLevels(reader);
    const found: Case[] = [];
    for (const item of await reader.items("question", { state: "open" })) {
      if (!maySettleAlone(item.fields.kind)) continue;
      const each = await caseOf(reader, item, this.#evidence);
      if (each.suggestion.proof === null || levelOf(each.feature?.nr ?? null) !== "auto") continue;
      if (this.#unproven.get(item.key) !== picture(each)) found.push(each);
    }
    return found;
  }
}

const picture = ({ node, branch, suggestion }: Case): string =>
  JSON.stringify([suggestion.verb, suggestion.proof, node?.revision, branch?.tip]);
