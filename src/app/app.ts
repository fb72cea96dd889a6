// The application: a workspace that is open, and one way to ask it for anything in the catalogue.

import { statSync } from "node:fs";
import { homedir } from "node:os";
import { relative } from "node:path";
import type { Context } from "../actions/context.js";
import { type ChangeOptions, changesFromNow } from "../actions/history/watch-changes.js";
import { findWorkspace, pathInWorkspace, proposeWorkspace, type Workspace } from "../config/workspace.js";
import { messageOf } from "../errors.js";
import { isPerson } from "../graph/actor.js";
import type { NextStep } from "../graph/next-step.js";
import type { LoggedOperation } from "../graph/operation/operation.js";
import { isOperation, type OperationName } from "../graph/operation-names.js";
import { type Failure, fail, type Result, refused } from "../graph/result.js";
import type { Environment } from "../process/environment.js";
import { StoreFault } from "../store/fault.js";
import { noPlan, openStore } from "../store/open.js";
import type { Store } from "../store/store.js";
import { type InputOf, loadOperation, type OutputOf } from "./catalogue.js";
import type { Engines } from "./engines.js";
import type { Doubt, Folder, Operation, Who } from "./operation.js";
import { parseInput } from "./schema.js";
import type { Door, Session } from "./session.js";
import { prepare } from "./workspace.js";

export interface AppOptions extends Door {
  /** Where to look for the plan. */
  readonly folder: string;
  /** `human:NAME` or `agent:NAME`; otherwise the environment tells. */
  readonly actor?: string | undefined;
  readonly env?: Environment;
  /** Where commands run; the folder unless given. */
  readonly cwd?: string;
}

/** A step with what a door needs to offer it. */
export interface OfferedStep extends NextStep {
  readonly who: Who;
  /** What the operation does. */
  readonly summary: string;
  /** Described in words, never offered as something to copy. */
  readonly destructive: boolean;
}

export class App {
  readonly #options: AppOptions;
  #store: Store | undefined;
  /** Whose store this uses. */
  #sharing: App | undefined;
  #engines: Promise<Engines> | undefined;

  constructor(options: AppOptions) {
    this.#options = options;
  }

