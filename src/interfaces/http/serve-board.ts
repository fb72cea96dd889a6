// The board's server on this machine only: the page, its operations and its stream of events. Whoever asks needs the cookie of a
// session; a page of another site and a foreign name for this machine are refused before anything is read.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { basename } from "node:path";
import type { App } from "../../app/app.js";
import { BegunCalls } from "../../app/begun-calls.js";
import { isLocalHost, isLocalOrigin, LOOPBACK } from "../../app/loopback.js";
import type { Door } from "../../app/session.js";
import { isPerson } from "../../app/vocabulary.js";
import { branchAt } from "../../app/workspace.js";
import { callOperation, type HttpAnswer } from "./call-operation.js";
import { EventHub } from "./events.js";
import { watchAttempts } from "./live-attempts.js";
import { openApi } from "./open-api.js";
import { Pace } from "./pace.js";
import { keepPastReady } from "./past-ready.js";
import { readJson, sendJson, sendRefusal, writeHead } from "./respond.js";
import { type BrowserSession, Sessions } from "./sessions.js";
import { NO_PAGE, PageFiles } from "./static-files.js";

export interface BoardOptions {
  readonly app: App;
  readonly version: string;
  readonly stopped: AbortSignal;
  /** 0 takes a free one. */
  readonly port: number;
  readonly readOnly: boolean;
  /** Where the page was built. */
  readonly pageFolder: string;
  /** Where browsers are kept that are signed in; nowhere unless given. */
  readonly sessionsFile?: string;
  /** Called once, when browsers can connect. */
  readonly onListening: (board: Board) => void;
  readonly heartbeatMs?: number;
  /** How often running attempts are looked at. */
  readonly attemptsMs?: number;
}

export interface Board {
  readonly port: number;
  /** A new address for one browser, with its token in the fragment: no server and no log ever sees that. */
  newAddress(): string;
}

/** Connections at once, and how long a client may take to send its request. */
const MOST_CONNECTIONS = 256;
const REQUEST_MS = 30_000;
const HEADERS_MS = 10_000;
/** How often slow clients are looked for. */
const LOOK_FOR_SLOW_MS = 2_000;

/** Until the process is asked to stop. Operations that were begun end first. */
export async function serveBoard(options: BoardOptions): Promise<void> {
  const server = createServer({
    requestTimeout: REQUEST_MS,
    headersTimeout: HEADERS_MS,
    connectionsCheckingInterval: LOOK_FOR_SLOW_MS,
  });
  server.maxConnections = MOST_CONNECTIONS;
  const board = new BoardServer(options, server);
  await listen(server, options.port);
  await board.start();
  const { stopped } = options;
  await new Promise<void>((done) => {
    if (stopped.aborted) done();
    stopped.addEventListener("abort", () => done());
  });
  await board.stop();
}

const listen = (server: Server, port: number): Promise<void> =>
  new Promise((done, failed) => {
    server.once("error", failed);
    server.listen(port, LOOPBACK, done);
  });

class BoardServer {
  readonly #options: BoardOptions;
  readonly #server: Server;
  readonly #sessions: Sessions;
  readonly #hub: EventHub;
  readonly #page: PageFiles;
  readonly #pace = new Pace();
  readonly #begun = new BegunCalls();
  #openApi: Promise<object> | undefined;
  #port = 0;

  constructor(options: BoardOptions, server: Server) {
    this.#options = options;
    this.#server = server;
    this.#sessions = new Sessions(options.sessionsFile);
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
    this.#port = (this.#server.address() as AddressInfo).port;
    this.#hub.start(await this.#latest());
    watchAttempts(this.#options.app, this.#hub, this.#options.stopped, this.#options.attemptsMs);
    keepPastReady(this.#options.app, this.#options.stopped);
    const forever = Number.POSITIVE_INFINITY;
    let printed: string | undefined = this.#sessions.issueToken(forever);
    this.#options.onListening({
      port: this.#port,
      newAddress: () => {
        const token = printed ?? this.#sessions.issueToken();
        printed = undefined;
        return this.#addressWith(token);
      },
    });
  }

  async stop(): Promise<void> {
    await this.#begun.settled();
    await this.#hub.ended();
    await new Promise<void>((done) => {
      this.#server.close(() => done());
      this.#server.closeAllConnections();
    });
  }

