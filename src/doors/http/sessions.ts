// Who may ask: the tokens of pages that signed in, known here only as hashes, until this process ends. A browser signs in with a code
// that you type, once, and from then on with the key that it made then.

import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isRecord } from "../../base/json.js";
import { provingText } from "../../model/signed-request.js";
import type { KnownBrowser, KnownBrowsers } from "../../verbs/services/known-browsers.js";
import type { Codes } from "./codes.js";
import { Pace } from "./senders.js";
import { type AskedRequest, type Nonce, readBrowserKey, type SignatureState, Signatures } from "./signatures.js";

export interface BrowserSession {
  readonly hash: Uint8Array;
  readonly since: number;
  readonly browser: KnownBrowser;
  readonly pace: Pace;
}

/** In whose name a page of this board asks, and where. */
export interface BoardAsker {
  readonly actor: string;
  readonly port: number;
}

export interface SignInRequest extends AskedRequest {
  readonly value: unknown;
  readonly userAgent: string | undefined;
}

type SignInResult =
  | { readonly ok: true; readonly token: string; readonly session: BrowserSession }
  | { readonly ok: false; readonly reason: string; readonly message: string };

const refuse = (reason: string, message: string) => ({ ok: false, reason, message }) as const;

const MAX_SESSIONS = 50;
const SESSION_MS = 7 * 24 * 60 * 60_000;
/** A nonce for signing in has no owner yet. */
const STRANGER = "";

export interface SessionsOptions {
  readonly codes: Codes;
  readonly browsers: KnownBrowsers;
  readonly now?: () => number;
}

export class Sessions {
  readonly #options: SessionsOptions;
  readonly #signatures: Signatures;
  #sessions: BrowserSession[] = [];

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#signatures = new Signatures(options.now);
  }

  signIn(asked: SignInRequest, asker: BoardAsker): SignInResult {
    const textOf = (field: string): string => {
      const text = isRecord(asked.value) ? asked.value[field] : undefined;
      return typeof text === "string" ? text : "";
    };
    const [browser, code, key] = [textOf("browser"), textOf("code"), textOf("key")];
    return browser === ""
      ? this.#signInWithCode(asked, { code, key }, asker)
      : this.#signInAgain(asked, browser, asker);
  }

  /** The page made the key for this sign-in, and signs with it that it has the other half. */
  #signInWithCode(asked: SignInRequest, { code, key }: { code: string; key: string }, { actor, port }: BoardAsker) {
    if (readBrowserKey(key) === undefined)
      return refuse("bad-key", "Send the public half of a key (ECDSA P-256, SPKI in base64url) with the code.");
    const state = this.#signatures.check(asked, { key, port, owner: STRANGER });
    if (state !== "valid") return refuseSignature(state);
    const used = this.#options.codes.use(code);
    if (!used.ok) return used;
    const name = browserName(asked.userAgent ?? "");
    return this.#begin(this.#options.browsers.add({ key, actor, port, name }));
  }

  #signInAgain(asked: SignInRequest, id: string, { actor, port }: BoardAsker): SignInResult {
    const { browsers } = this.#options;
    const browser = browsers.find(id);
    if (browser === undefined || browser.actor !== actor || browser.port !== port)
      return refuse("unknown-browser", "This board does not know your browser. Type a code.");
    const state = this.#signatures.check(asked, { key: browser.key, port, owner: STRANGER });
    if (state !== "valid") return refuseSignature(state);
    browsers.use(browser);
    return this.#begin(browser);
  }

  #begin(browser: KnownBrowser): SignInResult {
    const token = randomBytes(32).toString("base64url");
    const session: BrowserSession = { hash: hashOf(token), since: this.#now(), browser, pace: new Pace() };
    this.#sessions = [...this.#sessions.slice(1 - MAX_SESSIONS), session];
    return { ok: true, token, session };
  }

  /** How long the search takes says nothing about a token. It ends with its browser. */
  find(token: string | undefined): BrowserSession | undefined {
    if (token === undefined) return undefined;
    const hash = hashOf(token);
    const found = this.#sessions.find((session) => timingSafeEqual(session.hash, hash));
    return found && this.isOpen(found) ? found : undefined;
  }

  isOpen({ since, browser }: BrowserSession): boolean {
    return since > this.#now() - SESSION_MS && this.#options.browsers.find(browser.id)?.key === browser.key;
  }

  /** Only a board that knows this browser can answer what its page made up. */
  prove({ browser }: BrowserSession, challenge: string): string {
    const secret = Buffer.from(browser.shared, "base64url");
    return createHmac("sha256", secret).update(provingText(browser.port, challenge)).digest("base64url");
  }

  makeNonce(session: BrowserSession | undefined): Nonce {
    return this.#signatures.makeNonce(ownerOf(session));
  }

  /** Whether the browser of this session signed exactly this request, for the first time. Undefined: it did. */
  refuseUnsigned(session: BrowserSession, asked: AskedRequest): ReturnType<typeof refuseSignature> | undefined {
    const { key, port } = session.browser;
    const state = this.#signatures.check(asked, { key, port, owner: ownerOf(session) });
    return state === "valid" ? undefined : refuseSignature(state);
  }

  #now = (): number => (this.#options.now ?? Date.now)();
}

const hashOf = (text: string): Uint8Array => createHash("sha256").update(text).digest();

const ownerOf = (session: BrowserSession | undefined): string =>
  session === undefined ? STRANGER : Buffer.from(session.hash).toString("hex");

const WHY_UNSIGNED = {
  missing: refuse("needs-signature", "Only a page that signs with the key of your browser can ask for this."),
  wrong: refuse("wrong-signature", "The signature does not fit this request. Sign in again with a code."),
  late: refuse("late-signature", "The signature was used already, or is more than a minute old. Try again."),
} as const;

const refuseSignature = (state: Exclude<SignatureState, "valid">) => WHY_UNSIGNED[state];

const PROGRAMS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;

const SYSTEMS = [
  ["Windows", "Windows"],
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iOS"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** Words of ours, whatever the browser sends, so that you can tell your browsers apart. */
function browserName(userAgent: string): string {
  const [program, system] = [PROGRAMS, SYSTEMS].map(
    (names) => names.find(([mark]) => userAgent.includes(mark))?.[1] ?? undefined,
  );
  return `${program ?? "A browser"}${system === undefined ? "" : ` on ${system}`}`;
}
