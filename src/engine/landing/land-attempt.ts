// A landing is an attempt of its land task. The claim keeps two programs from landing the same feature, and each step is
// recorded before main moves, so that another program can finish or roll back a landing that was killed.

import { advanceCheckout, checkoutsOf, settleCheckout } from "../../machine/git/checkouts/checkout.js";
import { type Advance, halfMoved, type LockTaken, takeLock } from "../../machine/git/checkouts/half-move.js";
import { type Done, done } from "../../machine/git/git.js";
import { contains } from "../../machine/git/merge.js";
import { acceptedRef, moveRefs, readRef } from "../../machine/git/refs.js";
import { endOrphans } from "../../machine/process/orphans.js";
import type { Actor } from "../../model/actor.js";
import { type Attempt, type AttemptState, hasEnded, LANDER } from "../../model/attempt/attempt.js";
import { changeItem, createItem } from "../../model/item/item.js";
import type { CheckResult, Claim, Node } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { acceptPatch, handIn } from "../../model/rules/task-outcome.js";
import { act } from "../../plan/base/context.js";
import { withdraw } from "../../plan/question/raise.js";
import type { Writer } from "../../store/store.js";
import { runningFolder } from "../attempt/attempt-places.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import { makeAttempt, mayStillWrite, slotOfLost } from "../attempt/begin-attempt.js";
import type { EngineServices } from "../services.js";
import { mayStart } from "./landing-plan.js";
import type { Merging } from "./merge.js";

/** The landing can move main only while this ref exists. Delete it before you declare the landing lost. */
export const landingRef = (key: string): string => `${LANDING_REFS}/${key}`;
export const LANDING_REFS = "refs/planwright/landing";

