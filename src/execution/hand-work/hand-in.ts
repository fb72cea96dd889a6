// Hands in work from the caller's own checkout: what changed there since the task was claimed becomes one commit, which is judged
// in a clean worktree like any attempt. The checkout, its index and its branch stay as they are.

import { claimNotes, noteFailure } from "../../actions/claim/claim-notes.js";
import type { Completion, Unjudged } from "../../actions/claim/complete.js";
import { act } from "../../actions/context.js";
import { mainCommitOf } from "../../actions/repository/main-branch.js";
import {
  beforeOwnCommits,
  checkoutAround,
  commitCheckoutChanges,
  type Since,
  type TakenChange,
} from "../../git/checkouts/checkout-changes.js";
import { contains } from "../../git/merge.js";
import { attemptBranch, listRefs, moveRefs, readRef, shortName } from "../../git/refs.js";
import { isPerson } from "../../graph/actor.js";
import { type Attempt, type AttemptWorker, isByHand, touchedBy } from "../../graph/attempt/attempt.js";
import { strengthOf } from "../../graph/attempt/proof.js";
import { matchesGlob } from "../../graph/conflict/glob.js";
import { changeItem, createItem, type Item, LIVE } from "../../graph/item/item.js";
import { itemKey } from "../../graph/item/item-key.js";
import { step } from "../../graph/next-step.js";
import type { Claim, Node } from "../../graph/node/node.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { ClaimLost, enterState, type LiveAttempt, ownsClaim } from "../attempt/attempt-state.js";
import { type AttemptWorktree, layOutCommit, slotFolder } from "../attempt/attempt-worktree.js";
import { blankAttempt, freeSlot } from "../attempt/begin-attempt.js";
import { describeFailedChecks } from "../attempt/check-report.js";
import { attemptMessage } from "../attempt/commit-message.js";
import { endRejected } from "../attempt/end-attempt.js";
import { heartbeatOf } from "../attempt/heartbeats.js";
import type { EngineServices } from "../engine/services.js";
import { runAttemptChecks } from "../judgement/attempt-checks.js";
import { ensureFeatureBranch, type FeatureTip } from "../judgement/feature-branch.js";
import { type Judgement, judgeChange, type Wrong } from "../judgement/judge.js";
import { recover } from "../recovery/reconcile.js";

export interface HandInInput extends Unjudged {
  /** Files that the worker says it made or changed: git must see them, too. */
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
  /** What the worker says it used for the task in all. */
  readonly tokens?: number | undefined;
  readonly cost?: number | undefined;
  /** Files that were changed before the claim and belong to the task. */
  readonly include?: readonly string[];
  /** Only run the checks. */
  readonly rehearse?: boolean;
}

export async function handInCheckout(
  given: EngineServices,
  input: HandInInput,
  signal: AbortSignal,
): Promise<Result<Completion>> {
  const { node, claim } = input;
  if (node.feature === null) return noFeature(node);
  const services = withLeaseOf(given, claim);
  try {
    const begun = await liveAttempt(services, node, claim);
    if (begun && isByHand(begun.fields)) return inWorktree(node, begun.fields);
    const earlier = begun && (await finishInterrupted(services, node, begun.key));
    if (earlier) return ok(earlier);
    const source = await sourceOf(services, node);
    const feature = await ensureFeatureBranch(services, node, await mainWithoutOwn(services, source));
    const live = await takeAttempt(services, input, feature, source.path);
    const taken = await takeChange(live, source, feature, input.include);
    const said = saidButNotSeen(input, taken);
    if (said.length > 0) return notSeen(node, said);
    return ok(await judgeTaken(services, live, feature, taken, { signal, rehearse: input.rehearse ?? false }));
  } catch (error) {
    if (error instanceof ClaimLost) return lost(node);
    const why = error instanceof Error ? error.message : String(error);
    return refused("broken", `${node.id} could not be handed in: ${why} You keep your claim.`, {
      next: [step("complete", { reference: node.id })],
    });
  }
}

