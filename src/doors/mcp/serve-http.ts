// The server as Streamable HTTP on this machine only, for clients that cannot start a program. Whoever calls needs the token; a page
// in a browser and a foreign name for this machine are refused before anything is read.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { messageOf } from "../../base/errors.js";
import {
  closeServer,
  isLocalHost,
  isLocalOrigin,
  isSameText,
  LOOPBACK,
  listenHere,
  untilStopped,
} from "../loopback.js";
import { announceChanges } from "./resources.js";
import { type McpOptions, McpSession } from "./server.js";

const PATH = "/mcp";

export interface HttpOptions extends McpOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly token: string;
  readonly onListening: (url: string) => void;
}

/** Serves until the process is asked to stop. Calls that were begun end first. */
export async function serveMcpHttp(options: HttpOptions): Promise<void> {
  const session = new McpSession(options);
  const handler = createMcpHandler(({ era }) => session.serve(era, "shared"));
  const handle: Handle = async (request) => refusalOf(request, options.token) ?? handler.fetch(request);
  const server = createServer((request, response) => {
    answer(request, response, handle).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500);
      response.end(messageOf(error));
    });
  });
  const stopped = options.stopped();
  await listenHere(server, options.port);
  options.onListening(`http://${LOOPBACK}:${(server.address() as AddressInfo).port}${PATH}`);
  const announcing = announceChanges(options.app, stopped, async (uri) => handler.notify.resourceUpdated(uri))
    .then(({ ended }) => ended)
    // Without a plan there is nothing to announce.
    .catch(() => undefined);
  await untilStopped(stopped);
  await handler.close();
  await session.settled();
  await announcing;
  await closeServer(server);
}

type Handle = (request: Request) => Promise<Response>;

async function answer(incoming: IncomingMessage, outgoing: ServerResponse, handle: Handle): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const request = asRequest(incoming, gone.signal);
  const response = await handle(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}

function asRequest(incoming: IncomingMessage, signal: AbortSignal): Request {
  const { method = "GET", headers } = incoming;
  const given = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const url = new URL(incoming.url ?? "/", `http://${LOOPBACK}`);
  if (method === "GET" || method === "HEAD") return new Request(url, { method, headers: given, signal });
  const body = Readable.toWeb(incoming);
  // Node needs `duplex` for a body that is a stream.
  return new Request(url, { method, headers: given, signal, body, duplex: "half" });
}

function refusalOf(request: Request, token: string): Response | undefined {
  const { headers } = request;
  if (!isLocalHost(headers.get("host") ?? undefined) || !isLocalOrigin(headers.get("origin") ?? undefined))
    return new Response("Only programs of this machine may ask here.", { status: 403 });
  const given = /^Bearer (.+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
  if (!isSameText(given, token)) {
    return new Response("Send the token of this server in the header Authorization.", {
      status: 401,
      headers: { "www-authenticate": "Bearer" },
    });
  }
  return new URL(request.url).pathname === PATH ? undefined : new Response("Nothing is here.", { status: 404 });
}