  /** The same plan, for another actor. Closing either closes both. */
  as(actor: string): App {
    const other = new App({ ...this.#options, actor });
    other.#sharing = this;
    return other;
  }

  /** Asks for one operation. The input is judged by the operation's schema, whatever door it came through. */
  async call<Name extends OperationName>(name: Name, input: InputOf<Name>): Promise<Result<OutputOf<Name>>> {
    return (await this.ask(name, input)) as Result<OutputOf<Name>>;
  }

  /** The same for a door that learns name and input at run time; `door` is for this call alone. */
  async ask(name: OperationName, input: unknown, door: Door = {}): Promise<Result<unknown>> {
    const operation = await loadOperation(name);
    const parsed = parseInput(operation.input, input);
    if (!parsed.ok) return parsed;
    if (operation.on === "folder") return operation.run(this.folder(), parsed.value);
    const session = await this.#session(door);
    const may = mayAsk(operation, session.actor);
    if (!may.ok) return may;
    const answered = await operation.run(session, parsed.value);
    if (operation.who === "person" || LONG_RUNS.has(name)) {
      const { noteHead } = await import("./note-log-head.js");
      await noteHead(session);
    }
    return answered;
  }

  /** The steps of a failure or an answer, with who may take them. */
  async offer(steps: readonly NextStep[]): Promise<OfferedStep[]> {
    const offered: OfferedStep[] = [];
    for (const step of steps) {
      const operation = isOperation(step.operation) ? await loadOperation(step.operation) : undefined;
      const { who = "both", summary = "", destructive = false } = operation ?? {};
      offered.push({ ...step, who, summary, destructive });
    }
    return offered;
  }

  /** A path as whoever asks would type it in their folder, as one of the workspace. */
  pathOf(typed: string): string {
    return pathInWorkspace(this.#options.folder, typed);
  }

  async open(): Promise<Context> {
    const workspace = this.#find();
    const { context, options } = this.#prepare(workspace);
    this.#store ??= this.#sharing ? (await this.#sharing.open()).store : await openStore(options);
    return { ...context, store: this.#store };
  }

  /** Every operation after this one, and then each as it is committed, by this process or another. */
  async *follow(after: number, options: { readonly signal?: AbortSignal } = {}): AsyncIterable<LoggedOperation> {
    yield* (await this.open()).store.follow(after, options);
  }

  /** At once, and then again when the plan has changed, not more often than asked. */
  async *changes(options: Pick<ChangeOptions, "signal" | "gapMs">): AsyncIterable<void> {
    yield* changesFromNow((await this.open()).store, options);
  }

  engines(): Promise<Engines> {
    this.#engines ??= (async () => {
      const { openEngines } = await import("./engines.js");
      return openEngines(await this.open(), this.#options.env ?? {});
    })();
    return this.#engines;
  }

  async close(): Promise<void> {
    await this.#store?.close();
  }

  async #session(called: Door): Promise<Session> {
    const door = { ...this.#options, ...called };
    const { signal = never, onEvent = () => undefined, ask, confirm, program } = door;
    const { env = {} } = this.#options;
    return {
      ...(await this.open()),
      env,
      isActorGiven: (this.#options.actor ?? env["PLANWRIGHT_ACTOR"]) !== undefined,
      get signal() {
        return signal();
      },
      emit: onEvent,
      ...(ask && { ask }),
      ...(confirm && { confirm }),
      ...(program && { program }),
      engines: () => this.engines(),
    };
  }

  folder(): Folder {
    const found = findWorkspace(this.#options.folder);
    const located = (): Workspace => found ?? this.#propose();
    const doubt = (): Doubt | null => doubtAbout(this.#propose().root, found?.root, this.#options.env ?? {});
    return {
      actor: this.#prepare(located()).context.actor,
      workspace: () => ({ root: located().root, exists: found !== undefined, doubt: doubt() }),
      create: async ({ here = false } = {}) => {
        const workspace = here ? this.#propose() : located();
        const { context, options } = this.#prepare(workspace);
        const { createStore } = await import("../store/create.js");
        const { store } = await createStore(options);
        this.#store = store;
        return { context: { ...context, store }, store: workspace.store };
      },
      upgrade: async () => {
        const { upgradeStore } = await import("../store/create.js");
        return upgradeStore(this.#prepare(this.#find()).options, Date.now());
      },
    };
  }

  #find(): Workspace {
    const workspace = findWorkspace(this.#options.folder);
    if (!workspace) throw new StoreFault(noPlan(this.#options.folder));
    return workspace;
  }

  /** A mistyped folder must not become a new one. */
  #propose(): Workspace {
    const { folder } = this.#options;
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return proposeWorkspace(folder);
    throw new StoreFault({ kind: "usage", reason: "no-folder", message: `There is no folder ${folder}.` });
  }

  #prepare(workspace: Workspace): ReturnType<typeof prepare> {
    const { actor, env = {}, folder, cwd = folder } = this.#options;
    return prepare(workspace, { actor, env, cwd });
  }
}

/** After these, and after what only a person may do, the end of the log is noted in git. */
const LONG_RUNS: ReadonlySet<string> = new Set(["run", "land", "daemon.run"]);

/** A plan in the home folder would take in every project below it, and a plan inside another one hides that one. */
function doubtAbout(root: string, around: string | undefined, env: Environment): Doubt | null {
  if (around === root) return null;
  if (around !== undefined) {
    const message = `You are inside the plan of ${around}. Use that plan, or start another one in ${root}.`;
    return { reason: "inside-plan", message };
  }
  const home = env["HOME"] ?? homedir();
  if (relative(root, home).startsWith("..")) return null;
  const what = root === home ? `${root} is your home folder` : `Your home folder is inside ${root}`;
  return { reason: "home-folder", message: `${what}, so a plan there would be found from every folder in it.` };
}

/** Made when asked for: Node loads what an AbortController needs with the first one, which takes 0.4 ms. */
const never = (): AbortSignal => new AbortController().signal;

/** Who may ask is part of an operation's declaration, and is checked here for every door. */
export function mayAsk({ name, who }: Operation, actor: string): Result<void> {
  if (who !== "person" || isPerson(actor)) return { ok: true, value: undefined };
  return refused("needs-person", `Only a person can do this (${name}), and ${actor} is not one.`, {
    next: [{ operation: "promote", input: {}, needs: ["note"] }],
  });
}

/** What was thrown, as a failure: trouble with the store is expected, everything else is a bug. */
export function failureOf(error: unknown): Result<never> {
  const known = (error as { failure?: Failure }).failure;
  if (known) return fail(known);
  const message = messageOf(error);
  const details = error instanceof Error ? { stack: error.stack } : {};
  return fail({ kind: "bug", reason: "bug", message: `This is a bug in planwright: ${message}`, details });
}
