// Who may ask: a one-time code is exchanged for a token. Both are known here only as hashes, and end with this process. One code is
// open at a time: the newest.

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { SealedCode } from "../../verbs/services/running-boards.js";
import { CODE_MS, isSealed, makeCode, readCode, sealCode } from "./sign-in-code.js";

export interface BrowserSession {
  readonly hash: Uint8Array;
  readonly since: number;
  /** A person said in this browser: it is me. */
  confirmed: boolean;
}

export interface NewCode {
  readonly code: string;
  readonly until: number;
}

export type SignedIn =
  | { readonly ok: true; readonly token: string; readonly session: BrowserSession }
  | { readonly ok: false; readonly reason: "bad-code" | "wrong-code" | "no-code"; readonly message: string };

export interface SessionsOptions {
  readonly now?: () => number;
  /** The code that another process left for this server, once. */
  readonly takeLeft?: () => SealedCode | undefined;
  /** Called when the tries of a code are used up. */
  readonly onSpent?: () => void;
}

/** More than you use at once. */
const MOST_SESSIONS = 50;
const SESSION_MS = 7 * 24 * 60 * 60_000;
export const MOST_TRIES = 5;

export class Sessions {
  readonly #options: SessionsOptions;
  #sessions: BrowserSession[] = [];
  #open: { readonly sealed: SealedCode; triesLeft: number } | undefined;
  /** One sign-in after the other, so that several at once have no more tries than one. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SessionsOptions = {}) {
    this.#options = options;
  }

  /** The code before it is void from now on. */
  async newCode(): Promise<NewCode> {
    const made = { code: makeCode(), until: this.#now() + CODE_MS };
    const sealed = await sealCode(made.code, made.until);
    this.#options.takeLeft?.();
    this.#open = { sealed, triesLeft: MOST_TRIES };
    return made;
  }

  signIn(typed: string): Promise<SignedIn> {
    const signedIn = this.#turn.then(() => this.#exchange(typed));
    this.#turn = signedIn.catch(() => undefined);
    return signedIn;
  }

  async #exchange(typed: string): Promise<SignedIn> {
    const code = readCode(typed);
    if (code === undefined)
      return { ok: false, reason: "bad-code", message: "A code has eight letters and digits, like 7K2M-Q9XD." };
    const left = this.#options.takeLeft?.();
    if (left) this.#open = { sealed: left, triesLeft: MOST_TRIES };
    const open = this.#open;
    if (open === undefined || open.sealed.until <= this.#now())
      return {
        ok: false,
        reason: "no-code",
        message: "No code is open: it was used already, or is too old. Get a new one.",
      };
    open.triesLeft -= 1;
    const isRight = await isSealed(code, open.sealed);
    if (!isRight && open.triesLeft > 0) {
      const tries = open.triesLeft === 1 ? "1 try is" : `${open.triesLeft} tries are`;
      return { ok: false, reason: "wrong-code", message: `This is not the code. ${tries} left.` };
    }
    // Used, or tried too often. A newer one may have come meanwhile.
    if (this.#open === open) this.#open = undefined;
    if (isRight) return this.#begin();
    this.#options.onSpent?.();
    return {
      ok: false,
      reason: "no-code",
      message: `${MOST_TRIES} codes were wrong, so the code is void. Get a new one.`,
    };
  }

  #begin(): SignedIn {
    const token = randomBytes(32).toString("base64url");
    const session: BrowserSession = { hash: hashOf(token), since: this.#now(), confirmed: false };
    this.#sessions = [...this.#sessions.slice(1 - MOST_SESSIONS), session];
    return { ok: true, token, session };
  }

  /** How long that takes says nothing about a token. */
  find(token: string | undefined): BrowserSession | undefined {
    if (token === undefined) return undefined;
    const hash = hashOf(token);
    const found = this.#sessions.find((session) => timingSafeEqual(session.hash, hash));
    return found && found.since > this.#now() - SESSION_MS ? found : undefined;
  }

  #now = (): number => (this.#options.now ?? Date.now)();
}

const hashOf = (text: string): Uint8Array => createHash("sha256").update(text).digest();
