// The board's server on this machine only: the page, its operations and its stream of events. Whoever asks sends the token of a
// session in a header, and whoever changes something signs it with the key of a browser in which you typed a code. A page of another
// site and a foreign name for this machine are refused before anything is read.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import { isRecord } from "../../base/json.js";
import { isPerson } from "../../model/actor.js";
import { SIGNATURE_HEADER } from "../../model/signed-request.js";
import type { App } from "../../verbs/app.js";
import { branchAt } from "../../verbs/folder/open-workspace.js";
import { allFacts } from "../../verbs/kit/facts.js";
import type { Door } from "../../verbs/kit/session.js";
import { KnownBrowsers } from "../../verbs/services/known-browsers.js";
import type { RunningBoards } from "../../verbs/services/running-boards.js";
import {
  BegunCalls,
  closeServer,
  isLocalHost,
  LOOPBACK,
  listenHere,
  loopbackOrigin,
  untilStopped,
} from "../loopback.js";
import { callOperation, type HttpAnswer, type OperationCaller } from "./call-operation.js";
import { Codes, type NewCode } from "./codes.js";
import { EventHub, keepPastReady, watchAttempts } from "./events.js";
import { openApi } from "./open-api.js";
import { readJson, SIGN_IN_BYTES, sendJson, sendRefusal, writeHead } from "./respond.js";
import { Senders } from "./senders.js";
import { type BrowserSession, Sessions } from "./sessions.js";
import type { AskedRequest } from "./signatures.js";
import { NO_PAGE, PageFiles } from "./static-files.js";

export interface BoardOptions {
  readonly app: App;
  readonly version: string;
  readonly stopped: AbortSignal;
  /** 0 takes a free one. */
  readonly port: number;
  readonly readOnly: boolean;
  readonly pageFolder: string;
  /** Where this board is noted, so that another command can leave a code for it; nowhere unless given. */
  readonly boards?: RunningBoards;
  /** Where browsers are noted that need no new code; until this process ends unless given. */
  readonly browsers?: KnownBrowsers;
  readonly ofDaemon?: boolean;
  readonly onManyWrong?: () => void;
  readonly onListening: (board: Board) => void;
  readonly codeWait?: (wrong: number) => number;
  readonly maxConnections?: number;
  readonly heartbeatMs?: number;
  readonly attemptsMs?: number;
}

export interface Board {
  readonly port: number;
  /** Where the page is. It holds no secret. */
  readonly address: string;
  /** Makes a code for one sign-in. The code before it is void. */
  newCode(): NewCode;
}

/** How long a client may take to send its request. */
const REQUEST_MS = 30_000;
const HEADERS_MS = 10_000;
const LOOK_FOR_SLOW_MS = 2_000;

/** Serves until the process is asked to stop. Operations that were begun end first. */
export async function serveBoard(options: BoardOptions): Promise<void> {
  const server = createServer({
    requestTimeout: REQUEST_MS,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
  });
  const board = new BoardServer(options, server);
  await listenHere(server, options.port);
  await board.start();
  await untilStopped(options.stopped);
  await board.stop();
}

class BoardServer {
  readonly #options: BoardOptions;
  readonly #server: Server;
  readonly #codes: Codes;
  readonly #sessions: Sessions;
  readonly #senders: Senders;
  readonly #hub: EventHub;
  readonly #page: PageFiles;
  readonly #begun = new BegunCalls();
  #openApi: Promise<object> | undefined;
  #noted: { readonly id: string; readonly end: () => void } | undefined;
  #port = 0;

