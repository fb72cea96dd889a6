// A board's server in the same process, on a real port, and a client that sends requests as no browser would.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { type Agent, type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Board, type BoardOptions, serveBoard } from "../src/doors/http/serve-board.js";
import type { VerbName } from "../src/model/next-step.js";
import { SIGNATURE_HEADER } from "../src/model/signed-request.js";
import { App } from "../src/verbs/app.js";
import type { InputOf, OutputOf } from "../src/verbs/kit/verb.js";
import { BrowserKey } from "./browser-key.js";
import { must } from "./plan.js";
import { SECRET } from "./secret.js";

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** With connections of its own. */
  readonly agent?: Agent;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of every shape
  readonly json: any;
}

export interface BoardRig {
  readonly root: string;
  readonly app: App;
  readonly board: Board;
  readonly ask: <Name extends VerbName>(name: Name, input: InputOf<Name>) => Promise<OutputOf<Name>>;
  /** As it is, without a token. */
  readonly send: (path: string, sent?: Sent) => Promise<Answered>;
  /** A browser with a session, in which a code was typed. */
  readonly signIn: (key?: BrowserKey) => Promise<Browser>;
  /** Posts to the sign-in what this key signed. */
  readonly postSignIn: (body: object, key: BrowserKey, sent?: Sent) => Promise<Answered>;
  /** The header with a signature for a sign-in with this body. */
  readonly signSignIn: (body: string, key: BrowserKey) => Promise<Record<typeof SIGNATURE_HEADER, string>>;
  readonly stop: () => Promise<void>;
}

export interface Browser {
  readonly token: string;
  readonly key: BrowserKey;
  /** As the board knows it. */
  readonly id: string;
  readonly get: (path: string, sent?: Sent) => Promise<Answered>;
  /** The header with a signature for this request, and a nonce that was not used yet. */
  readonly sign: (path: string, body: unknown) => Promise<Record<string, string>>;
  /** Signs what it sends. */
  readonly post: (path: string, body?: unknown, sent?: Sent) => Promise<Answered>;
  readonly call: (name: VerbName, input?: unknown, query?: string) => Promise<Answered>;
  readonly events: (path?: string, headers?: Readonly<Record<string, string>>) => Promise<EventReader>;
}

export interface StreamedEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  // oxlint-disable-next-line typescript/no-explicit-any -- events have several shapes
  readonly data: any;
}

export interface EventReader {
  readonly response: IncomingMessage;
  /** The next event; comments are skipped. */
  readonly next: () => Promise<StreamedEvent>;
  /** Everything that came, as it came. */
  readonly raw: () => string;
  readonly close: () => void;
}

export type BoardRigOptions = Partial<
  Pick<
    BoardOptions,
    | "readOnly"
    | "heartbeatMs"
    | "boards"
    | "browsers"
    | "onManyWrong"
    | "attemptsMs"
    | "codeWait"
    | "maxConnections"
    | "port"
  >
> & {
  /** Null: whoever the environment tells. */
  readonly actor?: string | null;
  readonly secret?: string;
  /** Of the page, by name. */
  readonly files?: Readonly<Record<string, string>>;
};

export async function makeBoard(options: BoardRigOptions = {}): Promise<BoardRig> {
  const { actor = "human:ada", secret = SECRET, files = {}, readOnly = false, ...rest } = options;
  const root = realpathSync(mkdtempSync(join(tmpdir(), "planwright-board-")));
  const env = { PATH: process.env["PATH"] ?? "", HOME: `${root}.home`, USER: "ada", XDG_STATE_HOME: `${root}.state` };
  const person = new App({ folder: root, actor: "human:ada", env: { ...env, PLANWRIGHT_SECRET: SECRET } });
  const app = new App({ folder: root, actor: actor ?? undefined, env: { ...env, PLANWRIGHT_SECRET: secret } });
  const ask: BoardRig["ask"] = async (name, input) => must(await person.call(name, input));
  await ask("init", {});
  await ask("add", { title: "Login", tier: "feature" });
  const pageFolder = join(root, "page");
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(pageFolder, name, ".."), { recursive: true });
    writeFileSync(join(pageFolder, name), content);
  }
  const stopping = new AbortController();
  let served: Promise<void> | undefined;
  const board = await new Promise<Board>((onListening, failed) => {
    const { signal: stopped } = stopping;
    const fixed = { app, version: "1.2.3", stopped, readOnly, pageFolder, onListening };
    served = serveBoard({ port: 0, codeWait: () => 0, ...fixed, ...rest });
    served.catch(failed);
  });
  const stop = async (): Promise<void> => {
    stopping.abort();
    await served;
  };
  onTestFinished(async () => {
    await stop();
    await app.close();
    await person.close();
    for (const folder of [root, `${root}.state`]) rmSync(folder, { recursive: true, force: true });
  });
  const send = (path: string, sent: Sent = {}): Promise<Answered> => sendTo(board.port, path, sent);
  const signSignIn: BoardRig["signSignIn"] = async (body, key) => {
    const { nonce, time } = (await send("/api/session/nonce")).json.data;
    const asked = { port: board.port, method: "POST", path: "/api/session", nonce, time, body };
    return { [SIGNATURE_HEADER]: key.sign(asked) };
  };
  const postSignIn: BoardRig["postSignIn"] = async (asked, key, sent = {}) => {
    const body = JSON.stringify(asked);
    return send("/api/session", { method: "POST", body, headers: await signSignIn(body, key), ...sent });
  };
  return {
    root,
    app,
    board,
    ask,
    send,
    stop,
    postSignIn,
    signSignIn,
    signIn: async (key = new BrowserKey()) => {
      const answered = await postSignIn({ code: board.newCode().code, key: key.key }, key);
      return browserWith(board, send, key, answered.json.data);
    },
  };
}

