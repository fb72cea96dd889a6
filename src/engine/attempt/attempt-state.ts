// Changes the state of an attempt. Each change is one operation that also renews the claim, and the transaction checks the
// claim's token: a worker that lost its lease can change nothing.

import { type Attempt, type AttemptState, hasEnded, mayMove } from "../../model/attempt/attempt.js";
import { failedSentence, failureDetails } from "../../model/attempt/failure-view.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import { changeItem, type Item } from "../../model/item/item.js";
import type { CheckResult, Claim, Node, NodeFields, Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { type Failure, ok, type Result, refused } from "../../model/result.js";
import type { Settling } from "../../model/rules/task-outcome.js";
import { act, type Context } from "../../plan/base/context.js";
import { leaseMs } from "../../plan/claim/lease.js";
import { renewHeld } from "../../plan/claim/token.js";
import { changesFromNow } from "../../plan/history/watch-changes.js";
import type { Reader, Writer } from "../../store/store.js";
import type { EngineServices } from "../services.js";

export interface LiveAttempt {
  readonly key: string;
  readonly task: Node;
  attempt: Attempt;
  /** Fields to write with the next state change. */
  pendingPatch?: Partial<Attempt> | undefined;
  /** States to report once the next state change has recorded them. */
  pendingStates?: readonly AttemptState[] | undefined;
  /** Aborted when the claim is gone, which stops the worker. */
  readonly lost?: AbortController;
}

/** Aborted from outside, or when the claim is gone. */
export const untilLost = ({ lost }: Pick<LiveAttempt, "lost">, signal: AbortSignal): AbortSignal =>
  lost ? AbortSignal.any([signal, lost.signal]) : signal;

/** Thrown when the attempt no longer holds its claim. */
export class ClaimLost extends Error {}

/** Thrown when the plan no longer allows the next state. */
export class NotAllowed extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

export interface StateChange {
  readonly to: AttemptState;
  readonly patch?: Partial<Attempt>;
  /** Asked in the same transaction: nothing changes if it refuses. */
  allow?(reader: Reader, node: Node): Promise<Result<void>>;
  /** Changes of the task. Without it, the lease is renewed. */
  settle?(claim: Claim, settling: Settling, node: Node): Partial<NodeFields>;
  /** Further changes of the same operation. */
  also?(writer: Writer, node: Node, at: number): Promise<readonly Change[]>;
  /** The verb of the operation: `complete` for a hand-in, `attempt` for every other step. */
  readonly verb?: "attempt" | "complete";
  readonly sentence?: string;
}

export const ownsClaim = (
  node: Node | undefined,
  { token, epoch }: Pick<Attempt, "token" | "epoch">,
): node is Node & { claim: Claim } => node?.claim?.token === token && node.claim.epoch === epoch;

/** Two hand-ins of the same work must not both move the branch: not those of two processes, nor those of one MCP server. */
const isOurs = (stored: Attempt, own: Attempt): boolean =>
  stored.driver === own.driver && stored.handIns === own.handIns;

/** Writes fields with the next state change. Only for fields that recovery can do without if this process is killed before. */
export function noteForNextState(live: LiveAttempt, patch: Partial<Attempt>): void {
  live.pendingPatch = { ...live.pendingPatch, ...patch };
  live.attempt = { ...live.attempt, ...patch };
}

/** Enters a state that does not last: it is recorded with the next state change, which saves an operation. */
export function passState({ context }: EngineServices, live: LiveAttempt, to: AttemptState, patch: Partial<Attempt>) {
  const { state, steps } = live.attempt;
  if (!mayMove(state, to)) throw new Error(`An attempt cannot go from ${state} to ${to}.`);
  noteForNextState(live, { ...patch, state: to, steps: [...steps, { state: to, at: context.now() }] });
  live.pendingStates = [...(live.pendingStates ?? []), to];
}

export async function enterState(
  services: EngineServices,
  live: LiveAttempt,
  { to, patch = {}, ...asked }: StateChange,
): Promise<void> {
  const { context } = services;
  const committed = await act<Attempt>(context, asked.verb ?? "attempt", async (writer, at) => {
    const item = await writer.item("attempt", live.key);
    const node = await writer.node(live.task.nr);
    if (!item || !isOurs(item.fields, live.attempt) || hasEnded(item.fields.state) || !ownsClaim(node, item.fields)) {
      return refused("lease-lost", `${live.key} no longer holds ${live.task.id}.`);
    }
    const allowed = (await asked.allow?.(writer, node)) ?? ok(undefined);
    if (!allowed.ok) throw new NotAllowed(allowed.error);
    const { state: from, steps } = { ...item.fields, ...live.pendingPatch };
    if (!mayMove(from, to)) throw new Error(`An attempt cannot go from ${from} to ${to}.`);
    const fields: Partial<Attempt> = {
      ...live.pendingPatch,
      ...patch,
      state: to,
      steps: from === to ? steps : [...steps, { state: to, at }],
      ...(hasEnded(to) ? { endedAt: at } : {}),
    };
    const claim: Claim = { ...node.claim, until: at + leaseMs(context) };
    const settled = asked.settle?.(node.claim, { by: context.actor, at, op: writer.op }, node) ?? { claim };
    const also = (await asked.also?.(writer, node, at)) ?? [];
    return ok({
      sentence: asked.sentence ?? `${live.key} of ${live.task.id} is ${to}`,
      changes: [...changeNode(node, settled), ...changeItem(item, fields), ...also],
      value: { ...item.fields, ...fields },
    });
  });
  if (!committed.ok) throw new ClaimLost(committed.error.message);
  live.attempt = committed.value.value;
  const passed = live.pendingStates ?? [];
  [live.pendingPatch, live.pendingStates] = [undefined, undefined];
  const { state, note, checks, mergedChecks, failure } = live.attempt;
  const failed = failure === null ? [] : failureDetails([...checks, ...mergedChecks]);
  const said = { attempt: live.key, task: live.task.id };
  for (const each of passed.filter((one) => one !== state)) services.onEvent({ type: "state", ...said, state: each });
  services.onEvent(hasEnded(state) ? { type: "end", ...said, state, note, failed } : { type: "state", ...said, state });
}

/** The shortest time between two looks at the claim, however much is written. */
const GAP_MS = 100;

/** Looks at the claim after every write of anyone, so a worker whose claim is gone stops at once. A renewal that fails changes nothing. */
export function heartbeatOf({ context }: EngineServices, live: LiveAttempt): { stop(): void } {
  const held = { reference: live.task.id };
  const every = (context.settings.leaseMinutes * 60_000) / 3;
  const look = async (): Promise<void> => {
    const now = await context.store.read((reader) => reader.node(live.task.nr)).catch(() => "unreadable" as const);
    if (now !== "unreadable" && !ownsClaim(now, live.attempt)) live.lost?.abort();
  };
  const beats = setInterval(() => void renewHeld(context, held, live.attempt.token).catch(() => undefined), every);
  const over = new AbortController();
  const matters = ({ verb }: LoggedOperation): boolean => verb !== "heartbeat";
  const writes = changesFromNow(context.store, { signal: over.signal, gapMs: () => GAP_MS, matters });
  void (async () => {
    for await (const _ of writes) await look();
  })().catch(() => undefined);
  return {
    stop: () => {
      clearInterval(beats);
      over.abort();
    },
  };
}

/** No decision needs more attempts. */
const MAX_ATTEMPTS = 20;

export const attemptsOf = (reader: Reader, task: Nr, limit = MAX_ATTEMPTS): Promise<Item<"attempt">[]> =>
  reader.items("attempt", { owner: String(task), newest: true, limit });

/** Why the previous attempt was rejected or failed; null if it was not. */
export async function lastFailureOf({ store }: Context, { key, task }: LiveAttempt): Promise<string | null> {
  const before = (await store.read((reader) => attemptsOf(reader, task.nr, 2))).find((item) => item.key !== key);
  if (!before) return null;
  const { state, checks, mergedChecks, failure } = before.fields;
  if (state !== "rejected" && state !== "failed") return null;
  const said = describeFailedChecks([...checks, ...mergedChecks]);
  return said !== "" ? said : (failure?.reason ?? null);
}

const MAX_DESCRIPTION = 6_000;

export const describeFailedChecks = (checks: readonly CheckResult[]): string =>
  checks
    .filter(hasFailed)
    .map((check) => `${failedSentence(check)}\n${check.output.trim()}`)
    .join("\n\n")
    .slice(0, MAX_DESCRIPTION);