/** Every step renews the claim for as long as it was made. No agent reviews the work of a person. */
function withLeaseOf(services: EngineServices, claim: Claim): EngineServices {
  const { context, policy } = services;
  const settings = { ...context.settings, leaseMinutes: (claim.until - claim.at) / 60_000 };
  const review = policy.review && !isPerson(context.actor);
  return { ...services, context: { ...context, settings }, policy: { ...policy, review } };
}

const noFeature = ({ id }: Node): Result<never> =>
  refused("no-feature", `${id} is in no feature, so there is no branch for its work. Move it into a feature.`, {
    next: [step("move", { reference: id }, "to")],
  });

const lost = ({ id }: Node): Result<never> =>
  refused("lease-lost", `Your claim of ${id} has ended, or it is being handed in elsewhere. Nothing was changed.`, {
    next: [step("show", { reference: id })],
  });

const inWorktree = ({ id }: Node, { worktree }: Attempt): Result<never> =>
  refused("in-worktree", `${id} is being worked on in ${worktree ?? "a worktree"}. Hand in what is there.`, {
    next: [step("work.done", { reference: id })],
  });

const liveAttempt = async (
  { context }: EngineServices,
  { nr }: Node,
  { token }: Claim,
): Promise<Item<"attempt"> | undefined> => {
  const live = await context.store.read((reader) => reader.items("attempt", { owner: String(nr), state: LIVE }));
  return live.find(({ fields }) => fields.token === token);
};

/** An earlier hand-in was killed after it moved the branch. */
async function finishInterrupted(services: EngineServices, node: Node, key: string): Promise<Completion | null> {
  const { store, root } = services.context;
  if ((await readRef(root, attemptBranch(key))) !== null) return null;
  await recover(services, key);
  const [now, ended] = await store.read(async (reader) => [
    await reader.node(node.nr),
    await reader.item("attempt", key),
  ]);
  if (now?.outcome?.kind !== "done" || !ended) throw new ClaimLost(`${key} was interrupted.`);
  return completionOf({ key, task: node, attempt: ended.fields }, "accepted", []);
}

/** One attempt for each claim: a hand-in that failed is continued. */
async function takeAttempt(
  services: EngineServices,
  { node, claim, tokens, cost }: HandInInput,
  { tip: base }: FeatureTip,
  checkout: string,
): Promise<LiveAttempt> {
  const { context } = services;
  const committed = await act<LiveAttempt>(context, "attempt", async (writer, at) => {
    const task = await writer.node(node.nr);
    if (!task || !ownsClaim(task, { token: claim.token, epoch: claim.epoch } as Attempt)) {
      return refused("lease-lost", `Your claim of ${node.id} has ended.`);
    }
    const items = await writer.items("attempt", { owner: String(node.nr), state: LIVE });
    const known = items.find(({ fields }) => fields.token === claim.token);
    const slot = await freeSlot(services, writer);
    const said = tokens !== undefined || cost !== undefined;
    const usage = { inputTokens: tokens ?? 0, outputTokens: 0, costUsd: cost ?? null };
    const worktree = slotFolder(services, slot);
    const place = { slot, worktree, base, driver: services.process, checkout, ...(said && { usage }) };
    const lost = new AbortController();
    if (known) {
      const attempt: Attempt = { ...known.fields, ...place };
      const sentence = `${context.actor} hands in ${node.id} again (${known.key})`;
      return ok({ sentence, changes: changeItem(known, place), value: { key: known.key, task, attempt, lost } });
    }
    const key = itemKey("ATT", await writer.number("ATT"), 5);
    const blank = await blankAttempt(services, writer, task, workerOf(context.actor), at);
    const steps = (["claimed", "prepared", "working"] as const).map((state) => ({ state, at }));
    const branch = shortName(attemptBranch(key));
    const attempt: Attempt = { ...blank, ...place, branch, state: "working", startedAt: claim.at, steps };
    return ok({
      sentence: `${context.actor} hands in ${node.id} (${key})`,
      changes: [createItem("attempt", key, attempt)],
      value: { key, task, attempt, lost },
    });
  });
  if (!committed.ok) throw new ClaimLost(committed.error.message);
  const live = committed.value.value;
  const branch = attemptBranch(live.key);
  if ((await readRef(context.root, branch)) === null) await moveRefs(context.root, [{ ref: branch, to: base }]);
  return live;
}

