// The way from a sandbox without a network to single ports of this machine: a socket in its own folder for each of them. Outside we pass
// on what comes; inside a small program listens on the port.

import { mkdirSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { isInside } from "../../base/paths.js";

/** Where the sockets are inside. */
export const RELAYS_INSIDE = "/run/planwright";

const LONGEST = 100;

const open = new Map<string, Server>();

function passOn(from: Socket, to: Socket): void {
  from.pipe(to).on("error", () => from.destroy());
  to.pipe(from).on("error", () => to.destroy());
}

/** Lets what connects to the sockets in the folder reach these ports, until `closeRelays`. They keep no program alive. */
export function openRelays(folder: string, ports: readonly number[]): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const port of ports) {
    const path = join(folder, String(port));
    // The system would cut it, and nothing would be there.
    if (path.length > LONGEST)
      throw new Error(`${path} is too long for a socket. Set TMPDIR to a folder with a short path.`);
    if (open.has(path)) continue;
    rmSync(path, { force: true });
    const server = createServer((socket) => passOn(socket, connect(port, "127.0.0.1")));
    // What listens nowhere is not reached, and the program inside says so.
    server.on("error", () => open.delete(path));
    open.set(path, server.listen(path).unref());
  }
}

export function closeRelays(around: string): void {
  for (const [path, server] of open) {
    if (!isInside(path, around)) continue;
    server.close();
    open.delete(path);
  }
}

/** Runs inside, before the command: `node -e INSIDE PORTS COMMAND ...`. */
const INSIDE = `
const { createServer, connect } = require("node:net");
const { spawn } = require("node:child_process");
const [ports, command, ...args] = process.argv.slice(1);
const pass = (a, b) => { a.pipe(b).on("error", () => a.destroy()); b.pipe(a).on("error", () => b.destroy()); };
const begin = () => spawn(command, args, { stdio: "inherit" })
  .on("error", (error) => { require("node:fs").writeSync(2, error.message + "\\n"); process.exit(127); })
  .on("exit", (code, signal) => process.exit(code ?? (signal ? 128 : 1)));
let left = ports.split(",").length;
for (const port of ports.split(",")) {
  createServer((socket) => pass(socket, connect("${RELAYS_INSIDE}/" + port)))
    .on("error", (error) => { require("node:fs").writeSync(2, error.message + "\\n"); process.exit(127); })
    .listen(Number(port), "127.0.0.1", () => { if (--left === 0) begin(); });
}
`;

/** The command with the listener for these ports before it. */
export const behindRelays = (ports: readonly number[], command: string, args: readonly string[]): readonly string[] =>
  ports.length === 0 ? [command, ...args] : [process.execPath, "-e", INSIDE, ports.join(","), command, ...args];
