// The application: a workspace that is open, and one way to ask it for anything in the catalogue.

import { codeOf, messageOf } from "../base/errors.js";
import { conversationIn, type Identity, type PersonProof, UNKNOWN_AGENT, userOf } from "../config/actor.js";
import { notedHere } from "../config/person.js";
import { BadSetting } from "../config/settings.js";
import { pathInWorkspace, type Workspace } from "../config/workspace.js";
import type { Environment } from "../machine/process/environment.js";
import { isPerson } from "../model/actor.js";
import { type NextStep, step, type VerbName } from "../model/next-step.js";
import type { LoggedOperation } from "../model/operation/operation.js";
import { type Failure, fail, ok, type Result, refused } from "../model/result.js";
import { type ChangeOptions, changesFromNow } from "../plan/history/watch-changes.js";
import { StoreFault } from "../store/fault.js";
import { cutPlan, openStore } from "../store/open/open.js";
import { isRestoreOpen } from "../store/open/side-files.js";
import type { Sign, Store } from "../store/store.js";
import type { SignOfLife } from "./attempt/signs-of-life.js";
import { folderAt } from "./folder/folder.js";
import {
  locateWorkspace,
  prepare,
  requireWorkspace,
  unproven,
  type WorkspaceAccess,
  whyUnproven,
} from "./folder/open-workspace.js";
import type { OperationEvent } from "./history/operation-events.js";
import { findFacts } from "./kit/facts.js";
import type { Door, Engines, Session } from "./kit/session.js";
import { type CallVerb, type Folder, type PlanAsker, parseInput, type Verb, type Who } from "./kit/verb.js";
import { loadVerb } from "./list.js";
import { saying } from "./services/saying.js";

export interface AppOptions extends Door {
  readonly folder: string;
  /** `human:NAME` or `agent:NAME`; otherwise the environment tells. */
  readonly actor?: string | undefined;
  readonly env?: Environment;
  readonly cwd?: string;
  /** Whether this was typed at a terminal. That proves a person, unless an agent runs the command. */
  readonly isAtTerminal?: () => boolean;
  /** The client in which the person answers, which they trusted to ask them. */
  readonly through?: string;
}

/** A step with what a door needs to offer it. */
export interface OfferedStep extends NextStep {
  readonly who: Who;
  readonly summary: string;
  /** Described in words, never offered as something to copy. */
  readonly destructive: boolean;
}

export class App implements PlanAsker {
  readonly #options: AppOptions;
  readonly #env: Environment;
  #store: Store | undefined;
  #signing: Store | undefined;
  #sharing: App | undefined;
  #engines: Promise<Engines> | undefined;

  constructor(options: AppOptions) {
    this.#options = options;
    this.#env = options.env ?? {};
  }

  /** The same plan, for another actor. Closing either closes both. */
  as(actor: string): App {
    return this.#sharedBy({ ...this.#options, actor });
  }

