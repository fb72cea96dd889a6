// The beginning of an attempt: a task is claimed, and the worktree that it will use is set apart, in one operation.
// Two programs can never get the same task or the same worktree.

import { leaseMs } from "../../actions/claim/claim-terms.js";
import { act } from "../../actions/context.js";
import { type Attempt, NO_USAGE } from "../../graph/attempt/attempt.js";
import type { Clash } from "../../graph/conflict/conflict.js";
import { createItem } from "../../graph/item/item.js";
import { itemKey } from "../../graph/item/item-key.js";
import type { Node, Nr } from "../../graph/node/node.js";
import { type Change, changeNode } from "../../graph/operation/change.js";
import { ok } from "../../graph/result.js";
import { claimPatch } from "../../graph/rules/claim.js";
import { isClaimable } from "../../graph/status/status.js";
import type { Writer } from "../../store/store.js";
import { arrange, conflictsOf } from "../conflicts/footprint-conflicts.js";
import type { Services, Worker } from "../engine/services.js";
import { takenSlots } from "../engine/slots.js";
import { tipAtHand } from "../judgement/feature-branch.js";
import type { Live } from "./moves.js";
import { placeOf } from "./workspace.js";

type Begun = { readonly live: Live } | { readonly clashes: readonly Clash[] };

const NOTHING: Begun = { clashes: [] };

/** `changed`: somebody else was first, or it has to wait for another. Two tasks that overlap never run together. */
export async function beginAttempt(services: Services, nr: Nr, worker: Pick<Worker, "as">): Promise<Live | "changed"> {
  const { context } = services;
  const ready = await context.store.read((reader) => reader.node(nr));
  const base = ready ? await tipAtHand(services, ready) : null;
  const committed = await act<Begun>(context, "attempt", async (writer, at) => {
    const task = await writer.node(nr);
    if (!task || !isClaimable(task)) return ok({ sentence: "", changes: [], value: NOTHING });
    const clashes = await conflictsOf(writer, task);
    if (clashes.length > 0) return ok({ sentence: "", changes: [], value: { clashes } });
    const made = await makeAttempt(services, writer, task, worker, at);
    const { key } = made.live;
    const attempt = { ...made.live.attempt, ...(base === null ? {} : placeOf(services, made.live, base)) };
    const sentence = `${context.actor} began ${key} of ${task.id} with ${worker.as.name}`;
    const changes = [...made.changes, createItem("attempt", key, attempt)];
    return ok({ sentence, changes, value: { live: { ...made.live, attempt } } });
  });
  if (!committed.ok) return "changed";
  const begun = committed.value.value;
  if (!("live" in begun)) {
    await arrange(context, begun.clashes);
    return "changed";
  }
  const { live } = begun;
  services.onEvent({ type: "state", attempt: live.key, task: live.task.id, state: "claimed" });
  return live;
}

/** `changes`: those of its task. */
export async function makeAttempt(
  services: Services,
  writer: Writer,
  task: Node,
  worker: Pick<Worker, "as">,
  at: number,
): Promise<{ live: Live; changes: Change[] }> {
  const { context } = services;
  const token = await writer.random(16);
  const patch = claimPatch(task, { by: context.actor, token, at, leaseMs: leaseMs(context) });
  const key = itemKey("ATT", await writer.number("ATT"), 5);
  const attempt: Attempt = {
    task: task.nr,
    taskId: task.id,
    feature: task.feature,
    number: task.attempts + 1,
    op: writer.op,
    state: "claimed",
    by: context.actor,
    worker: worker.as,
    token,
    epoch: task.epoch + 1,
    driver: services.process,
    slot: freeSlot(await takenSlots(services, writer)),
    worktree: null,
    branch: null,
    base: null,
    tip: null,
    merged: null,
    kept: null,
    changes: null,
    checks: [],
    mergedChecks: [],
    rounds: 0,
    usage: NO_USAGE,
    bundle: null,
    transcript: null,
    session: null,
    failure: null,
    split: null,
    note: "",
    steps: [{ state: "claimed", at }],
    startedAt: at,
    endedAt: null,
  };
  const claimed: Node = { ...task, ...patch, revision: task.revision + 1, updatedAt: at };
  return {
    live: { key, task: claimed, attempt, lost: new AbortController() },
    changes: changeNode(task, patch),
  };
}

function freeSlot(taken: ReadonlySet<number | null>): number {
  for (let slot = 1; ; slot++) if (!taken.has(slot)) return slot;
}
