// One-time codes that you type to sign in. One code is open at a time: the newest. Each is sealed for one board, so a program that
// reads the file in which another command left it cannot even try codes.

import {
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
  randomInt,
  timingSafeEqual,
} from "node:crypto";
import type { SealedCode } from "../../verbs/services/running-boards.js";

export interface NewCode {
  readonly code: string;
  readonly until: number;
}

/** Crockford's base 32: no letter that looks like a digit or like another letter. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 40 bits: each connection waits for each try, so 256 of them try some 300,000 codes before one is too old (senders.ts). */
const LENGTH = 8;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);
export const CODE_MS = 10 * 60_000;
/** After so many wrong codes you are told. */
export const MANY_WRONG = 5;

/** A code as it is shown: `7K2M-Q9XD`. */
export function makeCode(): string {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  return `${letters.slice(0, LENGTH / 2).join("")}-${letters.slice(LENGTH / 2).join("")}`;
}

const LOOKS_LIKE: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };

/** What was typed, in any case, with or without the hyphen. Undefined if it can be no code. */
function readCode(typed: string): string | undefined {
  if (typed.length > 60) return undefined;
  const letters = typed.toUpperCase().replace(/[\s-]/g, "");
  const code = letters.replace(/[OIL]/g, (letter) => LOOKS_LIKE[letter] ?? letter);
  return CODE.test(code) ? code : undefined;
}

/** `lock`: the public key of the board. */
export function sealCode({ code, until }: NewCode, lock: string): SealedCode {
  const { privateKey, publicKey } = generateKeyPairSync("x25519");
  const shared = diffieHellman({ privateKey, publicKey: readLock(lock) });
  return { once: writeLock(publicKey), mac: macOf(readCode(code) ?? code, shared).toString("hex"), until };
}

const macOf = (code: string, shared: Uint8Array): Buffer => createHmac("sha256", shared).update(code).digest();

const writeLock = (key: KeyObject): string => key.export({ format: "der", type: "spki" }).toString("base64url");

const readLock = (lock: string): KeyObject =>
  createPublicKey({ key: Buffer.from(lock, "base64url"), format: "der", type: "spki" });

export interface CodesOptions {
  readonly now?: () => number;
  /** The code that another process left for this board, once. */
  readonly takeLeft?: () => SealedCode | undefined;
  readonly onManyWrong?: () => void;
}

const refuse = (reason: "bad-code" | "wrong-code" | "no-code", message: string) =>
  ({ ok: false, reason, message }) as const;

export class Codes {
  readonly #options: CodesOptions;
  readonly #own = generateKeyPairSync("x25519");
  #open: { readonly sealed: SealedCode; wrong: number } | undefined;

  constructor(options: CodesOptions = {}) {
    this.#options = options;
  }

  get lock(): string {
    return writeLock(this.#own.publicKey);
  }

  /** The code before it is void from now on. */
  make(): NewCode {
    const made = { code: makeCode(), until: this.#now() + CODE_MS };
    this.#options.takeLeft?.();
    this.#open = { sealed: sealCode(made, this.lock), wrong: 0 };
    return made;
  }

  /** A wrong code harms none but its sender: the open one stays good for you. */
  use(typed: string): { readonly ok: true } | ReturnType<typeof refuse> {
    const code = readCode(typed);
    if (code === undefined) return refuse("bad-code", "A code has eight letters and digits, like 7K2M-Q9XD.");
    const left = this.#options.takeLeft?.();
    if (left) this.#open = { sealed: left, wrong: 0 };
    const open = this.#open;
    if (open === undefined || open.sealed.until <= this.#now())
      return refuse("no-code", "No code is open: it was used already, or is too old. Get a new one.");
    if (this.#isSealed(code, open.sealed)) {
      this.#open = undefined;
      return { ok: true };
    }
    open.wrong += 1;
    if (open.wrong === MANY_WRONG) this.#options.onManyWrong?.();
    return refuse("wrong-code", "This is not the code. Look at it again: only the newest one is good.");
  }

  #isSealed(code: string, { once, mac }: SealedCode): boolean {
    try {
      const shared = diffieHellman({ privateKey: this.#own.privateKey, publicKey: readLock(once) });
      const [found, expected] = [macOf(code, shared), Buffer.from(mac, "hex")];
      return expected.length === found.length && timingSafeEqual(expected, found);
    } catch {
      return false;
    }
  }

  #now = (): number => (this.#options.now ?? Date.now)();
}
