// The server on standard input and output, for clients that start it themselves.

import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { type McpOptions, McpSession } from "./server.js";

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** Until the client closes its side or the process is asked to stop. Calls that were begun end first. */
export async function serveMcpStdio(options: McpOptions, { input, output }: Streams): Promise<void> {
  const session = new McpSession(options);
  const transport = new StdioServerTransport(input, output);
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
