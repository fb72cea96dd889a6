// The command `planwright board`: reads its words, serves, and tells where the page is and which code opens it. If a board of yours
// runs already, it leaves a code for that one.

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { codeOf, messageOf } from "../../base/errors.js";
import { isPerson } from "../../model/actor.js";
import { absent, ok, type Result, refused, usage, type ValueOf } from "../../model/result.js";
import type { App } from "../../verbs/app.js";
import type { Terminal } from "../../verbs/kit/view.js";
import type { KnownBrowsers } from "../../verbs/services/known-browsers.js";
import type { RunningBoard, RunningBoards } from "../../verbs/services/running-boards.js";
import { loopbackOrigin } from "../loopback.js";
import { CODE_MS, MANY_WRONG, makeCode, type NewCode, sealCode } from "./codes.js";
import { type Board, serveBoard } from "./serve-board.js";

export interface BoardCommand {
  readonly app: App;
  readonly version: string;
  readonly stopped: AbortSignal;
  readonly pageFolder: string;
  readonly notes: (root: string) => Promise<BoardNotes>;
  readonly terminal: BoardTerminal;
}

/** What is kept about boards in your settings folder. */
export interface BoardNotes {
  readonly boards: RunningBoards;
  readonly browsers: KnownBrowsers;
}

type BoardTerminal = Pick<Terminal, "json" | "interactive" | "print" | "progress">;

type BoardFlags = Readonly<ValueOf<ReturnType<typeof readFlags>>>;

export async function boardCommand(words: readonly string[], command: BoardCommand): Promise<Result<void>> {
  const read = readFlags(words);
  if (!read.ok) return read;
  const flags = read.value;
  const { root, actor, proof } = await command.app.open();
  const notes = await command.notes(root);
  const { boards } = notes;
  const asker: Asker = { actor, isPerson: isPerson(actor) && proof.kind !== "none" };
  if (flags.code) return tellCode(boards, asker, flags, command);
  const meant = boards.list().filter((board) => isMeant(board, asker, flags));
  const running = meant.find(({ canConfirm }) => canConfirm) ?? meant[0];
  return running ? tellRunning(boards, running, flags, command) : serve(root, notes, flags, command);
}

interface Asker {
  readonly actor: string;
  readonly isPerson: boolean;
}

/** The daemon's, or one that the same person started. An agent gets no code for a board on which a person can confirm. */
const isMeant = (board: RunningBoard, asker: Asker, { port, readOnly }: BoardFlags): boolean =>
  port === undefined &&
  !readOnly &&
  asker.isPerson &&
  !board.readOnly &&
  (board.ofDaemon || (board.canConfirm && board.actor === asker.actor));

async function tellCode(boards: RunningBoards, asker: Asker, flags: BoardFlags, command: BoardCommand) {
  if (!asker.isPerson)
    return refused("needs-person", `Only a person gets a code for a running board, and ${asker.actor} is not one.`);
  const running = boards.list().filter(({ port }) => flags.port === undefined || port === flags.port);
  const [board, ...more] = running;
  if (!board) return absent("no-board", "No board of this workspace runs here. Type: planwright board");
  if (more.length > 0) {
    const ports = running.map(({ port }) => port).join(", ");
    return usage("several-boards", `Several boards of this workspace run here. Choose with --port: ${ports}`);
  }
  return tellRunning(boards, board, { ...flags, opens: false }, command);
}

/** Only whoever can write to your settings folder can leave a code. Typed into the page, it is exchanged like any other. */
async function tellRunning(
  boards: RunningBoards,
  { id, port, ofDaemon, lock }: RunningBoard,
  { opens, code: isCodeOnly }: BoardFlags,
  { terminal }: BoardCommand,
): Promise<Result<void>> {
  const made = { code: makeCode(), until: Date.now() + CODE_MS };
  if (!boards.leaveCode(id, sealCode(made, lock)))
    return refused("no-folder", "The code cannot be written to your settings folder.");
  const address = `${loopbackOrigin(port)}/`;
  tell(terminal, address, port, made);
  if (!isCodeOnly)
    terminal.progress(`${ofDaemon ? "The daemon serves" : "Another terminal of yours serves"} this board. ${TYPE_IT}`);
  if (opens) open(address, terminal);
  return ok(undefined);
}

