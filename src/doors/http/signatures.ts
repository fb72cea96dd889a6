// What proves that a page asks in whose browser you typed a code: a signature over the whole request, with a nonce of this board that
// is good for one request and one minute.

import {
  createHash,
  createHmac,
  createPublicKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { signedText } from "../../model/signed-request.js";

export interface Nonce {
  readonly nonce: string;
  readonly time: number;
}

export interface AskedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: Uint8Array;
  /** The header as it was sent. */
  readonly signature: string | undefined;
}

export type SignatureState = "valid" | "missing" | "wrong" | "late";

export const NONCE_MS = 60_000;

/** Never goes back, as a clock does that is set: what was used before would be good again. */
const steadyNow = (): number => Math.floor(performance.timeOrigin + performance.now());

const HEADER = /^(\S{1,200}) (\d{1,15}) ([\w-]{86})$/;

export class Signatures {
  readonly #now: () => number;
  readonly #secret = randomBytes(32);
  /** Nonces that a valid signature used, until they expire. Those of other requests are not kept. */
  readonly #used = new Map<string, number>();

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  /** `owner`: whose nonce it is, the hash of a token; empty for a sign-in. None is stored, so they cannot run out. */
  makeNonce(owner: string): Nonce {
    const time = this.#now();
    const random = randomBytes(16).toString("base64url");
    return { nonce: `${random}.${this.#macOf(owner, random, time)}`, time };
  }

  /** `key` as `KnownBrowser` has it. */
  check({ method, path, body, signature: sent }: AskedRequest, by: RequestSigner): SignatureState {
    if (sent === undefined) return "missing";
    const [, nonce = "", at = "", signature = ""] = HEADER.exec(sent) ?? [];
    const [random = "", mac = ""] = nonce.split(".");
    const time = Number(at);
    const key = readBrowserKey(by.key);
    if (key === undefined || !isSameMac(mac, this.#macOf(by.owner, random, time))) return "wrong";
    const bodyHash = createHash("sha256").update(body).digest("hex");
    const text = Buffer.from(signedText({ port: by.port, method, path, bodyHash, nonce, time }));
    const asked = { key, dsaEncoding: "ieee-p1363" } as const;
    if (!verify("sha256", text, asked, Buffer.from(signature, "base64url"))) return "wrong";
    return this.#use(nonce, time) ? "valid" : "late";
  }

  #use(nonce: string, time: number): boolean {
    const now = this.#now();
    for (const [each, until] of this.#used) if (until <= now) this.#used.delete(each);
    if (this.#used.has(nonce) || time + NONCE_MS <= now) return false;
    this.#used.set(nonce, time + NONCE_MS);
    return true;
  }

  #macOf = (owner: string, random: string, time: number): string =>
    createHmac("sha256", this.#secret).update(`${owner}\n${random}\n${time}`).digest("base64url");
}

interface RequestSigner {
  readonly key: string;
  readonly port: number;
  /** Who got the nonce. */
  readonly owner: string;
}

const isSameMac = (given: string, expected: string): boolean =>
  given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));

/** Undefined unless it is a public key of the one kind that pages make. */
export function readBrowserKey(key: string): KeyObject | undefined {
  if (!/^[\w-]{100,200}$/.test(key)) return undefined;
  try {
    const read = createPublicKey({ key: Buffer.from(key, "base64url"), format: "der", type: "spki" });
    return read.asymmetricKeyDetails?.namedCurve === "prime256v1" ? read : undefined;
  } catch {
    return undefined;
  }
}
