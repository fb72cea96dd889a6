// Which browsers may ask. The address that is printed carries a token, good for one use; it is exchanged for a cookie. Only hashes
// are kept, also in the file that lets a browser stay signed in when the server is started again. By the same file `planwright board`
// makes an address for a board that the daemon serves.

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
  readonly #used = new Set<string>();
  #wrong: number[] = [];

  /** Without a file nobody stays signed in beyond this process. */
  constructor(file: string | undefined, now: () => number = Date.now) {
    this.#file = file;
    this.#now = now;
    for (const { hash, since } of this.#read().sessions) this.#sessions.set(hash, { hash, since, confirmed: false });
  }

  /** A token for the server that uses the same file. */
  leaveToken(): string {
    const token = this.issueToken();
    this.#write();
    return token;
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
    const isUsed = this.#used.has(hash);
    const until = this.#tokens.get(hash) ?? this.#read().tokens.find((left) => left.hash === hash)?.until;
    this.#tokens.delete(hash);
    if (until !== undefined) this.#used.add(hash);
    if (until === undefined || until < now || isUsed) {
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
  #read(): KeptSessions {
    try {
      const { sessions, tokens } = JSON.parse(readFileSync(this.#file ?? "", "utf8")) as KeptSessions;
      const now = this.#now();
      return {
        sessions: sessions.filter(({ hash, since }) => typeof hash === "string" && since > now - SESSION_MS),
        tokens: tokens.filter(({ hash, until }) => typeof hash === "string" && until > now && !this.#used.has(hash)),
      };
    } catch {
      return { sessions: [], tokens: [] };
    }
  }

  #write(): void {
    if (this.#file === undefined) return;
    const fresh = `${this.#file}.${randomBytes(6).toString("hex")}`;
    // What another process has added since stays.
    const { sessions: others, tokens: left } = this.#read();
    const sessions = new Map([...others, ...this.#sessions.values()].map(({ hash, since }) => [hash, { hash, since }]));
    const own = [...this.#tokens].map(([hash, until]) => ({ hash, until }));
    const tokens = [...left, ...own.filter(({ until }) => Number.isFinite(until))];
    try {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      writeFileSync(fresh, JSON.stringify({ sessions: [...sessions.values()].slice(-MOST_SESSIONS), tokens }), {
        mode: 0o600,
      });
      renameSync(fresh, this.#file);
    } catch {
      // A folder that cannot be written to costs a new address after the next start, and nothing else.
    }
  }
}

interface KeptSessions {
  readonly sessions: readonly { readonly hash: string; readonly since: number }[];
  /** Left by another process for whoever serves. */
  readonly tokens: readonly { readonly hash: string; readonly until: number }[];
}

const first = <V>(map: ReadonlyMap<string, V>): string => map.keys().next().value ?? "";

/** Looked up by hash: how long that takes says nothing about a secret. */
const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