  constructor(options: BoardOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    const { boards, browsers = new KnownBrowsers(undefined), onManyWrong } = options;
    this.#codes = new Codes({
      takeLeft: () => (this.#noted ? boards?.takeCode(this.#noted.id) : undefined),
      ...(onManyWrong && { onManyWrong }),
    });
    this.#sessions = new Sessions({ codes: this.#codes, browsers });
    this.#senders = new Senders(server, options.codeWait, options.maxConnections);
    this.#hub = new EventHub(options);
    this.#page = new PageFiles(options.pageFolder);
    server.on("request", (request, response) => {
      this.#answer(request, response).catch(() => {
        if (response.headersSent) response.destroy();
        else sendRefusal(response, 500, "bug", "This is a bug in planwright. The server goes on.");
      });
    });
  }

  async start(): Promise<void> {
    const { app, stopped, attemptsMs, boards, readOnly, ofDaemon = false, onListening } = this.#options;
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#hub.start(await this.#latest());
    watchAttempts(app, this.#hub, stopped, attemptsMs);
    keepPastReady(app, stopped);
    const { actor, canConfirm } = await this.#asker();
    const { lock } = this.#codes;
    this.#noted = boards?.register({ port: this.#port, actor, canConfirm, readOnly, ofDaemon, lock });
    onListening({
      port: this.#port,
      address: `${loopbackOrigin(this.#port)}/`,
      newCode: () => this.#codes.make(),
    });
  }

  async stop(): Promise<void> {
    this.#noted?.end();
    await this.#begun.settled();
    await this.#hub.ended();
    await closeServer(this.#server);
  }

  async #latest(): Promise<number> {
    const { store } = await this.#options.app.open();
    return store.read((reader) => reader.lastOperation());
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = "/" } = request;
    // Only a path: a whole address is for proxies, and two slashes begin another host.
    if (!/^\/(?!\/)/.test(url) || !URL.canParse(url, `http://${LOOPBACK}`))
      return sendRefusal(response, 400, "bad-address", "This is no address of the board.", CLOSE);
    const { pathname, searchParams } = new URL(url, `http://${LOOPBACK}`);
    const isApi = pathname.startsWith("/api/");
    if (!isApi && this.#isOtherName(request)) {
      writeHead(response, 302, { location: `${loopbackOrigin(this.#port)}${url}`, "cache-control": "no-store" });
      return void response.end();
    }
    if (!this.#isOurs(request, isApi))
      return sendRefusal(response, 403, "foreign-request", "Only the board of this machine may ask here.");
    const token = tokenOf(request);
    const session = isApi ? this.#sessions.find(token) : undefined;
    if (session) this.#senders.know(request.socket);
    if (!(session ? session.pace.take() : this.#senders.mayAsk(request.socket))) {
      const wait = { "retry-after": "1" };
      return sendRefusal(response, 429, "too-many", "Too many requests. Try again in a second.", wait);
    }
    if (!isApi) return this.#sendPage(request, response, pathname);
    const verb = VERB.exec(pathname)?.[1];
    const methods = METHODS.get(verb === undefined ? pathname : "verb");
    if (!methods) return sendRefusal(response, 404, "unknown-address", "Nothing is here.");
    const { method = "GET" } = request;
    if (!methods.includes(method)) {
      const allow = { allow: methods.join(", ") };
      return sendRefusal(response, 405, "wrong-method", `This takes ${methods.join(" or ")}.`, allow);
    }
    if (pathname === "/api/session" && method === "POST") return this.#signIn(request, response);
    // Who signs in has no token yet. A page whose token is too old has to notice.
    if (pathname === "/api/session/nonce" && (session || token === undefined))
      return sendJson(response, 200, { ok: true, data: this.#sessions.makeNonce(session) });
    if (!session) {
      const message = "Sign in with a code. `planwright board --code` prints one.";
      return sendRefusal(response, 401, "no-session", message, { "www-authenticate": "Bearer" });
    }
    await this.#answerTo(session, { pathname, verb, request, response, searchParams });
  }

  async #answerTo(session: BrowserSession, asked: RoutedRequest): Promise<void> {
    const { pathname, verb, request, response, searchParams } = asked;
    if (pathname === "/api/events") return this.#attach(session, request, response, searchParams);
    if (pathname === "/api/openapi.json") {
      this.#openApi ??= openApi(this.#options.version);
      return sendJson(response, 200, await this.#openApi);
    }
    if (pathname === "/api/session") {
      const proof = this.#sessions.prove(session, searchParams.get("challenge") ?? "");
      return this.#sendSession(response, session, { proof });
    }
    const body = await readJson(request);
    if (!body.ok) return sendRefusal(response, body.status, body.reason, body.message, CLOSE);
    const refuseUnsigned = () => this.#sessions.refuseUnsigned(session, askedBy(request, body.bytes));
    if (verb === undefined) {
      // A code opens the board to another browser, so it takes what a change takes.
      const unsigned = refuseUnsigned();
      if (unsigned) return sendRefusal(response, 403, unsigned.reason, unsigned.message);
      const address = `${loopbackOrigin(this.#port)}/`;
      return sendJson(response, 200, { ok: true, data: { address, ...this.#codes.make() } });
    }
    const at = searchParams.get("at");
    const left = new AbortController();
    response.once("close", () => left.abort());
    const moment = at === null ? {} : { at: /^\d+$/.test(at) ? Number(at) : Number.NaN };
    const door = { ...moment, left: left.signal };
    const { status, body: answer } = await this.#begun.track(this.#call(refuseUnsigned, verb, body.value, door));
    if (!response.destroyed) sendJson(response, status, answer);
  }

  async #call(
    refuseUnsigned: OperationCaller["refuseUnsigned"],
    name: string,
    input: unknown,
    door: Door,
  ): Promise<HttpAnswer> {
    const { app, readOnly, stopped } = this.#options;
    // A browser that goes away stops what only reads. What changes something and was begun ends, and the stream tells how.
    const onEvent: Door["onEvent"] = (event) => this.#hub.tell(event);
    const served = { ...door, onEvent, signal: () => stopped };
    return callOperation(name, input, { app, readOnly, refuseUnsigned, door: served });
  }

  async #attach(
    session: BrowserSession,
    request: IncomingMessage,
    response: ServerResponse,
    asked: URLSearchParams,
  ): Promise<void> {
    if (this.#hub.isFull) return sendRefusal(response, 429, "too-many", "Too many browsers follow this board.");
    const given = request.headers["last-event-id"] ?? asked.get("after") ?? undefined;
    const after = given === undefined ? undefined : Number(given);
    if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0))
      return sendRefusal(response, 400, "invalid-input", "after must be the number of an operation.");
    await this.#hub.attach(response, after, () => this.#sessions.isOpen(session));
  }

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request, SIGN_IN_BYTES);
    if (!body.ok) return sendRefusal(response, body.status, body.reason, body.message, CLOSE);
    const { actor } = await this.#asker();
    const asked = { ...askedBy(request, body.bytes), value: body.value, userAgent: request.headers["user-agent"] };
    const signIn = () => this.#sessions.signIn(asked, { actor, port: this.#port });
    const isWithCode = isRecord(body.value) && "code" in body.value;
    const signedIn = isWithCode ? await this.#senders.tryCode(request.socket, signIn) : signIn();
    if (!signedIn.ok) return sendRefusal(response, 401, signedIn.reason, signedIn.message);
    this.#senders.know(request.socket);
    const { token, session } = signedIn;
    const once = isWithCode ? { shared: session.browser.shared } : {};
    await this.#sendSession(response, session, { token, ...once });
  }

  async #asker(): Promise<{ readonly actor: string; readonly root: string; readonly canConfirm: boolean }> {
    const { actor, root, proof } = await this.#options.app.open();
    return { actor, root, canConfirm: isPerson(actor) && proof.kind !== "none" };
  }

  async #sendSession(response: ServerResponse, session: BrowserSession, more: object = {}): Promise<void> {
    const { app, version, readOnly } = this.#options;
    const { actor, root, canConfirm } = await this.#asker();
    const data = {
      workspace: basename(root),
      branch: branchAt(root),
      root,
      actor,
      version,
      readOnly,
      op: await this.#latest(),
      ...(await sessionFacts(app)),
      canConfirm: canConfirm && !readOnly,
      browser: session.browser.id,
      ...more,
    };
    sendJson(response, 200, { ok: true, data });
  }

  #sendPage(request: IncomingMessage, response: ServerResponse, pathname: string): void {
    const { method = "GET" } = request;
    if (method !== "GET" && method !== "HEAD")
      return sendRefusal(response, 405, "wrong-method", "This takes GET.", { allow: "GET, HEAD" });
    const file = this.#page.find(pathname);
    if (!file && this.#page.isThere) return sendRefusal(response, 404, "unknown-address", "Nothing is here.");
    const content = file ? file.read() : Buffer.from(NO_PAGE);
    writeHead(response, file ? 200 : 503, {
      "content-type": file?.type ?? "text/html; charset=utf-8",
      "content-length": String(content.length),
      "cache-control": file?.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    });
    response.end(method === "HEAD" ? undefined : content);
  }

  /** Our own page asks, a program of this machine, or you typed it. A link elsewhere may lead to the page, and to nothing else. */
  #isOurs({ headers, headersDistinct }: IncomingMessage, isApi: boolean): boolean {
    const own = loopbackOrigin(this.#port);
    const { host = "", origin = own, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
    const isSameSite = site === undefined || site === "same-origin" || site === "none";
    const isLink = !isApi && mode === "navigate";
    const isOneHost = headersDistinct["host"]?.length === 1;
    return isOneHost && `http://${host}` === own && origin === own && (isSameSite || isLink);
  }

  /** The browser reached us as localhost, say, where another program may answer too. The page is only at its own address. */
  #isOtherName({ method, headers: { host }, headersDistinct }: IncomingMessage): boolean {
    const isOneHost = headersDistinct["host"]?.length === 1 && isLocalHost(host, this.#port);
    return method === "GET" && isOneHost && `http://${host}` !== loopbackOrigin(this.#port);
  }
}

interface RoutedRequest {
  readonly pathname: string;
  readonly verb: string | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly searchParams: URLSearchParams;
}

async function sessionFacts(app: App): Promise<object> {
  const told = allFacts()
    .flatMap(({ name, session }) => (session === undefined ? [] : [{ name, session }]))
    .map(async ({ name, session }) => {
      const answer = await app.ask(name, {});
      return [session, answer.ok ? Object(answer.value)[session] : null] as const;
    });
  return Object.fromEntries(await Promise.all(told));
}

/** What was not read to its end cannot be followed by another request. */
const CLOSE = { connection: "close" };

const METHODS: ReadonlyMap<string, readonly string[]> = new Map([
  ["/api/session", ["GET", "POST"]],
  ["/api/session/nonce", ["GET"]],
  ["/api/session/code", ["POST"]],
  ["/api/events", ["GET"]],
  ["/api/openapi.json", ["GET"]],
  ["verb", ["POST"]],
]);

const VERB = /^\/api\/operations\/([a-z.-]{1,60})$/;

const tokenOf = ({ headers }: IncomingMessage): string | undefined =>
  /^Bearer ([\w-]{1,100})$/i.exec(headers.authorization ?? "")?.[1];

const askedBy = ({ method = "", url = "", headers }: IncomingMessage, body: Uint8Array): AskedRequest => {
  const signature = headers[SIGNATURE_HEADER];
  return { method, path: url, body, signature: typeof signature === "string" ? signature : undefined };
};
