// A landing is an attempt of its land task. The claim keeps two programs from landing the same feature, and each step is
// recorded before main moves, so that another program can finish or roll back a landing that was killed.

import { advanceCheckout, checkoutsOf, obstacles, settleCheckout } from "../../machine/git/checkouts/checkout.js";
import { halfMoved, takeLock } from "../../machine/git/checkouts/half-move.js";
import { type Done, done } from "../../machine/git/git.js";
import { contains } from "../../machine/git/merge.js";
import { acceptedRef, featureBranch, moveRefs, readRef } from "../../machine/git/refs.js";
import { isAtWork, mayStillWrite } from "../../machine/git/removals.js";
import { endOrphans } from "../../machine/process/orphans.js";
import { type Actor, isPerson } from "../../model/actor.js";
import { type Attempt, type AttemptFailure, type AttemptState, hasEnded, LANDER } from "../../model/attempt/attempt.js";
import { fingerprint } from "../../model/attempt/failure.js";
import { failureDetails } from "../../model/attempt/failure-view.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import { changeItem, createItem, type Item } from "../../model/item/item.js";
import { answerStep, LANDED } from "../../model/item/question.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { CheckResult, Claim, FailureClass, Node } from "../../model/node/node.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { type Failure, fail, ok, type Result, refused } from "../../model/result.js";
import { acceptPatch, handIn } from "../../model/rules/task-outcome.js";
import { act, type Context } from "../../plan/base/context.js";
import { MERGE_MAIN_IN } from "../../plan/question/merge-main-in.js";
import { type NewQuestion, raise, withdraw } from "../../plan/question/raise.js";
import type { Maker } from "../../plan/record/save-record.js";
import { mainCommitOf, readMainBranch } from "../../plan/repository/main-branch.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader, Writer } from "../../store/store.js";
import { runningFolder } from "../attempt/attempt-places.js";
import { attemptsOf, type LiveAttempt } from "../attempt/attempt-state.js";
import { makeAttempt, slotOfLost } from "../attempt/begin-attempt.js";
import type { EngineServices } from "../services.js";
import { type LandingPlan, mayStart, NOT_FINISHED, type ToLand } from "./landing-plan.js";
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
    const sentence = `${context.actor} began to land ${task.id} (${live.key})`;
    // Landings do not count as attempts of the task: it is no failure if main moved.
    const changes = [...changeNode(task, { claim, epoch }), createItem("attempt", live.key, attempt)];
    return ok({ sentence, changes, value: { ...live, task: { ...live.task, attempts: task.attempts }, attempt } });
  });
  return committed.ok ? ok(committed.value.value) : committed;
}