  #addressWith = (token: string): string => `http://${LOOPBACK}:${this.#port}/#token=${token}`;

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
    if (!this.#isOurs(request, isApi))
      return sendRefusal(response, 403, "foreign-request", "Only the board of this machine may ask here.");
    if (!this.#pace.take()) {
      const wait = { "retry-after": "1" };
      return sendRefusal(response, 429, "too-many", "Too many requests. Try again in a second.", wait);
    }
    if (!isApi) return this.#sendPage(request, response, pathname);
    const route = routeOf(pathname);
    if (!route) return sendRefusal(response, 404, "unknown-address", "Nothing is here.");
    const { method = "GET" } = request;
    if (!route.methods.includes(method)) {
      const allow = { allow: route.methods.join(", ") };
      return sendRefusal(response, 405, "wrong-method", `This takes ${route.methods.join(" or ")}.`, allow);
    }
    const session = cookiesOf(request, this.#cookieName)
      .map((cookie) => this.#sessions.find(cookie))
      .find((found) => found !== undefined);
    if (route.name === "session" && method === "POST") return this.#signIn(request, response);
    if (!session) return sendRefusal(response, 401, "no-session", "Open the address that `planwright board` printed.");
    await this.#answerTo(session, { route, request, response, searchParams });
  }

  async #answerTo(session: BrowserSession, asked: Asked): Promise<void> {
    const { route, request, response, searchParams } = asked;
    if (route.name === "events") return this.#attach(request, response, searchParams);
    if (route.name === "open-api") {
      this.#openApi ??= openApi(this.#options.version);
      return sendJson(response, 200, await this.#openApi);
    }
    if (route.name === "session") return this.#sendSession(response, session);
    const body = await readJson(request);
    if (!body.ok) return sendRefusal(response, body.status, body.reason, body.message, CLOSE);
    if (route.name === "person") return this.#confirm(response, session);
    if (route.name === "address") {
      return sendJson(response, 200, { ok: true, data: { address: this.#addressWith(this.#sessions.issueToken()) } });
    }
    const at = searchParams.get("at");
    const door = at === null ? {} : { at: /^\d+$/.test(at) ? Number(at) : Number.NaN };
    const { status, body: answer } = await this.#begun.track(this.#call(session, route.operation, body.value, door));
    if (!response.destroyed) sendJson(response, status, answer);
  }

  async #call(session: BrowserSession, name: string, input: unknown, door: Door): Promise<HttpAnswer> {
    const { app, readOnly, stopped } = this.#options;
    const { canConfirm } = await this.#asker();
    const isUnconfirmed = canConfirm && !session.confirmed;
    // A browser that goes away stops nothing: what was begun ends, and the stream tells how.
    const onEvent: Door["onEvent"] = (event) => this.#hub.tell(event);
    const served = { ...door, onEvent, signal: () => stopped };
    return callOperation(name, input, { app, readOnly, isUnconfirmed, door: served });
  }

  async #attach(request: IncomingMessage, response: ServerResponse, asked: URLSearchParams): Promise<void> {
    if (this.#hub.isFull) return sendRefusal(response, 429, "too-many", "Too many browsers follow this board.");
    const given = request.headers["last-event-id"] ?? asked.get("after") ?? undefined;
    const after = given === undefined ? undefined : Number(given);
    if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0))
      return sendRefusal(response, 400, "invalid-input", "after must be the number of an operation.");
    await this.#hub.attach(response, after);
  }

  async #signIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJson(request);
    if (!body.ok) return sendRefusal(response, body.status, body.reason, body.message, CLOSE);
    const { token } = (body.value ?? {}) as { token?: unknown };
    const cookie = typeof token === "string" ? this.#sessions.redeem(token) : undefined;
    const session = this.#sessions.find(cookie);
    if (!session) {
      const message = "This address was used already, or is not of this board. `planwright board` prints another.";
      return sendRefusal(response, 401, "bad-token", message);
    }
    const attributes = "HttpOnly; SameSite=Strict; Path=/; Max-Age=604800";
    await this.#sendSession(response, session, { "set-cookie": `${this.#cookieName}=${cookie}; ${attributes}` });
  }

  /** Browsers send a cookie to every port of a host, so two boards need two names. */
  get #cookieName(): string {
    return `planwright_${this.#port}`;
  }

