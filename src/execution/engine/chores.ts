// What a daemon does besides building: it lands what is finished, settles questions that it can prove, tells the news, and
// lets kept work expire. One after the other, beside the attempts; whatever fails is said, and tried again the next time.

import { expireKept } from "../../actions/attempt/expire-kept.js";
import { landReady } from "../landing/land-ready.js";
import type { Announcer } from "./announce-news.js";
import { TriagePass } from "./auto-triage.js";
import { boundLog } from "./background.js";
import type { Services } from "./services.js";

/** Kept work is counted in days. */
const EXPIRE_EVERY_MS = 3_600_000;

export class Duties {
  readonly #services: Services;
  readonly #announcer: Announcer;
  readonly #triage: TriagePass;
  readonly #signal: AbortSignal;
  #current: Promise<boolean> | undefined;
  #expiredAt = 0;

  constructor(services: Services, announcer: Announcer, signal: AbortSignal) {
    this.#services = services;
    this.#announcer = announcer;
    this.#triage = new TriagePass(services);
    this.#signal = signal;
  }

  /** Begins a round unless one is going on. Settles when it is over: whether it changed anything that others wait for. */
  turn(): Promise<boolean> {
    this.#current ??= this.#round().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  /** When nothing of it is going on any more. */
  async over(): Promise<void> {
    await this.#current;
  }

  async #round(): Promise<boolean> {
    const landed = (await this.#try("landing", () => landReady(this.#services, this.#signal))) ?? [];
    const settled = (await this.#try("triage", () => this.#triage.turn())) ?? [];
    await this.#try("notifying", () => this.#announce());
    await this.#try("expiry", () => this.#expire());
    await this.#try("cutting the log", async () => boundLog(this.#services.context.root));
    for (const id of landed) this.#services.onEvent({ type: "notice", text: `${id} has landed` });
    return landed.length + settled.length > 0;
  }

  async #try<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
    if (this.#signal.aborted) return undefined;
    try {
      return await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#services.onEvent({ type: "notice", text: `${what} failed: ${message}` });
      return undefined;
    }
  }

  async #announce(): Promise<void> {
    const announced = await this.#announcer.announce();
    // A slow channel holds nothing up: it tells while the next round begins.
    if (!announced.ok) this.#services.onEvent({ type: "notice", text: announced.error.message });
  }

  async #expire(): Promise<void> {
    const { context, policy } = this.#services;
    if (context.now() - this.#expiredAt < EXPIRE_EVERY_MS) return;
    this.#expiredAt = context.now();
    const expired = await expireKept(context, { keepDays: policy.keepDays });
    if (!expired.ok) throw new Error(expired.error.message);
    const { gone, soon } = expired.value;
    const say = (text: string): void => this.#services.onEvent({ type: "notice", text });
    for (const key of gone) say(`what ${key} left unmerged was kept for ${policy.keepDays} days and is gone`);
    for (const { id, until } of soon)
      say(`what ${id} left unmerged is kept until ${until}: planwright attempts restore ${id}`);
  }
}
