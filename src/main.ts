// The whole program: where the plan is, what to do, and how to say it.

import { readFileSync, statSync } from "node:fs";
import type { Context } from "./actions/context.js";
import { findWorkspace, proposeWorkspace, type Workspace } from "./config/workspace.js";
import type { App, Engines } from "./interfaces/cli/command.js";
import { isTerminal, write } from "./interfaces/cli/output.js";
import { runProgram } from "./interfaces/cli/program.js";
import { makeStyle } from "./interfaces/cli/style.js";
import { StoreFault } from "./store/fault.js";
import { noPlan, openStore } from "./store/open.js";
import type { Store } from "./store/store.js";
import { prepare } from "./workspace.js";

declare const PLANWRIGHT_VERSION: string;

/** As shells say it. */
const INTERRUPTED = 130;

export interface Surroundings {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
}

/** The value of a flag that matters before any command is known. */
function early(words: readonly string[], ...names: string[]): string | undefined {
  for (const [i, word] of words.entries()) {
    if (names.includes(word)) return words[i + 1];
    const inline = names.find((name) => word.startsWith(`${name}=`));
    if (inline !== undefined) return word.slice(inline.length + 1);
  }
  return undefined;
}

/** The actions' view of a workspace, opened once and closed at the end. */
class Opening {
  readonly #given: Surroundings;
  readonly folder: string;
  #store: Store | undefined;
  #interrupt: AbortController | undefined;

  constructor(given: Surroundings) {
    this.#given = given;
    this.folder = early(given.words, "--workspace", "-C") ?? given.env["PLANWRIGHT_WORKSPACE"] ?? given.cwd;
  }

  async open(): Promise<Context> {
    const workspace = findWorkspace(this.folder);
    if (!workspace) throw new StoreFault(noPlan(this.folder));
    const { context, options } = this.#prepare(workspace);
    this.#store ??= await openStore(options);
    return { ...context, store: this.#store };
  }

  workspace(): { root: string; exists: boolean } {
    const found = findWorkspace(this.folder);
    return { root: (found ?? this.#propose()).root, exists: found !== undefined };
  }

  async create(): Promise<{ context: Context; store: string }> {
    const workspace = findWorkspace(this.folder) ?? this.#propose();
    const { context, options } = this.#prepare(workspace);
    const { createStore } = await import("./store/create.js");
    const { store } = await createStore(options);
    this.#store = store;
    return { context: { ...context, store }, store: workspace.store };
  }

  /** A mistyped folder must not become a new one. */
  #propose(): Workspace {
    if (statSync(this.folder, { throwIfNoEntry: false })?.isDirectory()) return proposeWorkspace(this.folder);
    const message = `There is no folder ${this.folder}.`;
    throw new StoreFault({ kind: "usage", reason: "no-folder", message, hint: "Name one that exists with -C DIR." });
  }

  async upgrade(now: number): Promise<{ from: number; to: number; backup: string | null }> {
    const workspace = findWorkspace(this.folder);
    if (!workspace) throw new StoreFault(noPlan(this.folder));
    const { upgradeStore } = await import("./store/create.js");
    return upgradeStore(this.#prepare(workspace).options, now);
  }

  async engines(): Promise<Engines> {
    const { openEngines } = await import("./engines.js");
    return openEngines(await this.open(), this.#given.env);
  }

  /** The first Ctrl-C asks to stop, the second one does not ask. */
  interrupted(): AbortSignal {
    if (this.#interrupt) return this.#interrupt.signal;
    const controller = new AbortController();
    this.#interrupt = controller;
    const stop = (): void => (controller.signal.aborted ? process.exit(INTERRUPTED) : controller.abort());
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
    return controller.signal;
  }

  async close(): Promise<void> {
    await this.#store?.close();
  }

  #prepare(workspace: Workspace): ReturnType<typeof prepare> {
    const { words, env, cwd } = this.#given;
    return prepare(workspace, { actor: early(words, "--as"), env, cwd });
  }
}

/** NO_COLOR and FORCE_COLOR as everywhere; otherwise colours are for terminals. */
function wantsColours(env: Surroundings["env"]): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  if ((env["FORCE_COLOR"] ?? "") !== "") return env["FORCE_COLOR"] !== "0";
  return isTerminal(1) && env["TERM"] !== "dumb";
}

export async function main(given: Surroundings): Promise<number> {
  const { env } = given;
  const opening = new Opening(given);
  const colours = wantsColours(env);
  const app: App = {
    open: () => opening.open(),
    workspace: () => opening.workspace(),
    create: () => opening.create(),
    upgrade: () => opening.upgrade(Date.now()),
    engines: () => opening.engines(),
    interrupted: () => opening.interrupted(),
    version: PLANWRIGHT_VERSION,
    cwd: given.cwd,
    get interactive() {
      return process.stdin.isTTY && process.stdout.isTTY;
    },
    readStdin: async () => readFileSync(0),
    variable: (name) => env[name],
    print: (text) => write(1, text),
    progress: (text) => write(2, text),
    style: makeStyle(colours, Number(env["COLUMNS"]) || 100),
  };
  try {
    return await runProgram(given.words, app);
  } finally {
    await opening.close();
  }
}