  async #confirm(response: ServerResponse, session: BrowserSession): Promise<void> {
    const { canConfirm, actor } = await this.#asker();
    if (!canConfirm) {
      const message = `${actor} started this board, and only a person can confirm. Start it in a terminal of your own.`;
      return sendRefusal(response, 403, "needs-person", message);
    }
    session.confirmed = true;
    await this.#sendSession(response, session);
  }

  async #asker(): Promise<{ readonly actor: string; readonly root: string; readonly canConfirm: boolean }> {
    const { actor, root, proof } = await this.#options.app.open();
    return { actor, root, canConfirm: isPerson(actor) && proof.kind !== "none" };
  }

  async #sendSession(response: ServerResponse, session: BrowserSession, headers = {}): Promise<void> {
    const { app, version, readOnly } = this.#options;
    const { actor, root, canConfirm } = await this.#asker();
    const level = await app.call("level.show", {});
    const data = {
      workspace: basename(root),
      branch: branchAt(root),
      root,
      actor,
      version,
      readOnly,
      op: await this.#latest(),
      level: level.ok ? level.value.level : null,
      canConfirm: canConfirm && !readOnly,
      confirmed: session.confirmed,
    };
    sendJson(response, 200, { ok: true, data }, headers);
  }

  #sendPage(request: IncomingMessage, response: ServerResponse, pathname: string): void {
    const { method = "GET" } = request;
    if (method !== "GET" && method !== "HEAD")
      return sendRefusal(response, 405, "wrong-method", "This takes GET.", { allow: "GET, HEAD" });
    const file = this.#page.find(pathname);
    if (!file && this.#page.isThere) return sendRefusal(response, 404, "unknown-address", "Nothing is here.");
    const content = file ? this.#page.read(file) : Buffer.from(NO_PAGE);
    writeHead(response, file ? 200 : 503, {
      "content-type": file?.type ?? "text/html; charset=utf-8",
      "content-length": String(content.length),
      "cache-control": file?.immutable ? "public, max-age=31536000, immutable" : "no-cache",
    });
    response.end(method === "HEAD" ? undefined : content);
  }

  /** By its headers, it comes from our own page, from a program of this machine, or was typed. A link elsewhere may lead to the page,
   *  and nothing else of it may be loaded from there. */
  #isOurs({ headers, headersDistinct }: IncomingMessage, isApi: boolean): boolean {
    const { host, origin, "sec-fetch-site": site, "sec-fetch-mode": mode } = headers;
    const isSameSite = site === undefined || site === "same-origin" || site === "none";
    const isLink = !isApi && mode === "navigate";
    const isOneHost = headersDistinct["host"]?.length === 1;
    return isOneHost && isLocalHost(host, this.#port) && isLocalOrigin(origin, this.#port) && (isSameSite || isLink);
  }
}

interface Asked {
  readonly route: Route;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly searchParams: URLSearchParams;
}

/** What was not read to its end cannot be followed by another request. */
const CLOSE = { connection: "close" };

type RouteName = "session" | "person" | "address" | "events" | "open-api" | "operation";

interface Route {
  readonly name: RouteName;
  readonly methods: readonly string[];
  /** Of the catalogue, if it is one. */
  readonly operation: string;
}

const ROUTES: Readonly<Record<string, Omit<Route, "operation">>> = {
  "/api/session": { name: "session", methods: ["GET", "POST"] },
  "/api/session/person": { name: "person", methods: ["POST"] },
  "/api/session/address": { name: "address", methods: ["POST"] },
  "/api/events": { name: "events", methods: ["GET"] },
  "/api/openapi.json": { name: "open-api", methods: ["GET"] },
};

const OPERATION = /^\/api\/operations\/([a-z.-]{1,60})$/;

function routeOf(pathname: string): Route | undefined {
  const [, operation] = OPERATION.exec(pathname) ?? [];
  if (operation !== undefined) return { name: "operation", methods: ["POST"], operation };
  const found = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined;
  return found && { ...found, operation: "" };
}

const MOST_COOKIES = 5;

/** Several, where another program of this machine set one of the same name: it does not sign you out. */
function cookiesOf({ headers }: IncomingMessage, name: string): string[] {
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const own = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return own.slice(0, MOST_COOKIES).map((pair) => pair.slice(name.length + 1));
}
