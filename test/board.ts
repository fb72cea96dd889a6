// A board's server in the same process, on a real port, and a client that sends requests as no browser would.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Board, type BoardOptions, serveBoard } from "../src/doors/http/serve-board.js";
import type { VerbName } from "../src/model/next-step.js";
import { App } from "../src/verbs/app.js";
import type { InputOf, OutputOf } from "../src/verbs/kit/verb.js";
import { must } from "./plan.js";
import { SECRET } from "./secret.js";

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
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
  /** A browser with a session. */
  readonly signIn: () => Promise<Browser>;
  readonly stop: () => Promise<void>;
}

export interface Browser {
  readonly token: string;
  readonly get: (path: string, sent?: Sent) => Promise<Answered>;
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
  Pick<BoardOptions, "readOnly" | "heartbeatMs" | "boards" | "onCodeSpent" | "attemptsMs">
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
    served = serveBoard({ app, version: "1.2.3", stopped, port: 0, readOnly, pageFolder, onListening, ...rest });
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
  return { root, app, board, ask, send, stop, signIn: () => signIn(board, send) };
}

async function signIn(board: Board, send: BoardRig["send"]): Promise<Browser> {
  const { code } = await board.newCode();
  const answered = await send("/api/session", { method: "POST", body: { code } });
  const { token } = answered.json.data as { token: string };
  const authorization = `Bearer ${token}`;
  const withToken = (sent: Sent): Sent => ({ ...sent, headers: { authorization, ...sent.headers } });
  const post: Browser["post"] = (path, body = {}, sent = {}) =>
    send(path, withToken({ method: "POST", body, ...sent }));
  return {
    token,
    post,
    get: (path, sent = {}) => send(path, withToken(sent)),
    call: (name, input = {}, query = "") => post(`/api/operations/${name}${query}`, input),
    events: (path = "/api/events", headers = {}) => follow(board.port, path, { authorization, ...headers }),
  };
}

const sendTo = (port: number, path: string, { method = "GET", headers = {}, body }: Sent): Promise<Answered> =>
  new Promise((done, failed) => {
    const isJson = body !== undefined && typeof body !== "string";
    const all = { ...(method === "POST" && { "content-type": "application/json" }), ...headers };
    const sent = request({ host: "127.0.0.1", port, method, path, headers: all }, (response) => {
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
    sent.end(isJson ? JSON.stringify(body) : body);
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
