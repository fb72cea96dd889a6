// Who may ask: a one-time code is exchanged for a token. Both are known here only as hashes, and end with this process. One code is
// open at a time: the newest.

import { createHash, randomBytes, randomInt, scrypt, timingSafeEqual } from "node:crypto";
import type { SealedCode } from "../../verbs/services/running-boards.js";

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

type SignInResult =
  | { readonly ok: true; readonly token: string; readonly session: BrowserSession }
  | ReturnType<typeof refuse>;

const refuse = (reason: "bad-code" | "wrong-code" | "no-code", message: string) =>
  ({ ok: false, reason, message }) as const;

export interface SessionsOptions {
  readonly now?: () => number;
  /** The code that another process left for this server, once. */
  readonly takeLeft?: () => SealedCode | undefined;
  readonly onSpent?: () => void;
}

const MAX_SESSIONS = 50;
const SESSION_MS = 7 * 24 * 60 * 60_000;
export const MAX_TRIES = 5;

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
    this.#open = { sealed, triesLeft: MAX_TRIES };
    return made;
  }

  signIn(typed: string): Promise<SignInResult> {
    const signedIn = this.#turn.then(() => this.#exchange(typed));
    this.#turn = signedIn.catch(() => undefined);
    return signedIn;
  }

  async #exchange(typed: string): Promise<SignInResult> {
    const code = readCode(typed);
    if (code === undefined) return refuse("bad-code", "A code has eight letters and digits, like 7K2M-Q9XD.");
    const left = this.#options.takeLeft?.();
    if (left) this.#open = { sealed: left, triesLeft: MAX_TRIES };
    const open = this.#open;
    if (open === undefined || open.sealed.until <= this.#now())
      return refuse("no-code", "No code is open: it was used already, or is too old. Get a new one.");
    open.triesLeft -= 1;
    const isRight = await isSealed(code, open.sealed);
    if (!isRight && open.triesLeft > 0) {
      const tries = open.triesLeft === 1 ? "1 try is" : `${open.triesLeft} tries are`;
      return refuse("wrong-code", `This is not the code. ${tries} left.`);
    }
    // Used, or tried too often. A newer one may have come meanwhile.
    if (this.#open === open) this.#open = undefined;
    if (isRight) return this.#begin();
    this.#options.onSpent?.();
    return refuse("no-code", `${MAX_TRIES} codes were wrong, so the code is void. Get a new one.`);
  }

  #begin(): SignInResult {
    const token = randomBytes(32).toString("base64url");
    const session: BrowserSession = { hash: hashOf(token), since: this.#now(), confirmed: false };
    this.#sessions = [...this.#sessions.slice(1 - MAX_SESSIONS), session];
    return { ok: true, token, session };
  }

  /** How long the search takes says nothing about a token. */
  find(token: string | undefined): BrowserSession | undefined {
    if (token === undefined) return undefined;
    const hash = hashOf(token);
    const found = this.#sessions.find((session) => timingSafeEqual(session.hash, hash));
    return found && found.since > this.#now() - SESSION_MS ? found : undefined;
  }

  #now = (): number => (this.#options.now ?? Date.now)();
}

const hashOf = (text: string): Uint8Array => createHash("sha256").update(text).digest();

// One-time codes that you type to sign in: short enough to type, and of no use to a program that guesses or finds one sealed.

/** Crockford's base 32: no letter that looks like a digit or like another letter. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 40 bits, against five tries. */
const LENGTH = 8;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
export const CODE_MS = 10 * 60_000;

/** A code as it is shown: `7K2M-Q9XD`. */
export function makeCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  return `${letters.slice(0, LENGTH / 2).join("")}-${letters.slice(LENGTH / 2).join("")}`;
}

const LOOKS_LIKE: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };

/** What was typed, in any case, with or without the hyphen. Undefined if it can be no code: then nothing needs to be tried. */
function readCode(typed: string): string | undefined {
  if (typed.length > 60) return undefined;
  const letters = typed.toUpperCase().replace(/[\s-]/g, "");
  const code = letters.replace(/[OIL]/g, (letter) => LOOKS_LIKE[letter] ?? letter);
  return CODE.test(code) ? code : undefined;
}

/** Slow on purpose: whoever reads a sealed code in a file cannot try all codes before it expires. */
const derive = (code: string, salt: string): Promise<Buffer> =>
  new Promise((done, failed) =>
    scrypt(code, salt, 32, (error, key) => {
      if (error) failed(error);
      else done(key);
    }),
  );

export async function sealCode(code: string, until: number): Promise<SealedCode> {
  const salt = randomBytes(16).toString("hex");
  const key = await derive(readCode(code) ?? code, salt);
  return { salt, key: key.toString("hex"), until };
}

async function isSealed(code: string, sealed: SealedCode): Promise<boolean> {
  const expected = Buffer.from(sealed.key, "hex");
  const found = await derive(code, sealed.salt);
  return expected.length === found.length && timingSafeEqual(expected, found);
}

// How many requests the server takes: a burst when a page opens, and far more in a second than a person causes.
const BURST = 400;
const PER_SECOND = 200;

export class Pace {
  readonly #now: () => number;
  #left = BURST;
  #at: number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#at = now();
  }

  take(): boolean {
    const now = this.#now();
    this.#left = Math.min(BURST, this.#left + (Math.max(0, now - this.#at) / 1000) * PER_SECOND);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