export async function beginLanding(
  services: EngineServices,
  land: Node,
  stands: Pick<Attempt, "base" | "tip">,
): Promise<Result<LiveAttempt>> {
  const { context } = services;
  const committed = await act<LiveAttempt>(context, "attempt", async (writer, at) => {
    const task = (await writer.node(land.nr)) ?? land;
    const may = await mayStart(writer, task, context.actor);
    if (!may.ok) return may;
    const earlier = await writer.items("attempt", { owner: String(task.nr) });
    const { live } = await makeAttempt(services, writer, task, { as: LANDER }, at);
    const attempt: Attempt = { ...live.attempt, ...stands, number: earlier.length + 1 };
    const { claim, epoch } = live.task;
    return ok({
      sentence: `${context.actor} began to land ${task.id} (${live.key})`,
      // Landings do not count as attempts of the task: it is no failure if main moved.
      changes: [...changeNode(task, { claim, epoch }), createItem("attempt", live.key, attempt)],
      value: { ...live, task: { ...live.task, attempts: task.attempts }, attempt },
    });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

export interface Proof {
  /** One sentence. */
  readonly proof: string;
  readonly checks: readonly CheckResult[];
  readonly commit: string | null;
}

/**
 * Marks the land task done, in the name of the actor who began to land it, and clears the claim so that an undo frees the task. It
 * stays open if the feature got more work meanwhile, which is not on main.
 */
export async function settleLand(
  { context }: EngineServices,
  land: Node,
  { proof, checks, commit }: Proof,
  { by, startedAt }: { readonly by: Actor; readonly startedAt: number },
): Promise<Result<number | null>> {
  const committed = await act<void>(context, "complete", async (writer, at) => {
    const task = (await writer.node(land.nr)) ?? land;
    if (task.outcome !== null) return ok({ sentence: "", changes: [], value: undefined });
    const may = await mayStart(writer, task, by);
    if (!may.ok) return may;
    const settling = { by, at, op: writer.op };
    const claim: Claim = { by, token: "", epoch: task.epoch, at: startedAt, until: at };
    const { report = null } = handIn(claim, settling, { checks, commit, created: [], modified: [] });
    return ok({
      sentence: `${by} landed ${task.id}: ${proof}`,
      changes: [...changeNode(task, { ...acceptPatch(settling, proof), report }), ...(await withdraw(writer, task.id))],
      value: undefined,
    });
  });
  return committed.ok ? ok(committed.value.op) : committed;
}

export interface End {
  readonly state: Extract<AttemptState, "accepted" | "failed" | "released" | "lost">;
  readonly note: string;
  readonly patch?: Partial<Attempt>;
  /** Further changes of the same operation. */
  also?(writer: Writer, at: number): Promise<readonly Change[]>;
  /** The steps that the caller has seen. */
  readonly seen?: Pick<Attempt, "steps">;
}

/** Ends the attempt, and frees the land task if it still holds it. Refused as `went-on` if there are steps after `seen`. */
export async function endLanding(services: EngineServices, key: string, end: End): Promise<Result<void>> {
  const { state, note, patch = {}, seen } = end;
  const committed = await act<string>(services.context, "attempt", async (writer, at) => {
    const item = await writer.item("attempt", key);
    if (!item || hasEnded(item.fields.state)) return refused("ended", `${key} has ended.`);
    const { length } = item.fields.steps;
    if (seen && seen.steps.length !== length) return refused("went-on", `${key} went on meanwhile.`);
    const task = await writer.node(item.fields.task);
    const holds = task?.claim?.token === item.fields.token;
    const steps = [...item.fields.steps, { state, at }];
    // Its program may only be slow, and still run checks in that worktree.
    const slot = state === "lost" ? slotOfLost(services, item.fields) : item.fields.slot;
    const changes = [
      ...(task && holds ? changeNode(task, { claim: null }) : []),
      ...changeItem(item, { ...patch, state, note, slot, steps, endedAt: at }),
      ...((await end.also?.(writer, at)) ?? []),
    ];
    return ok({ sentence: `${key} of ${item.fields.taskId} is ${state}: ${note}`, changes, value: item.fields.taskId });
  });
  if (!committed.ok) return committed;
  services.onEvent({ type: "end", attempt: key, task: committed.value.value, state, note });
  return ok(undefined);
}

/** `moved`: another program moved a branch first, so the checks ran on an outdated merge. */
export type Advanced = "done" | "moved" | { readonly problem: string };

export async function advanceMain(services: EngineServices, key: string, merging: Merging): Promise<Advanced> {
  const { root } = services.context;
  const { main, from, branch, tip, commit, checkout } = merging;
  const inUse = await isInUse(root, branch);
  const move = async (): Promise<Done> => {
    const moved = await moveRefs(
      root,
      [
        { ref: main, from, to: commit },
        { ref: branch, from: tip, to: inUse ? tip : null },
        { ref: acceptedRef(branch), to: null },
        { ref: landingRef(key), from: commit, to: null },
      ],
      `planwright: land ${key}`,
    );
    if (moved.ok || !(await contains(root, main, commit))) return moved;
    // A killed git may have moved main all the same, and left the rest.
    await removeBranch(root, branch, tip);
    return done;
  };
  const advance = { path: checkout ?? root, from, to: commit, owner: key, holder: services.process };
  const moved = checkout === null ? await move() : await advanceCheckout(advance, move);
  if (moved.ok) return "done";
  const same = (await readRef(root, main)) === from && (await readRef(root, branch)) === tip;
  return same ? { problem: moved.problem } : "moved";
}

/** We do not delete a branch that is checked out. */
const isInUse = async (root: string, branch: string): Promise<boolean> => (await checkoutsOf(root, branch)).length > 0;

/** Deletes the branch of a landed feature, unless it is checked out or git cannot tell. Its work needs no keeping any more. */
export async function removeBranch(root: string, branch: string, tip: string | null): Promise<void> {
  const stays = await isInUse(root, branch).catch(() => true);
  // Only while the branch has not moved: what was accepted since is not landed.
  await moveRefs(root, [
    { ref: branch, from: tip, to: stays ? tip : null },
    { ref: acceptedRef(branch), to: null },
  ]);
}

/**
 * Stops a landing from moving main, then makes its half-moved checkouts match their branch. Returns false if another program
 * is doing that. `driver` is the program whose landing it was: it loses its lock even if it is only paused.
 */
export async function settleAdvance(services: EngineServices, key: string, driver?: string): Promise<boolean> {
  const { root } = services.context;
  // A git that the killed program started would go on writing files.
  await endOrphans(runningFolder(services));
  const ref = landingRef(key);
  const gone = await moveRefs(root, [{ ref, to: null }]);
  if (!gone.ok && (await readRef(root, ref)) !== null) throw new Error(`${ref} could not be removed: ${gone.problem}`);
  for (const half of (await halfMoved(root)).filter(({ owner }) => owner === key)) {
    const advance = { ...half, holder: services.process };
    const taken = await takeOver(services, advance, driver);
    if (taken === "busy") return false;
    if (taken === "foreign") throw new Error(`Another git program is at work in ${half.path}.`);
    await settleCheckout(advance);
  }
  return true;
}

/** Runs inside the store's lock, so that only one program takes over the lock of a dead one. */
async function takeOver(services: EngineServices, advance: Advance, driver: string | undefined): Promise<LockTaken> {
  const mayLose = (holder: string | null): boolean =>
    holder === null || holder === services.process || holder === driver || !mayStillWrite(services, holder);
  const committed = await act(services.context, "attempt", async () =>
    ok({ sentence: "", changes: [], value: takeLock(advance, mayLose) }),
  );
  return committed.ok ? committed.value.value : "busy";
}
