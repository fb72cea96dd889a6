// The moves of an attempt, each one operation that also keeps the claim alive. A worker that lost its lease can move
// nothing: its claim's token is asked for inside the transaction.

import { leaseMs } from "../../actions/claim/claim-terms.js";
import { act } from "../../actions/context.js";
import { type Attempt, type AttemptState, hasEnded, mayMove } from "../../graph/attempt/attempt.js";
import { changeItem } from "../../graph/item/item.js";
import type { Claim, Node, NodeFields } from "../../graph/node/node.js";
import { type Change, changeNode } from "../../graph/operation/change.js";
import { ok, refused } from "../../graph/result.js";
import type { Settling } from "../../graph/rules/task-outcome.js";
import type { Writer } from "../../store/store.js";
import type { EngineServices } from "../engine/services.js";

/** An attempt that this program drives. */
export interface LiveAttempt {
  readonly key: string;
  readonly task: Node;
  attempt: Attempt;
  /** What goes with the next move. */
  pendingPatch?: Partial<Attempt> | undefined;
  /** States that it has passed: they are said when they are written down. */
  pendingStates?: readonly AttemptState[] | undefined;
  /** Ends its worker, once the claim is gone. */
  readonly lost?: AbortController;
}

/** The claim is gone: whatever the attempt was about to do, somebody else decides now. */
export class ClaimLost extends Error {}

export interface StateChange {
  readonly to: AttemptState;
  readonly patch?: Partial<Attempt>;
  /** What becomes of the task. Without it, its lease starts again. */
  settle?(claim: Claim, settling: Settling, node: Node): Partial<NodeFields>;
  /** Further changes of the same operation. */
  also?(writer: Writer, node: Node, at: number): Promise<Change[]>;
  /** Acceptance is a verb that people know; everything else is a step. */
  readonly verb?: "attempt" | "complete";
  readonly sentence?: string;
}

export const ownsClaim = (node: Node | undefined, { token, epoch }: Attempt): node is Node & { claim: Claim } =>
  node?.claim?.token === token && node.claim.epoch === epoch;

/** What is written down with the next move: if this program is killed before it, nothing is amiss without it. */
export function noteForNextState(live: LiveAttempt, patch: Partial<Attempt>): void {
  live.pendingPatch = { ...live.pendingPatch, ...patch };
  live.attempt = { ...live.attempt, ...patch };
}

/** A state in which nothing is waited for is written down with the move that follows. */
export function passState(
  { context }: EngineServices,
  live: LiveAttempt,
  to: AttemptState,
  patch: Partial<Attempt>,
): void {
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
    // Two that hand in what a person did would each move the branch.
    const isOurs = item?.fields.driver === live.attempt.driver;
    if (!item || !isOurs || hasEnded(item.fields.state) || !ownsClaim(node, item.fields)) {
      return refused("lease-lost", `${live.key} no longer holds ${live.task.id}.`);
    }
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
  const { state, note } = live.attempt;
  const said = { attempt: live.key, task: live.task.id };
  for (const each of passed.filter((one) => one !== state)) services.onEvent({ type: "state", ...said, state: each });
  services.onEvent(hasEnded(state) ? { type: "end", ...said, state, note } : { type: "state", ...said, state });
}
