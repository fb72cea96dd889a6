// The whole program: what was typed, where the plan is, and how to say it.

import { existsSync } from "node:fs";
import { isAbsolute, join, parse } from "node:path";
import { type Globals, splitGlobals } from "./doors/cli/globals.js";
import { runProgram } from "./doors/cli/program.js";
import type { BoardNotes } from "./doors/http/board-command.js";
import type { Result } from "./model/result.js";
import { App } from "./verbs/app.js";
import { hasLeft, isTerminal, write } from "./verbs/kit/output.js";
import { makeStyle } from "./verbs/kit/style.js";
import type { Terminal } from "./verbs/kit/view.js";

declare const PLANWRIGHT_VERSION: string;

/** As shells say it. */
const INTERRUPTED = 130;

/** As for every other thing outside of the plan that is missing. */
const NO_FOLDER = 5;

export interface Invocation {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined if that folder was deleted. */
  readonly cwd: string | undefined;
}

/** The first Ctrl-C asks to stop, the second one does not ask. */
function interruption(): { signal: () => AbortSignal; byPerson: () => boolean } {
  let controller: AbortController | undefined;
  let byPerson = false;
  const listen = (): AbortController => {
    const made = new AbortController();
    const stop = (signal: NodeJS.Signals): void => {
      byPerson ||= signal === "SIGINT";
      if (made.signal.aborted) process.exit(INTERRUPTED);
      made.abort();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
    return made;
  };
  return { byPerson: () => byPerson, signal: () => (controller ??= listen()).signal };
}

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** NO_COLOR and FORCE_COLOR as everywhere; otherwise colours are for terminals. */
function wantsColours(env: Invocation["env"]): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  if ((env["FORCE_COLOR"] ?? "") !== "") return env["FORCE_COLOR"] !== "0";
  return isTerminal(1) && env["TERM"] !== "dumb";
}

async function boardNotes(root: string, env: Invocation["env"]): Promise<BoardNotes> {
  const { RunningBoards } = await import("./verbs/services/running-boards.js");
  const { KnownBrowsers } = await import("./verbs/services/known-browsers.js");
  const { boardsFolder, browsersFolder } = await import("./config/state-folder.js");
  return {
    boards: new RunningBoards(boardsFolder(root, env)),
    browsers: new KnownBrowsers(browsersFolder(root, env)),
  };
}

/** Help needs no folder, and a command that names its own needs no other. Undefined if neither is so. */
function moveToExisting({ folder, help, version, words }: Globals, env: Invocation["env"]): string | undefined {
  const named = folder ?? env["PLANWRIGHT_WORKSPACE"];
  const needsNone = help || version || words[0] === "help";
  const to = named !== undefined && isAbsolute(named) ? named : needsNone ? parse(process.execPath).root : undefined;
  if (to === undefined || !existsSync(to)) return undefined;
  process.chdir(to);
  return process.cwd();
}

export async function main({ words, env, cwd: current }: Invocation): Promise<number> {
  const globals = splitGlobals(words);
  const cwd = current ?? moveToExisting(globals, env);
  if (cwd === undefined) {
    write(
      2,
      "The folder that you are in was deleted. Go to one that exists, or name it whole (-C DIR), and try again.\n",
    );
    return NO_FOLDER;
  }
  const interrupted = interruption();
  const pageFolder = join(import.meta.dirname, "board");
  const notes = (root: string): Promise<BoardNotes> => boardNotes(root, env);
  const app: App = new App({
    folder: globals.folder ?? env["PLANWRIGHT_WORKSPACE"] ?? cwd,
    actor: globals.actor,
    env,
    cwd,
    isAtTerminal: () => isTerminal(0) && (isTerminal(1) || isTerminal(2)) && process.stdin.isTTY,
    signal: interrupted.signal,
    ...(globals.at !== undefined && { at: /^\d+$/.test(globals.at) ? Number(globals.at) : Number.NaN }),
    program: [process.execPath, process.argv[1] as string],
    serveBoard: async (port, stopped) => {
      const { serveBoard } = await import("./doors/http/serve-board.js");
      const options = { app, version: PLANWRIGHT_VERSION, stopped, port, readOnly: false, pageFolder, ofDaemon: true };
      // A log must not have a code: `planwright board` makes one and leaves it for this board.
      await serveBoard({ ...options, ...(await notes((await app.open()).root)), onListening: () => undefined });
    },
  });
  const terminal: Terminal = {
    json: globals.json,
    interrupted: interrupted.signal,
    cwd,
    get interactive() {
      // Asked last: `process.stdin` takes 4 ms, and a pipe is told from a terminal without it.
      return isTerminal(0) && isTerminal(1) && process.stdin.isTTY && process.stdout.isTTY;
    },
    readStdin,
    variable: (name) => env[name],
    print: (text) => write(1, text),
    progress: (text) => write(2, text),
    style: makeStyle(wantsColours(env), Number(env["COLUMNS"]) || (isTerminal(1) ? 100 : Number.POSITIVE_INFINITY)),
  };
  try {
    const version = PLANWRIGHT_VERSION;
    const mcp = async (given: readonly string[]): Promise<Result<void>> => {
      const { serveMcp } = await import("./doors/mcp/mcp-command.js");
      return serveMcp(given, { app, version, stopped: interrupted.signal, token: env["PLANWRIGHT_MCP_TOKEN"] });
    };
    const board = async (given: readonly string[]): Promise<Result<void>> => {
      const { boardCommand } = await import("./doors/http/board-command.js");
      return boardCommand(given, { app, version, pageFolder, terminal, notes, stopped: interrupted.signal() });
    };
    const code = await runProgram({ globals, app, terminal, version, doors: { mcp, board } });
    return interrupted.byPerson() || hasLeft() ? INTERRUPTED : code;
  } finally {
    await app.close();
  }
}
