// The command `planwright mcp`: which way to serve, from its words.

import { randomBytes } from "node:crypto";
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { messageOf } from "../../base/errors.js";
import { ok, type Result, refused, usage } from "../../model/result.js";
import { type McpOptions, McpSession } from "./server.js";

export interface McpCommand extends McpOptions {
  /** What clients must send over HTTP; a new one unless given. */
  readonly token: string | undefined;
}

export async function serveMcp(words: readonly string[], command: McpCommand): Promise<Result<void>> {
  const [first, ...rest] = words.flatMap((word) => (word.startsWith("--http=") ? ["--http", word.slice(7)] : [word]));
  if (first === "--http") return serveOverHttp(rest, command);
  if (first !== undefined) return usage("usage", `planwright mcp takes no "${first.slice(0, 60)}".`);
  await serveMcpStdio(command, { input: process.stdin, output: process.stdout });
  return ok(undefined);
}

/** A token that can be guessed protects nothing. */
const MIN_TOKEN_CHARACTERS = 16;

async function serveOverHttp([port = "0", ...more]: readonly string[], command: McpCommand): Promise<Result<void>> {
  if (more.length > 0 || !/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return usage("usage", "planwright mcp --http takes a port: a number up to 65535, or none for a free one.");
  const { token = randomBytes(24).toString("base64url") } = command;
  if (token.length < MIN_TOKEN_CHARACTERS)
    return usage("usage", `PLANWRIGHT_MCP_TOKEN must have at least ${MIN_TOKEN_CHARACTERS} characters.`);
  const { serveMcpHttp } = await import("./serve-http.js");
  const onListening = (url: string): void => {
    const header = command.token === undefined ? ` Clients send: Authorization: Bearer ${token}` : "";
    process.stderr.write(`Serving the plan on ${url}.${header}\n`);
  };
  try {
    await serveMcpHttp({ ...command, port: Number(port), token, onListening });
    return ok(undefined);
  } catch (error) {
    return refused("port-taken", `The server cannot listen on port ${port}: ${messageOf(error)}`);
  }
}

// The server on standard input and output, for clients that start it themselves.

/** Serves until the client closes its side or the process is asked to stop. Calls that were begun end first. */
export async function serveMcpStdio(
  options: McpOptions,
  streams: { readonly input: Readable; readonly output: Writable },
) {
  const session = new McpSession(options);
  const transport = new StdioServerTransport(streams.input, streams.output);
  const stopped = options.stopped();
  const handle = serveStdio(({ era }) => session.serve(era), { transport });
  await new Promise<void>((done) => {
    const { onclose } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport has no events
    transport.onclose = () => {
      onclose?.();
      done();
    };
    if (stopped.aborted) done();
    stopped.addEventListener("abort", () => done());
  });
  await handle.close();
  await session.settled();
}