const workerOf = (actor: string): AttemptWorker => ({
  kind: isPerson(actor) ? "person" : "agent",
  name: actor.replace(/^\w+:/, ""),
  model: null,
});

/** Where the change is, and what it is compared with. */
interface Source extends Pick<Since, "from" | "others"> {
  readonly path: string;
}

const MAIN_OF_REMOTE = /^refs\/remotes\/[^/]+\/(main|master|HEAD)$/;

async function sourceOf({ context }: EngineServices, task: Node): Promise<Source> {
  const { root, cwd, store } = context;
  const path = checkoutAround(cwd, root) ?? root;
  const recorded = (await store.read((reader) => claimNotes(reader, task.nr)))?.checkout ?? null;
  const head = recorded?.head ?? (await mainCommitOf(context));
  if (head === null) throw new Error("the repository has no commit.");
  // In another checkout than that of the claim, everything since the commit counts.
  const from = recorded?.path === path ? recorded : { path, head, tree: null };
  const others = [...(await listRefs(root, "refs/remotes")).keys()].filter((ref) => MAIN_OF_REMOTE.test(ref));
  return { path, from, others };
}

/** The last commit of main before the worker's own, if the worker committed on main. */
async function mainWithoutOwn({ context }: EngineServices, source: Source): Promise<string | null> {
  const before = await beforeOwnCommits(source.path, source);
  const main = before === null ? null : await mainCommitOf(context);
  if (before === null || main === null || main === before) return null;
  return (await contains(context.root, main, before)) ? before : null;
}

async function takeChange(
  live: LiveAttempt,
  source: Source,
  feature: FeatureTip,
  include: readonly string[] = [],
): Promise<TakenChange> {
  // A review task changes nothing.
  if (live.task.kind === "review") return { nothing: true, leftAlone: [] };
  const { path, from, others } = source;
  const since = { from, onto: feature.tip, others: [feature.tip, ...others], message: attemptMessage(live), include };
  return commitCheckoutChanges(path, since);
}

