// What every action is given: the plan, who asks, and when.

import type { GitSettings } from "../../machine/git/git-settings.js";
import type { Actor } from "../../model/actor.js";
import type { NoWorker } from "../../model/attempt/choose-worker.js";
import type { SpendingLimits, StormSettings } from "../../model/attempt/failure-limits.js";
import type { Node } from "../../model/node/node.js";
import { type Failure, ok, type Result } from "../../model/result.js";
import type { ReportWork } from "../../store/progress.js";
import type { Committed, Decision, Intent, Store, Writer } from "../../store/store.js";

/** The settings that actions look at; `config` has the full list. */
export interface ActionSettings {
  readonly leaseMinutes: number;
  readonly maxRetries: number;
  readonly checkTimeoutS: number;
  readonly backups: number;
  readonly replans: { readonly initiative: number; readonly feature: number; readonly story: number };
}

export interface EngineLimits extends SpendingLimits {
  /** How often a worker is told what is wrong before its work is rejected. */
  readonly fixes: number;
  readonly storm: StormSettings;
}

export interface DeadDaemon {
  readonly pid: number;
  readonly startedAt: string;
}

export interface Context {
  readonly store: Store;
  readonly actor: Actor;
  /** The conversation of a coding agent that asks, if its host names it. */
  readonly conversation?: string | undefined;
  readonly settings: ActionSettings;
  /** The folder that holds `.planwright`. */
  readonly root: string;
  /** Where the command was given; checks run here. */
  readonly cwd: string;
  /** What a command that proves something may see of the environment, if this actor asked for it. */
  commandEnvironment(actor: string): Promise<Readonly<Record<string, string>>>;
  /** How much may fail or be spent before an engine stops. */
  engineLimits(): Promise<EngineLimits>;
  worktreesFolder(): Promise<string>;
  gitSettings(): Promise<GitSettings>;
  /** Why no worker can do it, if so. Looks for installed agents: ask only about what is ready otherwise. */
  noWorkerFor(task: Node): Promise<NoWorker | null>;
  /** A daemon that was started here and ended without being stopped. */
  deadDaemon(): Promise<DeadDaemon | null>;
  /** Why no worker can begin anything here: no commit, no main branch, or settings that you have not trusted. Null if it can. */
  cannotRun(): Promise<Failure | null>;
  /** Whether a program that drives something still runs. One on another machine cannot be seen, so there its lease counts. */
  isAlive(driver: string): Promise<boolean>;
  readonly now: () => number;
  /** Tells whoever waits how far a long job is. */
  readonly report?: ReportWork | undefined;
  /** The commit that is checked out, if there is a repository. */
  readonly head: () => string | null;
}

/** One operation of this actor, now. */
export const act = <T>(
  context: Context,
  verb: string,
  decide: (writer: Writer, at: number) => Promise<Result<Decision<T>>>,
  turn: Pick<Intent, "undoes" | "redoes"> = {},
): Promise<Result<Committed<T>>> => {
  const { actor, now, report } = context;
  return context.store.commit({ actor, verb, now, commit: context.head(), report, ...turn }, (writer) =>
    decide(writer, writer.at),
  );
};

/** The same, where the answer is what was decided, with the number of the operation. */
export const actWithNumber = async <T extends object>(
  ...asked: Parameters<typeof act<T>>
): Promise<Result<T & { readonly op: number | null }>> => withNumber(await act(...asked));

/** What an operation would change, looked at and then not done. A refusal of the operation is the answer here too. */
export const rehearse = <Decided, Seen>(
  context: Context,
  decide: (writer: Writer, at: number) => Promise<Result<Decided>>,
  look: (writer: Writer, decided: Decided) => Promise<Seen>,
): Promise<Result<Seen>> =>
  context.store.rehearse(context.now, async (writer) => {
    const decided = await decide(writer, writer.at);
    return decided.ok ? ok(await look(writer, decided.value)) : decided;
  });

/** The value of an operation with its number. */
export const withNumber = <T extends object>(
  committed: Result<Committed<T>>,
): Result<T & { readonly op: number | null }> =>
  committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