export interface Proof {
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
  { by, startedAt, token }: { readonly by: Actor; readonly startedAt: number; readonly token?: string },
): Promise<Result<number | null>> {
  const committed = await act<void>(context, "complete", async (writer, at) => {
    const task = (await writer.node(land.nr)) ?? land;
    if (task.outcome !== null) return ok({ sentence: "", changes: [], value: undefined });
    // Its own claim does not hold it back.
    const may = await mayStart(writer, task.claim?.token === token ? { ...task, claim: null } : task, by);
    if (!may.ok) return may;
    const settling = { by, at, op: writer.op };
    const claim: Claim = { by, token: "", epoch: task.epoch, at: startedAt, until: at };
    const { report = null } = handIn(claim, settling, { checks, commit, created: [], modified: [] });
    const settled = changeNode(task, { ...acceptPatch(settling, proof), report });
    const changes = [...settled, ...(await withdraw(writer, task.id, undefined, `${task.id} is done`))];
    return ok({ sentence: `${by} landed ${task.id}: ${proof}`, changes, value: undefined });
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
  const failed = failureDetails(patch.checks ?? []);
  services.onEvent({ type: "end", attempt: key, task: committed.value.value, state, note, failed });
  return ok(undefined);
}

/** `moved`: another program moved a branch first, so the checks ran on an outdated merge. */
export type Advanced = "done" | "moved" | { readonly problem: string };

export async function advanceMain(services: EngineServices, key: string, merging: Merging): Promise<Advanced> {
  const { root } = services.context;
  const { main, from, branch, tip, commit, checkout } = merging;
  const inUse = await isInUse(root, branch);
  const moves = [
    { ref: main, from, to: commit },
    { ref: branch, from: tip, to: inUse ? tip : null },
    { ref: acceptedRef(branch), to: null },
    { ref: landingRef(key), from: commit, to: null },
  ];
  const move = async (): Promise<Done> => {
    const moved = await moveRefs(root, moves, `planwright: land ${key}`);
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

/** A branch that is checked out is not deleted. */
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
  const mayLose = (holder: string | null): boolean =>
    holder === null || holder === services.process || holder === driver || !mayStillWrite(services, holder);
  // A git that the killed program started would go on writing files.
  await endOrphans(runningFolder(services));
  const ref = landingRef(key);
  const gone = await moveRefs(root, [{ ref, to: null }]);
  if (!gone.ok && (await readRef(root, ref)) !== null) throw new Error(`${ref} could not be removed: ${gone.problem}`);
  for (const half of (await halfMoved(root)).filter(({ owner }) => owner === key)) {
    const advance = { ...half, holder: services.process };
    const taken = takeLock(advance, mayLose, (holder, ageMs) => isAtWork(services, holder, ageMs));
    if (taken === "busy") return false;
    if (taken === "foreign") throw new Error(`Another git program is at work in ${half.path}.`);
    await settleCheckout(advance);
  }
  return true;
}

/** Failures that a retry would not change. */
const CLASSES: Readonly<Record<string, FailureClass>> = {
  "check-failed": "logic",
  "merge-conflict": "conflict",
  "contradicts-record": "plan",
  "outside-footprint": "plan",
};

/** Other failures may pass: how often to try while neither branch moves. */
const TRIES = 3;

type BranchTips = Pick<Attempt, "base" | "tip">;
type Of = Pick<LandingPlan, "feature" | "land">;

/** When the daemon may try: now (a branch moved, or a person said so), at a time, or only after a person's answer (null). */
export async function whenToTry({ context }: EngineServices, of: Of): Promise<"now" | number | null> {
  const stands = await whereBranchesStand(context, of.feature);
  const failed = await context.store.read((reader) => failedAt(reader, of.land, stands));
  const failure = failed[0]?.fields.failure;
  if (!failure) return "now";
  if (failure.action === "retry") return failure.notBefore ?? 0;
  // What looks clear may be refused again, and not without end.
  const mayClear = failure.isDirty === true && failed.length < 2 * TRIES;
  return mayClear && (await isCleared(context, of.land, stands)) ? "now" : null;
}

/** What was in the way in the checkout is gone, and nobody said to wait. */
async function isCleared(context: Context, land: Node, { base, tip }: BranchTips): Promise<boolean> {
  const { root, store } = context;
  const main = await readMainBranch(context);
  if (main === null || base === null || tip === null) return false;
  const [open] = await store.read((reader) => reader.items("question", { owner: land.id, state: "open" }));
  const [checkout, ...others] = open === undefined ? [] : await checkoutsOf(root, main.ref);
  if (checkout === undefined || others.length > 0) return false;
  const { dirty, inTheWay, unfinished } = await obstacles(checkout, base, tip);
  return dirty.length + inTheWay.length === 0 && unfinished === null;
}

async function whereBranchesStand(context: Context, { id }: Node): Promise<BranchTips> {
  return { base: await mainCommitOf(context), tip: await readRef(context.root, featureBranch(id)) };
}

/** Landings of the same two commits that failed since a person last said to try again, latest first. */
async function failedAt(reader: Reader, land: Node, { base, tip }: BranchTips): Promise<Item<"attempt">[]> {
  const answered = await reader.items("question", { owner: land.id, state: "answered" });
  const again = answered.flatMap(({ fields: { answer } }) => (answer?.option === AGAIN ? [answer.at] : []));
  const since = Math.max(0, ...again);
  return (await attemptsOf(reader, land.nr)).filter(
    ({ fields }) => fields.failure !== null && fields.base === base && fields.tip === tip && fields.startedAt > since,
  );
}

/** A landing that was refused before it began. A person sees the reason; for the daemon it is recorded. */
export async function refuse(to: ToLand, error: Failure): Promise<Result<never>> {
  const { services, plan } = to;
  const { context } = services;
  if (isPerson(context.actor)) return error.reason === "merge-conflict" ? ask(services, plan, error) : fail(error);
  const begun = await beginLanding(services, plan.land, await whereBranchesStand(context, plan.feature));
  return begun.ok ? endFailedLanding(to, begun.value, error) : begun;
}

export async function endFailedLanding(to: ToLand, live: LiveAttempt, error: Failure): Promise<Result<never>> {
  const { services, plan } = to;
  const failure = await failureOf(to, live, error);
  const kind = CLASSES[error.reason];
  const checks = (error.details?.["checks"] ?? []) as readonly CheckResult[];
  const seen = error.reason !== "merge-conflict" && isPerson(services.context.actor);
  const asks = failure?.action === "park" && !seen;
  await endLanding(services, live.key, {
    state: kind === undefined ? "released" : "failed",
    note: error.message,
    patch: { failure, merged: null, checks },
    // In the same operation: without the question it would never be tried again.
    ...(asks ? { also: (writer, at) => questionOf(writer, plan, error, { by: services.context.actor, at }) } : {}),
  });
  const whole = checks.some(hasFailed) ? [step("attempt.show", { id: live.key, output: true })] : [];
  const next = asks ? await stepsToAnswer(services.context, plan.land) : (error.next ?? []);
  return fail({ ...error, next: [...next, ...whole] });
}

/** Landing it again would be refused again: the question that was asked leads on. */
async function stepsToAnswer({ store }: Context, land: Node): Promise<NextStep[]> {
  const [open] = await store.read((reader) =>
    reader.items("question", { owner: land.id, state: "open", newest: true, limit: 1 }),
  );
  if (open === undefined) return [];
  return [step("show", { reference: open.key }), answerStep(open.key, open.fields.recommended)];
}

/** Null if it is not counted: it was stopped, the feature is not finished, or a person saw it fail. */
async function failureOf(
  { services, plan }: ToLand,
  { attempt }: LiveAttempt,
  { reason, message }: Failure,
): Promise<AttemptFailure | null> {
  const { context, policy } = services;
  const known = CLASSES[reason];
  const failure = { class: known ?? "transient", reason: message, fingerprint: fingerprint(message, sha256) } as const;
  if (known !== undefined) return { ...failure, action: "park", notBefore: null };
  if (reason === "stopped" || reason === NOT_FINISHED || isPerson(context.actor)) return null;
  const earlier = await context.store.read((reader) => failedAt(reader, plan.land, attempt));
  const cause = reason === "dirty-tree" ? { isDirty: true as const } : {};
  if (earlier.length + 1 >= TRIES) return { ...failure, ...cause, action: "park", notBefore: null };
  return { ...failure, action: "retry", notBefore: context.now() + policy.backoffSeconds * 1000 };
}

const failedIn = ({ details }: Failure): string[] =>
  failureDetails((details?.["checks"] ?? []) as readonly CheckResult[]);

const AGAIN = "again";

async function ask({ context }: EngineServices, of: Of, error: Failure): Promise<Result<never>> {
  await act<null>(context, "attempt", async (writer, at) => {
    const changes = await questionOf(writer, of, error, { by: context.actor, at });
    const sentence = `${context.actor} asked what to do about landing ${of.feature.id}: ${error.reason}`;
    return ok({ sentence, changes, value: null });
  });
  return fail({ ...error, next: await stepsToAnswer(context, of.land) });
}

async function questionOf(writer: Writer, { feature, land }: Of, error: Failure, maker: Maker) {
  const mayMerge = error.reason === "merge-conflict" || error.reason === "check-failed";
  const asked: NewQuestion = {
    kind: "land",
    question: `${feature.id} cannot land. What next?`,
    owner: land.id,
    context: [error.message, ...failedIn(error).map((line) => `  ${line}`)].join("\n"),
    blocks: [land.id],
    recommended: error.reason === "merge-conflict" ? MERGE_MAIN : null,
    options: [
      ...(mayMerge ? [MERGE_MAIN_IN] : []),
      { id: AGAIN, label: "Try again", detail: "The problem is solved. At level auto the daemon lands it." },
      { id: "wait", label: "Wait", detail: "Do nothing until a branch moves or you land it yourself." },
      {
        id: LANDED,
        label: "Main has it already",
        detail: "It was merged elsewhere. Landing it again only proves that.",
      },
    ],
  };
  return (await raise(writer, asked, maker)).changes;
}
