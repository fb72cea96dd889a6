// Which browsers may ask. The address that is printed carries a token, good for one use; it is exchanged for a cookie. Only hashes
// are kept, also in the file that lets a browser stay signed in when the server is started again.

import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

export interface BrowserSession {
  readonly hash: string;
  readonly since: number;
  /** A person said in this browser: it is me. Never kept beyond this process. */
  confirmed: boolean;
}

/** More than a person uses at once. */
const MOST_SESSIONS = 50;
const MOST_TOKENS = 20;
const SESSION_MS = 7 * 24 * 60 * 60_000;
const TOKEN_MS = 10 * 60_000;

/** Wrong tokens in a minute before further ones are not looked at: one of 192 bits cannot be guessed, and need not be tried. */
const MOST_WRONG = 20;

export class Sessions {
  readonly #file: string | undefined;
  readonly #now: () => number;
  readonly #sessions = new Map<string, BrowserSession>();
  /** Until when each token is good. */
  readonly #tokens = new Map<string, number>();
  #wrong: number[] = [];

  /** Without a file nobody stays signed in beyond this process. */
  constructor(file: string | undefined, now: () => number = Date.now) {
    this.#file = file;
    this.#now = now;
    for (const session of this.#read()) this.#sessions.set(session.hash, session);
  }

  /** A new token. The first one, which is printed, waits for as long as the server runs. */
  issueToken(validMs: number = TOKEN_MS): string {
    const token = randomBytes(24).toString("base64url");
    while (this.#tokens.size >= MOST_TOKENS) this.#tokens.delete(first(this.#tokens));
    this.#tokens.set(hashOf(token), this.#now() + validMs);
    return token;
  }

  /** A cookie for a token; undefined if it is wrong, used or too old, or if too many wrong ones came. */
  redeem(token: string): string | undefined {
    const now = this.#now();
    this.#wrong = this.#wrong.filter((at) => at > now - 60_000);
    if (this.#wrong.length >= MOST_WRONG) return undefined;
    const hash = hashOf(token);
    const until = this.#tokens.get(hash);
    this.#tokens.delete(hash);
    if (until === undefined || until < now) {
      this.#wrong.push(now);
      return undefined;
    }
    const cookie = randomBytes(24).toString("base64url");
    while (this.#sessions.size >= MOST_SESSIONS) this.#sessions.delete(first(this.#sessions));
    this.#sessions.set(hashOf(cookie), { hash: hashOf(cookie), since: now, confirmed: false });
    this.#write();
    return cookie;
  }

  find(cookie: string | undefined): BrowserSession | undefined {
    const found = cookie === undefined ? undefined : this.#sessions.get(hashOf(cookie));
    if (found === undefined || found.since > this.#now() - SESSION_MS) return found;
    this.#sessions.delete(found.hash);
    return undefined;
  }

  /** What cannot be read is forgotten: those browsers need a new address. */
  #read(): BrowserSession[] {
    try {
      const kept = JSON.parse(readFileSync(this.#file ?? "", "utf8")) as { hash: unknown; since: unknown }[];
      return kept.flatMap(({ hash, since }) =>
        typeof hash === "string" && typeof since === "number" && since > this.#now() - SESSION_MS
          ? [{ hash, since, confirmed: false }]
          : [],
      );
    } catch {
      return [];
    }
  }

  #write(): void {
    if (this.#file === undefined) return;
    const fresh = `${this.#file}.${randomBytes(6).toString("hex")}`;
    const kept = [...this.#sessions.values()].map(({ hash, since }) => ({ hash, since }));
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(fresh, JSON.stringify(kept), { mode: 0o600 });
      renameSync(fresh, this.#file);
    } catch {
      // A folder that cannot be written to costs a new address after the next start, and nothing else.
    }
  }
}

const first = <V>(map: ReadonlyMap<string, V>): string => map.keys().next().value ?? "";

/** Looked up by hash: how long that takes says nothing about a secret. */
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