async function serve(
  root: string,
  notes: BoardNotes,
  { port, readOnly, opens }: BoardFlags,
  { app, version, stopped, pageFolder, terminal }: BoardCommand,
): Promise<Result<void>> {
  const forget: (() => void)[] = [];
  const usual = usualPort(root);
  const listen = (at: number): Promise<void> =>
    serveBoard({
      app,
      version,
      stopped,
      pageFolder,
      readOnly,
      port: at,
      ...notes,
      onManyWrong: () => terminal.progress(WRONG_CODES),
      onListening: (board) => forget.push(announce(board, terminal, opens)),
    });
  try {
    await listen(port ?? usual).catch((error: unknown) => {
      if (port !== undefined || codeOf(error) !== "EADDRINUSE") throw error;
      const notice = `Another program has the usual port, ${usual}. Type the code only at the address that follows.`;
      terminal.progress(`${notice}\n`);
      return listen(0);
    });
    return ok(undefined);
  } catch (error) {
    if (!String(codeOf(error)).startsWith("EA")) throw error;
    return refused("port-taken", `The board cannot listen on port ${port}: ${messageOf(error)}`);
  } finally {
    for (const each of forget) each();
  }
}

const MAX_PORT = 65_535;

/** `code`: print a code for a board that runs, and nothing else. */
function readFlags(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        "no-open": { type: "boolean" },
        "read-only": { type: "boolean" },
        code: { type: "boolean" },
        port: { type: "string" },
      },
    });
    const { port, "no-open": stays = false, "read-only": readOnly = false, code = false } = values;
    if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > MAX_PORT))
      return usage("usage", `--port takes a number up to ${MAX_PORT}, not "${port.slice(0, 60)}".`);
    return ok({ port: port === undefined ? undefined : Number(port), readOnly, opens: !stays, code });
  } catch (error) {
    return usage("usage", `planwright board: ${messageOf(error).split(".")[0]}.`);
  }
}

/** A workspace has the same port each time, so that a page that is open finds the server again. */
const usualPort = (root: string) => 20_000 + (createHash("sha256").update(root).digest().readUInt16BE(0) % 20_000);

/** Returns a function that ends the reading of keys. */
function announce(board: Board, terminal: BoardTerminal, opens: boolean): () => void {
  const { address, port } = board;
  const takesKeys = terminal.interactive && !terminal.json;
  const tellNew = (): void => tell(terminal, address, port, board.newCode());
  const keys = takesKeys ? "Press Enter for a new code, for another browser, say. " : "";
  tellNew();
  terminal.progress(`${TYPE_IT}${keys}Ctrl-C ends the board.\n`);
  // The address holds no secret: other users of the machine see the words of a process.
  if (opens) open(address, terminal);
  if (!takesKeys) return () => undefined;
  process.stdin.on("data", tellNew);
  return () => process.stdin.off("data", tellNew).pause();
}

function tell(terminal: BoardTerminal, address: string, port: number, { code, until }: NewCode): void {
  const data = { address, port, code, until };
  terminal.print(terminal.json ? `${JSON.stringify({ ok: true, data })}\n` : `${address}\nCode: ${code}\n`);
}

const open = (address: string, terminal: BoardTerminal): void =>
  void openBrowser(address).then((isOpen) => isOpen || terminal.progress(NOT_OPEN));

const TYPE_IT = `If the page asks for it, type the code there. It is good for one browser within ${CODE_MS / 60_000} minutes.\n`;
const WRONG_CODES = `${MANY_WRONG} wrong codes were sent. Your code is still good. If that was not you, look at what else runs here.\n`;
const NOT_OPEN = "There is no browser to open here. Open the address yourself.\n";

// Opens an address in the person's browser, with whatever the system has for that.

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ["open"],
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
};

/** False if there is nothing to open it with. The address is printed in any case. */
const openBrowser = (address: string): Promise<boolean> =>
  new Promise((done) => {
    const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
    const child = spawn(program, [...args, address], { stdio: "ignore", detached: true });
    child.once("error", () => done(false)).once("spawn", () => done(true));
    child.unref();
  });