/** What the worker names must be part of the change that git sees. */
function saidButNotSeen({ created = [], modified = [] }: HandInInput, taken: TakenChange): string[] {
  if ("problem" in taken || "conflicts" in taken) return [];
  const seen = new Set("changes" in taken ? touchedBy(taken.changes) : []);
  return [...created, ...modified].map((path) => path.replace(/^\.\//, "")).filter((path) => !seen.has(path));
}

const notSeen = ({ id }: Node, files: readonly string[]): Result<never> =>
  refused(
    "not-changed",
    `You named ${files.join(", ")}, but git sees no such change since you claimed ${id}. You keep your claim.`,
    { details: { files }, next: [step("complete", { reference: id })] },
  );

async function judgeTaken(
  services: EngineServices,
  live: LiveAttempt,
  feature: FeatureTip,
  taken: TakenChange,
  { signal, rehearse }: { readonly signal: AbortSignal; readonly rehearse: boolean },
): Promise<Completion> {
  const { leftAlone } = taken;
  if ("problem" in taken) return stayOpen(services, live, { wrong: taken.problem }, leftAlone);
  if ("conflicts" in taken) {
    const { begunBefore, conflicts } = taken;
    if (begunBefore.length === 0) return stayOpen(services, live, conflictsWith(feature, conflicts), leftAlone);
    return { ...(await stayOpen(services, live, { wrong: begunWords(begunBefore) }, leftAlone)), begunBefore };
  }
  const commit = "commit" in taken ? taken.commit : feature.tip;
  const stop = live.lost ? AbortSignal.any([signal, live.lost.signal]) : signal;
  const beat = heartbeatOf(services, live);
  let tree: AttemptWorktree | undefined;
  try {
    tree = await layOutCommit(services, live, feature, commit, stop);
    if (rehearse) {
      const checks = await runAttemptChecks(services, live, tree, commit, stop);
      return await stayOpen(services, live, { wrong: describeFailedChecks(checks), checks }, leftAlone);
    }
    const judged = await judgeChange(services, live, tree, taken, stop);
    if (live.lost?.signal.aborted) throw new ClaimLost(`${live.key} no longer holds ${live.task.id}.`);
    if (signal.aborted) throw new Error("it was stopped.");
    return await conclude(services, live, feature, judged, leftAlone);
  } finally {
    beat.stop();
    await tree?.dispose();
  }
}

async function conclude(
  services: EngineServices,
  live: LiveAttempt,
  feature: FeatureTip,
  judged: Judgement,
  leftAlone: readonly string[],
): Promise<Completion> {
  if (judged === "ended") {
    const { state } = live.attempt;
    if (state === "accepted") return completionOf(live, "accepted", leftAlone);
    const completion = completionOf(live, state === "released" ? "open" : "pending", leftAlone);
    return { ...completion, question: await questionAbout(services, live) };
  }
  const wrong = "conflicts" in judged ? conflictsWith(feature, judged.conflicts) : judged;
  if (wrong.checks === undefined) return stayOpen(services, live, wrong, leftAlone);
  const { failed } = await countFailure(services, live);
  const fixesLeft = services.policy.fixes - failed;
  if (fixesLeft >= 0) return { ...(await stayOpen(services, live, wrong, leftAlone)), fixesLeft };
  await endRejected(services, live, wrong.wrong, wrong.checks, { park: true });
  return completionOf(live, "rejected", leftAlone);
}

async function questionAbout({ context }: EngineServices, { task }: LiveAttempt): Promise<string | null> {
  const [first] = await context.store.read((reader) => reader.items("escalation", { owner: task.id, state: "open" }));
  return first?.key ?? null;
}

async function countFailure({ context }: EngineServices, { task }: LiveAttempt): Promise<{ failed: number }> {
  const committed = await act(context, "attempt", async (writer) => {
    const node = (await writer.node(task.nr)) ?? task;
    const { failed, changes } = await noteFailure(writer, node);
    return ok({ sentence: `The checks of ${task.id} failed (${failed})`, changes, value: failed });
  });
  return { failed: committed.ok ? committed.value.value : 1 };
}

const conflictsWith = ({ feature }: FeatureTip, files: readonly string[]): Wrong => ({
  wrong: `Others changed the same lines on ${shortName(feature)}: ${files.join(", ")}. Merge that branch into your checkout, resolve the conflicts, and hand it in again.`,
});

const begunWords = (files: readonly string[]): string =>
  `You changed ${files.join(", ")} before you claimed the task and did not commit that, so what you changed since does not apply on its own. Include ${files.length === 1 ? "the file" : "these files"} to hand in all of it, or commit the earlier change.`;

/** The claim stays, and so does the attempt, without its worktree. */
async function stayOpen(
  services: EngineServices,
  live: LiveAttempt,
  { wrong, checks = [] }: Wrong,
  leftAlone: readonly string[],
): Promise<Completion> {
  const patch = { checks, note: wrong, slot: null, worktree: null, rounds: live.attempt.rounds + 1 };
  await enterState(services, live, { to: "working", patch });
  return completionOf(live, "open", leftAlone);
}

/** Without a footprint, any file may be the task's. */
const isOfTask = ({ files }: Node, path: string): boolean =>
  files.length === 0 || files.some((pattern) => matchesGlob(pattern, path));

function completionOf(
  { key, task, attempt }: LiveAttempt,
  acceptance: Completion["acceptance"],
  leftAlone: readonly string[],
): Completion {
  const checks = [...attempt.checks, ...attempt.mergedChecks];
  return {
    id: task.id,
    op: attempt.op,
    acceptance,
    checks,
    durationMs: (attempt.endedAt ?? attempt.startedAt) - attempt.startedAt,
    commit: acceptance === "accepted" ? attempt.merged : null,
    attempt: key,
    changes: attempt.changes,
    leftAlone,
    begunBefore: leftAlone.filter((path) => isOfTask(task, path)),
    note: attempt.note,
    question: null,
    proof: acceptance === "accepted" ? strengthOf(checks) : null,
    fixesLeft: null,
  };
}
