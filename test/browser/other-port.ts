// A program on another port of this machine, as a worker may start one: its page tries whatever a browser lets it try, and the program
// remembers whatever reaches it.

import { readFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface OtherPort {
  readonly address: string;
  /** Of every request that came. */
  readonly headers: IncomingHttpHeaders[];
}

const PAGE = readFileSync(new URL("other-port.html", import.meta.url), "utf8");

export async function listenOnAnotherPort(board: string): Promise<OtherPort> {
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    response.setHeader("content-type", "text/html");
    // It also tries to leave a cookie that the browser would send to the board.
    response.setHeader("set-cookie", "planwright=planted; Path=/");
    response.end(PAGE);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/#${board}`, headers };
}
