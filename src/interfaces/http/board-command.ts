// The command `planwright board`: reads its words, serves, and tells where.

import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import type { App } from "../../app/app.js";
import { LOOPBACK } from "../../app/loopback.js";
import { ok, type Result, refused, usage } from "../../app/vocabulary.js";
import { codeOf, messageOf } from "../../errors.js";
import { openBrowser } from "./open-browser.js";
import { type Board, serveBoard } from "./serve-board.js";
import { Sessions } from "./sessions.js";

export interface BoardCommand {
  readonly app: App;
  readonly version: string;
  readonly stopped: AbortSignal;
  readonly pageFolder: string;
  readonly sessionsFile: (root: string) => Promise<string>;
  readonly terminal: BoardTerminal;
  /** The port on which the daemon serves the board, by the settings. */
  readonly daemonPort: (root: string) => number | null;
}

/** What the command needs of a terminal. */
interface BoardTerminal {
  readonly json: boolean;
  readonly interactive: boolean;
  print(text: string): void;
  progress(text: string): void;
}

interface Wanted {
  readonly port: number | undefined;
  readonly readOnly: boolean;
  readonly opens: boolean;
}

export async function boardCommand(words: readonly string[], command: BoardCommand): Promise<Result<void>> {
  const wanted = readWanted(words);
  if (!wanted.ok) return wanted;
  const { port, readOnly, opens } = wanted.value;
  const { app, version, stopped, pageFolder, sessionsFile, terminal } = command;
  const { root } = await app.open();
  const kept = await sessionsFile(root);
  const atDaemon = command.daemonPort(root);
  if (port === undefined && !readOnly && atDaemon !== null && (await isServed(atDaemon))) {
    const sessions = new Sessions(kept);
    const newAddress = (): string => `http://${LOOPBACK}:${atDaemon}/#token=${sessions.leaveToken()}`;
    announce({ port: atDaemon, newAddress }, { ...terminal, interactive: false }, opens, false);
    return ok(undefined);
  }
  const forget: (() => void)[] = [];
  const serve = (at: number): Promise<void> =>
    serveBoard({
      app,
      version,
      stopped,
      pageFolder,
      readOnly,
      port: at,
      sessionsFile: kept,
      onListening: (board) => forget.push(announce(board, terminal, opens)),
    });
  try {
    await serve(port ?? usualPort(root)).catch((error: unknown) => {
      if (port !== undefined || codeOf(error) !== "EADDRINUSE") throw error;
      return serve(0);
    });
    return ok(undefined);
  } catch (error) {
    if (!String(codeOf(error)).startsWith("EA")) throw error;
    return refused("port-taken", `The board cannot listen on port ${port}: ${messageOf(error)}`);
  } finally {
    for (const each of forget) each();
  }
}

/** Whether a board answers there: without a session it says so. */
async function isServed(port: number): Promise<boolean> {
  try {
    const answered = await fetch(`http://${LOOPBACK}:${port}/api/session`, { signal: AbortSignal.timeout(2_000) });
    const { error } = (await answered.json()) as { error?: { reason?: unknown } };
    return error?.reason === "no-session";
  } catch {
    return false;
  }
}

const LARGEST_PORT = 65_535;

function readWanted(words: readonly string[]): Result<Wanted> {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { "no-open": { type: "boolean" }, "read-only": { type: "boolean" }, port: { type: "string" } },
    });
    const { port, "no-open": stays = false, "read-only": readOnly = false } = values;
    if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > LARGEST_PORT))
      return usage("usage", `--port takes a number up to ${LARGEST_PORT}, not "${port.slice(0, 60)}".`);
    return ok({ port: port === undefined ? undefined : Number(port), readOnly, opens: !stays });
  } catch (error) {
    return usage("usage", `planwright board: ${messageOf(error).split(".")[0]}.`);
  }
}

/** The same for a workspace each time, so that a page that is open finds the server again. */
const usualPort = (root: string): number =>
  20_000 + (createHash("sha256").update(root).digest().readUInt16BE(0) % 20_000);

/** What is returned ends the reading of keys. */
function announce(board: Board, terminal: BoardTerminal, opens: boolean, isOurs = true): () => void {
  const tell = (): void => {
    const address = board.newAddress();
    if (terminal.json) terminal.print(`${JSON.stringify({ ok: true, data: { address, port: board.port } })}\n`);
    else terminal.print(`${address}\n`);
  };
  tell();
  terminal.progress(isOurs ? "The board is there. Ctrl-C ends it.\n" : "The daemon serves this board.\n");
  // With a token of its own: other users of the machine see the words of a process, and the address that is printed stays good.
  if (opens) void openBrowser(board.newAddress()).then((isOpen) => isOpen || terminal.progress(NOT_OPEN));
  if (!terminal.interactive || terminal.json) return () => undefined;
  terminal.progress("Press Enter for an address for another browser.\n");
  process.stdin.on("data", tell);
  return () => process.stdin.off("data", tell).pause();
}

const NOT_OPEN = "There is no browser to open here. Open the address yourself.\n";