export function browserWith(
  { port }: Pick<Board, "port">,
  send: BoardRig["send"],
  key: BrowserKey,
  { token, browser: id }: { readonly token: string; readonly browser: string },
): Browser {
  const authorization = `Bearer ${token}`;
  const get: Browser["get"] = (path, sent = {}) => send(path, { ...sent, headers: { authorization, ...sent.headers } });
  const sign: Browser["sign"] = async (path, body) => {
    const { nonce, time } = (await get("/api/session/nonce")).json.data;
    return { [SIGNATURE_HEADER]: key.sign({ port, method: "POST", path, nonce, time, body: textOf(body) }) };
  };
  const post: Browser["post"] = async (path, body = {}, sent = {}) =>
    send(path, {
      method: "POST",
      body,
      ...sent,
      headers: { authorization, ...(await sign(path, body)), ...sent.headers },
    });
  return {
    token,
    key,
    id,
    get,
    sign,
    post,
    call: (name, input = {}, query = "") => post(`/api/operations/${name}${query}`, input),
    events: (path = "/api/events", headers = {}) => follow(port, path, { authorization, ...headers }),
  };
}

const textOf = (body: unknown): string => (typeof body === "string" ? body : JSON.stringify(body));

const sendTo = (port: number, path: string, { method = "GET", headers = {}, body, agent }: Sent): Promise<Answered> =>
  new Promise((done, failed) => {
    const all = { ...(method === "POST" && { "content-type": "application/json" }), ...headers };
    const sent = request({ host: "127.0.0.1", port, method, path, headers: all, agent }, (response) => {
      const chunks: Uint8Array[] = [];
      response.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      response.once("error", failed);
      response.once("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const { statusCode: status = 0, headers: got } = response;
        done({ status, headers: got, text, json: isJsonAnswer(got) ? JSON.parse(text) : undefined });
      });
    });
    sent.once("error", failed);
    sent.end(body === undefined ? undefined : textOf(body));
  });

const isJsonAnswer = (headers: IncomingMessage["headers"]): boolean =>
  headers["content-type"]?.startsWith("application/json") === true && headers["content-length"] !== "0";

const follow = (port: number, path: string, headers: Readonly<Record<string, string>>): Promise<EventReader> =>
  new Promise((done, failed) => {
    const sent = request({ host: "127.0.0.1", port, path, headers }, (response) => {
      let [raw, rest] = ["", ""];
      const waiting: ((event: StreamedEvent) => void)[] = [];
      const come: StreamedEvent[] = [];
      response.setEncoding("utf8").on("data", (chunk: string) => {
        raw += chunk;
        const blocks = (rest + chunk).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const event of blocks.flatMap(parseEvent)) {
          const wake = waiting.shift();
          if (wake) wake(event);
          else come.push(event);
        }
      });
      response.on("error", () => undefined);
      done({
        response,
        raw: () => raw,
        close: () => sent.destroy(),
        next: () => new Promise((wake) => (come.length > 0 ? wake(come.shift() as StreamedEvent) : waiting.push(wake))),
      });
    });
    sent.once("error", failed);
    sent.end();
    onTestFinished(() => void sent.destroy());
  });

function parseEvent(block: string): StreamedEvent[] {
  const fields = new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(": ");
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const data = fields.get("data");
  return data === undefined ? [] : [{ id: fields.get("id"), event: fields.get("event"), data: JSON.parse(data) }];
}