  #sharedBy(options: AppOptions): App {
    const other = new App(options);
    other.#sharing = this;
    return other;
  }

  /** The same plan, for the person who answers in this client. Refused unless they trusted it to ask them. */
  async through(client: string): Promise<Result<App>> {
    const { mayAskThrough } = await import("./consent/trust.js");
    const { actor: _, isAtTerminal: __, ...options } = this.#options;
    const may = mayAskThrough({ root: requireWorkspace(this.#options.folder).root, env: this.#env }, client);
    return may.ok ? ok(this.#sharedBy({ ...options, through: client })) : may;
  }

  readonly call: CallVerb = async (name, input) => (await this.ask(name, input)) as never;

  /** Like `call`, for a door that learns name and input at run time; `door` is for this call alone. */
  async ask(name: VerbName, input: unknown, door: Door = {}): Promise<Result<unknown>> {
    const operation = await loadVerb(name);
    const parsed = parseInput(operation.input, input);
    if (!parsed.ok) return parsed;
    try {
      return await this.#run(operation, parsed.value, door);
    } catch (error) {
      if (error instanceof BadSetting) return await this.#withoutSettings(operation, parsed.value, door, error);
      if (!(error instanceof StoreFault)) throw error;
      const { explainLoss } = await import("./safety/backups.js");
      throw await explainLoss(error, locateWorkspace(this.#options.folder).root, this.#env);
    }
  }

  /** Reads go on beside broken settings, and say so. What changes or runs something waits until they are right. */
  async #withoutSettings(
    operation: Verb,
    input: unknown,
    door: Door,
    { failure }: BadSetting,
  ): Promise<Result<unknown>> {
    if (operation.effect !== "reads" || ABOUT_SETTINGS.test(operation.name)) return fail(failure);
    const { withoutSettings } = await import("../config/trust.js");
    const { onNotice = this.#options.onNotice } = door;
    onNotice?.(`${failure.message.replace(/\.?$/, ".")} This was read without the settings of that file.`);
    const other = new App({ ...this.#options, env: withoutSettings(this.#env) });
    try {
      return await other.#run(operation, input, door);
    } finally {
      await other.close();
    }
  }

  async #run(operation: Verb, input: unknown, door: Door): Promise<Result<unknown>> {
    const { at = this.#options.at } = door;
    if (at !== undefined) return this.#runThen(operation, input, at, door);
    if (operation.on === "folder") {
      const asker = operation.who === "person" ? this.#prepare(locateWorkspace(this.#options.folder)) : undefined;
      const may = asker ? mayAsk(operation, asker.context.actor, asker.proof) : ok(undefined);
      return may.ok ? operation.run(this.folder(door), input as never) : may;
    }
    const session = await this.#session(door, operation, input);
    const may = mayAsk(operation, session.actor, session.proof);
    if (!may.ok) return may;
    if (operation.effect === "runs" && !operation.quiet) await this.#noticeTrust(session, door);
    const answered = await operation.run(session, input as never);
    if (operation.who === "person" || operation.long) {
      const { keepSafe } = await import("./safety/backups.js");
      await keepSafe(session, session.env, door.onNotice ?? this.#options.onNotice);
    }
    return answered;
  }

  async #runThen(operation: Verb, input: unknown, at: number, door: Door): Promise<Result<unknown>> {
    const { mayLookBack, pastSession } = await import("./past-session.js");
    const may = mayLookBack(operation, at);
    if (!may.ok) return may;
    const session = await pastSession(await this.#session(door, operation, input), at);
    return session.ok ? operation.run(session.value as never, input as never) : session;
  }

  /** Ignores settings that were not trusted on this machine, and says so. */
  async #noticeTrust(session: Session, { onNotice = this.#options.onNotice }: Door): Promise<void> {
    const { trustNotice } = await import("./consent/trust.js");
    const notice = trustNotice(session);
    if (notice !== undefined) onNotice?.(notice);
  }

  /** The steps of a failure or an answer, with who may take them. */
  offer(steps: readonly NextStep[]): OfferedStep[] {
    return steps.map((each) => {
      const { who = "both", summary = "", destructive = false } = findFacts(each.operation) ?? {};
      return { ...each, who, summary, destructive };
    });
  }

  readonly load = loadVerb;

  /** The ids of nodes that are among these; none without a plan: the verb that is asked then says why. */
  readonly nodesAmong = async (ids: readonly string[]): Promise<string[]> => {
    if (ids.length === 0) return [];
    try {
      const { store } = await this.open("whole", "said");
      return await store.read(async (reader) => (await reader.byIds(ids)).map(({ id }) => id));
    } catch {
      return [];
    }
  };

  pathOf(typed: string): string {
    return pathInWorkspace(this.#options.folder, typed);
  }

  /** `even`: also if the end of the log is missing, to look into it. `asker`: who only reads may be whoever they say. */
  async open(even: "cut" | "whole" = "whole", asker: "said" | "known" = "known") {
    const { context, options, proof } = this.#prepare(requireWorkspace(this.#options.folder));
    const { root, actor } = context;
    this.#store ??= this.#sharing
      ? await this.#sharing.#plainStore()
      : await openPlan(options, { root, env: this.#env });
    const { cut } = this.#store;
    if (cut && even === "whole") throw new StoreFault(cutPlan(options.path, cut));
    this.#signing ??= this.#signed(this.#store, false, root);
    const isVouched = asker === "said" || !isPerson(actor);
    const who = isVouched ? { actor, proof } : await this.#vouch(this.#store, { actor, proof }, root);
    return { ...context, ...who, store: this.#signing };
  }

  get #isActorSaid(): boolean {
    return (this.#options.actor ?? this.#env["PLANWRIGHT_ACTOR"]) !== undefined;
  }

  /** A name that was said has to be proven. */
  async #vouch(store: Store, asker: Identity, root: string): Promise<Identity> {
    const { vouch } = await import("./consent/person.js");
    const found = await vouch({ store, root, env: this.#env, isSaid: this.#isActorSaid }, asker);
    if (this.#isActorSaid && found.proof.kind === "none") throw new StoreFault(unproven(asker.actor, found.proof));
    return found;
  }

  async #plainStore(): Promise<Store> {
    await this.open("cut", "said");
    return this.#store as Store;
  }

  #signed(store: Store, always: boolean, root: string): Store {
    const { through } = this.#options;
    return signedBy(
      through === undefined ? store : saying(store, `asked through ${through}`),
      this.#sign(always, root),
    );
  }

  #sign(always: boolean, root: string): Sign {
    const { folder } = this.#options;
    const signing = async () => {
      const { signingAs } = await import("./consent/person.js");
      return signingAs(this.#prepare(locateWorkspace(folder)).proof, { env: this.#env, root });
    };
    const said = this.#options.actor ?? this.#env["PLANWRIGHT_ACTOR"];
    const name = () => (said !== undefined && isPerson(said) ? said : `human:${userOf(this.#env)}`);
    return {
      always,
      signer: async (isKnown) => (await signing()).signer(isKnown),
      first: async (isBeginning) => (await signing()).first(isBeginning),
      get name() {
        return name();
      },
    };
  }

  /** Every operation after this one, and then each as it is committed, by this process or another. */
  async *follow(after: number, options: { readonly signal?: AbortSignal } = {}): AsyncIterable<LoggedOperation> {
    yield* (await this.open()).store.follow(after, options);
  }

  /** Like `follow`, with what each operation touched. `withRows`: also the changed rows of the tree. */
  async *events(
    after: number,
    options: { readonly signal?: AbortSignal; readonly withRows?: () => boolean } = {},
  ): AsyncIterable<OperationEvent> {
    const { toOperationEvent } = await import("./history/operation-events.js");
    const { store } = await this.open();
    for await (const operation of store.follow(after, options)) {
      yield await store.read((reader) => toOperationEvent(reader, operation, options.withRows?.()));
    }
  }

  async signsOfLife(): Promise<readonly SignOfLife[]> {
    const { signsOfLife } = await import("./attempt/signs-of-life.js");
    return signsOfLife(await this.open());
  }

  async *changes(options: Pick<ChangeOptions, "signal" | "gapMs">): AsyncIterable<void> {
    yield* changesFromNow((await this.open()).store, options);
  }

  engines(): Promise<Engines> {
    this.#engines ??= (async () => {
      const { openEngines } = await import("./services/engines.js");
      return openEngines(await this.open(), this.#env);
    })();
    return this.#engines;
  }

  async close(): Promise<void> {
    await this.#store?.close();
  }

  async #session(called: Door, operation: Verb, input: unknown): Promise<Session> {
    const { name, who, inForce = false } = operation;
    const door = { ...this.#options, ...called };
    const { signal = never, onEvent = () => undefined, ask, confirm, program, serveBoard } = door;
    const isKnown = who === "person" || !(operation.effect === "reads" || operation.looksOnly?.(input as never));
    const opened = await this.open(name === "verify" ? "cut" : "whole", isKnown ? "known" : "said");
    return {
      ...opened,
      ...(called.left && operation.effect === "reads" && { store: stoppedBy(opened.store, called.left) }),
      ...((who === "person" || (inForce && isPerson(opened.actor))) && {
        store: this.#signed(this.#store as Store, true, opened.root),
      }),
      env: this.#env,
      conversation: door.conversation === undefined ? conversationIn(this.#env) : (door.conversation ?? undefined),
      isActorGiven: this.#isActorSaid,
      get signal() {
        return signal();
      },
      emit: onEvent,
      report: (work) => onEvent({ kind: "work", work }),
      load: loadVerb,
      ...(ask && { ask }),
      ...(confirm && { confirm }),
      ...(program && { program }),
      ...(serveBoard && { serveBoard }),
      engines: () => this.engines(),
    };
  }

  /** `door`: for this call alone. */
  folder(door: Door = {}): Folder {
    const { folder: path } = this.#options;
    return folderAt({
      path,
      env: this.#env,
      isSaid: this.#isActorSaid,
      door: { ...this.#options, ...door },
      open: () => this.open(),
      prepare: (workspace) => this.#prepare(workspace),
      sign: (always, root) => this.#sign(always, root),
      use: (store) => {
        this.#store = store;
      },
    });
  }

  #prepare(workspace: Workspace): ReturnType<typeof prepare> {
    const { actor, folder, cwd = folder, isAtTerminal, through } = this.#options;
    return prepare(workspace, { actor, env: this.#env, cwd, isAtTerminal, through });
  }
}

async function openPlan(options: WorkspaceAccess["options"], { root, env }: { root: string; env: Environment }) {
  const store = await openStore(options, notedHere(root, env));
  if (isRestoreOpen(options.path)) {
    const { goOnRestoring } = await import("./safety/restore-backup.js");
    await goOnRestoring(store, options.path, root);
  }
  return store;
}

/** They show the settings themselves. */
const ABOUT_SETTINGS = /^(config|doctor|agents)\b/;

/** Makes one only when it is asked for: Node loads what an AbortController needs with the first one, which takes 0.4 ms. */
const never = (): AbortSignal => new AbortController().signal;

/** Who may ask is part of an operation's declaration, and is checked here for every door. */
export function mayAsk({ name, who }: Verb, actor: string, proof?: PersonProof): Result<void> {
  if (who !== "person" || isPerson(actor)) return ok(undefined);
  const isKeyUnknown = proof?.kind === "none" && proof.key !== undefined;
  const why = proof?.kind === "none" && (isKeyUnknown || actor === UNKNOWN_AGENT) ? `: ${whyUnproven(proof)}` : ".";
  return refused("needs-person", `Only a person can do this (${name}), and ${actor} is not one${why}`, {
    next: isKeyUnknown ? [step("people.add", { key: proof.key })] : [],
  });
}

const stoppedBy = (store: Store, left: AbortSignal): Store => ({
  ...store,
  read: (work) => store.read(work, left),
  past: async (op) => stoppedBy(await store.past(op), left),
});

/** Every operation that this store commits is signed, as far as it has to be. */
const signedBy = (store: Store, sign: Sign): Store => ({
  ...store,
  commit: (intent, decide) => store.commit({ ...intent, sign }, decide),
});

/** The same in the words of git. */
const GIT_PROBLEMS: readonly (readonly [words: RegExp, reason: "disk-full" | "read-only"])[] = [
  [/out of disk ?space|no space left on device|disk quota exceeded/i, "disk-full"],
  [/read-only file system|permission denied|insufficient permission/i, "read-only"],
];

/** Problems of the machine, which no code can prevent. */
const SYSTEM_PROBLEMS: Readonly<Record<string, "disk-full" | "read-only">> = {
  ENOSPC: "disk-full",
  EDQUOT: "disk-full",
  EFBIG: "disk-full",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
};

/** What was thrown, as a failure: trouble with the store is expected, everything else is a bug. */
export function failureOf(error: unknown): Result<never> {
  const known = (error as { failure?: Failure }).failure;
  if (known) return fail(known);
  const message = messageOf(error);
  const reason = SYSTEM_PROBLEMS[String(codeOf(error))] ?? GIT_PROBLEMS.find(([words]) => words.test(message))?.[1];
  if (reason !== undefined) {
    const advice = reason === "disk-full" ? "Free some disk space" : "Give yourself write permission";
    return fail({ kind: "refused", reason, message: `The system refused: ${message}. ${advice}, then try again.` });
  }
  const details = error instanceof Error ? { stack: error.stack } : {};
  return fail({ kind: "bug", reason: "bug", message: `This is a bug in planwright: ${message}`, details });
}
