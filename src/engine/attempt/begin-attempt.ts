// Begins an attempt: claims the task and takes a worktree slot in one operation, so two processes never get the same task or
// the same worktree.

import { mayStillWrite, type Programs } from "../../machine/git/removals.js";
import { isPerson } from "../../model/actor.js";
import { type Attempt, type AttemptWorker, NO_USAGE } from "../../model/attempt/attempt.js";
import { changeItem, createItem, LIVE } from "../../model/item/item.js";
import { itemKey } from "../../model/item-key.js";
import type { Node, Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result } from "../../model/result.js";
import { claimPatch } from "../../model/rules/claim.js";
import type { Settling } from "../../model/rules/task-outcome.js";
import { holds } from "../../model/status/holds.js";
import { act } from "../../plan/base/context.js";
import { gatherSurroundings } from "../../plan/base/surroundings.js";
import { cannotBegin, isHeld, leaseMs } from "../../plan/claim/lease.js";
import { decideReset } from "../../plan/claim/settle-tasks.js";
import { despiteWords, withoutOverlaps } from "../../plan/claim/start.js";
import { requireIntact } from "../../plan/node/require-intact.js";
import type { Reader, Writer } from "../../store/store.js";
import type { EngineServices, Worker } from "../services.js";
import { worktreeFields } from "./attempt-places.js";
import type { LiveAttempt } from "./attempt-state.js";
import { knownTip } from "./feature-branch.js";

/**
 * Refused if something holds the task back, such as another claim or work on the same files. `despite`: why a person works on it
 * although work in progress touches the same files.
 */
export async function beginAttempt(
  services: EngineServices,
  nr: Nr,
  worker: Pick<Worker, "as">,
  despite: string | null = null,
): Promise<Result<LiveAttempt>> {
  const { context } = services;
  const ready = await context.store.read((reader) => reader.node(nr));
  const base = ready ? await knownTip(services, ready) : null;
  const committed = await act<LiveAttempt>(context, "attempt", async (writer, at) => {
    const found = await writer.node(nr);
    if (!found) return absent("not-found", "The task was removed from the plan.");
    const opened = await openAgain(writer, found, { by: context.actor, at, op: writer.op }, worker);
    if (!opened.ok) return opened;
    const { task, reset } = opened.value;
    const around = await gatherSurroundings(writer, task);
    const held = holds(task, { around: despite === null ? around : withoutOverlaps(around) }, "by-hand");
    if (isHeld(held)) return cannotBegin(task, held);
    const intact = await requireIntact(writer, [task]);
    if (!intact.ok) return intact;
    const made = await makeAttempt(services, writer, task, worker, at);
    const { key } = made.live;
    const attempt = { ...made.live.attempt, ...(base === null ? {} : worktreeFields(services, made.live, base)) };
    const sentence = `${context.actor} began ${key} of ${task.id} with ${worker.as.name}${despiteWords(around, despite)}`;
    const changes = [...reset, ...made.changes, createItem("attempt", key, attempt)];
    return ok({ sentence, changes, value: { ...made.live, attempt } });
  });
  if (!committed.ok) return committed;
  const live = committed.value.value;
  services.onEvent({ type: "state", attempt: live.key, task: live.task.id, state: "claimed" });
  return ok(live);
}

/** A person who takes up rejected work opens it again with the same operation, so that no engine begins it in between. */
async function openAgain(writer: Writer, task: Node, settling: Settling, { as }: Pick<Worker, "as">) {
  const isByHand = as.kind === "person" && isPerson(settling.by);
  if (!isByHand || task.acceptance?.state !== "rejected" || task.claim !== null) return ok({ task, reset: [] });
  const decided = await decideReset(writer, task, settling, "taken up by hand");
  if (!decided.ok) return decided;
  const { patch, also } = decided.value;
  return ok({ task: { ...task, ...patch }, reset: [...changeNode(task, patch), ...also] });
}

/** `changes` are those of the task. */
export async function makeAttempt(
  services: EngineServices,
  writer: Writer,
  task: Node,
  worker: Pick<Worker, "as">,
  at: number,
): Promise<{ live: LiveAttempt; changes: Change[] }> {
  const { context } = services;
  // Nobody is given a token for it: what an engine claims, it alone hands in.
  const token = await writer.random(32);
  const patch = claimPatch(task, { by: context.actor, token, at, leaseMs: leaseMs(context) });
  const key = itemKey("ATT", await writer.number("ATT"));
  const claimed: Node = { ...task, ...patch, revision: task.revision + 1, updatedAt: at };
  const attempt = await blankAttempt(services, writer, claimed, worker.as, at);
  return { live: { key, task: claimed, attempt, lost: new AbortController() }, changes: changeNode(task, patch) };
}

/** The task is claimed already. */
export async function blankAttempt(
  services: EngineServices,
  writer: Writer,
  task: Node,
  worker: AttemptWorker,
  at: number,
): Promise<Attempt> {
  const { token = "", epoch = task.epoch } = task.claim ?? {};
  return {
    task: task.nr,
    taskId: task.id,
    feature: task.feature,
    number: task.attempts,
    op: writer.op,
    state: "claimed",
    by: services.context.actor,
    worker,
    token,
    epoch,
    driver: services.process,
    slot: await freeSlot(services, writer),
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
}

export async function freeSlot(services: EngineServices, reader: Reader): Promise<number> {
  const taken = await takenSlots(services, reader);
  for (let slot = 1; ; slot++) if (!taken.has(slot)) return slot;
}

/** What an attempt that this program declares lost keeps: its own workers are gone by then, those of others may not be. */
export const slotOfLost = (programs: Programs, { driver, slot }: Pick<Attempt, "driver" | "slot">): number | null =>
  driver !== programs.process && mayStillWrite(programs, driver) ? slot : null;

export async function takenSlots(programs: Programs, reader: Pick<Reader, "items">): Promise<Set<number | null>> {
  const live = await reader.items("attempt", { state: LIVE });
  // Without a worktree it never began to write.
  const lost = (await reader.items("attempt", { state: "lost" })).filter(
    ({ fields: { slot, worktree, driver } }) => slot !== null && worktree !== null && mayStillWrite(programs, driver),
  );
  return new Set([...live, ...lost].map(({ fields }) => fields.slot));
}

/** The worker of an attempt that others declared lost is gone. */
export async function giveSlotBack({ context }: EngineServices, key: string): Promise<void> {
  await act(context, "attempt", async (writer) => {
    const item = await writer.item("attempt", key);
    const changes = item?.fields.state === "lost" ? changeItem(item, { slot: null }) : [];
    return ok({ sentence: changes.length === 0 ? "" : `${key} gave its worktree back`, changes, value: null });
  });
}
